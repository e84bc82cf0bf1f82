"""The space of a control's own channels, and the bones that carry it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import bpy
import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array

FIXED_CARRIER: Final = 0
"""The carrier of everything fixed in the armature's space; the keyed bones are carriers 1, 2, 3 and so on."""
ROTATION_TOLERANCE_RAD: Final = 2e-3
"""Angle, radians, below which rotations count as equal; Blender poses in single precision."""
POSITION_TOLERANCE_RATIO: Final = 2e-4
"""Distance, as a share of the armature's size, below which positions count as equal."""


@dataclass(frozen=True, slots=True)
class BoneInheritance:
    """The rules by which a pose bone builds its matrix from its channels, as set by its flags.

    Attributes:
        rest_matrix: (4, 4) rest matrix of the bone, armature space.
        parent_rest_matrix: (4, 4) rest matrix of its parent, armature space; ``None`` without a parent.
        inherits_rotation: whether the bone rotates with its parent.
        uses_local_location: whether its location is measured along its own axes instead of its parent's.
        is_connected: whether it is connected to its parent, so that it has no location channels.
    """

    rest_matrix: Array
    parent_rest_matrix: Array | None
    inherits_rotation: bool
    uses_local_location: bool
    is_connected: bool

    @staticmethod
    def of_bone(bone: bpy.types.Bone) -> "BoneInheritance":
        """Return the rules by which a bone inherits its parent's transform."""
        parent = bone.parent
        return BoneInheritance(
            np.array(bone.matrix_local, dtype=float),
            None if parent is None else np.array(parent.matrix_local, dtype=float),
            bone.use_inherit_rotation,
            bone.use_local_location,
            bone.use_connect and parent is not None,
        )

    def rest_space(self) -> "ControlSpace":
        """Return the space of the bone's channels in the rest pose."""
        return self.space_under(self.parent_rest_matrix)

    def space_under(self, parent: Array | None) -> "ControlSpace":
        """Return the space of the bone's channels under a parent's pose matrix (..., 4, 4)."""
        if parent is None or self.parent_rest_matrix is None:
            own = self.rest_matrix[:3, :3]
            return ControlSpace(self.rest_matrix[:3, 3], own, own if self.uses_local_location else np.eye(3))
        base = parent @ (np.linalg.inv(self.parent_rest_matrix) @ self.rest_matrix)
        turn = (
            base[..., :3, :3]
            if self.inherits_rotation
            else np.broadcast_to(self.rest_matrix[:3, :3], base[..., :3, :3].shape)
        )
        axes = base[..., :3, :3] if self.uses_local_location else parent[..., :3, :3]
        return ControlSpace(base[..., :3, 3], normalize_axes(turn), axes)


@dataclass(frozen=True, slots=True, eq=False)
class ControlSpace:
    """The position and axes of a control with its channels at zero, in the armature's space.

    Attributes:
        origin: (..., 3) head of the control, armature space.
        orientation: (..., 3, 3) unit axes of the control, in columns; its rotation channels rotate within them.
        location_axes: (..., 3, 3) axes of its location channels, in columns.
    """

    origin: Array
    orientation: Array
    location_axes: Array

    def pose_matrices(self, location: Array, rotation: Array) -> Array:
        """Return the pose matrices (..., 4, 4), without scale, for location (..., 3) and rotation (..., 4) channels."""
        turned = self.orientation @ rot.to_matrix(rotation)
        result = np.zeros((*turned.shape[:-2], 4, 4))
        result[..., :3, :3] = turned
        result[..., :3, 3] = self.origin + (self.location_axes @ location[..., None])[..., 0]
        result[..., 3, 3] = 1.0
        return result

    def under_constraints(self, location: Array, rotation: Array, pose: Array) -> "ControlSpace":
        """Return the space including the effect of the control's own constraints, given the resulting pose (4, 4)."""
        by = without_scale(pose) @ np.linalg.inv(self.pose_matrices(location, rotation))
        turn = by[:3, :3]
        return ControlSpace(turn @ self.origin + by[:3, 3], turn @ self.orientation, turn @ self.location_axes)

    def location_channels(self, positions: Array) -> Array:
        """Return the location channels (..., 3) that bring a control's head to positions (..., 3)."""
        return np.linalg.solve(self.location_axes, (positions - self.origin)[..., None])[..., 0]

    def rotation_channels(self, orientations: Array) -> Array:
        """Return the rotation channels (..., 4) that give a control the orientations (..., 3, 3)."""
        return rot.from_matrix(np.swapaxes(self.orientation, -1, -2) @ orientations)


