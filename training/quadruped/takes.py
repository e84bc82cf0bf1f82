"""Takes: motion composed from an animal's cycles, with starts, stops, changes of gait and turns.

Each keyframed gait has one speed, straight ahead. A network needs everything in between: strides that lengthen and
quicken with speed, cross-fades between gaits with an even rhythm of the hind legs, bodies that bend into turns, and
planted paws.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...core.control.feet.paw_lock import lock_paws
from ...core.control.path.velocity_profile import TUNING as VELOCITY_PROFILE_TUNING
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.features.rest import REST_GAITS
from ...core.motion import Clip, Skeleton
from ...core.motion.chain_ik import solve_chain_ik
from ...core.motion.contacts import FootContacts
from ...core.motion.limb_ik import with_world_rotations
from ...core.motion.paws import chest_joint, leg_chains
from ...core.motion.root_frame import facing_direction
from ...core.motion.rotations import Array, multiply, normalize, rotate, rotation_about_up
from ...core.motion.signals import runs_of
from .cycles import Cycle
from .gait_table import GAITS, PACE, SIT_DOWN_S, STYLES, GaitTable, paced
from .postures import STAND

TAKE_S: Final = 24.0
"""Duration of a take."""
SEGMENT_S: Final = (1.2, 3.5)
"""Shortest and longest segment, with one speed and turn."""
ACCELERATION_SMOOTHING_S: Final = 0.25
"""Standard deviation of the Gaussian that smooths changes of speed and turn."""
GAIT_BLEND_S: Final = 0.12
"""Standard deviation of the Gaussian that cross-fades gaits."""
CYCLE_BLEND_S: Final = 0.15
"""Standard deviation of the Gaussian that cross-fades two cycles of one gait."""
STAND_SHARE: Final = 0.2
"""Share of segments in which the animal stands."""
REST_SHARE: Final = 0.1
"""Share of segments in which the animal sits or lies, if clips show it."""
REST_S: Final = (2.0, 4.0)
"""Shortest and longest time from sitting or lying down to getting up."""
COME_TO_REST_S: Final = 0.6
"""Time of standing before an animal sits or lies down, and after it has got up."""
IDLES: Final = (STAND, *REST_GAITS)
"""Gaits without a stride frequency."""
PACE_SHARE: Final = 0.15
"""Share of segments in which the animal paces, if clips allow it."""
STEP_SHARES: Final = ((0.1, 0.4), (0.35, 0.6), (0.4, 0.7), (0.6, 0.85))
"""Start and end of each paw's step to its place, as shares of the time of sitting or lying down, in contact order."""
STRAIGHT_SHARE: Final = 0.35
"""Share of segments that are straight."""
FASTEST_TURN_RAD_S: Final = 1.2 * VELOCITY_PROFILE_TUNING.max_turn_rate
"""Fastest turn: faster than in planned walks, since a network follows turns only in part."""
HARDEST_TURN_M_S2: Final = 1.4 * VELOCITY_PROFILE_TUNING.max_lateral_acceleration
"""Largest lateral acceleration in a turn, up to the velocity profiles' hard speed, above which it grows with speed."""
BEND_SHARE: Final = 0.9
"""Share of a turn's curvature by which the trunk bends."""
MAX_BEND_RAD: Final = 0.5
"""Largest bend of the trunk from hips to chest."""
TOP_SPEED_RATIO: Final = 1.5
"""Highest speed in takes, relative to the speed of the fastest cycle."""


