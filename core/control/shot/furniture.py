"""Objects of a shot as obstacles for its walks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...scene.collider import Triangles
from ...scene.interaction_object import InteractionObject
from ...terrain.ground import Together
from ...terrain.mesh_scene import MeshScene
from ...terrain.walk_scene import WalkScene

LEAST_HEIGHT_M: Final = 0.12
"""Height of an object, meters, from which a character walks around it instead of over it."""
CORNERS: Final = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=bool)
FACES: Final = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)
"""Triangles (12, 3) of a cuboid, as indices of its eight corners."""


def around_furniture(scene: WalkScene, objects: Sequence[InteractionObject], scale: float) -> WalkScene:
    """Return the scene with objects added that the character walks around.

    Args:
        scene: the scene without the objects.
        objects: the objects in their current poses, in meters at the controllers' scale.
        scale: world meters per meter at the controllers' scale.
    """
    solid = [one for one in objects if _is_high(one)]
    if not solid:
        return scene
    furniture = MeshScene.of_meshes([_cuboids(one, scale) for one in solid])
    obstacles = furniture if scene.obstacles is None else Together(scene.obstacles, furniture)
    return replace(scene, obstacles=obstacles)


def _is_high(one: InteractionObject) -> bool:
    lower, upper = one.collider.bounds
    return float(upper[2] - lower[2]) > LEAST_HEIGHT_M


def _cuboids(one: InteractionObject, scale: float) -> tuple[Array, Triangles]:
    """Return the mesh of an object's cuboids: vertices (8 C, 3), meters, world, and triangles (12 C, 3)."""
    lower, upper = one.collider.lower, one.collider.upper
    corners = np.where(CORNERS, upper[:, None], lower[:, None])
    vertices = scale * one.posed_collider.to_world(corners.reshape(-1, 3))
    return vertices, (FACES + 8 * np.arange(len(lower))[:, None, None]).reshape(-1, 3)
