"""A body that follows a clip, as colored triangles for one frame: the ghost of a preview."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.body import BodyType, Material, SkinnedMesh, body_mesh, upright_rotations
from ...core.motion import Clip, Skeleton
from ...core.motion.rotations import Array, inverse, multiply, rotate
from ...core.retarget.rest_pose import with_rest_pose

LIGHT_DIRECTION: Final = np.array([0.35, -0.45, 0.82])
MIN_SHADE_RATIO: Final = 0.42
"""Share of a color that remains in shadow."""
GHOST_COLOR: Final = (0.50, 0.76, 1.0)
VISOR_SHADE_RATIO: Final = 0.35
"""Share of the color that remains on the visor, which shows the facing of the ghost."""
GHOST_OPACITY: Final = 0.55

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BodyMesh:
    """The body of a ghost.

    Attributes:
        skeleton: its skeleton, standing at rest if known.
        upright: (J, 4) world rotations from the clips' rest pose to the skeleton's, if they differ.
        skin: the body at rest.
        normals: (V, 3) normals at rest.
        colors: (V, 3) colors.
        triangles: (T, 3) indices of vertices.
    """

    skeleton: Skeleton
    upright: Array | None
    skin: SkinnedMesh
    normals: Array
    colors: Array
    triangles: NDArray[np.int32]

    @staticmethod
    def of(skeleton: Skeleton, body_type: str = BodyType.MASCULINE, stance: Array | None = None) -> "BodyMesh":
        """Return the body mesh for a skeleton.

        Args:
            skeleton: skeleton of the clips.
            body_type: a name of :class:`BodyType`, which sets the proportions.
            stance: (J, 4) world rotations in a standing pose, for a rest pose that does not stand.
        """
        upright = None if stance is None else upright_rotations(skeleton, stance)
        if upright is not None:
            skeleton = with_rest_pose(skeleton, upright)
        skin = body_mesh(skeleton, BodyType(body_type))
        triangles = np.array([half for face in skin.faces for half in _halves(face)], dtype=np.int32)
        colors = np.tile(np.array(GHOST_COLOR), (len(skin.vertices), 1))
        visor = [face for face, material in zip(skin.faces, skin.materials, strict=True) if material == Material.VISOR]
        colors[list({vertex for face in visor for vertex in face})] *= VISOR_SHADE_RATIO
        return BodyMesh(skeleton, upright, skin, _normals(skin.vertices, triangles), colors, triangles)

    def posed_vertices(self, clip: Clip, frame: int) -> tuple[Floats, Floats]:
        """Return the world positions (V, 3) of the vertices at a frame, and their shaded colors (V, 4)."""
        positions, rotations = (values[frame] for values in clip.world)
        if self.upright is not None:
            rotations = multiply(rotations, inverse(self.upright))
        turns, moves = self.skin.blended(self.skeleton, positions, rotations)
        places = moves + rotate(turns, self.skin.vertices)
        lit = np.clip(rotate(turns, self.normals) @ (LIGHT_DIRECTION / np.linalg.norm(LIGHT_DIRECTION)), 0.0, 1.0)
        shade = MIN_SHADE_RATIO + (1.0 - MIN_SHADE_RATIO) * lit
        opacity = np.full((len(shade), 1), GHOST_OPACITY)
        colors = np.concatenate([self.colors * shade[:, None], opacity], axis=1)
        return places.astype(np.float32), colors.astype(np.float32)


def _halves(face: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Split a face with three or four corners into triangles."""
    return [(face[0], face[number], face[number + 1]) for number in range(1, len(face) - 1)]


def _normals(points: Array, triangles: NDArray[np.int32]) -> Array:
    """Return the unit normals (V, 3) at points (V, 3), averaged over the adjacent triangles by area."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], across)
    return normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