@dataclass(frozen=True, eq=False)
class Course:
    """Speed and turn of an animal at each of the F frames of a take.

    Attributes:
        speeds: (F) forward speeds, m/s.
        turns: (F) turning rates, rad/s; positive to the left.
        choices: (F) numbers that select one of a gait's cycles.
        styles: (F) indices in ``gait_table.STYLES``.
    """

    speeds: Array
    turns: Array
    choices: Array
    styles: NDArray[np.intp]

    @staticmethod
    def draw(table: GaitTable, random: np.random.Generator) -> "Course":
        """Draw a random course that starts and ends standing; each of its segments has one speed, turn and style."""
        frames = round(TAKE_S * FEATURE_RATE_HZ)
        speeds, turns, choices, styles = np.zeros(frames), np.zeros(frames), np.zeros(frames), np.zeros(frames, np.intp)
        last, at = frames - round(1.5 * FEATURE_RATE_HZ), round(FEATURE_RATE_HZ)
        while at < last:
            style, seconds, still = _draw_style(table, random)
            stop = at + round((seconds + still) * FEATURE_RATE_HZ)
            if style in REST_GAITS:
                begin = at + round(COME_TO_REST_S * FEATURE_RATE_HZ)
                if stop < frames:
                    styles[begin : begin + round(seconds * FEATURE_RATE_HZ)] = STYLES.index(style)
            elif style or random.random() >= STAND_SHARE:
                speed = _draw_speed(table, random)
                hardest = HARDEST_TURN_M_S2 * max(1.0, speed / VELOCITY_PROFILE_TUNING.hard_speed)
                limit = min(FASTEST_TURN_RAD_S, hardest / max(speed, 0.3))
                straight = random.random() < STRAIGHT_SHARE
                speeds[at:stop], turns[at:stop] = speed, 0.0 if straight else random.uniform(-limit, limit)
                styles[at:stop] = STYLES.index(style)
            choices[at:stop] = random.random()
            at = stop
        speeds[last:] = turns[last:] = 0.0
        sigma = ACCELERATION_SMOOTHING_S * FEATURE_RATE_HZ
        speeds, turns = (scipy.ndimage.gaussian_filter1d(row, sigma, mode="nearest") for row in (speeds, turns))
        return Course(speeds, turns, choices, styles)


def _draw_style(table: GaitTable, random: np.random.Generator) -> tuple[str, float, float]:
    """Draw the style of a segment, its duration, and the duration of standing before and after it, seconds."""
    rests = [name for name in table.styles if name in REST_GAITS]
    kind = random.random()
    if rests and kind < REST_SHARE:
        style = str(random.choice(rests))
        return style, random.uniform(*REST_S), 2 * COME_TO_REST_S + SIT_DOWN_S[style]
    paces = PACE in table.styles and kind > 1 - PACE_SHARE
    return PACE if paces else "", random.uniform(*SEGMENT_S), 0.0


def _draw_speed(table: GaitTable, random: np.random.Generator) -> float:
    """Draw a speed, m/s, suited to a walk, a trot or a gallop."""
    slow, fast = table.gait_speeds()
    top = TOP_SPEED_RATIO * max(cycle.speed for cycle in table.gallop)
    low, high = ((0.4 * slow, slow), (slow, fast), (fast, top))[random.choice(3, p=(0.45, 0.35, 0.2))]
    return random.uniform(low, high)


@dataclass(frozen=True, eq=False)
class Take:
    """A composed motion of an animal, F frames, with exact labels.

    Attributes:
        clip: the motion, with its paws planted.
        contacts: (F, 4) whether each paw is in contact.
        gait_names: names of the gaits (G).
        gaits: (F, G) weights, rows summing to 1.
    """

    clip: Clip
    contacts: FootContacts
    gait_names: tuple[str, ...]
    gaits: Array


def make_take(table: GaitTable, body: Skeleton, random: np.random.Generator, name: str) -> Take:
    """Return the take, named ``name``, of an animal that follows a random course."""
    course = Course.draw(table, random)
    return follow_course(table, body, course, name)


def follow_course(table: GaitTable, body: Skeleton, course: Course, name: str) -> Take:
    """Return the take, named ``name``, of an animal that follows a given course with the cycles of a table."""
    weights = table.weights(course.speeds, course.turns, course.styles, FEATURE_RATE_HZ, GAIT_BLEND_S)
    clip, contacts = _on_the_spot(table, body, course, weights, name)
    clip = _bent(clip, course)
    clip = _travelling(clip, course)
    held = FootContacts(contacts * _planted(course))
    clip = lock_paws(clip, held, standing=_standing(table, body))
    return Take(clip, held, *_gaits(table, course, weights))