@dataclass(frozen=True, slots=True, eq=False)
class RotationBlend:
    """A rotation that follows one carrier, or is interpolated between two.

    Two carriers agree in the rest pose, but not in the reference pose of the motions, in which other bones may be
    posed.

    Attributes:
        first: index of the first carrier.
        second: index of the second carrier.
        second_weight: weight of the second carrier, in [0, 1]; at 0 the rotation follows only the first.
        carrier_rotations: (2, 4) rotations of both carriers from rest to the reference pose, armature space.
        own_rotation: (4) rotation of the following axes from rest to the reference pose, armature space.
    """

    first: int
    second: int = FIXED_CARRIER
    second_weight: float = 0.0
    carrier_rotations: Array = field(default_factory=lambda: np.tile(rot.IDENTITY, (2, 1)))
    own_rotation: Array = field(default_factory=rot.IDENTITY.copy)

    @property
    def carriers(self) -> tuple[int, ...]:
        """Indices of the carriers that influence the rotation."""
        return (self.first, self.second) if self.second_weight else (self.first,)

    def blended_rotation(self, rotations: Mapping[int, Array]) -> Array:
        """Return the blend (..., 4) of the carriers' ``rotations`` (..., 4)."""
        if not self.second_weight:
            return rotations[self.first]
        ends = [
            rot.multiply(rotations[one], before)
            for one, before in zip(self.carriers, self.carrier_rotations, strict=True)
        ]
        between = rot.slerp(ends[0], ends[1], np.full(ends[0].shape[:-1], self.second_weight))
        return rot.multiply(between, rot.inverse(self.own_rotation))


@dataclass(frozen=True, slots=True, eq=False)
class SpaceDependency:
    """The dependency of a control's space on its carriers.

    Attributes:
        base_space: the space in the reference pose of the motions.
        origin_carrier: index of the origin's carrier; ``None`` if it follows none, as below an IK limb.
        orientation_blend: rotation of one or two carriers, followed by the orientation of the space.
        location_axes_blend: rotation of one or two carriers, followed by the axes of its location.
    """

    base_space: ControlSpace
    origin_carrier: int | None
    orientation_blend: RotationBlend
    location_axes_blend: RotationBlend

    @property
    def carriers(self) -> frozenset[int]:
        """Indices of all carriers on which the space depends."""
        turning = {*self.orientation_blend.carriers, *self.location_axes_blend.carriers}
        return frozenset(turning if self.origin_carrier is None else {self.origin_carrier, *turning})

    def origin(self, motions: Mapping[int, Array]) -> Array | None:
        """Return the origin (F, 3) after the carriers move by ``motions`` (F, 4, 4); ``None`` without a carrier."""
        if self.origin_carrier is None:
            return None
        at = motions[self.origin_carrier]
        return at[..., :3, :3] @ self.base_space.origin + at[..., :3, 3]

    def predicted_space(self, motions: Mapping[int, Array], fallback_origin: Array) -> ControlSpace:
        """Return the space after the carriers move by ``motions`` (F, 4, 4).

        An origin without a carrier is assumed to be at ``fallback_origin`` (F, 3).
        """
        turns = {carrier: rot.from_matrix(motions[carrier][..., :3, :3]) for carrier in self.carriers}
        origin = self.origin(motions)
        origin = fallback_origin if origin is None else origin
        turned = rot.to_matrix(self.orientation_blend.blended_rotation(turns)) @ self.base_space.orientation
        along = rot.to_matrix(self.location_axes_blend.blended_rotation(turns)) @ self.base_space.location_axes
        return ControlSpace(origin, turned, along)


