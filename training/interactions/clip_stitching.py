"""Clip stitching: clips are joined seamlessly, and standing feet keep their places.

The rest of the body is inertialized (Bollo 2018): the offset of the new clip at its first frame is added to it and
decays. A foot in contact in both clips keeps its place from the first clip until it is lifted, and reaches its place in
the second clip with the next step.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Clip
from ...core.motion.blending import smooth_falloff
from ...core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...core.motion.rotations import Array, exp, inverse, log, multiply, rotate, rotation_about_up, wrap_angle
from ...core.motion.signals import runs_of
from ...core.retarget.contacts import hips_drop
from ...core.tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class ClipStitchingTuning(Tuning):
    inertialization: int = tuned(24, "frames", 1, 120)
    """Frames over which the offset of a new clip decays."""
    foot_tilt_blend: int = tuned(14, "frames", 1, 120)
    """Frames over which the offsets of a standing foot's tilt and height decay."""
    max_swing: int = tuned(18, "frames", 1, 120)
    """Largest duration of a foot's step to its place in the second clip."""
    max_speed_difference: float = tuned(0.12, "1/frame", 0.0, 1.0)
    """Largest speed difference of two clips, rad or m per frame, that is inertialized; larger ones are noise."""


TUNING: Final = ClipStitchingTuning()


@dataclass(frozen=True, eq=False)
class ContactClip:
    """A clip with its foot contacts.

    Attributes:
        clip: motion of F frames.
        contacts: (F, 4) contacts, in the order of ``motion.roles.FOOT_CONTACTS``.
    """

    clip: Clip
    contacts: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.clip)

    def cut(self, start: int, stop: int) -> "ContactClip":
        """Return motion and contacts of the frames from ``start`` up to, not including, ``stop``."""
        return ContactClip(self.clip.cut(start, stop), self.contacts[start:stop])

    def placed(self, rotation: Array, translation: Array) -> "ContactClip":
        return ContactClip(self.clip.transformed(rotation, translation), self.contacts)

    def mirrored(self) -> "ContactClip":
        """Return the mirror image of motion and contacts, left and right exchanged."""
        return ContactClip(self.clip.mirrored(), self.contacts[:, [2, 3, 0, 1]])

    def reversed_in_time(self) -> "ContactClip":
        """Return the motion and contacts played backward."""
        clip = replace(self.clip, root_positions=self.clip.root_positions[::-1], rotations=self.clip.rotations[::-1])
        return ContactClip(clip, self.contacts[::-1])


@dataclass(frozen=True, eq=False)
class FootPoses:
    """Poses of left and right foot: ankles and balls (F, 2, 3), m, and foot rotations (F, 2, 4), world."""

    ankles: Array
    balls: Array
    rotations: Array

    @staticmethod
    def of(clip: Clip) -> "FootPoses":
        feet, toes = ([clip.skeleton.joint(f"{part}.{side}") for side in "LR"] for part in ("foot", "toe"))
        positions, rotations = clip.world
        return FootPoses(positions[:, feet], positions[:, toes], rotations[:, feet])


def move_feet_to(clip: Clip, ankles: Array, foot_rotations: Array) -> Clip:
    """Return a clip with its feet moved to other poses by leg IK.

    The toes follow, and the hips are lowered smoothly where a leg is too short.

    Args:
        clip: motion of F frames.
        ankles: (F, 2, 3) positions of left and right ankle, m, world.
        foot_rotations: (F, 2, 4) rotations of left and right foot, world.
    """
    skeleton = clip.skeleton
    positions, rotations = (array.copy() for array in clip.world)
    legs = [Leg.of(skeleton, side) for side in "LR"]
    for number, leg in enumerate(legs):
        turn = multiply(foot_rotations[:, number], inverse(rotations[:, leg.foot]))
        rotations[:, leg.foot] = foot_rotations[:, number]
        if leg.toe is not None:
            rotations[:, leg.toe] = multiply(turn, rotations[:, leg.toe])
    roots = clip.root_positions.copy()
    drop = hips_drop(clip, legs, [ankles[:, 0], ankles[:, 1]])
    roots[:, 2] -= drop
    positions[..., 2] -= drop[:, None]
    for number, leg in enumerate(legs):
        solve_leg_ik(skeleton, positions, rotations, leg, ankles[:, number])
    return with_world_rotations(clip, roots, rotations)


def yaw_between(a: Array, b: Array) -> Array:
    """Return the angle (...), rad, by which rotations ``a`` (..., 4) are turned about the vertical relative to ``b``.

    It is the twist of a swing-twist decomposition.
    """
    turn = multiply(a, inverse(b))
    return 2 * np.arctan2(turn[..., 3], turn[..., 0])


