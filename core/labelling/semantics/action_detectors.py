"""Detectors of interactions: evidence for each action in a body's motion, and the frames in which it is active.

Thresholds of length, speed and time are for an adult and scale with the body.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...actions import ACTION_TABLE
from ...motion.rotations import Array
from ...motion.signals import Mask, drop_short_runs, hysteresis, runs_of, velocities
from .blows import LimbMotion
from .body_measures import BodyMeasures
from .gaits import centre_of_mass

MAX_HANDLING_GAP_S: Final = 0.8
"""Longest time between picking up an object and holding it in front of the body."""
ONSET_EVIDENCE, RELEASE_EVIDENCE = 0.55, 0.4
"""Evidence above which an action begins, and below which it ends."""

SEATED_MASS_OFFSET_M: Final = 0.06
"""Smallest distance of a seated body's center of mass behind the ankles."""
MIN_CLIMB_SPEED_M_S: Final = 0.14
"""Smallest vertical speed of hips and feet on stairs."""
MIN_CLIMB_SLOPE_RATIO: Final = 0.3
"""Slope, rise over run, above which a character climbs rather than walks."""
LYING_HEIGHTS_M: Final = (0.35, 0.45)
"""Heights of hips and head over the ground below which a body lies."""
SITTING_HIPS_M: Final = 0.24
"""Height of the hips over the ground below which an upright body sits on the ground; a squat is higher."""
UPRIGHT_HIPS_RATIO: Final = 0.85
"""Height of the hips, relative to standing, above which a body counts as up again."""
LEANING_MASS_OFFSET_M: Final = 0.14
"""Least distance of the center of mass ahead of the ankles of a standing body that leans on its hands."""
LEANING_REACH_RATIO: Final = 0.4
"""Least distance of hands ahead of the hips, in arm lengths, for a body that leans on them."""
PUSHING_REACH_RATIO: Final = 0.8
"""Least distance of hands from shoulders, in arm lengths, of stretched, pushing arms."""


@dataclass(frozen=True, eq=False)
class ActionEvidence:
    """Evidence of one action over a clip's F frames, and when it is active.

    Attributes:
        evidence: (F) degree to which the motion looks like the action, 0 to 1.
        state: (F) whether the action is active.
    """

    evidence: Array
    state: Mask


def _detect(body: BodyMeasures, name: str, evidence: Array) -> ActionEvidence:
    """Return an action that is active where its evidence is high, found by hysteresis without short runs and gaps."""
    state = hysteresis(evidence[:, None] > ONSET_EVIDENCE, evidence[:, None] < RELEASE_EVIDENCE)[:, 0]
    return ActionEvidence(evidence, _remove_short_runs(state, body.frames(ACTION_TABLE[name].min_label_s)))


def _soft_above(values: Array, limit: float, width: float) -> Array:
    """Return the degree, 0 to 1, to which values exceed a limit: a logistic function, 0.5 at the limit."""
    return scipy.special.expit((values - limit) / width)


def _fuzzy_and(*conditions: Array) -> Array:
    """Return the minimum of several degrees of truth (minimum t-norm, Zadeh 1965)."""
    return np.minimum.reduce(conditions)


def _remove_short_runs(state: Mask, frames: int) -> Mask:
    """Remove short gaps and runs from a state (F); at the ends of the clip, runs may be half as long."""
    result = drop_short_runs(state[:, None], frames)[:, 0]
    for start, stop in runs_of(result):
        if 2 * (stop - start) < min(frames, len(state)):
            result[start:stop] = False
    return result


def _grow_runs(core: Mask, extension: Mask) -> Mask:
    """Return the runs of ``core``, extended by runs of ``extension`` that touch them."""
    result = np.zeros_like(core)
    for start, stop in runs_of(core | extension):
        result[start:stop] = core[start:stop].any()
    return result


