"""Foot lock: heels and balls in contact are held in place throughout a clip by two-bone leg IK.

Footskate cleanup (Kovar, Schreiner and Gleicher 2002), as in PFNN section 6 (Holden, Komura and Saito 2017). A bake
knows the whole clip, so no lock has to follow the foot frame by frame: each contact is held at one position from its
first frame to its last, and the corrections are blended over the frames before and after it.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.roles import FOOT_CONTACTS, is_quadruped
from ...motion.rotations import UP, Array, exp, length, multiply, normalize, rotate
from ...motion.signals import drop_short_runs, runs_of
from ...retarget.contacts import SolePoints, hips_drop
from ...terrain.ground import Plane, Scene
from ...tuning import Tuning, tuned
from . import sole_solver
from .foot_pose import FootPose, SoleContacts
from .foot_solver import solve_foot, solve_planted_ankles
from .paw_lock import lock_paws, locked_paws
from .resting_place import carry_to_middle_frame, rest_position
from .stances import divide_contacts, stand_in_glides
from .stepping import give_time_to_step

# Lengths in meters are those of an adult; they are multiplied by the body's scale.


@dataclass(frozen=True, slots=True)
class FootLock(Tuning):
    min_contact: float = tuned(0.08, "s", 0.0, 0.5)
    """Shortest duration of a contact that is held, and of a gap between contacts that is kept."""
    max_drift: float = tuned(0.3, "m", 0.01, 0.5)
    """Largest distance between a heel or ball and the position where it is held."""
    same_place: float = tuned(0.12, "m", 0.01, 0.5)
    """Largest distance between two held positions of a heel or ball that count as one."""
    low_hips: float = tuned(0.2, "m", 0.0, 0.8)
    """Height of the hips above the ankles below which a body sits or lies on the ground, and its feet may slide."""
    shuffle_speed: float = tuned(0.4, "m/s", 0.05, 2.0)
    """Speed above which a heel or ball that is away from its held position counts as shuffling to another."""
    overreach: float = tuned(1.005, "1", 0.9, 1.1)
    """Largest distance from hip to a held heel, as a share of the straight leg; beyond it the heel rises."""
    straight_leg: float = tuned(0.9985, "1", 0.9, 1.0)
    """Distance from hip to ankle, as a share of the straight leg, beyond which a heel rises behind its ball."""
    lengthened_leg: float = tuned(1.002, "1", 1.0, 1.1)
    """Limit in place of ``straight_leg`` for legs that are always straight, relative to the hip-to-ankle distance in
    mid-contact.
    """
    peel_reach: float = tuned(0.03, "m", 0.0, 0.1)
    """Distance that an upright leg gains when its heel rises over the held ball."""
    heel_peel_height: float = tuned(0.008, "m", 0.001, 0.05)
    """Height from which a rising heel counts as peeling off the ground."""
    landing_height: float = tuned(0.006, "m", 0.0, 0.05)
    """Height above which a heel or ball counts as still landing at the start of its contact, or as lifted at the end.
    """
    landing_time: float = tuned(0.1, "s", 0.0, 0.5)
    """Longest time at the start or end of a contact in which a heel or ball lands or lifts off."""
    body_rise: float = tuned(0.4, "s", 0.05, 2.0)
    """Standard deviation, about the length of a step, of the Gaussian that smooths how the body rises with its feet."""
    min_contact_mass: float = tuned(0.1, "1", 0.01, 1.0)
    """Smoothed number of feet in contact below which feet no longer raise or lower the body, as in flight."""
    max_heel_rise: float = tuned(0.35, "rad", 0.0, 1.2)
    """Largest angle by which a heel is raised to let a leg reach."""
    heel_acceleration: float = tuned(60.0, "rad/s^2", 1.0, 500.0)
    """Angular acceleration of a heel that leaves the ground."""
    heel_rise: float = tuned(0.1, "s", 0.01, 0.5)
    """Time over which a raised heel rises before the frames that need it, and sinks after them."""
    contact_margin: float = tuned(1 / 60, "s", 0.0, 0.2)
    """Time by which a contact is extended at each end."""


TUNING: Final = FootLock()
Mask = NDArray[np.bool_]
HEEL_RISE_STEPS: Final = 12
"""Number of bisections that find the angle of a raised heel, to a hundredth of a degree."""


@Stepwise
def locked_contacts(
    clip: Clip, contacts: FootContacts, scene: Scene | None = None, standing: Clip | None = None
) -> Generator[None, None, FootContacts]:
    """Return the contacts that can be held: probable ones that last long enough, with short gaps closed.

    A contact is cut where its heel or ball moves: where it is more than ``TUNING.max_drift`` from the position at which
    it would be held. A heel contact is also cut where the heel peels off, and where the leg is too short or becomes
    straight, so that the heel rises instead of the hips sinking. Frames before landing and after lift-off are cut.
    Between two resting positions of a foot, neither heel nor ball is held while the foot shuffles. On moving ground all
    positions are relative to the ground.

    Args:
        clip: The motion.
        contacts: contact probabilities, from labels or from the network.
        scene: The ground; by default the plane z = 0.
        standing: The same body on level ground, whose flat feet define heels and soles; by default the clip itself.
    """
    if is_quadruped(clip.skeleton.roles):
        return locked_paws(clip, contacts, scene)
    scene = scene or Plane()
    shortest = max(round(TUNING.min_contact * clip.rate), 2)
    held = drop_short_runs(contacts.held, shortest)
    skeleton = clip.skeleton
    scale = skeleton.leg_length / ADULT_LEG_LENGTH_M
    legs = {side: Leg.of(skeleton, side) for side in "LR"}
    soles_of = {side: SolePoints.from_clip(clip, leg, standing) for side, leg in legs.items()}
    longest = {side: leg.length(skeleton) * TUNING.overreach for side, leg in legs.items()}
    hips = clip.positions[:, skeleton.joint("hips")]
    low = hips[:, 2] - clip.positions[:, [leg.foot for leg in legs.values()], 2].min(axis=1) < TUNING.low_hips * scale
    limits = np.where(low, TUNING.same_place, TUNING.max_drift) * scale
    if scene.is_static and all(leg.toe is not None for leg in legs.values()):
        upright = held & ~low[:, None]
        stand_in_glides(upright, hips, [soles.ball for soles in soles_of.values()], scene, clip.rate, scale)
        divide_contacts(upright, (soles_of["L"], soles_of["R"]), clip.rate, scale)
        held = np.where(low[:, None], held, upright)
    for number, (column, role) in enumerate(zip(held.T, FOOT_CONTACTS, strict=True)):
        leg, soles = legs[role[-1]], soles_of[role[-1]]
        heel = leg.toe is None or number % 2 == 0
        yield
        track = soles.heel if heel else soles.ball
        for start, stop in runs_of(column):
            drift = _drift(scene, track, start, stop, scale)
            strays = length(drift[:, :2]) > limits[start:stop]
            legs_reach = clip.positions[start:stop, leg.thigh] - clip.positions[start:stop, leg.foot] + drift
            far = length(legs_reach)
            # The heel may rise over its ball.
            peel = 0.0 if heel else TUNING.peel_reach * scale * legs_reach[:, 2] / far
            strays |= far > longest[role[-1]] + peel
            if heel:
                strays |= drift[:, 2] > TUNING.heel_peel_height * scale
            landing = round(TUNING.landing_time * clip.rate), TUNING.landing_height * scale
            if start > 0:
                strays[: _leading_landing_count(drift[:, 2], *landing)] = True
            if stop < len(clip):
                strays[len(strays) - _leading_landing_count(drift[::-1, 2], *landing) :] = True
            # What is left of a cut contact rests at another position, from which its ends may again be too far.
            while strays.any():
                begin, end = _without_stray_ends(strays)
                column[start : start + begin] = column[start + end : stop] = False
                start, stop = start + begin, start + end
                if start == stop:
                    break
                strays = length(_drift(scene, track, start, stop, scale)[:, :2]) > limits[start:stop]
    for index, side in enumerate("LR"):
        if legs[side].toe is not None:
            foot = held[:, 2 * index : 2 * index + 2]
            _release_left_heels(foot, soles_of[side].ball, scene, scale)
            _release_shuffling_feet(foot, soles_of[side], scene, scale, clip.rate)
    yield from _release_heels_of_straight_legs(held, clip, scene, standing or clip)
    if scene.is_static:
        give_time_to_step(held, [soles_of[side].ball for side in "LR"], clip.rate, scale)
    _drop_remnants(held, shortest)
    return FootContacts(held.astype(float))


def _drift(scene: Scene, track: Array, start: int, stop: int, scale: float) -> Array:
    """Return the offsets (N, 3), meters, of a point (F, 3) from its resting position in a run of N frames."""
    relative = carry_to_middle_frame(scene, track, start, stop, sole_solver.TUNING.probe_height * scale)
    return relative - rest_position(relative, 0, len(relative))


def _leading_landing_count(heights: Array, window: int, tolerance: float) -> int:
    """Return the number of frames at the start of a run in which a point is still descending.

    Probable contacts begin before a network's foot has landed, and end after it has left. If the foot were held in
    these frames, foot and knee would stop or start within a frame.

    Args:
        heights: (N) heights of the point, meters.
        window: largest number of landing frames.
        tolerance: height above the lowest of the landing frames beyond which the point counts as descending, meters.
    """
    landing = heights[:window]
    return int(np.argmax(landing <= landing.min() + tolerance))


def _without_stray_ends(strays: Mask) -> tuple[int, int]:
    """Return the range of a run without stray frames (N) at its ends: from the last in the first half to the next."""
    middle = len(strays) // 2
    before, after = np.flatnonzero(strays[:middle]), np.flatnonzero(strays[middle:])
    return int(before[-1]) + 1 if len(before) else 0, middle + int(after[0]) if len(after) else len(strays)


def _drop_remnants(held: Mask, shortest: int) -> None:
    """Remove short remnants of cut contacts (F, 4), in place: a foot held for a moment would only twitch."""
    for column in held.T:
        for start, stop in runs_of(column):
            if stop - start < shortest and start > 0 and stop < len(column):
                column[start:stop] = False


def _release_heels_of_straight_legs(held: Mask, clip: Clip, scene: Scene, standing: Clip) -> Iterator[None]:
    """Cut heel contacts (F, 4), in place, where a leg becomes straight while its ball is held.

    Legs that are straight throughout, as in the rest pose of some rigs, keep their contacts.
    """
    raised, ankles = yield from _raise_body(clip, held, scene, standing)
    for side, ankle, foot in zip("LR", ankles, np.split(held, 2, axis=1), strict=True):
        leg = Leg.of(clip.skeleton, side)
        if leg.toe is None:
            continue
        reach = leg.length(clip.skeleton) * TUNING.straight_leg
        distance = length(raised.positions[:, leg.thigh] - ankle)
        for start, stop in runs_of(foot[:, 0]):
            middle = (start + stop) // 2
            far = distance[middle:stop] > max(reach, TUNING.lengthened_leg * distance[middle])
            late = middle + np.flatnonzero(far & foot[middle:stop, 1])
            if len(late) and foot[stop - 1, 1]:
                foot[late[0] : stop, 0] = False


def _release_left_heels(foot_contacts: Mask, ball: Array, scene: Scene, scale: float) -> None:
    """Cut a heel's contacts (F, 2), in place, where the ball (F, 3) has moved away from its rest in the same foothold.

    Heel and ball that touch together are held on the ball's foothold, wherever the heel itself rests.
    """
    balls = runs_of(foot_contacts[:, 1])
    for start, stop in runs_of(foot_contacts[:, 0]):
        shared = [min(stop, end) - max(start, begin) for begin, end in balls]
        if not shared or max(shared) <= 0:
            continue
        begin, end = balls[int(np.argmax(shared))]
        first, last = min(start, begin), max(stop, end)
        track = carry_to_middle_frame(scene, ball, first, last, sole_solver.TUNING.probe_height * scale)
        drift = (track - rest_position(track, begin - first, end - first))[start - first : stop - first]
        foot_contacts[start:stop, 0] &= length(drift[:, :2]) <= TUNING.same_place * scale


def _release_shuffling_feet(foot_contacts: Mask, soles: SolePoints, scene: Scene, scale: float, rate: float) -> None:
    """Cut contacts (F, 2) of heel and ball, in place, where the two rest at different positions and the foot moves."""
    contacts = sorted(
        (int(start), int(stop), column) for column in (0, 1) for start, stop in runs_of(foot_contacts[:, column])
    )
    moves = length(np.diff(soles.ball[:, :2], axis=0, append=soles.ball[-1:, :2])) * rate > TUNING.shuffle_speed * scale
    for number, (start, stop, column) in enumerate(contacts):
        late = stop + sole_solver.TUNING.contact_blend * rate
        overlapping = takewhile(lambda contact, late=late: contact[0] <= late, contacts[number + 1 :])
        for begin, end, other in overlapping:
            if column != other and _rests_apart(scene, soles.ball, (start, stop), (begin, end), scale):
                foot_contacts[stop - _leading_true_count(moves[start:stop][::-1]) : stop, column] = False
                foot_contacts[begin : begin + _leading_true_count(moves[begin:end]), other] = False


def _rests_apart(
    scene: Scene, track: Array, first_run: tuple[int, int], second_run: tuple[int, int], scale: float
) -> bool:
    """Return whether a point (F, 3) rests at different positions in two runs of frames."""
    probe = sole_solver.TUNING.probe_height * scale
    first_rest, second_rest = (
        rest_position(carried := carry_to_middle_frame(scene, track, *run, probe), 0, len(carried))
        for run in (first_run, second_run)
    )
    if not scene.is_static:
        first_rest = scene.move_with_ground(first_rest[None], (sum(first_run) - 1) // 2, (sum(second_run) - 1) // 2)[0]
    return float(length((first_rest - second_rest)[:2])) > TUNING.same_place * scale


def _leading_true_count(mask: Mask) -> int:
    """Return how many values at the start of a mask are true."""
    return len(mask) if mask.all() else int(np.argmin(mask))


@Stepwise
def lock_feet(
    clip: Clip, contacts: FootContacts, scene: Scene | None = None, standing: Clip | None = None
) -> Generator[None, None, Clip]:
    """Return the motion with heels and balls held in place during contacts, and kept above the ground.

    Args:
        clip: The motion.
        contacts: the contacts to hold, as :func:`locked_contacts` returns them.
        scene: The ground; by default the plane z = 0.
        standing: The same body on level ground, whose flat feet define heels and soles; by default the clip itself.
    """
    if is_quadruped(clip.skeleton.roles):
        return lock_paws(clip, contacts, scene, standing)
    scene = scene or Plane()
    held = _dilate_contacts(contacts.held, clip.rate)
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    raised, _ = yield from _raise_body(clip, held, scene, standing or clip)
    positions, rotations = (array.copy() for array in raised.world)
    ankles: list[Array] = []
    for index, (leg, foot) in enumerate(zip(legs, _feet(raised, held, scene, standing or clip), strict=True)):
        pose = yield from solve_foot.steps(*foot)
        yield
        if leg.toe is not None:
            pose = raise_heel(raised, leg, pose, SoleContacts(held[:, 2 * index], held[:, 2 * index + 1]))
            rotations[:, leg.toe] = multiply(pose.toe_rotation, rotations[:, leg.toe])
        rotations[:, leg.foot] = multiply(pose.foot_rotation, rotations[:, leg.foot])
        ankles.append(pose.ankle)
        yield
    roots = raised.root_positions.copy()
    drop = hips_drop(raised, legs, ankles)
    roots[:, 2] -= drop
    positions[..., 2] -= drop[:, None]
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(clip.skeleton, positions, rotations, leg, ankle)
    return with_world_rotations(clip, roots, rotations)


def _feet(clip: Clip, held: Mask, scene: Scene, standing: Clip) -> list[tuple[Clip, Leg, SoleContacts, Scene, Clip]]:
    """Return the solver's arguments for the left and right foot, given the held contacts (F, 4)."""
    return [
        (clip, Leg.of(clip.skeleton, side), SoleContacts(*held[:, column : column + 2].T), scene, standing)
        for side, column in (("L", 0), ("R", 2))
    ]


