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
from ...motion.proportions import ADULT_LEG
from ...motion.rotations import Array
from ...motion.signals import drop_short, hysteresis, runs_of, velocities
from .gaits import GRAVITY, centre_of_mass
from .gaits import NAMES as GAITS

Mask = NDArray[np.bool_]

NAMES: Final = ("idle", "walk", "run", "sit", "open", "carry", "climb", "strike")
INTERACTIONS: Final = NAMES[3:]
"""What is done to or with something, and not with the ground alone."""

# Lengths, speeds and times below are an adult's; they scale with the leg, the speeds and times with its square root.
SHORTEST: Final = {"sit": 0.5, "open": 0.35, "carry": 0.4, "climb": 0.8, "strike": 0.05}
"""Seconds that each of them lasts at least, and each gap in it but for those of what is carried."""
HANDLING: Final = 0.8
"""Seconds between taking something and holding it before the body, at most."""
SOFTENING: Final = 0.1
BEGIN, END = 0.55, 0.4
"""Evidence at which an action begins and ends."""
LEAST_SHARE: Final = 0.6

BEHIND: Final = 0.06
"""Metres by which the mass of somebody seated is behind the ankles, at least."""
BLOW: Final = 2.6
"""Speed of a hand about the body, m/s, beyond the body's own, from which it is a blow; swinging arms have 1 to 2."""
KICK: Final = 0.45
"""Height that a kicking foot reaches before the body, metres."""
STEP: Final = 0.14
"""m/s by which hips and feet rise or sink on stairs, at least."""
STEEP: Final = 0.3
"""Rise over way from which a slope is climbed and not walked."""