def decay_offset(offset: Array, velocity: Array, count: int, frames: int = TUNING.inertialization) -> Array:
    """Return an offset (count, ...) that decays from an initial value and velocity (inertialization, Bollo 2018).

    Args:
        offset: (...) initial offset.
        velocity: (...) initial velocity per frame.
        count: number of frames.
        frames: frames after which the offset is 0.
    """
    span = min(frames, max(count - 1, 1))
    t = np.minimum(np.arange(count), span).reshape(-1, *[1] * offset.ndim) / span
    # The quintic with these values and slopes and zero curvature at both ends.
    place = 1 - t**3 * (10 - 15 * t + 6 * t**2)
    slope = t - 6 * t**3 + 8 * t**4 - 3 * t**5
    return offset * place + velocity * span * slope


def stitch(first: ContactClip, second: ContactClip, frames: int = TUNING.inertialization) -> ContactClip:
    """Return two clips joined without a jump: the second follows the first, whose last pose decays into it.

    Args:
        first: the earlier clip.
        second: the later clip, already at the place where the first one ends.
        frames: frames over which the difference of both clips decays.
    """
    a, b, count = first.clip, second.clip, len(second)
    feet, last = FootPoses.of(b), FootPoses.of(a.cut(len(a) - 1, len(a)))
    roots = b.root_positions + decay_offset(
        *_root_offset_and_velocity(a.root_positions, b.root_positions, count), count, frames
    )
    between = _rotation_offset_and_velocity(a, b)
    rotations = multiply(exp(decay_offset(*between, count, frames)), b.rotations)
    moved = Clip(b.skeleton, b.rate, roots, rotations, a.name)
    ankles, turns = feet.ankles.copy(), feet.rotations.copy()
    for side in range(2):
        contact = second.contacts[:, 2 * side] | second.contacts[:, 2 * side + 1]
        lift, land = _next_swing(contact)
        if not first.contacts[-1, 2 * side : 2 * side + 2].any():
            lift, land = 0, min(TUNING.inertialization, count)
        share = np.ones(count)
        share[lift:] = smooth_falloff((np.arange(count - lift) + 1) / (max(land - lift, 1) + 1))
        twist = float(yaw_between(last.rotations[0, side], feet.rotations[0, side]))
        twist = float(wrap_angle(twist))
        upright = multiply(rotation_about_up(twist * share), feet.rotations[:, side])
        tilt = log(multiply(last.rotations[0, side], inverse(upright[0])))
        low = decay_offset(
            np.append(tilt, last.balls[0, side, 2] - feet.balls[0, side, 2]), np.zeros(4), count, TUNING.foot_tilt_blend
        )
        turned = multiply(exp(low[:, :3]), upright)
        ball = feet.balls[:, side].copy()
        ball[:, :2] += share[:, None] * (last.balls[0, side, :2] - feet.balls[0, side, :2])
        ball[:, 2] += low[:, 3]
        arm = rotate(inverse(feet.rotations[:, side]), feet.ankles[:, side] - feet.balls[:, side])
        ankles[:, side], turns[:, side] = ball + rotate(turned, arm), turned
    moved = move_feet_to(moved, ankles, turns)
    clip = Clip(
        a.skeleton,
        a.rate,
        np.concatenate([a.root_positions, moved.root_positions]),
        np.concatenate([a.rotations, moved.rotations]),
        a.name,
    )
    return ContactClip(clip, np.concatenate([first.contacts, second.contacts]))


def _next_swing(contact: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the frames at which a foot that is planted at the first frame lifts, and lands again."""
    count = len(contact)
    runs = runs_of(contact)
    if len(runs) == 0 or runs[0][0] > 0:
        return 0, min(TUNING.max_swing, count)
    lift = int(runs[0][1])
    land = int(runs[1][0]) if len(runs) > 1 else lift + TUNING.max_swing
    return lift, min(max(land, lift + 1), count)


def _root_offset_and_velocity(a: Array, b: Array, count: int) -> tuple[Array, Array]:
    """Return the offset (3), m, of ``b``'s first frame from where ``a`` would continue, and its rate per frame."""
    speed = (a[-1] - a[-2]) - (b[1] - b[0]) if len(a) > 1 and count > 1 else np.zeros_like(a[-1])
    own = b[1] - b[0] if count > 1 else np.zeros_like(a[-1])
    # One frame later, since the first frame of b does not repeat the last of a.
    return a[-1] + own - b[0], _limit_speed(speed)


def _rotation_offset_and_velocity(a: Clip, b: Clip) -> tuple[Array, Array]:
    """Return the offset and velocity per frame between all joint rotations of two clips, as rotation vectors (J, 3)."""
    offset = log(multiply(a.rotations[-1], inverse(b.rotations[0])))
    if len(a) < 2 or len(b) < 2:
        return offset, np.zeros_like(offset)
    before = log(multiply(a.rotations[-1], inverse(a.rotations[-2])))
    own = log(multiply(b.rotations[1], inverse(b.rotations[0])))
    return offset, _limit_speed(before - own)


def _limit_speed(velocity: Array) -> Array:
    """Return velocities (..., 3) limited to ``TUNING.max_speed_difference``."""
    size = np.linalg.norm(velocity, axis=-1, keepdims=True)
    return velocity * np.minimum(1.0, TUNING.max_speed_difference / np.maximum(size, 1e-9))