def _planted(course: Course) -> Array:
    """Return a mask (F, 4) that is 0 where a paw steps while an animal sits or lies down or gets up, else 1."""
    planted = np.ones((len(course.styles), 4))
    for name, seconds in SIT_DOWN_S.items():
        for start, stop in runs_of(course.styles == STYLES.index(name)):
            for begin in (start, stop):
                for paw, share in enumerate(STEP_SHARES):
                    first, last = (begin + round(part * seconds * FEATURE_RATE_HZ) for part in share)
                    planted[first:last, paw] = 0.0
    return planted


def _gaits(table: GaitTable, course: Course, weights: Array) -> tuple[tuple[str, ...], Array]:
    """Return the names and weights (F, G) of the gaits as commanded to a controller; trots and gallops are runs.

    Sitting and lying are commanded from the start of sitting or lying down to the start of getting up.
    """
    styles = [name for name in table.styles if name]
    gaits = np.zeros((len(weights), 3 + len(styles)))
    for column, gait in enumerate(GAITS):
        if gait not in REST_GAITS:
            name = PACE if gait == "slow pace" else gait
            own = 3 + styles.index(name) if name in styles else min(column, 2)
            gaits[:, own] += weights[:, column]
    gaits /= np.maximum(gaits.sum(axis=1, keepdims=True), 1e-9)
    gaits[gaits.sum(axis=1) < 0.5, 0] = 1.0
    for name in set(styles) & set(REST_GAITS):
        on = (course.styles == STYLES.index(name)).astype(float)
        share = scipy.ndimage.gaussian_filter1d(on, GAIT_BLEND_S * FEATURE_RATE_HZ, mode="nearest")
        gaits *= 1 - share[:, None]
        gaits[:, 3 + styles.index(name)] += share
    return ("stand", "walk", "run", *styles), gaits


def _standing(table: GaitTable, body: Skeleton) -> Clip | None:
    """Return an idle cycle as a clip, from which paw heights are measured; ``None`` without an idle."""
    if not table.stand:
        return None
    roots, rotations, _ = table.stand[0].at(np.zeros(2))
    return Clip(body, FEATURE_RATE_HZ, roots, rotations)


def _on_the_spot(table: GaitTable, body: Skeleton, course: Course, weights: Array, name: str) -> tuple[Clip, Array]:
    """Blend the cycles of a course on the spot, facing +Y; return the clip and its contacts (F, 4)."""
    frames = len(course.speeds)
    phases, times = np.cumsum(_beats(table, course, weights)) / FEATURE_RATE_HZ, np.arange(frames) / FEATURE_RATE_HZ
    roots, contacts, stretch = np.zeros((frames, 3)), np.zeros((frames, 4)), np.zeros(frames)
    rotations, paws = np.zeros((frames, len(body), 4)), np.zeros((frames, 4, 3))
    for cycle, share in _shares(table, course, weights):
        at = phases if cycle.speed > 0 else times / cycle.seconds
        own_roots, own, held = cycle.at(at)
        paws += share[:, None, None] * cycle.paws_at(body, at)
        roots += share[:, None] * own_roots
        contacts += share[:, None] * held
        stretch += share * (paced(cycle, course.speeds)[1] if cycle.speed > 0 else 1.0)
        near = np.where(np.sum(rotations * own, axis=-1, keepdims=True) < 0, -1.0, 1.0)
        rotations += share[:, None, None] * near * own
    return _stretched(Clip(body, FEATURE_RATE_HZ, roots, normalize(rotations), name), paws, stretch), contacts


def _shares(table: GaitTable, course: Course, weights: Array) -> list[tuple[Cycle, Array]]:
    """Return the cycles used in a course, each with its share (F); the shares sum to 1.

    Args:
        table: the gaits.
        course: the course, which chooses among the cycles of a gait.
        weights: (F, G) weights of the gaits.
    """
    found: list[tuple[Cycle, Array]] = []
    for column, cycles in enumerate(table.groups()):
        for number, cycle in enumerate(cycles):
            chosen = ((course.choices * len(cycles)).astype(int) == number).astype(float)
            smooth = scipy.ndimage.gaussian_filter1d(chosen, CYCLE_BLEND_S * FEATURE_RATE_HZ, mode="nearest")
            found.append((cycle, weights[:, column] * smooth))
    total = np.sum([share for _, share in found], axis=0)
    return [(cycle, share / total) for cycle, share in found if share.max() > 0.0]


