"""Curve: a character walks along a winding path, with the camera beside it."""

from typing import Final

from ..camera import follow
from ..stage import draw_path
from ..walk import bake_walk
from .film import RATE, Film, Shot, empty_stage

BENDS: Final = ((-4.2, -0.4), (-2.4, 0.9), (-0.2, -0.8), (2.0, 0.8), (4.2, -0.2))
"""x, y in meters."""
SPEED_M_S: Final = 1.35
LEFT_OUT_S: Final = 0.9
"""Time of the walk before the start of the film: the first step."""
SECONDS: Final = 4.5


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    walk = bake_walk(scene, draw_path([(x, y, False) for x, y in BENDS]), SPEED_M_S)
    first = walk.first + round(LEFT_OUT_S * RATE)
    camera = follow(scene, walk.clip, walk.first)
    return Film(scene, (Shot(camera, first, first + round(SECONDS * RATE) - 1, lambda _: "Along a curve"),))
