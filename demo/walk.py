"""The walk, made like a user's: add the character, choose the path, bake."""

from dataclasses import dataclass

import bpy
import numpy as np

from ..blender_addon.rig.clip_reader import read_mapped_action
from ..core.evaluation.report import root_positions
from ..core.motion import Clip
from ..core.motion.polyline import arc_lengths_of

SPEED = 1.25


@dataclass(frozen=True, slots=True)
class Baked:
    """A character with its baked walk.

    Attributes:
        clip: the walk at the scene's rate, read back from the keys.
        first: the scene's frame at its start.
        said: the add-on's message about its quality.
    """

    armature: bpy.types.Object
    clip: Clip
    first: int
    said: str

    @property
    def last(self) -> int:
        """The scene's frame at the end of the walk."""
        return self.first + len(self.clip) - 1

    def frames_apart(self, distance: float) -> list[int]:
        """Return the scene's frames at equal distances, meters, of the root's way, and the last frame."""
        gone = arc_lengths_of(root_positions(self.clip))
        wanted = np.arange(0.0, gone[-1], distance)
        return sorted({self.first + int(np.searchsorted(gone, at)) for at in (*wanted, gone[-1])})

    @property
    def body(self) -> bpy.types.Object:
        """The mannequin."""
        return self.armature.children[0]


def add_walker(controller: str = "") -> bpy.types.Object:
    """Add and return the character of a shipped controller, by its name, or of the add-on's first one.

    Raises:
        RuntimeError: the add-on reports an error, for example without a controller.
    """
    if controller:
        bpy.ops.footfall.add_character(controller=f"preset:{controller}")
    else:
        bpy.ops.footfall.add_character()
    return bpy.context.object


def bake_walk(
    scene: bpy.types.Scene,
    path: bpy.types.Object,
    speed: float = SPEED,
    seed: int = 0,
    performer_share: float = 1.0,
    controller: str = "",
) -> Baked:
    """Add the character of a controller, see :func:`add_walker`, and bake its walk along the path.

    Args:
        scene: scene of the walk.
        path: the curve.
        speed: m/s.
        seed: seed of the variation; 0 for none.
        performer_share: share of the performer drawn by the seed.
        controller: name of a shipped controller.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    armature = add_walker(controller)
    armature.footfall.path, armature.footfall.speed = path, speed
    armature.footfall.seed, armature.footfall.performer_share = seed, performer_share
    bpy.ops.footfall.bake_shot()
    clip, first = read_mapped_action(armature, armature.animation_data.action, scene)
    scene.frame_start, scene.frame_end = first, first + len(clip) - 1
    return Baked(armature, clip, first, armature.footfall.quality_summary)