def _beats(table: GaitTable, course: Course, weights: Array) -> Array:
    """Return the stride frequency (F), Hz: the weighted mean over the gaits; 0 while standing."""
    beats = np.zeros(len(course.speeds))
    for column, cycles in enumerate(table.groups()):
        if GAITS[column] not in IDLES and cycles:
            beats += weights[:, column] * np.mean([paced(cycle, course.speeds)[0] for cycle in cycles], axis=0)
    return beats


def _stretched(clip: Clip, tracks: Array, factors: Array) -> Clip:
    """Return a clip on the spot with strides scaled by factors (F), and paw lifts by the factors' square roots.

    Args:
        clip: blended poses.
        tracks: (F, 4, 3) blended paw positions, meters; paws computed from blended poses would leave the ground.
        factors: (F) stride factors.
    """
    first = np.stack([clip.positions[:, chain.joints[0]] for chain in leg_chains(clip.skeleton)], axis=1)
    about = tracks - first
    rest = about[..., 1].mean(axis=0)
    targets = tracks.copy()
    targets[..., 1] += (factors[:, None] - 1) * (about[..., 1] - rest)
    low = tracks[..., 2].min(axis=0)
    targets[..., 2] = low + np.clip(np.sqrt(factors), 0.5, 1.2)[:, None] * (tracks[..., 2] - low)
    positions, rotations = (array.copy() for array in clip.world)
    for number, chain in enumerate(leg_chains(clip.skeleton)):
        solve_chain_ik(positions, rotations, chain, targets[:, number])
    return with_world_rotations(clip, clip.root_positions, rotations)


def _bent(clip: Clip, course: Course) -> Clip:
    """Return a clip on the spot with trunk and head bent into the turns."""
    skeleton = clip.skeleton
    chest, hips = chest_joint(skeleton), skeleton.joint("hips")
    length = float(np.linalg.norm(clip.positions[0, chest] - clip.positions[0, hips]))
    bend = BEND_SHARE * length * course.turns / np.maximum(course.speeds, 0.5)
    bend = np.clip(bend, -MAX_BEND_RAD, MAX_BEND_RAD)
    rotations, roots = clip.world[1].copy(), clip.root_positions
    shares = _bend_shares(skeleton, hips, chest)
    for joint in range(len(skeleton)):
        rotations[:, joint] = multiply(rotation_about_up(shares[joint] * bend), rotations[:, joint])
    bent = with_world_rotations(clip, roots, rotations)
    middle = (bent.positions[:, chest] + bent.positions[:, hips]) / 2
    drift = (middle - (clip.positions[:, chest] + clip.positions[:, hips]) / 2) * [1.0, 1.0, 0.0]
    return with_world_rotations(bent, roots - drift, rotations)


def _bend_shares(skeleton: Skeleton, hips: int, chest: int) -> Array:
    """Return each joint's share (J) of the bend: from -0.5 at the hips to 0.5 at the chest.

    The neck continues the bend, so that the head looks into the turn.
    """
    spine = _path_down(skeleton, hips, chest)
    shares = np.full(len(skeleton), -0.5)
    for joint in range(1, len(skeleton)):
        parent = skeleton.parents[joint]
        shares[joint] = shares[parent]
        if joint in spine:
            shares[joint] += 1.0 / len(spine)
        elif joint in (skeleton.roles.get("neck"), skeleton.roles.get("head")):
            shares[joint] += 0.25
    return shares


def _path_down(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Return the joints on the path from below ``top`` down to ``bottom``."""
    found: list[int] = []
    while bottom != top:
        found.append(bottom)
        bottom = skeleton.parents[bottom]
    return found[::-1]


def _travelling(clip: Clip, course: Course) -> Clip:
    """Return a clip on the spot moved along a course."""
    yaws = np.cumsum(course.turns) / FEATURE_RATE_HZ
    steps = facing_direction(yaws) * course.speeds[:, None] / FEATURE_RATE_HZ
    places = np.column_stack([np.cumsum(steps, axis=0), np.zeros(len(steps))])
    turn = rotation_about_up(yaws)
    roots = rotate(turn, clip.root_positions) + places
    return with_world_rotations(clip, roots, multiply(turn[:, None], clip.world[1]))
