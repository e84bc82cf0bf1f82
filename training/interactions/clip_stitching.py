"""Stretches of motion put one after the other without a seam: feet that stand stay where they stand.

The rest of the body goes over with its speed (inertialisation, Bollo 2018): what the new stretch differs by at its
first frame is added to it and dies away. A foot that both have on the ground stays at the place of the first until it
is lifted, and comes to the second's own place with its next step.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Clip
from ...core.motion.blending import fade
from ...core.motion.limb_ik import Leg, reach, with_world_rotations
from ...core.motion.rotations import Array, about_up, exp, inverse, log, multiply, rotate
from ...core.motion.signals import runs_of
from ...core.retarget.contacts import hips_drop

SETTLES: Final = 24
"""Frames over which what a stretch differs by dies away."""
TILTS: Final = 14
"""The same of a standing foot's tilt and height: the sole lies down."""
SWINGS: Final = 18
"""Frames, at most, of a step in which a foot comes to its own place."""
FASTEST: Final = 0.12
"""Radians, or metres, a frame by which two stretches' speeds may differ; more is no speed but noise."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some motion, and which of its feet stand.

    Attributes:
        clip: F frames.
        held: (F, 4) in the order of ``labelling.contacts.JOINTS``.
    """

    clip: Clip
    held: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.clip)

    def cut(self, start: int, stop: int) -> "Stretch":
        """The frames from ``start`` up to, not including, ``stop``."""
        return Stretch(self.clip.cut(start, stop), self.held[start:stop])

    def placed(self, rotation: Array, translation: Array) -> "Stretch":
        """See :meth:`Clip.placed`."""
        return Stretch(self.clip.placed(rotation, translation), self.held)

    def mirrored(self) -> "Stretch":
        """Seen in a mirror."""
        return Stretch(self.clip.mirrored(), self.held[:, [2, 3, 0, 1]])

    def backwards(self) -> "Stretch":
        """From its end to its beginning."""
        clip = replace(self.clip, root_positions=self.clip.root_positions[::-1], rotations=self.clip.rotations[::-1])
        return Stretch(clip, self.held[::-1])


@dataclass(frozen=True, eq=False)
class Feet:
    """The feet (F, 2) of a clip, left and right: ankles and balls (F, 2, 3), metres, and how feet are turned (F, 2, 4),
    world.
    """

    ankles: Array
    balls: Array
    turns: Array

    @staticmethod
    def of(clip: Clip) -> "Feet":
        """Where they are."""
        feet, toes = ([clip.skeleton.role(f"{part}.{side}") for side in "LR"] for part in ("foot", "toe"))
        positions, rotations = clip.world
        return Feet(positions[:, feet], positions[:, toes], rotations[:, feet])


def with_feet(clip: Clip, ankles: Array, turns: Array) -> Clip:
    """A clip whose feet are elsewhere: ankles (F, 2, 3), metres, and feet's rotations (F, 2, 4), world.

    Toes go along; hips sink, smoothly, where legs are too short.
    """
    skeleton = clip.skeleton
    positions, rotations = (array.copy() for array in clip.world)
    legs = [Leg.of(skeleton, side) for side in "LR"]
    for number, leg in enumerate(legs):
        turn = multiply(turns[:, number], inverse(rotations[:, leg.foot]))
        rotations[:, leg.foot] = turns[:, number]
        if leg.toe is not None:
            rotations[:, leg.toe] = multiply(turn, rotations[:, leg.toe])
    roots = clip.root_positions.copy()
    drop = hips_drop(clip, legs, [ankles[:, 0], ankles[:, 1]])
    roots[:, 2] -= drop
    positions[..., 2] -= drop[:, None]
    for number, leg in enumerate(legs):
        reach(skeleton, positions, rotations, leg, ankles[:, number])
    return with_world_rotations(clip, roots, rotations)


def yaw_between(a: Array, b: Array) -> Array:
    """By which angle about the vertical (...) rotations ``a`` (..., 4) differ from ``b``: the twist between them."""
    turn = multiply(a, inverse(b))
    return 2 * np.arctan2(turn[..., 3], turn[..., 0])


