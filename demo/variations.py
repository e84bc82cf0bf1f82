"""Five characters of one performer: the same path and speed, with a different seed for each."""

from typing import Final

import bpy
import numpy as np

from .camera import place_camera
from .stage import draw_path
from .walk import Baked, bake_walk

NAME: Final = "variations"
SEEDS: Final = (1, 2, 3, 4, 5)
LANE_M: Final = 1.1
"""Distance between neighboring paths, which have one shape."""
BENDS: Final = ((0.0, -3.4), (0.25, -1.2), (-0.25, 1.2), (0.0, 3.4))
"""The shape: x, y in meters."""
CAMERA: Final = (3.0, 5.4, 2.0)
AIM: Final = (0.0, 0.1, 0.75)


def bake_variations(scene: bpy.types.Scene) -> list[Baked]:
    """Return five characters in adjacent lanes, the first at the left; each walks with its own seed.

    All have the controller's own performer, so that only *Variation* differs. The scene has the length of the longest
    walk.
    """
    middle = (len(SEEDS) - 1) / 2
    walks = []
    for lane, seed in enumerate(SEEDS):
        path = draw_path([(x + LANE_M * (lane - middle), y, False) for x, y in BENDS])
        path.name = f"Path {seed}"
        walks.append(bake_walk(scene, path, seed=seed, performer_share=0.0))
        walks[-1].armature.name = f"Seed {seed}"
    scene.frame_start, scene.frame_end = min(walk.first for walk in walks), max(walk.last for walk in walks)
    return walks


def overlook(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a camera with all five walking toward it."""
    return place_camera(scene, "Variations", CAMERA, AIM)


def largest_difference(walks: list[Baked]) -> float:
    """Return the largest distance, meters, between joints of two walks at one frame, relative to their lanes."""
    count = min(len(walk.clip) for walk in walks)
    lanes = LANE_M * np.arange(len(walks))
    joints = np.array([walk.clip.positions[:count] for walk in walks])
    joints[..., 0] -= lanes[:, None, None]
    return float(np.linalg.norm(joints[1:] - joints[:-1], axis=-1).max())
