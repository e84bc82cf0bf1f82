"""Takes: an animal's cycles put together to walks with starts, stops, changes of gait and turns.

Keyframed gaits have one speed each, straight ahead. A network has to know what is between them: strides that lengthen
and quicken with the speed, cross-fades between gaits whose hind legs keep their beat, bodies that bend into a turn and
paws that stay where they were put down.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...core.control.feet.paw_lock import lock_paws
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.motion import Clip, Skeleton
from ...core.motion.chain_ik import solve_chain_ik
from ...core.motion.contacts import FootContacts
from ...core.motion.limb_ik import with_world_rotations
from ...core.motion.paws import chest_joint, leg_chains, paw_tracks
from ...core.motion.root_frame import facing_direction
from ...core.motion.rotations import Array, multiply, normalize, rotate, rotation_about_up
from .cycles import Cycle
from .gait_table import GaitTable, paced

TAKE_S: Final = 24.0
"""Length of a take."""
SEGMENT_S: Final = (1.2, 3.5)
"""Shortest and longest time at one speed and turn."""
ACCELERATION_SMOOTHING_S: Final = 0.25
"""Standard deviation of the Gaussian over which speed and turn change."""
GAIT_BLEND_S: Final = 0.12
"""Standard deviation of the Gaussian over which gaits are cross-faded."""
CYCLE_BLEND_S: Final = 0.15
"""Standard deviation of the Gaussian over which two cycles of one gait are cross-faded."""
STAND_SHARE: Final = 0.2
"""Share of the segments that stand."""
STRAIGHT_SHARE: Final = 0.35
"""Share of the segments that go straight on."""
MAX_TURN_RAD_S: Final = 1.6
"""Fastest turn."""
MAX_LATERAL_ACCELERATION_M_S2: Final = 2.0
"""Largest lateral acceleration in a turn."""
BEND_SHARE: Final = 0.9
"""Share of a turn's curvature that the trunk takes."""
MAX_BEND_RAD: Final = 0.5
"""Largest bend of the trunk from hips to chest."""
TOP_SPEED_RATIO: Final = 1.5
"""Highest speed, relative to that of the fastest cycle."""


@dataclass(frozen=True, eq=False)
class Course:
    """Speed and turn of an animal at each of the F frames of a take.

    Attributes:
        speeds: (F) m/s, ahead.
        turns: (F) rad/s, to the left.
        choices: (F) numbers that choose among the cycles of a gait.
    """

    speeds: Array
    turns: Array
    choices: Array

    @staticmethod
    def draw(table: GaitTable, random: np.random.Generator) -> "Course":
        """Draw segments of a speed and a turn each, from standing to standing."""
        frames = round(TAKE_S * FEATURE_RATE_HZ)
        slow, fast = table.gait_speeds()
        top = TOP_SPEED_RATIO * max(cycle.speed for cycle in table.gallop)
        speeds, turns, choices = np.zeros(frames), np.zeros(frames), np.zeros(frames)
        at = round(FEATURE_RATE_HZ)
        while at < frames - FEATURE_RATE_HZ:
            stop = at + round(random.uniform(*SEGMENT_S) * FEATURE_RATE_HZ)
            kind = random.random()
            low, high = ((0.4 * slow, slow), (slow, fast), (fast, top))[random.choice(3, p=(0.45, 0.35, 0.2))]
            speed = 0.0 if kind < STAND_SHARE else random.uniform(low, high)
            limit = min(MAX_TURN_RAD_S, MAX_LATERAL_ACCELERATION_M_S2 / max(speed, 0.3))
            straight = random.random() < STRAIGHT_SHARE
            speeds[at:stop], turns[at:stop] = speed, 0.0 if straight else random.uniform(-limit, limit)
            choices[at:stop] = random.random()
            at = stop
        speeds[at - 1 :] = turns[at - 1 :] = 0.0
        speeds[-round(1.5 * FEATURE_RATE_HZ) :] = turns[-round(1.5 * FEATURE_RATE_HZ) :] = 0.0
        sigma = ACCELERATION_SMOOTHING_S * FEATURE_RATE_HZ
        speeds, turns = (scipy.ndimage.gaussian_filter1d(row, sigma, mode="nearest") for row in (speeds, turns))
        return Course(speeds, turns, choices)


def make_take(table: GaitTable, body: Skeleton, random: np.random.Generator, name: str) -> Clip:
    """Return a take of an animal, with its paws planted.

    Args:
        table: its gaits.
        body: the network body.
        random: draws the course.
        name: of the take.
    """
    course = Course.draw(table, random)
    return follow_course(table, body, course, name)