def dying(offset: Array, speed: Array, count: int, frames: int = SETTLES) -> Array:
    """An offset (...) that moves on with its speed (...) a frame and is gone after some frames: (count, ...)."""
    span = min(frames, max(count - 1, 1))
    t = np.minimum(np.arange(count), span).reshape(-1, *[1] * offset.ndim) / span
    # The quintic with these values and slopes at both ends, and no curvature there.
    place = 1 - t**3 * (10 - 15 * t + 6 * t**2)
    slope = t - 6 * t**3 + 8 * t**4 - 3 * t**5
    return offset * place + speed * span * slope


def after(one: Stretch, other: Stretch, frames: int = SETTLES) -> Stretch:
    """One stretch and then the other, which stands where it shall be; its first frame follows the last of the first."""
    a, b, count = one.clip, other.clip, len(other)
    feet, last = Feet.of(b), Feet.of(a.cut(len(a) - 1, len(a)))
    roots = b.root_positions + dying(*_differing(a.root_positions, b.root_positions, count), count, frames)
    between = _local_difference(a, b)
    rotations = multiply(exp(dying(*between, count, frames)), b.rotations)
    moved = Clip(b.skeleton, b.rate, roots, rotations, a.name)
    ankles, turns = feet.ankles.copy(), feet.turns.copy()
    for side in range(2):
        on = other.held[:, 2 * side] | other.held[:, 2 * side + 1]
        lift, land = _step(on)
        if not one.held[-1, 2 * side : 2 * side + 2].any():
            lift, land = 0, min(SETTLES, count)
        share = np.ones(count)
        share[lift:] = fade((np.arange(count - lift) + 1) / (max(land - lift, 1) + 1))
        twist = float(yaw_between(last.turns[0, side], feet.turns[0, side]))
        twist = (twist + np.pi) % (2 * np.pi) - np.pi
        upright = multiply(about_up(twist * share), feet.turns[:, side])
        tilt = log(multiply(last.turns[0, side], inverse(upright[0])))
        low = dying(np.append(tilt, last.balls[0, side, 2] - feet.balls[0, side, 2]), np.zeros(4), count, TILTS)
        turned = multiply(exp(low[:, :3]), upright)
        ball = feet.balls[:, side].copy()
        ball[:, :2] += share[:, None] * (last.balls[0, side, :2] - feet.balls[0, side, :2])
        ball[:, 2] += low[:, 3]
        arm = rotate(inverse(feet.turns[:, side]), feet.ankles[:, side] - feet.balls[:, side])
        ankles[:, side], turns[:, side] = ball + rotate(turned, arm), turned
    moved = with_feet(moved, ankles, turns)
    clip = Clip(
        a.skeleton,
        a.rate,
        np.concatenate([a.root_positions, moved.root_positions]),
        np.concatenate([a.rotations, moved.rotations]),
        a.name,
    )
    return Stretch(clip, np.concatenate([one.held, other.held]))


def _step(on: NDArray[np.bool_]) -> tuple[int, int]:
    """When a foot that stands at the first frame is lifted, and when it is down again."""
    count = len(on)
    runs = runs_of(on)
    if len(runs) == 0 or runs[0][0] > 0:
        return 0, min(SWINGS, count)
    lift = int(runs[0][1])
    land = int(runs[1][0]) if len(runs) > 1 else lift + SWINGS
    return lift, min(max(land, lift + 1), count)


def _differing(a: Array, b: Array, count: int) -> tuple[Array, Array]:
    """By how much the first of ``b`` differs from what would follow on ``a``, and by what speed a frame."""
    speed = (a[-1] - a[-2]) - (b[1] - b[0]) if len(a) > 1 and count > 1 else np.zeros_like(a[-1])
    own = b[1] - b[0] if count > 1 else np.zeros_like(a[-1])
    # One frame on: the first frame of the other is not the last of the first once more.
    return a[-1] + own - b[0], _bounded(speed)


def _local_difference(a: Clip, b: Clip) -> tuple[Array, Array]:
    """The same of all joints' rotations, (J, 3)."""
    offset = log(multiply(a.rotations[-1], inverse(b.rotations[0])))
    if len(a) < 2 or len(b) < 2:
        return offset, np.zeros_like(offset)
    before = log(multiply(a.rotations[-1], inverse(a.rotations[-2])))
    own = log(multiply(b.rotations[1], inverse(b.rotations[0])))
    return offset, _bounded(before - own)


def _bounded(speed: Array) -> Array:
    size = np.linalg.norm(speed, axis=-1, keepdims=True)
    return speed * np.minimum(1.0, FASTEST / np.maximum(size, 1e-9))
