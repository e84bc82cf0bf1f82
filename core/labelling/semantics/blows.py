"""Blows: attacks with a hand or a foot, each with a beginning, an apex and an end (Freda 2018, sections 3 and 4.2.2).

A blow is found by the motion of its end effector relative to the body. *Thrusts* (punches, kicks) stretch the limb
fast, and their apex is where it stops stretching: the farthest reach. *Swings* (cuts with a held weapon) sweep a nearly
stretched arm around the body, and their apex is where the hand, or the tip of a weapon's bone, is fastest. Drawing a
hand back, raising it for the next cut, steps and hops are not blows, since they bend the limb or do not move it away
from the body.

Thresholds were set on eight clips with 35 hand-checked blows (punches, kicks, two-handed cuts) and tried on others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import velocities
from ...motion.weapons import striking_places, weapon_role

LIMBS: Final = {
    **{f"hand.{side}": (f"upper_arm.{side}", f"forearm.{side}") for side in "LR"},
    **{f"foot.{side}": (f"thigh.{side}", f"shin.{side}") for side in "LR"},
}
"""Roles of the first and the middle joint of each end effector's limb."""
THRUST_SPEED_M_S: Final = {"hand": 0.6, "foot": 2.0}
"""Smallest speed at which the limb stretches in a thrust, by kind of end effector."""
THRUST_EFFECTOR_SPEED_M_S: Final = {"hand": 2.0, "foot": 3.5}
"""Smallest speed of a thrust's end effector relative to the hips; arms swing at 1 to 2 m/s in a walk."""
MIN_STRETCH: Final = 0.3
"""Least extension of a limb by a thrust, as a share of its length."""
STRETCHED_SHARE: Final = 0.06
"""Share of a thrust's fastest stretching below which its limb has stopped stretching."""
MIN_KICK_HEIGHT_M: Final = 0.6
"""Smallest height of the ankle over the ground at a kick's apex."""
MAX_STANDING_FOOT_SPEED_M_S: Final = 2.0
"""Largest speed of the other foot at a kick's apex."""
MIN_DISTANCE_M: Final = {"hand": 0.42, "foot": 0.5}
"""Smallest horizontal distance of an end effector from the hips at the apex of a thrust."""
TWO_HANDED_SPEED_M_S: Final = 1.75
"""Smallest speed of the faster hand relative to the hips at the apex of a swing with both hands."""
MAX_HANDS_APART_M: Final = 0.35
"""Largest distance between hands that hold one weapon."""
ONE_HANDED_SPEED_M_S: Final = 3.5
"""Smallest speed of a hand at the apex of a one-handed swing; waving hands reach 2 to 3 m/s."""
MAX_OTHER_HAND_SHARE: Final = 0.6
"""Largest speed of the other hand, relative to the swinging one: arms thrown apart are not a blow."""
SWING_REACH: Final = 0.8
"""Smallest extension of the arm at a swing's apex, as a share of its length."""
SWING_DISTANCE_M: Final = 0.38
"""Smallest horizontal distance of the hand from the hips at a swing's apex."""
SWING_BENDING_RATIO: Final = 0.02
"""Largest bending speed of a swing's arm, relative to the hand's speed: raising a weapon bends the arm."""
SWING_DEPTH_M: Final = -0.2
"""Smallest height of the hand over the hips at a swing's apex, negative since low cuts pass below them."""
SETTLED_SHARE: Final = 0.2
"""Speed of an end effector, relative to the blow's fastest, below which the blow has not begun or is over."""
TURNING_SHARE: Final = 0.35
"""The same if the end effector then speeds up again, as between two consecutive motions."""
MIN_RECOVERY_SHARE: Final = 0.3
"""Smallest share of the time between two apexes that belongs to the earlier blow."""
MAX_SWING_S: Final = 0.6
"""Longest time between the beginning of a blow and its fastest frame, and between the apex and the end."""
APEX_SEARCH_S: Final = 0.3
"""Longest time from the fastest stretching to the apex."""
SAME_BLOW_S: Final = 0.2
"""Time between apexes below which they count as one blow, made with two limbs or found twice."""


