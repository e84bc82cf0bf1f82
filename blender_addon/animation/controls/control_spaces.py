"""What a control's own channels are measured from: its space, and which bones carry it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import bpy
import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array

FIXED: Final = 0
"""The carrier of what stands still in the armature's space; the keyed bones are carriers 1, 2, 3 ..."""
SAME_TURN: Final = 2e-3
"""Rotations that differ by less, radians, are one: Blender poses in single precision."""
SAME_PLACE: Final = 2e-4
"""Places that differ by less than this share of the armature's size are one."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How a pose bone builds its matrix from its channels, as its bone's flags say.

    Attributes:
        rest: the bone's rest matrix (4, 4), armature space.
        parent_rest: its parent's, or ``None``.
        inherits: whether it turns with its parent.
        own_axes: whether its location runs along its own axes, else along its parent's.
        connected: whether it has no location at all.
    """

    rest: Array
    parent_rest: Array | None
    inherits: bool
    own_axes: bool
    connected: bool

    @staticmethod
    def of(bone: bpy.types.Bone) -> "Ways":
        """Those of a bone."""
        parent = bone.parent
        return Ways(
            np.array(bone.matrix_local, dtype=float),
            None if parent is None else np.array(parent.matrix_local, dtype=float),
            bone.use_inherit_rotation,
            bone.use_local_location,
            bone.use_connect and parent is not None,
        )

    def at_rest(self) -> "Space":
        """The space where nothing is posed."""
        return self.space(self.parent_rest)

    def space(self, parent: Array | None) -> "Space":
        """The space under a parent's pose matrix (..., 4, 4)."""
        if parent is None or self.parent_rest is None:
            own = self.rest[:3, :3]
            return Space(self.rest[:3, 3], own, own if self.own_axes else np.eye(3))
        base = parent @ (np.linalg.inv(self.parent_rest) @ self.rest)
        turn = base[..., :3, :3] if self.inherits else np.broadcast_to(self.rest[:3, :3], base[..., :3, :3].shape)
        axes = base[..., :3, :3] if self.own_axes else parent[..., :3, :3]
        return Space(base[..., :3, 3], upright(turn), axes)


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Where a control is with its channels at zero, in the armature's space.

    Attributes:
        origin: its head (..., 3).
        turn: its axes (..., 3, 3), which its rotation turns.
        axes: the axes (..., 3, 3) that its location runs along.
    """

    origin: Array
    turn: Array
    axes: Array

    def posed(self, location: Array, rotation: Array) -> Array:
        """Pose matrices (..., 4, 4), without scale, of a control with local channels (..., 3) and (..., 4)."""
        turned = self.turn @ rot.to_matrix(rotation)
        result = np.zeros((*turned.shape[:-2], 4, 4))
        result[..., :3, :3] = turned
        result[..., :3, 3] = self.origin + (self.axes @ location[..., None])[..., 0]
        result[..., 3, 3] = 1.0
        return result

    def seen(self, location: Array, rotation: Array, pose: Array) -> "Space":
        """The space as moved by the control's own constraints, which bring it with some channels to a pose (4, 4)."""
        by = rigid(pose) @ np.linalg.inv(self.posed(location, rotation))
        turn = by[:3, :3]
        return Space(turn @ self.origin + by[:3, 3], turn @ self.turn, turn @ self.axes)

    def location(self, positions: Array) -> Array:
        """The location channels (..., 3) by which a control's head is at positions (..., 3)."""
        return np.linalg.solve(self.axes, (positions - self.origin)[..., None])[..., 0]

    def rotation(self, turns: Array) -> Array:
        """The local rotations (..., 4) by which a control is turned as ``turns`` (..., 3, 3)."""
        return rot.from_matrix(np.swapaxes(self.turn, -1, -2) @ turns)


