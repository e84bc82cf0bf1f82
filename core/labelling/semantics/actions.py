"""Actions: what a character does, as seen in its motion (the labels of NSM, section 5.1, and a blow).

Motion alone tells some of them well and some badly. Who sits has their mass behind their feet, where nobody stands;
who climbs gains height from step to step; a blow is a burst of speed. But hands that are held still before the body
may carry something or not, a hand that reaches to the floor or over the head may take something or stretch, and a hand
held out may be at a door or in the air: *carry* and *open* are guesses where no sensor touches an object, and a user
who knows better should say so. Who runs with something is only seen to run. Kicks and throws count as blows; slow
blows, such as a kata shown slowly, do not.

Thresholds were set on 563 clips and counted on 85 others, an action being found where it takes over a twentieth of the
frames: sitting 1 of 2 (a keyframed rise of 1.2 s is missed), climbing stairs or a ladder 2 of 2, carrying, taking and
putting down 6 of 9, blows 6 of 7. Of 35 walks, runs and turns one walk with raised hands has a moment of carrying, and
a keyframed run with a hand held out opens. Of doors there are two keyframed clips only; one is found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import drop_short_runs, hysteresis, runs_of, velocities
from .gaits import GAIT_NAMES as GAITS
from .gaits import GRAVITY_M_S2, centre_of_mass

Mask = NDArray[np.bool_]

ACTION_NAMES: Final = ("idle", "walk", "run", "sit", "open", "carry", "climb", "strike")
INTERACTION_NAMES: Final = ACTION_NAMES[3:]
"""What is done to or with something, and not with the ground alone."""

# Lengths, speeds and times below are an adult's; they scale with the leg, the speeds and times with its square root.
MIN_ACTION_S: Final = {"sit": 0.5, "open": 0.35, "carry": 0.4, "climb": 0.8, "strike": 0.05}
"""Seconds that each of them lasts at least, and each gap in it but for those of what is carried."""
MAX_HANDLING_GAP_S: Final = 0.8
"""Seconds between taking something and holding it before the body, at most."""
ACTION_BLEND_S: Final = 0.1
ONSET_EVIDENCE, RELEASE_EVIDENCE = 0.55, 0.4
"""Evidence at which an action begins and ends."""
MIN_ACTION_SHARE: Final = 0.6

SEATED_MASS_OFFSET_M: Final = 0.06
"""Metres by which the mass of somebody seated is behind the ankles, at least."""
BLOW_SPEED_M_S: Final = 2.6
"""Speed of a hand about the body, m/s, beyond the body's own, from which it is a blow; swinging arms have 1 to 2."""
KICK_HEIGHT_M: Final = 0.45
"""Height that a kicking foot reaches before the body, metres."""
MIN_CLIMB_SPEED_M_S: Final = 0.14
"""m/s by which hips and feet rise or sink on stairs, at least."""
MIN_CLIMB_SLOPE_RATIO: Final = 0.3
"""Rise over way from which a slope is climbed and not walked."""