def _raise_body(
    clip: Clip, held: Mask, scene: Scene, standing: Clip
) -> Generator[None, None, tuple[Clip, list[Array]]]:
    """Return a clip whose body rises or sinks with its feet in contact (F, 4), and the placed ankles (F, 3).

    Swing feet rise with the body, so their knees bend as before.
    """
    ankles = list[Array]()
    for foot in _feet(clip, held, scene, standing):
        ankles.append((yield from solve_planted_ankles.steps(*foot)))
        yield
    rise = body_rise(clip, [Leg.of(clip.skeleton, side) for side in "LR"], ankles, held)
    return replace(clip, root_positions=clip.root_positions + rise[:, None] * UP), ankles


def body_rise(clip: Clip, legs: Sequence[Leg], ankles: Sequence[Array], held: Mask) -> Array:
    """Return the height (F), meters, by which to raise the whole body along with its held feet; negative to lower it.

    A network's feet stand a little above or below the ground for seconds. If only the feet moved, straight knees would
    pull the hips down in every step; a slow shift of the body keeps the network's knees and bounce.

    Args:
        clip: the motion.
        legs: left and right leg.
        ankles: (F, 3) ankle positions of each leg with held feet, meters.
        held: (F, 4) contacts of heels and balls.
    """
    gaps, weights = np.zeros(len(clip)), np.zeros(len(clip))
    for index, (leg, ankle) in enumerate(zip(legs, ankles, strict=True)):
        planted = held[:, 2 * index : 2 * index + 2].any(axis=1)
        gaps += np.where(planted, ankle[:, 2] - clip.positions[:, leg.foot, 2], 0.0)
        weights += planted
    sigma = TUNING.body_rise * clip.rate
    mass = scipy.ndimage.gaussian_filter1d(weights, sigma, mode="nearest")
    shift = scipy.ndimage.gaussian_filter1d(gaps, sigma, mode="nearest")
    return shift * mass / (mass**2 + TUNING.min_contact_mass**2)