def detect_sit(body: BodyMeasures) -> ActionEvidence:
    """Detect sitting: thighs raised, trunk upright, hips still, center of mass behind the ankles and above a seat."""
    thigh = body.left_and_right("shin") - body.left_and_right("thigh")
    level = 1 + thigh[..., 2] / np.maximum(np.linalg.norm(thigh, axis=-1), 1e-9)
    mass = centre_of_mass(body.clip)
    behind = body.forward_distance(body.left_and_right("foot")).mean(axis=1) - body.forward_distance(mass)
    velocity = velocities(body.hips, body.rate) / body.time_scale
    still = _soft_above(-body.smooth(np.linalg.norm(velocity, axis=-1), 0.15), -0.25, 0.05)
    upright = _soft_above(body.trunk_cosine, 0.6, 0.08)
    by_pose = _fuzzy_and(
        _soft_above(level.mean(axis=1), 0.27, 0.04), _soft_above(level.min(axis=1), 0.1, 0.03), upright, still
    )
    by_pose = _fuzzy_and(by_pose, _soft_above(behind, SEATED_MASS_OFFSET_M, 0.02))
    found = _detect(body, "sit", np.maximum(by_pose, _fuzzy_and(body.in_contact("hips").astype(float), upright, still)))
    moving = np.abs(body.smooth(velocity[:, 2], 0.05)) > 0.12
    return ActionEvidence(found.evidence, _grow_runs(found.state, moving & ~found.state))


def detect_lie(body: BodyMeasures) -> ActionEvidence:
    """Detect lying: hips and head near the ground, including the way down and the way up until the hips are up."""
    head = body.joint("head", "neck")
    if head is None:
        return _detect(body, "lie", np.zeros(len(body.clip)))
    hips = body.height(body.hips)
    low = [
        _soft_above(-height, -limit, 0.03)
        for height, limit in zip((hips, body.height(head)), LYING_HEIGHTS_M, strict=True)
    ]
    found = _detect(body, "lie", _fuzzy_and(*low))
    down = hips < UPRIGHT_HIPS_RATIO * body.leg_length / body.scale
    return ActionEvidence(found.evidence, _grow_runs(found.state, down))


def detect_sit_ground(body: BodyMeasures) -> ActionEvidence:
    """Detect sitting on the ground: hips at rest on the ground below an upright trunk, until they are up again."""
    hips = body.height(body.hips)
    velocity = velocities(body.hips, body.rate) / body.time_scale
    still = _soft_above(-body.smooth(np.linalg.norm(velocity, axis=-1), 0.15), -0.25, 0.05)
    low, upright = _soft_above(-hips, -SITTING_HIPS_M, 0.02), _soft_above(body.trunk_cosine, 0.6, 0.08)
    found = _detect(body, "sit_ground", _fuzzy_and(low, upright, still))
    down = hips < UPRIGHT_HIPS_RATIO * body.leg_length / body.scale
    return ActionEvidence(found.evidence, _grow_runs(found.state, down))


def detect_push(body: BodyMeasures) -> ActionEvidence:
    """Detect pushing: both arms stretched ahead and still relative to a leaning trunk, while the character walks."""
    hands = body.hands
    if hands is None:
        return _detect(body, "push", np.zeros(len(body.clip)))
    ahead = body.forward_distance(hands, body.arm_length)
    reach = np.linalg.norm(hands - body.shoulders, axis=-1) / body.arm_length
    height = (hands[..., 2] - body.shoulders[..., 2]) / body.arm_length
    size = 2 * body.frames(0.4) + 1
    still = np.maximum.reduce([_moving_deviation(ahead[:, side], size) for side in (0, 1)])
    evidence = _fuzzy_and(
        _soft_above(ahead.min(axis=1), PUSHING_REACH_RATIO, 0.04),
        _soft_above(reach.min(axis=1), PUSHING_REACH_RATIO, 0.04),
        _soft_above(-height.max(axis=1), -0.15, 0.05),
        _soft_above(1 - body.trunk_cosine, 0.03, 0.01),
        _soft_above(-still, -0.06, 0.012),
        _soft_above(body.speed / body.time_scale, 0.1, 0.03),
        1 - body.running,
    )
    return _detect(body, "push", evidence)


def detect_lean(body: BodyMeasures) -> ActionEvidence:
    """Detect leaning: center of mass over the toes of a standing body, and both hands at rest ahead."""
    hands = body.hands
    if hands is None:
        return _detect(body, "lean", np.zeros(len(body.clip)))
    ankles = body.forward_distance(body.left_and_right("foot")).mean(axis=1)
    mass = body.forward_distance(centre_of_mass(body.clip)) - ankles
    ahead = body.forward_distance(hands, body.arm_length)
    height = (hands[..., 2] - body.hips[:, None, 2]) / body.arm_length
    moves = np.maximum.reduce([body.smooth(body.speeds(hands[:, side]), 0.1) for side in (0, 1)])
    evidence = _fuzzy_and(
        _soft_above(mass, LEANING_MASS_OFFSET_M, 0.01),
        _soft_above(ahead.min(axis=1), LEANING_REACH_RATIO, 0.04),
        _soft_above(height.min(axis=1), -0.6, 0.05),
        _soft_above(-moves, -0.12, 0.02),
        _soft_above(-body.speed / body.time_scale, -0.3, 0.05),
        1 - body.running,
        1 - body.gait("crouch"),
    )
    return _detect(body, "lean", evidence)