def find_actions(
    clip: Clip,
    gaits: Array,
    contacts: Array,
    contact_names: Sequence[str],
    ground_heights: Array,
    searched_actions: Sequence[str] = ACTION_NAMES,
) -> Array:
    """Soft actions (F, 8), rows summing to 1, in the order of ``ACTION_NAMES``; they change over within about 0.25 s.

    One action at a time: who carries something and walks carries; that they walk is said by the gaits. An interaction
    goes from its wind-up or approach to its recovery: sitting begins with sitting down and ends upright. Its share is
    higher the clearer its clearest moments are, and never under 0.6: it flickers neither in time nor at a threshold.

    Args:
        clip: the motion.
        gaits: (F, 6) of :func:`.gaits.find_gaits`.
        contacts: (F, C) contacts, above 0.5 where there is one; hands and hips are looked at where they are given.
        contact_names: (C) the sensors, such as ``hand.R``.
        ground_heights: (F, 2) heights of the ground under the left and the right foot, metres.
        searched_actions: the interactions that are looked for; idle, walk and run always are.

    Raises:
        FootfallError: the skeleton has no hips, thighs, shins or feet.
    """
    body = _BodyMeasures(
        clip, gaits, ground_heights, {name: contacts[:, c] > 0.5 for c, name in enumerate(contact_names)}
    )
    found = {name: _DETECTORS[name](body) for name in INTERACTION_NAMES if name in searched_actions}
    shares = np.zeros((len(clip), len(ACTION_NAMES)))
    taken = np.zeros(len(clip), dtype=bool)
    for name in _ACTION_PRECEDENCE:
        if name not in found:
            continue
        for start, stop in runs_of(found[name].state & ~taken):
            clear = float(np.percentile(found[name].evidence[start:stop], 90))
            shares[start:stop, ACTION_NAMES.index(name)] = np.clip(clear, MIN_ACTION_SHARE, 1.0)
        taken |= found[name].state
    shares = body.smooth(shares, ACTION_BLEND_S)
    shares[:, :3] = _locomotion_shares(body) * (1 - shares.sum(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _locomotion_shares(body: "_BodyMeasures") -> Array:
    """Idle, walk and run (F, 3): of the gaits; who crouches or jumps does what their speed says."""
    share = dict(zip(GAITS, body.gaits.T, strict=True))
    froude = body.speed / np.sqrt(GRAVITY_M_S2 * body.leg_length)
    going = scipy.special.expit((froude - 0.12) / 0.03)
    running = scipy.special.expit((froude - 0.75) / 0.05)
    other = share["crouch"] + share["jump"]
    walk = share["walk"] + other * going * (1 - running)
    return np.stack([share["stand"] + other * (1 - going), walk, share["jog"] + share["run"] + other * running], axis=1)


@dataclass(frozen=True, eq=False)
class _ActionEvidence:
    """One action over F frames: how much speaks for it, in [0, 1], and whether it is on."""

    evidence: Array
    state: Mask


class _BodyMeasures:
    """What is measured of a body, each when it is first asked for; world metres and m/s, divided by an adult's."""

    def __init__(self, clip: Clip, gaits: Array, ground_heights: Array, contacts: dict[str, Mask]) -> None:
        self.clip, self.gaits, self.contacts = clip, gaits, contacts
        self.rate, self.leg_length = clip.rate, clip.skeleton.leg_length
        self.scale = self.leg_length / ADULT_LEG_LENGTH_M
        self.time_scale = float(np.sqrt(self.scale))
        self.ground_height = self.smooth(ground_heights.min(axis=1), 0.1)

    def frames(self, seconds: float) -> int:
        """So many seconds of an adult in frames of this body, at least one."""
        return max(round(seconds * self.time_scale * self.rate), 1)

    def smooth(self, values: Array, seconds: float) -> Array:
        """Return a Gaussian of so many seconds of an adult over values (F, ...)."""
        width = max(min(seconds * self.time_scale * self.rate, len(values) / 4), 1e-3)
        return scipy.ndimage.gaussian_filter1d(values, width, axis=0, mode="nearest")

    def joint(self, *roles: str) -> Array | None:
        """Positions (F, 3) of the first of these roles that the skeleton has."""
        found = next((self.clip.skeleton.roles[role] for role in roles if role in self.clip.skeleton.roles), None)
        return None if found is None else self.clip.positions[:, found]

    def left_and_right(self, role: str) -> Array:
        """Positions (F, 2, 3) of left and right."""
        return self.clip.positions[:, [self.clip.skeleton.joint(f"{role}.{side}") for side in "LR"]]

    def height(self, positions: Array) -> Array:
        """Heights (F, ...) over the ground of positions (F, ..., 3)."""
        return (positions[..., 2] - self.ground_height.reshape(-1, *[1] * (positions.ndim - 2))) / self.scale

    def speeds(self, positions: Array) -> Array:
        """Speeds (F, ...) of positions (F, ..., 3)."""
        return np.linalg.norm(velocities(positions, self.rate), axis=-1) / self.time_scale

    def forward_distance(self, positions: Array, unit: float | None = None) -> Array:
        """How far positions (F, ..., 3) are before the hips (F, ...), in an adult's metres or another unit."""
        relative = positions[..., :2] - self.hips.reshape(-1, *[1] * (positions.ndim - 2), 3)[..., :2]
        return np.einsum("f...k,fk->f...", relative, self.facing) / (unit or self.scale)

    def gait(self, name: str) -> Array:
        """Return the share (F) of a gait."""
        return self.gaits[:, GAITS.index(name)]

    @property
    def running(self) -> Array:
        """The share (F) of jogs and runs."""
        return self.gait("jog") + self.gait("run")

    @cached_property
    def hips(self) -> Array:
        return self.clip.positions[:, self.clip.skeleton.joint("hips")]

    @cached_property
    def facing(self) -> Array:
        """(F, 2) across the thighs."""
        thighs = self.left_and_right("thigh")
        across = self.smooth(thighs[:, 0, :2] - thighs[:, 1, :2], 0.1)
        forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
        return forward / np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)

    @cached_property
    def speed(self) -> Array:
        """(F) of the hips on the ground, smooth, m/s of this body."""
        return np.linalg.norm(self.smooth(velocities(self.hips, self.rate)[:, :2], 0.2), axis=-1)

    @cached_property
    def trunk_cosine(self) -> Array:
        """(F) cosine of the trunk's lean; 1 where nothing is known of it."""
        top = self.joint("neck", "chest", "head", "spine")
        if top is None:
            return np.ones(len(self.clip))
        up = top - self.hips
        return up[:, 2] / np.maximum(np.linalg.norm(up, axis=-1), 1e-9)

    @cached_property
    def hands(self) -> Array | None:
        """(F, 2, 3), where there are both, with forearms."""
        roles = self.clip.skeleton.roles
        needed = [f"{part}.{side}" for part in ("hand", "forearm", "upper_arm") for side in "LR"]
        return self.left_and_right("hand") if all(role in roles for role in needed) else None

    @cached_property
    def shoulders(self) -> Array:
        """(F, 2, 3)."""
        return self.left_and_right("upper_arm")

    @cached_property
    def arm_length(self) -> float:
        """Metres from shoulder to hand along the bones, the mean of both sides."""
        skeleton = self.clip.skeleton
        bones = [skeleton.roles[f"{part}.{side}"] for part in ("forearm", "hand") for side in "LR"]
        return max(float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum() / 2), 1e-6)

    def in_contact(self, part: str) -> Mask:
        """(F) whether a sensor of this name, of either side, touches something."""
        masks = [mask for name, mask in self.contacts.items() if name.partition(".")[0] == part]
        return np.any(masks, axis=0) if masks else np.zeros(len(self.clip), dtype=bool)

    def detect(self, name: str, evidence: Array, release_evidence: float = RELEASE_EVIDENCE) -> _ActionEvidence:
        """Return an action that is on where its evidence is, without runs and gaps shorter than its shortest."""
        state = hysteresis(evidence[:, None] > ONSET_EVIDENCE, evidence[:, None] < release_evidence)[:, 0]
        return _ActionEvidence(evidence, _remove_short_runs(state, self.frames(MIN_ACTION_S[name])))