def find_actions(
    clip: Clip,
    gaits: Array,
    contacts: Array,
    contact_names: Sequence[str],
    ground: Array,
    wanted: Sequence[str] = NAMES,
) -> Array:
    """Soft actions (F, 8), rows summing to 1, in the order of ``NAMES``; they change over within about 0.25 s.

    One action at a time: who carries something and walks carries; that they walk is said by the gaits. An interaction
    goes from its wind-up or approach to its recovery: sitting begins with sitting down and ends upright. Its share is
    higher the clearer its clearest moments are, and never under 0.6: it flickers neither in time nor at a threshold.

    Args:
        clip: the motion.
        gaits: (F, 6) of :func:`.gaits.find_gaits`.
        contacts: (F, C) contacts, above 0.5 where there is one; hands and hips are looked at where they are given.
        contact_names: (C) the sensors, such as ``hand.R``.
        ground: (F, 2) heights of the ground under the left and the right foot, metres.
        wanted: the interactions that are looked for; idle, walk and run always are.

    Raises:
        FootfallError: the skeleton has no hips, thighs, shins or feet.
    """
    body = _Body(clip, gaits, ground, {name: contacts[:, c] > 0.5 for c, name in enumerate(contact_names)})
    found = {name: _EVIDENCE[name](body) for name in INTERACTIONS if name in wanted}
    shares = np.zeros((len(clip), len(NAMES)))
    taken = np.zeros(len(clip), dtype=bool)
    for name in _PRECEDENCE:
        if name not in found:
            continue
        for start, stop in runs_of(found[name].state & ~taken):
            clear = float(np.percentile(found[name].evidence[start:stop], 90))
            shares[start:stop, NAMES.index(name)] = np.clip(clear, LEAST_SHARE, 1.0)
        taken |= found[name].state
    shares = body.smooth(shares, SOFTENING)
    shares[:, :3] = _locomotion(body) * (1 - shares.sum(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _locomotion(body: "_Body") -> Array:
    """Idle, walk and run (F, 3): of the gaits; who crouches or jumps does what their speed says."""
    share = dict(zip(GAITS, body.gaits.T, strict=True))
    froude = body.speed / np.sqrt(GRAVITY * body.leg)
    going = scipy.special.expit((froude - 0.12) / 0.03)
    running = scipy.special.expit((froude - 0.75) / 0.05)
    other = share["crouch"] + share["jump"]
    walk = share["walk"] + other * going * (1 - running)
    return np.stack([share["stand"] + other * (1 - going), walk, share["jog"] + share["run"] + other * running], axis=1)


@dataclass(frozen=True, eq=False)
class _Found:
    """One action over F frames: how much speaks for it, in [0, 1], and whether it is on."""

    evidence: Array
    state: Mask


class _Body:
    """What is measured of a body, each when it is first asked for; world metres and m/s, divided by an adult's."""

    def __init__(self, clip: Clip, gaits: Array, ground: Array, contacts: dict[str, Mask]) -> None:
        self.clip, self.gaits, self.contacts = clip, gaits, contacts
        self.rate, self.leg = clip.rate, clip.skeleton.leg_length
        self.scale = self.leg / ADULT_LEG
        self.pace = float(np.sqrt(self.scale))
        self.under = self.smooth(ground.min(axis=1), 0.1)

    def frames(self, seconds: float) -> int:
        """So many seconds of an adult in frames of this body, at least one."""
        return max(round(seconds * self.pace * self.rate), 1)

    def smooth(self, values: Array, seconds: float) -> Array:
        """A Gaussian of so many seconds of an adult over values (F, ...)."""
        width = max(min(seconds * self.pace * self.rate, len(values) / 4), 1e-3)
        return scipy.ndimage.gaussian_filter1d(values, width, axis=0, mode="nearest")

    def joint(self, *roles: str) -> Array | None:
        """Positions (F, 3) of the first of these roles that the skeleton has."""
        found = next((self.clip.skeleton.roles[role] for role in roles if role in self.clip.skeleton.roles), None)
        return None if found is None else self.clip.positions[:, found]

    def pair(self, role: str) -> Array:
        """Positions (F, 2, 3) of left and right."""
        return self.clip.positions[:, [self.clip.skeleton.role(f"{role}.{side}") for side in "LR"]]

    def height(self, positions: Array) -> Array:
        """Heights (F, ...) over the ground of positions (F, ..., 3)."""
        return (positions[..., 2] - self.under.reshape(-1, *[1] * (positions.ndim - 2))) / self.scale

    def speeds(self, positions: Array) -> Array:
        """Speeds (F, ...) of positions (F, ..., 3)."""
        return np.linalg.norm(velocities(positions, self.rate), axis=-1) / self.pace

    def ahead(self, positions: Array, unit: float | None = None) -> Array:
        """How far positions (F, ..., 3) are before the hips (F, ...), in an adult's metres or another unit."""
        relative = positions[..., :2] - self.hips.reshape(-1, *[1] * (positions.ndim - 2), 3)[..., :2]
        return np.einsum("f...k,fk->f...", relative, self.facing) / (unit or self.scale)

    def gait(self, name: str) -> Array:
        """The share (F) of a gait."""
        return self.gaits[:, GAITS.index(name)]

    @property
    def running(self) -> Array:
        """The share (F) of jogs and runs."""
        return self.gait("jog") + self.gait("run")

    @cached_property
    def hips(self) -> Array:
        return self.clip.positions[:, self.clip.skeleton.role("hips")]

    @cached_property
    def facing(self) -> Array:
        """(F, 2) across the thighs."""
        thighs = self.pair("thigh")
        across = self.smooth(thighs[:, 0, :2] - thighs[:, 1, :2], 0.1)
        forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
        return forward / np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)

    @cached_property
    def speed(self) -> Array:
        """(F) of the hips on the ground, smooth, m/s of this body."""
        return np.linalg.norm(self.smooth(velocities(self.hips, self.rate)[:, :2], 0.2), axis=-1)

    @cached_property
    def trunk(self) -> Array:
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
        return self.pair("hand") if all(role in roles for role in needed) else None

    @cached_property
    def shoulders(self) -> Array:
        """(F, 2, 3)."""
        return self.pair("upper_arm")

    @cached_property
    def arm(self) -> float:
        """Metres from shoulder to hand along the bones, the mean of both sides."""
        skeleton = self.clip.skeleton
        bones = [skeleton.roles[f"{part}.{side}"] for part in ("forearm", "hand") for side in "LR"]
        return max(float(np.linalg.norm(skeleton.offsets[bones], axis=-1).sum() / 2), 1e-6)

    def touching(self, what: str) -> Mask:
        """(F) whether a sensor of this name, of either side, touches something."""
        masks = [mask for name, mask in self.contacts.items() if name.partition(".")[0] == what]
        return np.any(masks, axis=0) if masks else np.zeros(len(self.clip), dtype=bool)

    def found(self, name: str, evidence: Array, ends: float = END) -> _Found:
        """An action that is on where its evidence is, without runs and gaps shorter than its shortest."""
        state = hysteresis(evidence[:, None] > BEGIN, evidence[:, None] < ends)[:, 0]
        return _Found(evidence, _lasting(state, self.frames(SHORTEST[name])))


def _above(values: Array, limit: float, width: float) -> Array:
    """Soft truth of being above a limit."""
    return scipy.special.expit((values - limit) / width)


def _all(*conditions: Array) -> Array:
    """As true as the least true one."""
    return np.minimum.reduce(conditions)


def _lasting(state: Mask, frames: int) -> Mask:
    """The state (F) without gaps and runs shorter than so many frames; at the clip's ends half of that is enough."""
    result = drop_short(state[:, None], frames)[:, 0]
    for start, stop in runs_of(result):
        if 2 * (stop - start) < min(frames, len(state)):
            result[start:stop] = False
    return result


def _grown(core: Mask, around: Mask) -> Mask:
    """The runs of ``core`` with what touches them of ``around``."""
    result = np.zeros_like(core)
    for start, stop in runs_of(core | around):
        result[start:stop] = core[start:stop].any()
    return result


def _sit(body: _Body) -> _Found:
    """Thighs raised, trunk upright, hips still, and the mass behind the ankles, where only a seat can hold it."""
    thigh = body.pair("shin") - body.pair("thigh")
    level = 1 + thigh[..., 2] / np.maximum(np.linalg.norm(thigh, axis=-1), 1e-9)
    mass = centre_of_mass(body.clip)
    behind = body.ahead(body.pair("foot")).mean(axis=1) - body.ahead(mass)
    velocity = velocities(body.hips, body.rate) / body.pace
    still = _above(-body.smooth(np.linalg.norm(velocity, axis=-1), 0.15), -0.25, 0.05)
    upright = _above(body.trunk, 0.6, 0.08)
    by_pose = _all(_above(level.mean(axis=1), 0.27, 0.04), _above(level.min(axis=1), 0.1, 0.03), upright, still)
    by_pose = _all(by_pose, _above(behind, BEHIND, 0.02))
    found = body.found("sit", np.maximum(by_pose, _all(body.touching("hips").astype(float), upright, still)))
    moving = np.abs(body.smooth(velocity[:, 2], 0.05)) > 0.12
    return _Found(found.evidence, _grown(found.state, moving & ~found.state))


def _climb(body: _Body) -> _Found:
    """Hips and feet both rise, or both sink, steeper than a slope that people walk on."""
    feet = body.pair("foot").mean(axis=1)
    rises = [body.smooth(velocities(track, body.rate)[:, 2], 0.4) / body.pace for track in (body.hips, feet)]
    same = np.sign(rises[0]) == np.sign(rises[1])
    rise = np.where(same, np.minimum(np.abs(rises[0]), np.abs(rises[1])), 0.0)
    way = np.linalg.norm(body.smooth(velocities(body.hips, body.rate)[:, :2], 0.4), axis=-1) / body.pace
    jump = scipy.ndimage.maximum_filter1d(body.gait("jump"), 2 * body.frames(0.5) + 1)
    low = body.gait("crouch")
    evidence = _all(_above(rise, STEP, 0.02), _above(rise - STEEP * way, 0.0, 0.03), 1 - jump, 1 - low)
    return body.found("climb", evidence)


def _strike(body: _Body) -> _Found:
    """Bursts of a hand's or a foot's speed about the body, from wind-up to recovery."""
    evidence = np.maximum(_punch(body), _kick(body))
    found = body.found("strike", evidence)
    around = np.asarray(scipy.ndimage.maximum_filter1d(found.state, 2 * body.frames(0.25) + 1), dtype=bool)
    return _Found(found.evidence, _lasting(around, body.frames(0.5)))


def _punch(body: _Body) -> Array:
    """Evidence (F) of a hand that is faster than arms swing; in runs and jumps they swing faster."""
    if body.hands is None:
        return np.zeros(len(body.clip))
    about = _burst(body.hands - body.hips[:, None], body.rate).max(axis=1)
    jump = scipy.ndimage.maximum_filter1d(body.gait("jump"), 2 * body.frames(0.2) + 1)
    return _all(_above((about - body.speed) / body.pace, BLOW, 0.2), 1 - np.maximum(jump, body.running))


def _burst(positions: Array, rate: float) -> Array:
    """Speeds (F, P) of positions (F, P, 3) over 0.08 s, without spikes of one frame and what stands at the ends."""
    half = max(round(0.04 * rate), 1)
    speeds = np.zeros(positions.shape[:-1])
    if len(positions) > 2 * half + 2:
        steps = positions[2 * half + 1 : -1] - positions[1 : -2 * half - 1]
        speeds[half + 1 : -half - 1] = np.linalg.norm(steps, axis=-1) * rate / (2 * half)
    return scipy.ndimage.median_filter(speeds, size=(3, 1), mode="nearest")


def _kick(body: _Body) -> Array:
    """Evidence (F) of a stretched leg that is thrown up before the body while the other foot stays."""
    feet = body.pair("foot")
    leg = np.linalg.norm(feet - body.pair("thigh"), axis=-1) / body.leg
    fast = scipy.ndimage.maximum_filter1d(body.speeds(feet), 2 * body.frames(0.15) + 1, axis=0)
    raised = np.minimum(body.height(feet) - KICK, body.ahead(feet) - 0.2)
    thrown = np.minimum.reduce([_above(raised, 0.0, 0.05), _above(fast, 2.0, 0.3), _above(leg, 0.8, 0.03)])
    planted = _above(-fast[:, ::-1], -1.2, 0.2)
    return _all(np.minimum(thrown, planted).max(axis=1), 1 - body.gait("jump"))


def _carry(body: _Body) -> _Found:
    """Both hands held still before a body that goes about, or a hand that takes something from floor or shelf."""
    none = np.zeros(len(body.clip))
    if body.hands is None:
        return body.found("carry", none)
    evidence = np.maximum.reduce([_held(body, body.hands), _floor(body, body.hands), _shelf(body, body.hands)])
    found = body.found("carry", evidence)
    for start, stop in runs_of(~found.state):
        if start > 0 and stop < len(evidence) and stop - start < body.frames(HANDLING):
            found.state[start:stop] = True
    return found


def _held(body: _Body, hands: Array) -> Array:
    """Evidence (F) of bent arms whose hands stay a constant distance apart before the trunk, however the body goes."""
    apart = np.linalg.norm(hands[:, 0] - hands[:, 1], axis=-1) / body.arm
    ahead = body.ahead(hands, body.arm)
    size = 2 * body.frames(0.4) + 1
    swing = np.maximum(_deviation(apart, size), _deviation(_twist(body, hands), size))
    reach = np.linalg.norm(hands - body.shoulders, axis=-1) / body.arm
    height = (hands[..., 2] - body.hips[:, None, 2]) / body.arm
    posture = _all(
        _above(ahead.min(axis=1), 0.05, 0.05),
        _above(-reach.max(axis=1), -0.93, 0.015),
        _above(height.min(axis=1), -0.2, 0.05),
        _above(-height.max(axis=1), -1.0, 0.05),
        _above(-apart, -1.2, 0.1),
        _above(body.trunk, 0.7, 0.05),
    )
    touching = _all(body.touching("hand").astype(float), _above(body.height(hands).max(axis=1), 0.4, 0.05))
    # Running arms are bent and swing little: by their motion alone they cannot be told from arms that hold something.
    still = _all(_above(-swing, -0.065, 0.012), 1 - body.running)
    return _all(np.maximum(still, touching), posture)


def _twist(body: _Body, hands: Array) -> Array:
    """How much farther the left hand is before the shoulders than the right one (F), in arms."""
    across = body.shoulders[:, 0, :2] - body.shoulders[:, 1, :2]
    forward = np.stack([across[:, 1], -across[:, 0]], axis=-1)
    forward /= np.maximum(np.linalg.norm(forward, axis=-1, keepdims=True), 1e-9)
    return np.einsum("fk,fk->f", hands[:, 0, :2] - hands[:, 1, :2], forward) / body.arm


def _floor(body: _Body, hands: Array) -> Array:
    """Evidence (F) of a hand near the floor of somebody who stands on their feet."""
    low = _above(-body.height(hands).min(axis=1), -0.36, 0.03)
    knees = _above(body.height(body.pair("shin")).min(axis=1), 0.22, 0.03)
    hips = _above(body.height(body.hips), 0.3, 0.03)
    still = _above(-body.speed / body.pace, -0.6, 0.08)
    return _all(low, knees, hips, still, _above(1 - body.trunk, 0.12, 0.03))


def _shelf(body: _Body, hands: Array) -> Array:
    """Evidence (F) of one hand about as high as the head, the other hanging, of somebody who stays."""
    heights = (hands[..., 2] - body.shoulders[..., 2].mean(axis=1, keepdims=True)) / body.arm
    still = _above(-body.speed / body.pace, -0.6, 0.08)
    return _all(_above(heights.max(axis=1), 0.12, 0.03), _above(-heights.min(axis=1), 0.4, 0.05), still)


def _open(body: _Body) -> _Found:
    """One hand that is held out before the body between hips and shoulders and comes to rest, the other not."""
    none = np.zeros(len(body.clip))
    if body.hands is None:
        return body.found("open", none)
    ahead = body.ahead(body.hands, body.arm)
    out = _all(_above(ahead.max(axis=1), 0.7, 0.05), _above(-ahead.min(axis=1), -0.45, 0.05))
    hand = np.take_along_axis(body.hands, ahead.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    shoulder = body.shoulders[..., 2].mean(axis=1)
    level = _all(
        _above((hand[:, 2] - body.hips[:, 2]) / body.arm, -0.1, 0.05),
        _above((shoulder - hand[:, 2]) / body.arm, -0.1, 0.05),
    )
    speed = body.smooth(body.speeds(hand), 0.05)
    rests = scipy.ndimage.minimum_filter1d(speed, 2 * body.frames(0.25) + 1)
    slow = _all(_above(-speed, -1.5, 0.1), _above(-rests, -0.4, 0.04))
    lifted = scipy.ndimage.maximum_filter1d(body.height(body.pair("foot")).max(axis=1), 2 * body.frames(0.25) + 1)
    near = _all(_above(-body.speed / body.pace, -0.8, 0.1), 1 - body.running, _above(-lifted, -0.35, 0.03))
    touching = _all(body.touching("hand").astype(float), _above(body.height(hand), 0.4, 0.05), level)
    return body.found("open", np.maximum(_all(out, level, slow, near, _above(body.trunk, 0.85, 0.03)), touching))


def _deviation(values: Array, size: int) -> Array:
    """Standard deviation (F) of values (F) about each frame."""
    mean = scipy.ndimage.uniform_filter1d(values, size, mode="nearest")
    return np.sqrt(np.maximum(scipy.ndimage.uniform_filter1d(values**2, size, mode="nearest") - mean**2, 0.0))


_PRECEDENCE: Final = ("climb", "sit", "strike", "carry", "open")
_EVIDENCE: Final = {"sit": _sit, "open": _open, "carry": _carry, "climb": _climb, "strike": _strike}
