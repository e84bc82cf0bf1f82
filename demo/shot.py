"""A shot in one bake: up the stairs along a path, a rest on the landing, down again, through a door and away."""

from typing import Final

import bpy
import numpy as np

from ..blender_addon.scene.ground_tags import WALKABLE, set_tag
from ..core.evaluation.report import root_positions
from ..core.motion.rotations import Array
from ..training.interactions.props.doors import Door, Wall
from ..training.interactions.props.mesh_primitives import box_mesh
from ..training.interactions.props.seats import Chair
from .camera import place_camera
from .room import SEEN_BEHIND_DOOR, WHITE, WOOD, add_thing, bake_tasks, frames_until
from .stage import LINE, LINE_RADIUS, Colour, plain_material
from .walk import Baked

NAME: Final = "shot"
STONE: Final[Colour] = (0.55, 0.53, 0.50, 1.0)
RISE, TREAD, STEPS = 0.17, 0.30, 6
"""Height and depth of a step, meters, and number of steps."""
LANDING: Final = RISE * STEPS
WIDTH: Final = 2.6
DEPTH: Final = 3.0
"""Depth of the landing, meters; its middle is at the origin."""
DOOR: Final = Door(width=0.92, height=2.0, hinge_side=1)
DOOR_AT: Final = (0.0, 5.0, 0.0)
BEGINS: Final = (0.1, -5.0, 0.0)
UP: Final = ((0.1, -4.7, 0.0), (0.25, -3.8, 0.0), (0.1, -3.1, 0.0), (0.1, -1.0, LANDING))
DOWN: Final = ((0.2, 1.2, LANDING), (0.1, 3.1, 0.0), (0.0, 3.8, 0.0))
AWAY: Final = (0.0, 7.0, 0.0)
RESTS: Final = 2.0
"""Seconds of sitting."""
CAMERA: Final = (11.2, -2.8, 3.0)
AIM: Final = (0.0, 0.15, 0.8)


def build_stairs(scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """Add stairs with a landing, a chair on it, and a wall with a door behind; return the objects of tasks, by name."""
    for step in range(STEPS):
        half, top = DEPTH / 2 + TREAD * (STEPS - 1 - step), RISE * (step + 1)
        mesh = box_mesh((-WIDTH / 2, -half, top - RISE), (WIDTH / 2, half, top))
        set_tag(add_thing(scene, f"Step {step + 1}", mesh, (0.0, 0.0, 0.0), 0.0, STONE), WALKABLE)
    chair = Chair(seat_height=0.45, width=0.48, depth=0.46, back_height=0.42)
    seat = add_thing(scene, "Chair", chair.mesh(), (-0.75, 0.1, LANDING), -np.pi / 2, WOOD)
    opening = (DOOR.width + 2 * DOOR.frame_width, DOOR.height + DOOR.frame_width)
    wall = Wall(width=4.0, height=2.4, opening_size=opening, opening_x=0.0)
    add_thing(scene, "Wall", wall.mesh(), DOOR_AT, np.pi, WHITE)
    add_thing(scene, "Frame", DOOR.frame_mesh(), DOOR_AT, np.pi, WOOD)
    vertices, triangles = DOOR.leaf_mesh()
    x, y, z = np.array(DOOR_AT) + np.asarray(DOOR.pivot) * [-1.0, -1.0, 1.0]
    door = add_thing(scene, "Door", (vertices - DOOR.pivot, triangles), (x, y, z), np.pi, WOOD)
    away = bpy.data.objects.new("Away", None)
    away.location = AWAY
    scene.collection.objects.link(away)
    things = {"chair": seat, "door": door, "away": away}
    return things | {"up": _draw(scene, "Up", UP), "down": _draw(scene, "Down", DOWN)}


def bake_shot(scene: bpy.types.Scene, things: dict[str, bpy.types.Object]) -> Baked:
    """Add a character and bake its whole shot.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    armature.location = BEGINS
    armature.rotation_euler.z = np.pi
    bpy.context.view_layer.update()
    tasks = (
        *(("walk", "", "up", 0.0), ("sit", "chair", "", RESTS), ("walk", "", "down", 0.0)),
        *(("open", "door", "", 0.0), ("walk", "", "away", 0.0)),
    )
    return bake_tasks(scene, armature, tasks, things)


def shown_frames(baked: Baked, count: int) -> list[int]:
    """Return frames at even times until the wall hides the character behind the door."""
    return frames_until(baked, count, root_positions(baked.clip)[:, 1] > DOOR_AT[1] + SEEN_BEHIND_DOOR)


def overlook(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a camera with the stairs in view from their side."""
    return place_camera(scene, "Shot", CAMERA, AIM)


def heights(points: Array) -> Array:
    """Return the heights (N) of floor, steps and landing under points (N, 2), meters."""
    steps = STEPS - np.ceil((np.abs(points[:, 1]) - DEPTH / 2) / TREAD)
    return RISE * np.clip(steps, 0, STEPS) * (np.abs(points[:, 0]) < WIDTH / 2)


def _draw(scene: bpy.types.Scene, name: str, points: tuple[tuple[float, float, float], ...]) -> bpy.types.Object:
    """Return a path through points, drawn as a thin line."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    data.bevel_depth = LINE_RADIUS
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, at in zip(spline.points, points, strict=True):
        point.co = (*at, 1.0)
    data.materials.append(plain_material(name, LINE))
    curve = bpy.data.objects.new(name, data)
    scene.collection.objects.link(curve)
    return curve