def follow_course(table: GaitTable, body: Skeleton, course: Course, name: str) -> Clip:
    """Return the motion of an animal that follows a course; arguments as of :func:`make_take`."""
    clip, contacts = _on_the_spot(table, body, course, name)
    clip = _bent(clip, course)
    clip = _travelling(clip, course)
    return lock_paws(clip, FootContacts(contacts), standing=_standing(table, body))


def _standing(table: GaitTable, body: Skeleton) -> Clip | None:
    """Return an idle as a clip, which shows the height of the paws' joints over the ground; ``None`` without one."""
    if not table.stand:
        return None
    roots, rotations, _ = table.stand[0].at(np.zeros(2))
    return Clip(body, FEATURE_RATE_HZ, roots, rotations)


def _on_the_spot(table: GaitTable, body: Skeleton, course: Course, name: str) -> tuple[Clip, Array]:
    """Return the blended cycles of a course on the spot, facing +Y, and their contacts (F, 4)."""
    frames = len(course.speeds)
    weights = table.weights(course.speeds, course.turns, FEATURE_RATE_HZ, GAIT_BLEND_S)
    phases, times = np.cumsum(_beats(table, course, weights)) / FEATURE_RATE_HZ, np.arange(frames) / FEATURE_RATE_HZ
    roots, contacts, stretch = np.zeros((frames, 3)), np.zeros((frames, 4)), np.zeros(frames)
    rotations = np.zeros((frames, len(body), 4))
    for cycle, share in _shares(table, course, weights):
        own_roots, own, held = cycle.at(phases if cycle.speed > 0 else times / cycle.seconds)
        roots += share[:, None] * own_roots
        contacts += share[:, None] * held
        stretch += share * (paced(cycle, course.speeds)[1] if cycle.speed > 0 else 1.0)
        near = np.where(np.sum(rotations * own, axis=-1, keepdims=True) < 0, -1.0, 1.0)
        rotations += share[:, None, None] * near * own
    return _stretched(Clip(body, FEATURE_RATE_HZ, roots, normalize(rotations), name), stretch), contacts


def _shares(table: GaitTable, course: Course, weights: Array) -> list[tuple[Cycle, Array]]:
    """Return the cycles of a course with their shares (F), which sum to 1.

    Args:
        table: the gaits.
        course: the course, which chooses among the cycles of a gait.
        weights: (F, 4) of the gaits.
    """
    found: list[tuple[Cycle, Array]] = []
    for column, cycles in enumerate((table.stand or table.walk[:1], table.walk, table.trot, table.gallop)):
        for number, cycle in enumerate(cycles):
            chosen = ((course.choices * len(cycles)).astype(int) == number).astype(float)
            smooth = scipy.ndimage.gaussian_filter1d(chosen, CYCLE_BLEND_S * FEATURE_RATE_HZ, mode="nearest")
            found.append((cycle, weights[:, column] * smooth))
    total = np.sum([share for _, share in found], axis=0)
    return [(cycle, share / total) for cycle, share in found if share.max() > 0.0]


def _beats(table: GaitTable, course: Course, weights: Array) -> Array:
    """Return the beat (F) of the strides, Hz: the mean of the gaits' by their weights; 0 in standing."""
    beats = np.zeros(len(course.speeds))
    for column, cycles in ((1, table.walk), (2, table.trot), (3, table.gallop)):
        own = np.mean([paced(cycle, course.speeds)[0] for cycle in cycles], axis=0)
        beats += weights[:, column] * own
    return beats


def _stretched(clip: Clip, factors: Array) -> Clip:
    """Return a clip on the spot whose strides are longer by factors (F), and its paws' lift by their square roots."""
    tracks = paw_tracks(clip)
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
    """Return a clip on the spot whose trunk bends into the turns, and whose head looks there."""
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
    """Return the share (J) of the bend by which each joint turns: from -0.5 at the hips to 0.5 at the chest.

    The neck goes on to turn, so that the head looks into the turn.
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
    """Return the joints below ``top`` down to ``bottom``."""
    found: list[int] = []
    while bottom != top:
        found.append(bottom)
        bottom = skeleton.parents[bottom]
    return found[::-1]


def _travelling(clip: Clip, course: Course) -> Clip:
    """Return a clip on the spot along its course."""
    yaws = np.cumsum(course.turns) / FEATURE_RATE_HZ
    steps = facing_direction(yaws) * course.speeds[:, None] / FEATURE_RATE_HZ
    places = np.column_stack([np.cumsum(steps, axis=0), np.zeros(len(steps))])
    turn = rotation_about_up(yaws)
    roots = rotate(turn, clip.root_positions) + places
    return with_world_rotations(clip, roots, multiply(turn[:, None], clip.world[1]))
