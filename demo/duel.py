"""A duel of two characters in four beats: a hit, a parry, a dodge and a kick."""

from typing import Final

import bpy

from ..blender_addon.rig.clip_reader import read_mapped_action
from .camera import place_camera
from .walk import Baked, add_walker

NAME: Final = "duel"
SIZE: Final = 1.05
"""Size of the first character, as a share of the other's."""
PLACES: Final = ((0.0, 1.3), (0.1, -1.3))
"""Initial places of both: x, y in meters."""
BEATS: Final = (
    (140, 0, "HAND_R", "head", "hit"),
    (190, 1, "HAND_R", "head", "parry"),
    (240, 0, "HAND_L", "head", "dodge"),
    (300, 1, "FOOT_R", "chest", "hit"),
)
"""Frame, striker, end effector, struck part, and answer of each beat."""
NEAR: Final = (-12, -6, 0, 8)
"""Frames around each beat for the pictures."""
CAMERA: Final = (4.4, -1.6, 1.5)
AIM: Final = (0.0, -0.8, 0.95)


def bake_duel(scene: bpy.types.Scene) -> Baked:
    """Bake both characters; return the first one.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    pair = add_walker(), add_walker()
    for character, name, place in zip(pair, ("Ada", "Bob"), PLACES, strict=True):
        character.name, character.location = name, (*place, 0.0)
    pair[0].scale = (SIZE,) * 3
    bpy.context.view_layer.update()
    for frame, striker, effector, part, answer in BEATS:
        beat = pair[striker].footfall.interaction_tasks.add()
        beat.type, beat.partner, beat.has_end, beat.end_frame = "fight", pair[1 - striker], True, frame
        beat.effector, beat.part, beat.answer = effector, part, answer
    bpy.context.view_layer.objects.active = pair[0]
    bpy.ops.footfall.bake_shot()
    clip, first = read_mapped_action(pair[0], pair[0].animation_data.action, scene)
    scene.frame_start, scene.frame_end = first, first + len(clip) - 1
    return Baked(pair[0], clip, first, pair[0].footfall.quality_summary)


def shown_frames() -> list[int]:
    """Return the frames around the beats for the pictures."""
    return [frame + near for frame, *_ in BEATS for near in NEAR]


def overlook(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a camera with both characters in view from the side."""
    return place_camera(scene, "Duel", CAMERA, AIM)