@dataclass(frozen=True, slots=True)
class Blow:
    """One blow: an attack with a hand or a foot.

    Attributes:
        effector: role of the end effector, such as ``hand.R`` or ``foot.L``.
        start: first frame.
        apex: frame at which the end effector is at its target.
        stop: frame after the last.
    """

    effector: str
    start: int
    apex: int
    stop: int


@dataclass(frozen=True, eq=False)
class EffectorMotion:
    """Motion of an end effector relative to the body, in meters and m/s of an adult.

    Attributes:
        speed: (F) speed relative to the hips.
        reach: (F) distance from the limb's first joint, as a share of the limb's length.
        stretching: (F) speed at which the limb stretches.
        height: (F) height over the ground.
        above_hips: (F) height over the hips.
        distance: (F) horizontal distance from the hips.
        world_speed: (F) speed, world.
        tip_speed: (F) speed, relative to the hips, of the tip of the hand's weapon bone, or of the hand if it has none.
    """

    speed: Array
    reach: Array
    stretching: Array
    height: Array
    above_hips: Array
    distance: Array
    world_speed: Array
    tip_speed: Array


@dataclass(frozen=True, eq=False)
class LimbMotion:
    """Motion of all end effectors of a clip.

    Attributes:
        effectors: motion of each end effector, by role.
        frame_rate: frames per second.
        time_scale: factor that converts an adult's times to this body's.
        hands_apart: (F) distance between the hands, meters at an adult's scale; infinite without two hands.
    """

    effectors: dict[str, EffectorMotion]
    frame_rate: float
    time_scale: float
    hands_apart: Array

    @staticmethod
    def of(clip: Clip, ground: float) -> "LimbMotion":
        """Return the motion of a clip's hands and feet over a ground at the height ``ground``, meters, world."""
        roles, scale = clip.skeleton.roles, clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
        usable = {role: joints for role, joints in LIMBS.items() if {role, *joints} <= set(roles)}
        found = {role: _effector_motion(clip, role, joints, ground, scale) for role, joints in usable.items()}
        apart = np.full(len(clip), np.inf)
        if {"hand.L", "hand.R"} <= set(found):
            left, right = (clip.positions[:, roles[role]] for role in ("hand.L", "hand.R"))
            apart = np.linalg.norm(left - right, axis=-1) / scale
        return LimbMotion(found, clip.rate, float(np.sqrt(scale)), apart)

    @cached_property
    def blows(self) -> list[Blow]:
        """Blows of the clip, in order of time, without overlaps."""
        found = [blow for role in self.effectors for blow in (*self._thrusts(role), *self._swings(role))]
        return _without_overlaps(self._without_doubles(found))

    def blows_within(self, runs: Iterable[tuple[int, int]]) -> list[Blow]:
        """Return the blows with an apex in one of the frame ranges [start, stop), extended to fill the ranges.

        A range in which no blow is found becomes one blow of its fastest end effector.
        """
        return [blow for start, stop in runs for blow in self._fill(int(start), int(stop))]

    def count(self, seconds: float) -> int:
        """Return the number of frames, at least one, of a time in seconds of an adult, scaled to this body."""
        return max(round(seconds * self.time_scale * self.frame_rate), 1)

    def _fill(self, start: int, stop: int) -> list[Blow]:
        inside = [blow for blow in self.blows if start <= blow.apex < stop]
        if not inside:
            inside = [self._fastest(start, stop)]
        edges = pairwise([start, *[after.start for after in inside[1:]], stop])
        return [Blow(blow.effector, a, blow.apex, b) for blow, (a, b) in zip(inside, edges, strict=True)]

    def _fastest(self, start: int, stop: int) -> Blow:
        """Return a blow with its apex where an end effector is fastest in the range.

        Without end effectors, it is a blow of the right hand.
        """
        peaks = {role: float(motion.speed[start:stop].max()) for role, motion in self.effectors.items()}
        role = max(peaks, key=lambda role: peaks[role], default="hand.R")
        apex = start + int(self.effectors[role].speed[start:stop].argmax()) if peaks else (start + stop) // 2
        return Blow(role, start, apex, stop)

    def _thrusts(self, role: str) -> list[Blow]:
        """Return the thrusts of an end effector."""
        motion, part = self.effectors[role], role.partition(".")[0]
        fastest = _peaks(motion.stretching, THRUST_SPEED_M_S[part], self.count(SAME_BLOW_S / 2))
        found = []
        for peak in fastest:
            apex = self._end_of_stretch(motion, peak)
            before = slice(max(peak - self.count(MAX_SWING_S), 0), apex + 1)
            burst = slice(max(peak - self.count(APEX_SEARCH_S), 0), apex + 1)
            stretch = motion.reach[apex] - motion.reach[before].min()
            if (
                stretch >= MIN_STRETCH
                and motion.distance[apex] >= MIN_DISTANCE_M[part]
                and motion.speed[burst].max() >= THRUST_EFFECTOR_SPEED_M_S[part]
                and (part != "foot" or self._is_kick(role, apex))
                and (part != "hand" or motion.above_hips[apex] > 0)
            ):
                top = burst.start + int(motion.speed[burst].argmax())
                found.append(self._blow(role, top, apex))
        return found

    def _is_kick(self, role: str, apex: int) -> bool:
        """Return whether at the apex one foot is raised while the other stands."""
        other = self.effectors.get(f"foot.{'L' if role.endswith('R') else 'R'}")
        around = slice(max(apex - self.count(0.05), 0), apex + self.count(0.05) + 1)
        stands = other is None or other.world_speed[around].min() < MAX_STANDING_FOOT_SPEED_M_S
        return bool(stands and self.effectors[role].height[apex] >= MIN_KICK_HEIGHT_M)

    def _swings(self, role: str) -> list[Blow]:
        """Return the swings of a hand."""
        if not role.startswith("hand"):
            return []
        motion = self.effectors[role]
        return [
            self._swing(role, peak)
            for peak in _peaks(motion.speed, TWO_HANDED_SPEED_M_S, self.count(SAME_BLOW_S))
            if self._holds_together(role, peak)
            and motion.reach[peak] >= SWING_REACH
            and motion.stretching[peak] > -SWING_BENDING_RATIO * motion.speed[peak]
            and motion.distance[peak] >= SWING_DISTANCE_M
            and motion.above_hips[peak] > SWING_DEPTH_M
        ]

    def _swing(self, role: str, peak: int) -> Blow:
        """Return the swing whose hand is fastest at the frame ``peak``.

        The apex is the frame near the peak in which the weapon's tip is fastest. If both hands hold the weapon, the
        swing belongs to the hand with the weapon's bone.
        """
        other = f"hand.{'L' if role.endswith('R') else 'R'}"
        if self._has_tip(other) and not self._has_tip(role) and self.hands_apart[peak] < MAX_HANDS_APART_M:
            role = other
        if not self._has_tip(role):
            return self._blow(role, peak, peak)
        near = self.count(SAME_BLOW_S / 2)
        first = max(peak - near, 0)
        apex = first + int(self.effectors[role].tip_speed[first : peak + near + 1].argmax())
        return self._blow(role, min(peak, apex), apex)

    def _has_tip(self, role: str) -> bool:
        """Return whether a hand holds a weapon that has a bone."""
        return role in self.effectors and self.effectors[role].tip_speed is not self.effectors[role].speed

    def _holds_together(self, role: str, peak: int) -> bool:
        """Return whether both hands swing together, or this hand swings alone and fast enough."""
        if self.hands_apart[peak] < MAX_HANDS_APART_M:
            return True
        speed, other = (
            self.effectors[role].speed[peak],
            self.effectors.get(f"hand.{'L' if role.endswith('R') else 'R'}"),
        )
        alone = other is None or other.speed[peak] < MAX_OTHER_HAND_SHARE * speed
        return bool(alone and speed >= ONE_HANDED_SPEED_M_S)

    def _end_of_stretch(self, motion: EffectorMotion, peak: int) -> int:
        """Return the frame at which a limb stops stretching that stretches fastest at ``peak``."""
        window = motion.stretching[peak : peak + self.count(APEX_SEARCH_S) + 1]
        slow = np.flatnonzero(window < STRETCHED_SHARE * window[0])
        return peak + (int(slow[0]) if len(slow) else len(window) - 1)

    def _blow(self, role: str, peak: int, apex: int) -> Blow:
        """Return the blow with this apex, whose end effector is fastest at ``peak``, before the apex."""
        speed, longest = self.effectors[role].speed, self.count(MAX_SWING_S)
        start = peak - _settled(speed[max(peak - longest, 0) : peak + 1][::-1])
        after = speed[apex : apex + longest + 1]
        back = int(np.argmax(after[: self.count(APEX_SEARCH_S) + 1])) if apex > peak else 0
        return Blow(role, start, apex, apex + back + _settled(after[back:]) + 1)

    def _without_doubles(self, blows: Sequence[Blow]) -> list[Blow]:
        """Return blows in order of time; of those with apexes closer than :data:`SAME_BLOW_S`, only the fastest."""
        near, kept = self.count(SAME_BLOW_S), []
        for blow in sorted(blows, key=self._power, reverse=True):
            same = [other for other in kept if abs(other.apex - blow.apex) < near]
            if not same:
                kept.append(blow)
        return sorted(kept, key=lambda blow: blow.apex)

    def _power(self, blow: Blow) -> float:
        """Return a blow's greatest speed up to its apex, relative to the least speed of blows of its limb."""
        part = blow.effector.partition(".")[0]
        speed = self.effectors[blow.effector].speed[blow.start : blow.apex + 1]
        return float(speed.max()) / THRUST_EFFECTOR_SPEED_M_S[part]