@dataclass(frozen=True, slots=True, eq=False)
class Mix:
    """A rotation that follows one carrier, or lies between two.

    Two agree in the rest pose, not in the pose that motions are counted from, in which other bones may be posed.

    Attributes:
        first, second: carriers.
        share: how much of the way from the first to the second, 0 to 1.
        before: how far both are turned from rest (2, 4) where motions are counted from.
        own: how far that which follows them is turned from rest (4) there.
    """

    first: int
    second: int = FIXED
    share: float = 0.0
    before: Array = field(default_factory=lambda: np.tile(rot.IDENTITY, (2, 1)))
    own: Array = field(default_factory=rot.IDENTITY.copy)

    @property
    def carriers(self) -> tuple[int, ...]:
        """Those that matter."""
        return (self.first, self.second) if self.share else (self.first,)

    def turn(self, turns: Mapping[int, Array]) -> Array:
        """The rotation (..., 4) where the carriers' are ``turns`` (..., 4)."""
        if not self.share:
            return turns[self.first]
        ends = [rot.multiply(turns[one], before) for one, before in zip(self.carriers, self.before, strict=True)]
        between = rot.slerp(ends[0], ends[1], np.full(ends[0].shape[:-1], self.share))
        return rot.multiply(between, rot.inverse(self.own))


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """How a control's space follows its carriers.

    Attributes:
        base: the space in the pose that motions are counted from.
        place: the carrier of its origin; ``None`` where the origin follows none, as below a limb that IK solves.
        turn: what its axes turn with.
        axes: what the axes of its location turn with.
    """

    base: Space
    place: int | None
    turn: Mix
    axes: Mix

    @property
    def carriers(self) -> frozenset[int]:
        """All that carry it."""
        turning = {*self.turn.carriers, *self.axes.carriers}
        return frozenset(turning if self.place is None else {self.place, *turning})

    def origin(self, motions: Mapping[int, Array]) -> Array | None:
        """The origin (F, 3) where the carriers have moved by ``motions`` (F, 4, 4); ``None`` where it follows none."""
        if self.place is None:
            return None
        at = motions[self.place]
        return at[..., :3, :3] @ self.base.origin + at[..., :3, 3]

    def space(self, motions: Mapping[int, Array], elsewhere: Array) -> Space:
        """The space where the carriers have moved by ``motions`` (F, 4, 4).

        An origin that follows no carrier is taken to be at ``elsewhere`` (F, 3).
        """
        turns = {carrier: rot.from_matrix(motions[carrier][..., :3, :3]) for carrier in self.carriers}
        origin = self.origin(motions)
        origin = elsewhere if origin is None else origin
        turned = rot.to_matrix(self.turn.turn(turns)) @ self.base.turn
        along = rot.to_matrix(self.axes.turn(turns)) @ self.base.axes
        return Space(origin, turned, along)


def carried(
    probes: Sequence[Space], rest: Space, motions: Array, before: Array, own: int, size: float
) -> Carried | None:
    """Finds what carries a space.

    Args:
        probes: the space in every probe (N), the first being the pose that motions are counted from.
        rest: the space in the rest pose.
        motions: how far every carrier had moved in every probe (U, N, 4, 4), the preferred ones first.
        before: how far every carrier is turned from rest (U, 4) in the first probe.
        own: the carrier whose space it is; it does not carry itself.
        size: the armature's, in its own units.

    Returns:
        ``None`` where no carrier, and no two of them, explain how it turned.
    """
    others = [carrier for carrier in range(len(motions)) if carrier != own]
    origins = np.array([space.origin for space in probes])
    predicted = motions[..., :3, :3] @ probes[0].origin + motions[..., :3, 3]
    off = np.linalg.norm(predicted - origins, axis=-1).max(axis=1) / size
    place = next((carrier for carrier in others if off[carrier] < SAME_PLACE), None)
    turns = rot.from_matrix(upright(motions[..., :3, :3]))
    turn = _mix(np.array([space.turn for space in probes]), rest.turn, turns, before, others)
    axes = _mix(np.array([space.axes for space in probes]), rest.axes, turns, before, others)
    return None if turn is None or axes is None else Carried(probes[0], place, turn, axes)


def _mix(seen: Array, rest: Array, turns: Array, before: Array, others: Sequence[int]) -> Mix | None:
    """Which of the turns (U, N, 4) explain the axes seen in every probe (N, 3, 3), at rest (3, 3)."""
    axes = upright(seen)
    turned = rot.from_matrix(axes @ np.swapaxes(axes[0], -1, -2))
    apart = np.linalg.norm(rot.log(rot.multiply(rot.inverse(turns), turned)), axis=-1).max(axis=-1)
    single = next((carrier for carrier in others if apart[carrier] < SAME_TURN), None)
    if single is not None:
        return Mix(single)
    best = SAME_TURN, None
    turned = rot.from_matrix(axes @ np.swapaxes(upright(rest), -1, -2))
    turns = rot.multiply(turns, before[:, None])
    for first, second in combinations(others, 2):
        span = rot.log(rot.multiply(rot.inverse(turns[first]), turns[second]))
        gone = rot.log(rot.multiply(rot.inverse(turns[first]), turned))
        share = float(np.sum(span * gone) / max(np.sum(span * span), 1e-12))
        if not 0.0 < share < 1.0:
            continue
        between = rot.multiply(turns[first], rot.exp(span * share))
        worst = float(np.linalg.norm(rot.log(rot.multiply(rot.inverse(between), turned)), axis=-1).max())
        if worst < best[0]:
            best = worst, Mix(first, second, share, before[[first, second]], turned[0])
    return best[1]


def rigid(matrices: Array) -> Array:
    """Transforms (..., 4, 4) without their scale."""
    result = matrices.copy()
    result[..., :3, :3] = upright(matrices[..., :3, :3])
    return result


def apart(one: Array, other: Array) -> tuple[float, float]:
    """By how much two poses (4, 4) without scale differ at most, over all of several: in radians, and in place."""
    away = np.square(one[..., :3, :] - other[..., :3, :])
    # The elements of two rotations that are an angle apart differ by 8 sin^2(angle / 2), their squares summed.
    turned = 2 * np.arcsin(np.minimum(np.sqrt(away[..., :3].sum(axis=(-2, -1)).max() / 8), 1.0))
    return float(turned), float(np.sqrt(away[..., 3].sum(axis=-1).max()))


def upright(axes: Array) -> Array:
    """Axes (..., 3, 3) without their lengths."""
    return axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), 1e-12)