def raise_heel(clip: Clip, leg: Leg, pose: FootPose, contacts: SoleContacts) -> FootPose:
    """Return a foot's pose with the heel raised over a held ball in frames in which the leg is too short for the ankle.

    So a leg that trails behind the body lifts its heel, instead of pulling the hips down. A held heel is not raised.

    Args:
        clip: the motion, at its final height.
        leg: joints of the leg, with a toe.
        pose: pose of the foot.
        contacts: held contacts of the foot.
    """
    assert leg.toe is not None
    reach = leg.length(clip.skeleton) * TUNING.straight_leg
    foot = multiply(pose.foot_rotation, clip.world[1][:, leg.foot])
    toe = clip.skeleton.offsets[leg.toe]
    lever = -rotate(foot, np.broadcast_to(toe, pose.ankle.shape))
    ball, hip = pose.ankle - lever, clip.positions[:, leg.thigh]
    # The foot's own axis, since at push-off the foot may stand upright.
    axis = rotate(foot, np.broadcast_to(normalize(np.cross(UP, toe)), pose.ankle.shape))
    low, high = np.zeros(len(clip)), np.full(len(clip), TUNING.max_heel_rise)
    for _ in range(HEEL_RISE_STEPS):
        middle = (low + high) / 2
        far = length(ball + rotate(exp(middle[:, None] * axis), lever) - hip) > reach
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    pushes = contacts.ball.copy()
    for _, stop in runs_of(contacts.ball):
        pushes[stop : stop + round(sole_solver.TUNING.contact_blend * clip.rate)] = True  # The ball still blends out.
    needed = np.where(pushes & ~contacts.heel & (length(pose.ankle - hip) > reach), high, 0.0)
    if not needed.any():
        return pose
    window = max(round(TUNING.heel_rise * clip.rate), 1)
    spread = scipy.ndimage.maximum_filter1d(needed, 2 * window + 1, mode="nearest")
    angle = scipy.ndimage.gaussian_filter1d(spread, window / 2, mode="nearest", radius=window)
    free = scipy.ndimage.distance_transform_edt(~contacts.heel) / clip.rate if contacts.heel.any() else np.inf
    angle = np.minimum(angle, TUNING.heel_acceleration / 2 * np.square(free))
    turn = exp(angle[:, None] * axis)
    return FootPose(ball + rotate(turn, lever), multiply(turn, pose.foot_rotation), pose.toe_rotation)


def _dilate_contacts(foot_contacts: Mask, rate: float) -> Mask:
    """Return contacts (F, 4) extended at both ends.

    A point then has no velocity at any frame of its contact, nor at the frames where a contact detector would find one.
    """
    wider = np.ones((2 * max(round(TUNING.contact_margin * rate), 1) + 1, 1), dtype=bool)
    return np.asarray(scipy.ndimage.binary_dilation(foot_contacts, wider), dtype=bool)
