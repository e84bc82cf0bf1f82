"""A body of rounded limbs that follows a clip, as colored triangles for one frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.motion import Clip, Skeleton
from ...core.motion.rotations import Array, rotate
from .character import ADULT_HEIGHT_M, SIDE_COLORS, bone_ends, capsule_mesh, forward_direction, limb_capsules

LIGHT_DIRECTION: Final = np.array([0.35, -0.45, 0.82])
MIN_SHADE_RATIO: Final = 0.42
"""Share of a color that remains on the side in shadow."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BodyMesh:
    """The body at rest.

    Attributes:
        joints: (V) which joint carries each vertex.
        places: (V, 3) of the vertices in their joint's frame, meters.
        normals: (V, 3) there, too.
        colours: (V, 3).
        triangles: (T, 3) vertices.
    """

    vertex_joints: NDArray[np.intp]
    rest_positions: Array
    normals: Array
    colors: Array
    triangles: NDArray[np.int32]

    @staticmethod
    def of(skeleton: Skeleton) -> "BodyMesh":
        """Return the body of a skeleton."""
        heads, tails = bone_ends(skeleton)
        forward = forward_direction(skeleton, heads)
        scale = float(np.ptp(np.concatenate([heads, tails])[:, 2])) / ADULT_HEIGHT_M
        joints, places, normals, colours, triangles, count = [], [], [], [], [], 0
        for joint, start, end, radii, side in limb_capsules(skeleton, heads, tails):
            points, faces = capsule_mesh(start, end, np.array(radii) * scale, forward)
            corners = _triangles(faces)
            joints.append(np.full(len(points), joint, dtype=np.intp))
            places.append(points - heads[joint])
            normals.append(_normals(points, corners))
            colours.append(np.tile(SIDE_COLORS[side][:3], (len(points), 1)))
            triangles.append(corners + count)
            count += len(points)
        return BodyMesh(*(np.concatenate(parts) for parts in (joints, places, normals, colours, triangles)))

    def posed_vertices(self, clip: Clip, frame: int) -> tuple[Floats, Floats]:
        """Return the positions (V, 3) of the vertices in the world at a frame, and their lit colors (V, 4)."""
        positions, rotations = (values[frame][self.vertex_joints] for values in clip.world)
        places = positions + rotate(rotations, self.rest_positions)
        lit = np.clip(rotate(rotations, self.normals) @ (LIGHT_DIRECTION / np.linalg.norm(LIGHT_DIRECTION)), 0.0, 1.0)
        shade = MIN_SHADE_RATIO + (1.0 - MIN_SHADE_RATIO) * lit
        colours = np.concatenate([self.colors * shade[:, None], np.ones((len(shade), 1))], axis=1)
        return places.astype(np.float32), colours.astype(np.float32)


def _triangles(faces: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    """Return triangles (T, 3) of faces with three or four corners."""
    pieces = [face[:3] for face in faces] + [[face[0], face[2], face[3]] for face in faces if len(face) == 4]
    return np.array(pieces, dtype=np.int32)


def _normals(points: Array, triangles: NDArray[np.int32]) -> Array:
    """Return the unit normals (V, 3) at points (V, 3): area-weighted means over the adjacent triangles."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], across)
    outwards = np.sign(np.sum(normals * (points - points.mean(axis=0)), axis=-1, keepdims=True))
    return outwards * normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
