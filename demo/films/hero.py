"""Hero: a path is drawn and baked, the character walks up stairs along it, and sits down."""

import math
from typing import Final

import bpy
import numpy as np

from ...blender_addon.animation.fcurve_io import read_action
from ...blender_addon.scene.ground_tags import WALKABLE
from ...blender_addon.scene.path_reader import read_path
from ...core.motion.rotations import Array
from ...training.interactions.props.seats import Chair
from ..camera import along, place_camera
from ..room import WOOD, add_thing
from ..scene import build_scene
from ..scene_file import Part, SceneFile, View
from ..solids import box, stairs
from ..walk import Baked, add_walker, bake_walk
from .drawn_line import add_drawn_line
from .film import RATE, Film, Shot, empty_stage, shown_from
from .footprints import add_footprints

STEPS, RISE_M, TREAD_M, WIDTH_M = 5, 0.17, 0.29, 2.4
TOP_M: Final = STEPS * RISE_M
LANDING_M: Final = 3.6
PATH: Final = ((-2.2, -1.25), (-1.5, -0.95), (-0.75, -0.25), (0.1, 0.05), (1.5, 0.0), (2.3, 0.0))
"""x, y in meters: over the floor, up the stairs along x, onto the landing."""
SPEED_M_S: Final = 1.2
DRAWN_S, BAKED_S = 1.7, 0.8
"""Durations of drawing the path, and of the appearance of its footprints."""
BREATH_S: Final = 0.2
"""Pause between them, and before the walk."""
SEAT_AT: Final = (3.7, 0.25)
SEAT_TURN: Final = math.radians(128.0)
"""Direction of the chair, with its front toward the stairs and the camera."""
SITS_S: Final = 1.2
STANDS_M_S: Final = 0.45
"""Speed below which the walk is over, and the film continues with the seat."""
LEFT_OUT_S: Final = 0.8
"""Standing time before the walk."""
CUT_S: Final = 1.5
"""Time of the way to the seat skipped by the cut."""
OVERLOOK: Final = ((0.35, -8.7, 3.2), (0.4, 0.0, 0.85))
WALK_VIEW: Final = View(turn=20.0, tilt=11.0, distance=5.2)
SEAT_VIEW: Final = ((1.9, -4.3, 2.15), (3.0, 0.0, 1.6))


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    landing = box((LANDING_M, WIDTH_M, TOP_M)).placed((STEPS * TREAD_M + LANDING_M / 2, 0.0, 0.0), 0.0)
    parts = (
        Part("Stairs", WALKABLE, (stairs(STEPS, RISE_M, TREAD_M, WIDTH_M),)),
        Part("Landing", WALKABLE, (landing,)),
    )
    described = SceneFile("hero", "Stairs and a chair", SPEED_M_S, np.array(PATH), parts, WALK_VIEW)
    path = build_scene(scene, described)
    chair = Chair(seat_height=0.45, width=0.48, depth=0.46, back_height=0.42)
    seat = add_thing(scene, "Chair", chair.mesh(), (*SEAT_AT, TOP_M), SEAT_TURN, WOOD)
    begins = round((DRAWN_S + BAKED_S + 2 * BREATH_S) * RATE)
    scene.frame_start = begins
    walk = bake_walk(scene, path, SPEED_M_S)
    path.hide_render = True
    points = read_path(path).points
    line = np.column_stack([points, _heights(points)])
    drawn, baked = round(DRAWN_S * RATE), round((DRAWN_S + BREATH_S) * RATE)
    add_drawn_line(scene, line, 1, drawn)
    add_footprints(scene, walk, baked, baked + round(BAKED_S * RATE), _heights)
    sitter = _sit(scene, walk, seat)
    return Film(scene, _shots(scene, walk, sitter, begins, baked), still=0.62)


def _sit(scene: bpy.types.Scene, walk: Baked, seat: bpy.types.Object) -> Baked:
    """Return another character with the same look, which continues from the end of the walk and sits down."""
    sitter = add_walker()
    place = walk.clip.root_positions[-1]
    sitter.location = (float(place[0]), float(place[1]), TOP_M)
    sitter.rotation_euler.z = math.pi / 2
    bpy.context.view_layer.objects.active = sitter
    bpy.context.view_layer.update()
    task = sitter.footfall.interaction_tasks.add()
    task.type, task.object, task.duration = "sit", seat, SITS_S
    scene.frame_start = walk.last
    bpy.ops.footfall.bake_shot()
    clip, first = read_action(sitter, sitter.animation_data.action, scene)
    body = Baked(sitter, clip, first, "")
    shown_from(walk.body, first, False)
    shown_from(body.body, first)
    return body


def _shots(scene: bpy.types.Scene, walk: Baked, sitter: Baked, begins: int, baked: int) -> tuple[Shot, ...]:
    """Return the shots of the path, the walk and the seat."""
    over = place_camera(scene, "Overlook", *OVERLOOK)
    beside = along(scene, walk.clip, walk.first, WALK_VIEW)
    seat = place_camera(scene, "Seat", *SEAT_VIEW)
    speeds = np.linalg.norm(np.diff(walk.clip.root_positions[:, :2], axis=0), axis=1) * RATE
    arrives = walk.first + int(np.flatnonzero(speeds > STANDS_M_S)[-1])
    return (
        Shot(over, 1, begins - 1, lambda frame: "Draw a path" if frame < baked else "Bake"),
        Shot(beside, walk.first + round(LEFT_OUT_S * RATE), arrives, lambda _: "Walk up stairs"),
        Shot(seat, sitter.first + round(CUT_S * RATE), sitter.last, lambda _: "Sit down"),
    )


def _heights(points: Array) -> Array:
    """Return the heights (N) of the ground under points (N, 2), meters."""
    return np.clip(np.floor(points[:, 0] / TREAD_M) + 1, 0, STEPS) * RISE_M
