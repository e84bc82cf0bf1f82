"""An armature at rest, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.motion import Skeleton
from ....core.motion import rotations as rot
from ....core.motion.roles import guess_roles
from ....core.motion.rotations import Array
from ...units import world_matrix

MAX_SCALE_SPREAD_RATIO = 1e-3


@dataclass(frozen=True, eq=False)
class Rig:
    """The rest pose of an armature object.

    Attributes:
        armature_name: name of the object, for messages.
        names: (B) names of the bones, parents before children.
        parents: (B) indices of the bones' parents; -1 for root bones.
        rest_matrices: (B, 4, 4) rest matrices, armature space.
        tails: (B, 3) tails of the bones at rest, armature space.
        world_matrix: (4, 4) matrix from the armature's space to the world in meters.
    """

    armature_name: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    rest_matrices: Array
    tails: Array
    world_matrix: Array

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each bone by name."""
        return {name: bone for bone, name in enumerate(self.names)}

    @cached_property
    def scale(self) -> float:
        """Uniform scale of the object; raises :class:`FootfallError` if it is zero, mirrored or uneven."""
        lengths = np.linalg.norm(self.world_matrix[:3, :3], axis=0)
        mean = float(lengths.mean())
        if (
            mean < 1e-9
            or np.ptp(lengths) > MAX_SCALE_SPREAD_RATIO * mean
            or np.linalg.det(self.world_matrix[:3, :3]) < 0
        ):
            raise FootfallError(
                "Armature '{armature}' is stretched unevenly, mirrored or scaled to zero: apply its scale "
                "(Ctrl+A, Scale) and try again",
                armature=self.armature_name,
            )
        return mean

    @cached_property
    def rotation(self) -> Array:
        """World rotation of the object, as a quaternion (4)."""
        return rot.from_matrix(self.world_matrix[:3, :3] / self.scale)

    @cached_property
    def rest_rotations(self) -> Array:
        """World rotations of the bones at rest (B, 4)."""
        return rot.multiply(self.rotation, rot.from_matrix(self.rest_matrices[:, :3, :3]))

    @cached_property
    def heads(self) -> Array:
        """World positions of the bones' heads at rest (B, 3), meters."""
        return self.to_world(self.rest_matrices[:, :3, 3])

    def to_world(self, points: Array) -> Array:
        """Convert points (..., 3) from armature space to world space."""
        return points @ self.world_matrix[:3, :3].T + self.world_matrix[:3, 3]

    def to_armature(self, points: Array) -> Array:
        """Convert points (..., 3) from world space to armature space."""
        return (points - self.world_matrix[:3, 3]) @ self.rotation_matrix / self.scale

    @property
    def rotation_matrix(self) -> Array:
        """World rotation of the object, as a matrix (3, 3)."""
        return rot.to_matrix(self.rotation)

    @cached_property
    def body_bones(self) -> tuple[int, ...]:
        """Indices of the hip bone, found by name, else the root with most descendants, and of all its descendants."""
        if not self.names:
            raise FootfallError("Armature '{armature}' has no bones: choose another one", armature=self.armature_name)
        sizes = np.ones(len(self.names), dtype=int)
        for bone in range(len(self.names) - 1, -1, -1):
            if self.parents[bone] >= 0:
                sizes[self.parents[bone]] += sizes[bone]
        roots = [bone for bone, parent in enumerate(self.parents) if parent < 0]
        top = guess_roles(self.names).get("hips", max(roots, key=lambda bone: sizes[bone]))
        inside = {top}
        for bone, parent in enumerate(self.parents):
            if parent in inside:
                inside.add(bone)
        return tuple(sorted(inside))

    def skeleton(self, bones: Sequence[int]) -> Skeleton:
        """Return the skeleton of selected bones, parents first; the first bone must be an ancestor of all others.

        The parent of a bone is its nearest selected ancestor.
        """
        place = {bone: joint for joint, bone in enumerate(bones)}
        parents = [self._nearest(bone, place) for bone in bones]
        if any(parent < 0 for parent in parents[1:]):
            stray = self.names[bones[next(j for j, parent in enumerate(parents) if j and parent < 0)]]
            raise FootfallError(
                "Bone '{bone}' of armature '{armature}' does not descend from '{root}': parent it to '{root}' or below",
                bone=stray,
                armature=self.armature_name,
                root=self.names[bones[0]],
            )
        heads = self.heads[list(bones)]
        offsets = heads - heads[np.maximum(parents, 0)]
        offsets[0] = 0.0
        tips = self.to_world(self.tails)[list(bones)] - heads
        tips[sorted(set(parents[1:]))] = 0.0
        return Skeleton(tuple(self.names[bone] for bone in bones), (-1, *parents[1:]), offsets, tips)

    def _nearest(self, bone: int, place: dict[int, int]) -> int:
        above = self.parents[bone]
        while above >= 0 and above not in place:
            above = self.parents[above]
        return place.get(above, -1)


def read_rig(armature: bpy.types.Object) -> Rig:
    """Return the rest pose of an armature object at its current world transform."""
    bpy.context.view_layer.update()  # or the world matrix would predate a script's last change
    bones = armature.data.bones
    order = _sort_parents_first(bones)
    flat = np.empty(len(bones) * 16, dtype=np.float32)
    bones.foreach_get("matrix_local", flat)
    ends = np.empty(len(bones) * 3, dtype=np.float32)
    bones.foreach_get("tail_local", ends)
    names = [bone.name for bone in bones]
    place = {names[old]: new for new, old in enumerate(order)}
    parents = [place[bones[old].parent.name] if bones[old].parent else -1 for old in order]
    return Rig(
        armature.name,
        tuple(names[old] for old in order),
        tuple(parents),
        flat.reshape(-1, 4, 4).transpose(0, 2, 1)[order].astype(float),
        ends.reshape(-1, 3)[order].astype(float),
        world_matrix(armature),
    )


def _sort_parents_first(bones: bpy.types.ArmatureBones) -> list[int]:
    index = {bone.name: number for number, bone in enumerate(bones)}
    order: list[int] = []
    pending = [bone for bone in bones if bone.parent is None][::-1]
    while pending:
        bone = pending.pop()
        order.append(index[bone.name])
        pending.extend(list(bone.children)[::-1])
    return order
