"""Rough ground: over a field of broken stones, with the camera beside the character."""

from typing import Final

import numpy as np

from ...blender_addon.scene.ground_tags import WALKABLE
from ..camera import along
from ..scene import build_scene
from ..scene_file import Part, SceneFile, View
from ..solids import rubble
from ..walk import bake_walk
from .film import RATE, Film, Shot, empty_stage

VIEW: Final = View(turn=24.0, tilt=13.0, distance=5.4)
PATH: Final = ((-4.6, 0.3), (-2.0, -0.3), (0.8, 0.3), (4.0, -0.2))
"""x, y in meters."""
SPEED_M_S: Final = 1.2
STONES: Final = {"size": (7.5, 3.2), "count": 170, "highest": 0.2, "lowest": 0.03, "across": (0.25, 0.7), "seed": 7}
LEFT_OUT_S: Final = 0.8
"""Time of the walk before the start of the film: the first step."""
SECONDS: Final = 5.0


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    stones = Part("Stones", WALKABLE, tuple(rubble(**STONES)))
    described = SceneFile("rough ground", "Stones of up to 20 cm", SPEED_M_S, np.array(PATH), (stones,), VIEW)
    walk = bake_walk(scene, build_scene(scene, described), SPEED_M_S)
    first = walk.first + round(LEFT_OUT_S * RATE)
    camera = along(scene, walk.clip, walk.first, VIEW)
    return Film(scene, (Shot(camera, first, first + round(SECONDS * RATE) - 1, lambda _: "Over rough ground"),))
