"""A living room: a character sits down, carries a box to the desk, and leaves through the door."""

from collections.abc import Sequence
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix

from ..blender_addon.animation.fcurve_io import read_action
from ..core.evaluation.report import root_positions
from ..core.motion.signals import Mask
from ..training.interactions.props.doors import Door, Wall
from ..training.interactions.props.mesh_primitives import Mesh
from ..training.interactions.props.seats import Chair, Sofa
from ..training.interactions.props.tables import Box, Desk, Table
from .camera import place_camera
from .stage import Colour, plain_material
from .walk import Baked

NAME: Final = "room"
WOOD: Final[Colour] = (0.42, 0.27, 0.15, 1.0)
CLOTH: Final[Colour] = (0.22, 0.32, 0.38, 1.0)
CARDBOARD: Final[Colour] = (0.62, 0.45, 0.26, 1.0)
WHITE: Final[Colour] = (0.72, 0.71, 0.68, 1.0)
DOOR: Final = Door(width=0.92, height=2.0)
DOOR_AT: Final = (-3.0, 0.6, 0.0)
DOOR_TURN: Final = np.pi / 2
"""Its front is toward the room: a leaving character goes to -X."""
OUTSIDE: Final = (-4.9, 0.4, 0.0)
BEGINS: Final = (1.9, -2.3, 0.0)
SITS: Final = 2.5
"""Seconds of sitting."""
SEEN_BEHIND_DOOR: Final = 0.3
"""Meters behind the door at which the character is still visible through it."""
CAMERA: Final = (4.3, -5.6, 3.9)
AIM: Final = (-0.45, 0.05, 0.55)


def build_room(scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """Add the furniture to the scene; return the objects of tasks, by name."""
    add_thing(scene, "Sofa", Sofa(seat_count=2).mesh(), (1.9, 2.0, 0.0), -2.6, CLOTH)
    chair = Chair(seat_height=0.45, width=0.48, depth=0.46, back_height=0.42)
    seat = add_thing(scene, "Chair", chair.mesh(), (0.2, 1.9, 0.0), np.pi, WOOD)
    desk = add_thing(scene, "Desk", Desk(width=1.4, depth=0.6).mesh(), (-1.5, -1.7, 0.0), 0.0, WOOD)
    table = Table(height=0.62, width=0.6, depth=0.5)
    add_thing(scene, "Side Table", table.mesh(), (2.2, 0.1, 0.0), np.pi / 2, WOOD)
    box = add_thing(scene, "Box", Box(0.36, 0.28, 0.24).mesh(), (2.1, 0.1, table.height + 0.002), np.pi / 2, CARDBOARD)
    wall = Wall(
        width=5.6,
        height=2.4,
        opening_size=(DOOR.width + 2 * DOOR.frame_width, DOOR.height + DOOR.frame_width),
        opening_x=0.0,
    )
    add_thing(scene, "Wall", wall.mesh(), DOOR_AT, DOOR_TURN, WHITE)
    add_thing(scene, "Frame", DOOR.frame_mesh(), DOOR_AT, DOOR_TURN, WOOD)
    door = add_thing(scene, "Door", _hinged(DOOR.leaf_mesh()), _world_hinge(), DOOR_TURN, WOOD)
    outside = bpy.data.objects.new("Outside", None)
    outside.location = OUTSIDE
    scene.collection.objects.link(outside)
    bpy.context.view_layer.update()
    return {"chair": seat, "box": box, "desk": desk, "door": door, "outside": outside}


def bake_room(scene: bpy.types.Scene, things: dict[str, bpy.types.Object]) -> Baked:
    """Add a character and bake its tasks.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    armature.location = BEGINS
    armature.rotation_euler.z = np.pi
    bpy.context.view_layer.update()
    tasks = (
        ("sit", "chair", "", SITS),
        ("carry", "box", "desk", 0.0),
        ("open", "door", "", 0.0),
        ("walk", "", "outside", 0.0),
    )
    return bake_tasks(scene, armature, tasks, things)


def bake_tasks(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    tasks: Sequence[tuple[str, str, str, float]],
    things: dict[str, bpy.types.Object],
) -> Baked:
    """Bake tasks, each with an action, the names of its object and its target, and seconds.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    for action, thing, place, seconds in tasks:
        task = armature.footfall.interaction_tasks.add()
        task.type, task.duration = action, seconds
        task.object, task.target = things.get(thing), things.get(place)
    bpy.ops.footfall.bake_shot()
    clip, first = read_action(armature, armature.animation_data.action, scene)
    scene.frame_start, scene.frame_end = first, first + len(clip) - 1
    return Baked(armature, clip, first, f"{len(tasks)} tasks")


def shown_frames(baked: Baked, count: int) -> list[int]:
    """Return frames at even times until the wall hides the character behind the door."""
    return frames_until(baked, count, root_positions(baked.clip)[:, 0] < DOOR_AT[0] - SEEN_BEHIND_DOOR)


def frames_until(baked: Baked, count: int, hidden: Mask) -> list[int]:
    """Return frames at even times until a character is hidden (F), or to the end."""
    last = int(np.argmax(hidden)) if hidden.any() else len(hidden) - 1
    return (baked.first + np.linspace(0, last, count)).round().astype(int).tolist()


def overlook(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a camera with the room in view from above its open side."""
    return place_camera(scene, "Room", CAMERA, AIM)


def _hinged(mesh: Mesh) -> Mesh:
    """Return a door leaf with its origin at its hinge, as animators model it."""
    vertices, triangles = mesh
    return vertices - DOOR.pivot, triangles


def _world_hinge() -> tuple[float, float, float]:
    turned = Matrix.Rotation(DOOR_TURN, 4, "Z") @ Matrix.Translation(DOOR.pivot)
    x, y, z = np.array(DOOR_AT) + np.array(turned.translation)
    return float(x), float(y), float(z)


def add_thing(
    scene: bpy.types.Scene, name: str, mesh: Mesh, at: Sequence[float], turn: float, colour: Colour
) -> bpy.types.Object:
    """Return a new object with a mesh, at a place, turned about Z by radians, in one color."""
    vertices, triangles = mesh
    data = bpy.data.meshes.new(name)
    data.from_pydata(np.asarray(vertices).tolist(), [], np.asarray(triangles).tolist())
    data.materials.append(plain_material(name, colour))
    thing = bpy.data.objects.new(name, data)
    thing.location, thing.rotation_euler.z = at, turn
    scene.collection.objects.link(thing)
    return thing