def find_dependency(
    probes: Sequence[ControlSpace],
    rest_space: ControlSpace,
    motions: Array,
    initial_rotations: Array,
    own_carrier: int,
    armature_size: float,
) -> SpaceDependency | None:
    """Find the bones that move a control's space with them, from the space in random poses of all bones.

    The keyed bones are *carriers* 1, 2, 3 and so on; carrier 0 does not move.

    Args:
        probes: the space in each of N poses; the first is the reference pose.
        rest_space: the space in the rest pose.
        motions: (U, N, 4, 4) displacement of each carrier from the first pose to each pose, preferred carriers first.
        initial_rotations: (U, 4) quaternions that turn each carrier from the rest pose to the first pose.
        own_carrier: index of the control as a carrier, which cannot move its own space.
        armature_size: size of the armature in its own units.

    Returns:
        The dependency; ``None`` if no carrier, and no blend of two, explains the rotations of the space.
    """
    others = [carrier for carrier in range(len(motions)) if carrier != own_carrier]
    origins = np.array([space.origin for space in probes])
    predicted = motions[..., :3, :3] @ probes[0].origin + motions[..., :3, 3]
    off = np.linalg.norm(predicted - origins, axis=-1).max(axis=1) / armature_size
    place = next((carrier for carrier in others if off[carrier] < POSITION_TOLERANCE_RATIO), None)
    turns = rot.from_matrix(normalize_axes(motions[..., :3, :3]))
    turn = _find_rotation_blend(
        np.array([space.orientation for space in probes]), rest_space.orientation, turns, initial_rotations, others
    )
    axes = _find_rotation_blend(
        np.array([space.location_axes for space in probes]), rest_space.location_axes, turns, initial_rotations, others
    )
    return None if turn is None or axes is None else SpaceDependency(probes[0], place, turn, axes)


def _find_rotation_blend(
    observed_axes: Array, rest_axes: Array, rotations: Array, initial_rotations: Array, candidates: Sequence[int]
) -> RotationBlend | None:
    """Return the blend of rotations (U, N, 4) that explains axes (N, 3, 3) from those at rest (3, 3), if any."""
    axes = normalize_axes(observed_axes)
    turned = rot.from_matrix(axes @ np.swapaxes(axes[0], -1, -2))
    apart = np.linalg.norm(rot.log(rot.multiply(rot.inverse(rotations), turned)), axis=-1).max(axis=-1)
    single = next((carrier for carrier in candidates if apart[carrier] < ROTATION_TOLERANCE_RAD), None)
    if single is not None:
        return RotationBlend(single)
    best = ROTATION_TOLERANCE_RAD, None
    turned = rot.from_matrix(axes @ np.swapaxes(normalize_axes(rest_axes), -1, -2))
    rotations = rot.multiply(rotations, initial_rotations[:, None])
    for first, second in combinations(candidates, 2):
        span = rot.log(rot.multiply(rot.inverse(rotations[first]), rotations[second]))
        gone = rot.log(rot.multiply(rot.inverse(rotations[first]), turned))
        share = float(np.sum(span * gone) / max(np.sum(span * span), 1e-12))
        if not 0.0 < share < 1.0:
            continue
        between = rot.multiply(rotations[first], rot.exp(span * share))
        worst = float(np.linalg.norm(rot.log(rot.multiply(rot.inverse(between), turned)), axis=-1).max())
        if worst < best[0]:
            best = worst, RotationBlend(first, second, share, initial_rotations[[first, second]], turned[0])
    return best[1]


def without_scale(matrices: Array) -> Array:
    """Return transforms (..., 4, 4) with their scale removed."""
    result = matrices.copy()
    result[..., :3, :3] = normalize_axes(matrices[..., :3, :3])
    return result


def pose_difference(first: Array, second: Array) -> tuple[float, float]:
    """Return the largest differences between poses (..., 4, 4): in rotation, radians, and in location."""
    away = np.square(first[..., :3, :] - second[..., :3, :])
    # The squared differences of the elements of two rotations with an angle between them sum to 8 sin^2(angle / 2).
    turned = 2 * np.arcsin(np.minimum(np.sqrt(away[..., :3].sum(axis=(-2, -1)).max() / 8), 1.0))
    return float(turned), float(np.sqrt(away[..., 3].sum(axis=-1).max()))


def normalize_axes(axes: Array) -> Array:
    """Return axes (..., 3, 3) scaled to unit length."""
    return axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), 1e-12)