def detect_climb(body: BodyMeasures) -> ActionEvidence:
    """Detect climbing: hips and feet both rise, or both sink, more steeply than on a walked slope."""
    feet = body.left_and_right("foot").mean(axis=1)
    rises = [body.smooth(velocities(track, body.rate)[:, 2], 0.4) / body.time_scale for track in (body.hips, feet)]
    same = np.sign(rises[0]) == np.sign(rises[1])
    rise = np.where(same, np.minimum(np.abs(rises[0]), np.abs(rises[1])), 0.0)
    travel = np.linalg.norm(body.smooth(velocities(body.hips, body.rate)[:, :2], 0.4), axis=-1) / body.time_scale
    jump = scipy.ndimage.maximum_filter1d(body.gait("jump"), 2 * body.frames(0.5) + 1)
    low = body.gait("crouch")
    evidence = _fuzzy_and(
        _soft_above(rise, MIN_CLIMB_SPEED_M_S, 0.02),
        _soft_above(rise - MIN_CLIMB_SLOPE_RATIO * travel, 0.0, 0.03),
        1 - jump,
        1 - low,
    )
    return _detect(body, "climb", evidence)


def detect_strike(body: BodyMeasures) -> ActionEvidence:
    """Detect strikes: fast thrusts or swings of a hand or foot, from the first movement to the recovery."""
    state = np.zeros(len(body.clip), dtype=bool)
    for blow in LimbMotion.of(body.clip, float(np.median(body.ground_height))).blows:
        state[blow.start : blow.stop] = True
    return ActionEvidence(state.astype(float), state)


def detect_carry(body: BodyMeasures) -> ActionEvidence:
    """Detect carrying: both hands still in front of a moving body, or a hand reaching to floor or shelf."""
    none = np.zeros(len(body.clip))
    if body.hands is None:
        return _detect(body, "carry", none)
    evidence = np.maximum.reduce(
        [
            _hold_evidence(body, body.hands),
            _floor_reach_evidence(body, body.hands),
            _shelf_reach_evidence(body, body.hands),
        ]
    )
    found = _detect(body, "carry", evidence)
    for start, stop in runs_of(~found.state):
        if start > 0 and stop < len(evidence) and stop - start < body.frames(MAX_HANDLING_GAP_S):
            found.state[start:stop] = True
    return found


def _hold_evidence(body: BodyMeasures, hands: Array) -> Array:
    """Return the evidence (F) that bent arms hold an object: hands at a constant distance ahead of a moving trunk."""
    apart = np.linalg.norm(hands[:, 0] - hands[:, 1], axis=-1) / body.arm_length
    ahead = body.forward_distance(hands, body.arm_length)
    size = 2 * body.frames(0.4) + 1
    swing = np.maximum(_moving_deviation(apart, size), _moving_deviation(_hand_twist(body, hands), size))
    reach = np.linalg.norm(hands - body.shoulders, axis=-1) / body.arm_length
    height = (hands[..., 2] - body.hips[:, None, 2]) / body.arm_length
    posture = _fuzzy_and(
        _soft_above(ahead.min(axis=1), 0.05, 0.05),
        _soft_above(-reach.max(axis=1), -0.93, 0.015),
        _soft_above(height.min(axis=1), -0.2, 0.05),
        _soft_above(-height.max(axis=1), -1.0, 0.05),
        _soft_above(-apart, -1.2, 0.1),
        _soft_above(body.trunk_cosine, 0.7, 0.05),
    )
    touching = _fuzzy_and(body.in_contact("hand").astype(float), _soft_above(body.height(hands).max(axis=1), 0.4, 0.05))
    # Running arms are bent and swing little: their motion alone looks like that of arms that hold an object.
    still = _fuzzy_and(_soft_above(-swing, -0.065, 0.012), 1 - body.running)
    return _fuzzy_and(np.maximum(still, touching), posture)