def _effector_motion(clip: Clip, role: str, joints: tuple[str, str], ground: float, scale: float) -> EffectorMotion:
    """Return the motion of an end effector; ``joints`` are the roles of the two joints before it."""
    roles, skeleton = clip.skeleton.roles, clip.skeleton
    place, hips = clip.positions[:, roles[role]], clip.positions[:, roles["hips"]]
    length = float(np.linalg.norm(skeleton.offsets[[roles[joints[1]], roles[role]]], axis=-1).sum())
    reach = np.linalg.norm(place - clip.positions[:, roles[joints[0]]], axis=-1)
    root_scale = np.sqrt(scale)
    speed = np.linalg.norm(velocities(place - hips, clip.rate), axis=-1) / root_scale
    tip_speed = speed
    if weapon_role(skeleton, role) != role:
        tip_speed = np.linalg.norm(velocities(striking_places(clip, role) - hips, clip.rate), axis=-1) / root_scale
    return EffectorMotion(
        speed,
        reach / max(length, 1e-6),
        velocities(reach[:, None], clip.rate)[:, 0] / root_scale,
        (place[:, 2] - ground) / scale,
        (place[:, 2] - hips[:, 2]) / scale,
        np.linalg.norm((place - hips)[:, :2], axis=-1) / scale,
        np.linalg.norm(velocities(place, clip.rate), axis=-1) / root_scale,
        tip_speed,
    )


