"""A film: shots of a scene, one after the other, each with its camera and its caption."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import bpy

from ...blender_addon.scene.ground_tags import WALKABLE, set_tag
from ..render import Quality
from ..stage import build_set

RATE: Final = 24
"""Frames per second of all films."""
QUALITY: Final = Quality(480, 270, 4)
"""Quality of films."""
SUN_TILT: Final = (0.78, 0.0, -0.7)
"""Tilt of the sun's light, which comes from the left behind the camera."""
SUN_STRENGTH: Final = 2.9
EXPOSURE: Final = -0.25


@dataclass(frozen=True, slots=True)
class Shot:
    """A range of scene frames seen by one camera.

    Attributes:
        first, last: scene frames, both shown.
        caption: text at the lower left, of a scene frame.
    """

    camera: bpy.types.Object
    first: int
    last: int
    caption: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Film:
    """A finished scene, and its shots.

    Attributes:
        still: share of the film, 0 to 1, at its still picture.
        quality: of its pictures.
    """

    scene: bpy.types.Scene
    shots: tuple[Shot, ...]
    still: float = 0.5
    quality: Quality = QUALITY

    def frames(self) -> Iterator[tuple[Shot, int]]:
        """Yield each picture's shot and scene frame."""
        for shot in self.shots:
            for frame in range(shot.first, shot.last + 1):
                yield shot, frame


def empty_stage() -> tuple[bpy.types.Scene, bpy.types.Object]:
    """Return the scene of a new file with only the floor, and the floor, which is the ground of walks."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = RATE
    floor = build_set(scene)
    set_tag(floor, WALKABLE)
    sun = bpy.data.objects["Sun"]
    sun.rotation_euler, sun.data.energy = SUN_TILT, SUN_STRENGTH
    return scene, floor


def grade(scene: bpy.types.Scene) -> None:
    """Set saturated colors, which survive the palettes of small animated pictures."""
    scene.view_settings.view_transform, scene.view_settings.look = "Standard", "None"
    scene.view_settings.exposure = EXPOSURE


def shown_from(thing: bpy.types.Object, frame: int, shown: bool = True) -> None:
    """Show an object from a scene frame on, or hide it; before that frame the opposite."""
    for at, hidden in ((frame - 1, shown), (frame, not shown)):
        thing.hide_render = hidden
        thing.keyframe_insert("hide_render", frame=at)