def _hand_twist(body: BodyMeasures, hands: Array) -> Array:
    """Return the lead (F) of the left hand over the right, in arm lengths, minus that of the shoulders."""
    across = body.shoulders[:, 0, :2] - body.shoulders[:, 1, :2]
    forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
    forward /= np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)
    return np.einsum("fk,fk->f", hands[:, 0, :2] - hands[:, 1, :2], forward) / body.arm_length


def _floor_reach_evidence(body: BodyMeasures, hands: Array) -> Array:
    """Return the evidence (F) that a hand reaches near the floor while the character is on its feet."""
    low = _soft_above(-body.height(hands).min(axis=1), -0.36, 0.03)
    knees = _soft_above(body.height(body.left_and_right("shin")).min(axis=1), 0.22, 0.03)
    hips = _soft_above(body.height(body.hips), 0.3, 0.03)
    still = _soft_above(-body.speed / body.time_scale, -0.6, 0.08)
    return _fuzzy_and(low, knees, hips, still, _soft_above(1 - body.trunk_cosine, 0.12, 0.03))


def _shelf_reach_evidence(body: BodyMeasures, hands: Array) -> Array:
    """Return the evidence (F) that one hand is at head height and the other hangs, while the character stands."""
    heights = (hands[..., 2] - body.shoulders[..., 2].mean(axis=1, keepdims=True)) / body.arm_length
    still = _soft_above(-body.speed / body.time_scale, -0.6, 0.08)
    return _fuzzy_and(_soft_above(heights.max(axis=1), 0.12, 0.03), _soft_above(-heights.min(axis=1), 0.4, 0.05), still)


def detect_open(body: BodyMeasures) -> ActionEvidence:
    """Detect opening: one hand, and not the other, at rest ahead of the body between hip and shoulder height."""
    none = np.zeros(len(body.clip))
    if body.hands is None:
        return _detect(body, "open", none)
    ahead = body.forward_distance(body.hands, body.arm_length)
    out = _fuzzy_and(_soft_above(ahead.max(axis=1), 0.7, 0.05), _soft_above(-ahead.min(axis=1), -0.45, 0.05))
    hand = np.take_along_axis(body.hands, ahead.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    shoulder = body.shoulders[..., 2].mean(axis=1)
    level = _fuzzy_and(
        _soft_above((hand[:, 2] - body.hips[:, 2]) / body.arm_length, -0.1, 0.05),
        _soft_above((shoulder - hand[:, 2]) / body.arm_length, -0.1, 0.05),
    )
    speed = body.smooth(body.speeds(hand), 0.05)
    rests = scipy.ndimage.minimum_filter1d(speed, 2 * body.frames(0.25) + 1)
    slow = _fuzzy_and(_soft_above(-speed, -1.5, 0.1), _soft_above(-rests, -0.4, 0.04))
    lifted = scipy.ndimage.maximum_filter1d(
        body.height(body.left_and_right("foot")).max(axis=1), 2 * body.frames(0.25) + 1
    )
    near = _fuzzy_and(
        _soft_above(-body.speed / body.time_scale, -0.8, 0.1), 1 - body.running, _soft_above(-lifted, -0.35, 0.03)
    )
    touching = _fuzzy_and(body.in_contact("hand").astype(float), _soft_above(body.height(hand), 0.4, 0.05), level)
    return _detect(
        body,
        "open",
        np.maximum(_fuzzy_and(out, level, slow, near, _soft_above(body.trunk_cosine, 0.85, 0.03)), touching),
    )


def _moving_deviation(values: Array, size: int) -> Array:
    """Return the standard deviation (F) of values (F) in a window of ``size`` frames around each frame."""
    mean = scipy.ndimage.uniform_filter1d(values, size, mode="nearest")
    return np.sqrt(np.maximum(scipy.ndimage.uniform_filter1d(values**2, size, mode="nearest") - mean**2, 0.0))


DETECTORS: Final[Mapping[str, Callable[[BodyMeasures], ActionEvidence]]] = {
    "lie": detect_lie,
    "sit_ground": detect_sit_ground,
    "climb": detect_climb,
    "sit": detect_sit,
    "strike": detect_strike,
    "push": detect_push,
    "lean": detect_lean,
    "carry": detect_carry,
    "open": detect_open,
}
"""Detector of each interaction, in order of precedence if several are active."""
