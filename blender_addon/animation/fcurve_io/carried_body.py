"""The points of an armature moved by its tracks, as functions of the tracks' values."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import bpy
import numpy as np
from bpy.utils import unescape_identifier
from numpy.typing import NDArray

from ....core.keyframes.point_model import KeyedBone, PointModel
from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from .ik_points import IkLimbPoints
from .rig import Rig
from .rotation_modes import to_quaternions
from .tracks import PropertyTrack

BONE_PATH: Final = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.?(.*)$', re.DOTALL)
# the moving object itself
OBJECT_OWNER: Final = ""
# Meters per unit of a property that is neither a location nor a rotation, such as a scale.
SCALAR_LEVER_M: Final = 1.0
ROTATION_CHANNELS: Final = ("rotation_quaternion", "rotation_euler", "rotation_axis_angle")


class RigPointModel:
    """The bones with tracks and the bones that they carry, each attached to its nearest moving ancestor.

    Constraints are ignored, so bones without an ancestor with tracks do not move. The points include IK controls, so
    that the bones following them are preserved as well.

    Args:
        armature: the object of the tracks.
        rig: the object's rest pose.
        tracks: tracks with equal numbers of frames; columns of NaN are read as 0.
        limbs: the limbs posed by IK, whose parents, ends, knees and elbows are additional points.
    """

    def __init__(
        self, armature: bpy.types.Object, rig: Rig, tracks: Sequence[PropertyTrack], limbs: Sequence[IkLimbPoints]
    ) -> None:
        self._armature, self._rig = armature, rig
        owners = [_track_owner(track) for track in tracks]
        moved = {name for name, _ in owners if name == OBJECT_OWNER or name in rig.index}
        self._object_matrix = {
            name: index for index, name in enumerate(sorted(moved, key=lambda name: rig.index.get(name, -1)))
        }
        self._owners = [(name if prop in (*ROTATION_CHANNELS, "location") else None, prop) for name, prop in owners]
        self._widths = [track.values.shape[1] for track in tracks]
        self._limbs = [
            limb
            for limb in limbs
            if limb.parent_bone in self._object_matrix and limb.end_control in self._object_matrix
        ]
        marks = [self._attached_point(limb.parent_bone, limb.start) for limb in self._limbs]
        marks += [self._attached_point(limb.end_control, limb.end) for limb in self._limbs]
        self._carriers = PointModel(tuple(self._carrier(name) for name in self._object_matrix), tuple(marks))
        groups = {key: number for number, key in enumerate(dict.fromkeys(track.group for track in tracks))}
        self.bones = [groups[track.group] for track in tracks]

    def positions(self, values: Sequence[Array]) -> Array:
        """Return the points (F, J, 3), meters in armature axes: those of the carriers, then one per other column."""
        count = len(values[0])
        locations = np.zeros((count, len(self._object_matrix), 3))
        rotations = np.tile(rot.IDENTITY, (count, len(self._object_matrix), 1))
        others: list[Array] = []
        for (name, prop), own in zip(self._owners, values, strict=True):
            if name not in self._object_matrix:
                others.append(own[..., None] * np.array([SCALAR_LEVER_M, 0.0, 0.0]))
            elif prop == "location":
                locations[:, self._object_matrix[name]] = own
            else:
                rotations[:, self._object_matrix[name]] = to_quaternions(own, self._rotation_mode(name, prop))
        points = self._carriers.positions(locations, rotations)
        return np.concatenate([points, *self._middle_joints(points), *others], axis=1)

    def _middle_joints(self, points: Array) -> Iterator[Array]:
        """Yield the knees and elbows (F, 1, 3) of the limbs with moving poles."""
        sockets, ends = np.split(points[:, points.shape[1] - 2 * len(self._limbs) :], 2, axis=1)
        for number, limb in enumerate(self._limbs):
            if limb.pole in self._object_matrix:
                pole = points[:, self._object_matrix[limb.pole]]
                yield limb.middle_joint(sockets[:, number], ends[:, number], pole)[:, None]

    def contacts(self, touching: Mapping[str, NDArray[np.bool_]], count: int) -> NDArray[np.bool_]:
        """Return whether each of the J points is in contact in each of F frames, as a mask (F, J).

        Args:
            touching: masks (F) of the frames in which a bone's head is in contact, by the bone's name.
            count: number of frames, F.
        """
        others = sum(
            width
            for (name, _), width in zip(self._owners, self._widths, strict=True)
            if name not in self._object_matrix
        )
        middles = sum(limb.pole in self._object_matrix for limb in self._limbs)
        result = np.zeros((count, len(self._carriers) + middles + others), dtype=bool)
        for name, frames in touching.items():
            if name in self._object_matrix:
                result[:, self._object_matrix[name]] = frames
        return result

    def _rotation_mode(self, name: str, prop: str) -> str:
        if prop != "rotation_euler":
            return {"rotation_quaternion": "QUATERNION"}.get(prop, "AXIS_ANGLE")
        owner = self._armature if name == OBJECT_OWNER else self._armature.pose.bones[name]
        return owner.rotation_mode if sorted(owner.rotation_mode) == ["X", "Y", "Z"] else "XYZ"

    def _carrier(self, name: str) -> KeyedBone:
        if name == OBJECT_OWNER:
            return KeyedBone(-1, -1, np.zeros(3), rot.IDENTITY, rot.IDENTITY, 1.0, 0.0)
        rig, index = self._rig, self._rig.index[name]
        bone = self._armature.data.bones[name]
        above = self._nearest_moving_ancestor(index)
        turner = above if bone.use_inherit_rotation else (OBJECT_OWNER if OBJECT_OWNER in self._object_matrix else None)
        rest = rig.rest_matrices[index]
        parent_rest, turner_rest = self._rest_matrix(above), self._rest_matrix(turner)
        axes = np.eye(3)
        if not bone.use_local_location:
            parent = rig.parents[index]
            axes = rest[:3, :3].T @ (rig.rest_matrices[parent, :3, :3] if parent >= 0 else np.eye(3))
        return KeyedBone(
            -1 if above is None else self._object_matrix[above],
            -1 if turner is None else self._object_matrix[turner],
            parent_rest[:3, :3].T @ (rest[:3, 3] - parent_rest[:3, 3]) * rig.scale,
            rot.from_matrix(turner_rest[:3, :3].T @ rest[:3, :3]),
            rot.from_matrix(axes),
            rig.scale,
            float(np.linalg.norm(rig.tails[index] - rest[:3, 3])) * rig.scale,
        )

    def _nearest_moving_ancestor(self, index: int) -> str | None:
        """Return the nearest ancestor of a bone that moves, or the object if only the object moves."""
        above = self._rig.parents[index]
        while above >= 0 and self._rig.names[above] not in self._object_matrix:
            above = self._rig.parents[above]
        if above >= 0:
            return self._rig.names[above]
        return OBJECT_OWNER if OBJECT_OWNER in self._object_matrix else None

    def _attached_point(self, name: str, point: Array) -> tuple[int, Array]:
        """Return a world point in the rest pose as a point attached to a bone."""
        rest = self._rig.rest_matrices[self._rig.index[name]]
        return self._object_matrix[name], (self._rig.to_armature(point) - rest[:3, 3]) @ rest[:3, :3] * self._rig.scale

    def _rest_matrix(self, name: str | None) -> Array:
        return np.eye(4) if not name else self._rig.rest_matrices[self._rig.index[name]]


def _track_owner(track: PropertyTrack) -> tuple[str, str]:
    """Return the owner of a track, a bone or the object, and the name of its property."""
    found = BONE_PATH.match(track.path)
    return (unescape_identifier(found.group(1)), found.group(2)) if found else (OBJECT_OWNER, track.path)