def _soft_above(values: Array, limit: float, width: float) -> Array:
    """Soft truth of being above a limit."""
    return scipy.special.expit((values - limit) / width)


def _fuzzy_and(*conditions: Array) -> Array:
    """As true as the least true one."""
    return np.minimum.reduce(conditions)


def _remove_short_runs(state: Mask, frames: int) -> Mask:
    """Return the state (F) without gaps and runs shorter than so many frames; at the clip's ends half of that is
    enough.
    """
    result = drop_short_runs(state[:, None], frames)[:, 0]
    for start, stop in runs_of(result):
        if 2 * (stop - start) < min(frames, len(state)):
            result[start:stop] = False
    return result


def _grow_runs(core: Mask, extension: Mask) -> Mask:
    """Return the runs of ``core`` with what touches them of ``extension``."""
    result = np.zeros_like(core)
    for start, stop in runs_of(core | extension):
        result[start:stop] = core[start:stop].any()
    return result


def _detect_sit(body: _BodyMeasures) -> _ActionEvidence:
    """Thighs raised, trunk upright, hips still, and the mass behind the ankles, where only a seat can hold it."""
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
    found = body.detect("sit", np.maximum(by_pose, _fuzzy_and(body.in_contact("hips").astype(float), upright, still)))
    moving = np.abs(body.smooth(velocity[:, 2], 0.05)) > 0.12
    return _ActionEvidence(found.evidence, _grow_runs(found.state, moving & ~found.state))


