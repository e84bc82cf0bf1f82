"""A pair that dances salsa along a short path: two characters of slightly different size."""

from typing import Final

import bpy

from ..blender_addon.rig.clip_reader import read_mapped_action
from .camera import place_camera
from .stage import draw_path
from .walk import Baked, add_walker

NAME: Final = "dance"
BENDS: Final = ((-0.75, 0.0), (0.75, 0.0))
"""The path of the pair's middle: x, y in meters."""
SPEED_M_S: Final = 0.15
SEED: Final = 1
SIZE: Final = 1.06
"""Size of the leading character, as a share of the other's."""
CAMERA: Final = (0.3, -5.6, 1.9)
AIM: Final = (0.0, 0.0, 0.85)


def bake_dance(scene: bpy.types.Scene) -> Baked:
    """Bake both characters; return the leading one.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    follower, leader = add_walker(), add_walker()
    leader.name, follower.name = "Leader", "Follower"
    leader.scale = (SIZE,) * 3
    bpy.context.view_layer.update()
    for character, partner in ((leader, follower), (follower, leader)):
        beat = character.footfall.interaction_tasks.add()
        beat.type, beat.partner = "dance", partner
    beat = leader.footfall.interaction_tasks[0]
    beat.target, beat.speed, beat.leads = draw_path([(x, y, False) for x, y in BENDS]), SPEED_M_S, True
    leader.footfall.seed = SEED
    bpy.context.view_layer.objects.active = leader
    bpy.ops.footfall.bake_shot()
    clip, first = read_mapped_action(leader, leader.animation_data.action, scene)
    scene.frame_start, scene.frame_end = first, first + len(clip) - 1
    return Baked(leader, clip, first, leader.footfall.quality_summary)


def overlook(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a camera with the whole dance in view."""
    return place_camera(scene, "Dance", CAMERA, AIM)