def _peaks(values: Array, smallest: float, apart: int) -> list[int]:
    """Return the frames at which values (F) peak, at least ``smallest`` high and ``apart`` frames apart."""
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    return [int(at) - 1 for at in scipy.signal.find_peaks(padded, height=smallest, distance=apart)[0]]


def _settled(speed: Array) -> int:
    """Return the first frame in which speeds (F), fastest at the first one, have become slow.

    If they never become slow, return the slowest frame.
    """
    turns = np.append(speed[1:] > speed[:-1], False) & (speed < TURNING_SHARE * speed[0])
    below = np.flatnonzero((speed < SETTLED_SHARE * speed[0]) | turns)
    return int(below[0]) if len(below) else int(np.argmin(speed))


def _without_overlaps(blows: Sequence[Blow]) -> list[Blow]:
    """Return blows in order of time, shortened so that each ends, with time to recover, before the next begins."""
    starts = [
        max(after.start, before.apex + max(round(MIN_RECOVERY_SHARE * (after.apex - before.apex)), 1))
        for before, after in pairwise(blows)
    ]
    begins = [*(blow.start for blow in blows[:1]), *starts]
    ends = [*(min(blow.stop, start) for blow, start in zip(blows, starts, strict=False)), *(b.stop for b in blows[-1:])]
    return [Blow(blow.effector, start, blow.apex, stop) for blow, start, stop in zip(blows, begins, ends, strict=True)]