def _detect_climb(body: _BodyMeasures) -> _ActionEvidence:
    """Hips and feet both rise, or both sink, steeper than a slope that people walk on."""
    feet = body.left_and_right("foot").mean(axis=1)
    rises = [body.smooth(velocities(track, body.rate)[:, 2], 0.4) / body.time_scale for track in (body.hips, feet)]
    same = np.sign(rises[0]) == np.sign(rises[1])
    rise = np.where(same, np.minimum(np.abs(rises[0]), np.abs(rises[1])), 0.0)
    way = np.linalg.norm(body.smooth(velocities(body.hips, body.rate)[:, :2], 0.4), axis=-1) / body.time_scale
    jump = scipy.ndimage.maximum_filter1d(body.gait("jump"), 2 * body.frames(0.5) + 1)
    low = body.gait("crouch")
    evidence = _fuzzy_and(
        _soft_above(rise, MIN_CLIMB_SPEED_M_S, 0.02),
        _soft_above(rise - MIN_CLIMB_SLOPE_RATIO * way, 0.0, 0.03),
        1 - jump,
        1 - low,
    )
    return body.detect("climb", evidence)


def _detect_strike(body: _BodyMeasures) -> _ActionEvidence:
    """Bursts of a hand's or a foot's speed about the body, from wind-up to recovery."""
    evidence = np.maximum(_punch_evidence(body), _kick_evidence(body))
    found = body.detect("strike", evidence)
    around = np.asarray(scipy.ndimage.maximum_filter1d(found.state, 2 * body.frames(0.25) + 1), dtype=bool)
    return _ActionEvidence(found.evidence, _remove_short_runs(around, body.frames(0.5)))


def _punch_evidence(body: _BodyMeasures) -> Array:
    """Evidence (F) of a hand that is faster than arms swing; in runs and jumps they swing faster."""
    if body.hands is None:
        return np.zeros(len(body.clip))
    about = _burst_speeds(body.hands - body.hips[:, None], body.rate).max(axis=1)
    jump = scipy.ndimage.maximum_filter1d(body.gait("jump"), 2 * body.frames(0.2) + 1)
    return _fuzzy_and(
        _soft_above((about - body.speed) / body.time_scale, BLOW_SPEED_M_S, 0.2), 1 - np.maximum(jump, body.running)
    )


def _burst_speeds(positions: Array, rate: float) -> Array:
    """Speeds (F, P) of positions (F, P, 3) over 0.08 s, without spikes of one frame and what stands at the ends."""
    half = max(round(0.04 * rate), 1)
    speeds = np.zeros(positions.shape[:-1])
    if len(positions) > 2 * half + 2:
        steps = positions[2 * half + 1 : -1] - positions[1 : -2 * half - 1]
        speeds[half + 1 : -half - 1] = np.linalg.norm(steps, axis=-1) * rate / (2 * half)
    return scipy.ndimage.median_filter(speeds, size=(3, 1), mode="nearest")


def _kick_evidence(body: _BodyMeasures) -> Array:
    """Evidence (F) of a stretched leg that is thrown up before the body while the other foot stays."""
    feet = body.left_and_right("foot")
    leg = np.linalg.norm(feet - body.left_and_right("thigh"), axis=-1) / body.leg_length
    fast = scipy.ndimage.maximum_filter1d(body.speeds(feet), 2 * body.frames(0.15) + 1, axis=0)
    raised = np.minimum(body.height(feet) - KICK_HEIGHT_M, body.forward_distance(feet) - 0.2)
    thrown = np.minimum.reduce(
        [_soft_above(raised, 0.0, 0.05), _soft_above(fast, 2.0, 0.3), _soft_above(leg, 0.8, 0.03)]
    )
    planted = _soft_above(-fast[:, ::-1], -1.2, 0.2)
    return _fuzzy_and(np.minimum(thrown, planted).max(axis=1), 1 - body.gait("jump"))


