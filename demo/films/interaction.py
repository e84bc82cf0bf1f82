"""Interaction: a character opens a door and goes through."""

import math
from typing import Final

import bpy

from ...blender_addon.animation.fcurve_io import read_action
from ..camera import place_camera
from ..room import build_room
from ..walk import add_walker
from .film import RATE, Film, Shot, empty_stage

BEGINS: Final = (-0.9, -0.1, 0.0)
FACES: Final = -math.pi / 2
"""Turn of the character about Z, facing -X."""
CAMERA: Final = (-8.3, 2.2, 1.75)
AIM: Final = (-3.7, 0.35, 0.76)
LEFT_OUT_S: Final = 2.0
"""Time before the start of the film: the way to the door."""
SECONDS: Final = 4.1


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    things = build_room(scene)
    armature = add_walker()
    armature.location, armature.rotation_euler.z = BEGINS, FACES
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    for action, name in (("open", "door"), ("walk", "outside")):
        task = armature.footfall.interaction_tasks.add()
        task.type = action
        setattr(task, "object" if action == "open" else "target", things[name])
    bpy.ops.footfall.bake_shot()
    _, begin = read_action(armature, armature.animation_data.action, scene)
    first = begin + round(LEFT_OUT_S * RATE)
    camera = place_camera(scene, "Door", CAMERA, AIM)
    return Film(scene, (Shot(camera, first, first + round(SECONDS * RATE) - 1, lambda _: "Open a door"),))