def _detect_carry(body: _BodyMeasures) -> _ActionEvidence:
    """Both hands held still before a body that goes about, or a hand that takes something from floor or shelf."""
    none = np.zeros(len(body.clip))
    if body.hands is None:
        return body.detect("carry", none)
    evidence = np.maximum.reduce(
        [
            _hold_evidence(body, body.hands),
            _floor_reach_evidence(body, body.hands),
            _shelf_reach_evidence(body, body.hands),
        ]
    )
    found = body.detect("carry", evidence)
    for start, stop in runs_of(~found.state):
        if start > 0 and stop < len(evidence) and stop - start < body.frames(MAX_HANDLING_GAP_S):
            found.state[start:stop] = True
    return found


def _hold_evidence(body: _BodyMeasures, hands: Array) -> Array:
    """Evidence (F) of bent arms whose hands stay a constant distance apart before the trunk, however the body goes."""
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
    # Running arms are bent and swing little: by their motion alone they cannot be told from arms that hold something.
    still = _fuzzy_and(_soft_above(-swing, -0.065, 0.012), 1 - body.running)
    return _fuzzy_and(np.maximum(still, touching), posture)


def _hand_twist(body: _BodyMeasures, hands: Array) -> Array:
    """How much farther the left hand is before the shoulders than the right one (F), in arms."""
    across = body.shoulders[:, 0, :2] - body.shoulders[:, 1, :2]
    forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
    forward /= np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)
    return np.einsum("fk,fk->f", hands[:, 0, :2] - hands[:, 1, :2], forward) / body.arm_length


def _floor_reach_evidence(body: _BodyMeasures, hands: Array) -> Array:
    """Evidence (F) of a hand near the floor of somebody who stands on their feet."""
    low = _soft_above(-body.height(hands).min(axis=1), -0.36, 0.03)
    knees = _soft_above(body.height(body.left_and_right("shin")).min(axis=1), 0.22, 0.03)
    hips = _soft_above(body.height(body.hips), 0.3, 0.03)
    still = _soft_above(-body.speed / body.time_scale, -0.6, 0.08)
    return _fuzzy_and(low, knees, hips, still, _soft_above(1 - body.trunk_cosine, 0.12, 0.03))


def _shelf_reach_evidence(body: _BodyMeasures, hands: Array) -> Array:
    """Evidence (F) of one hand about as high as the head, the other hanging, of somebody who stays."""
    heights = (hands[..., 2] - body.shoulders[..., 2].mean(axis=1, keepdims=True)) / body.arm_length
    still = _soft_above(-body.speed / body.time_scale, -0.6, 0.08)
    return _fuzzy_and(_soft_above(heights.max(axis=1), 0.12, 0.03), _soft_above(-heights.min(axis=1), 0.4, 0.05), still)


def _detect_open(body: _BodyMeasures) -> _ActionEvidence:
    """One hand that is held out before the body between hips and shoulders and comes to rest, the other not."""
    none = np.zeros(len(body.clip))
    if body.hands is None:
        return body.detect("open", none)
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
    return body.detect(
        "open", np.maximum(_fuzzy_and(out, level, slow, near, _soft_above(body.trunk_cosine, 0.85, 0.03)), touching)
    )


def _moving_deviation(values: Array, size: int) -> Array:
    """Standard deviation (F) of values (F) about each frame."""
    mean = scipy.ndimage.uniform_filter1d(values, size, mode="nearest")
    return np.sqrt(np.maximum(scipy.ndimage.uniform_filter1d(values**2, size, mode="nearest") - mean**2, 0.0))


_ACTION_PRECEDENCE: Final = ("climb", "sit", "strike", "carry", "open")
_DETECTORS: Final = {
    "sit": _detect_sit,
    "open": _detect_open,
    "carry": _detect_carry,
    "climb": _detect_climb,
    "strike": _detect_strike,
}
