"""A court: one character picks up a ball, dribbles it along a path and passes it; another catches and shoots it."""

from typing import Final

import bmesh
import bpy

from ..blender_addon.label.ball_object import played_ball
from ..blender_addon.rig.clip_reader import read_mapped_action
from ..core.ball.ball_track import BASKETBALL_RADIUS_M
from ..core.control.path.path_events import RIM_RADIUS_M
from .camera import place_camera
from .stage import Colour, draw_path, plain_material
from .walk import Baked, add_walker

NAME: Final = "court"
CONTROLLER: Final = "dribble"
SPEED_M_S: Final = 1.6
PATH: Final = ((0.0, -2.6), (0.1, -1.4), (-0.3, -0.2), (0.0, 0.8), (0.5, 1.5))
"""The path of the dribbler: x, y in meters; the ball lies on it."""
SHOOTER_SPEED_M_S: Final = 1.1
SHOOTER_PATH: Final = ((4.4, -0.6), (4.2, 0.6), (3.3, 2.2))
"""The path of the shooter."""
END_M: Final = 20.0
"""Distance beyond the end of both paths for their stops."""
BALL: Final = (0.04, -1.7, BASKETBALL_RADIUS_M)
RIM: Final = (-0.5, 5.6, 3.05)
POST_M: Final = 1.3
"""Distance of the post behind the rim's center."""
RIM_THICKNESS_M: Final = 0.02
CAMERA: Final = (12.4, 0.6, 2.4)
AIM: Final = (0.0, 1.75, 1.6)
ORANGE: Final[Colour] = (0.75, 0.25, 0.06, 1.0)
WHITE: Final[Colour] = (0.75, 0.75, 0.73, 1.0)
GREY: Final[Colour] = (0.25, 0.26, 0.28, 1.0)


def build_court(scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """Add a hoop and a place for the ball to the scene; return targets of cues, by name."""
    hoop = _empty(scene, "Hoop", RIM)
    _ring(scene, hoop)
    _box(scene, "Board", hoop, (0.0, 0.42, 0.45), (1.8, 0.04, 1.05), WHITE)
    _box(scene, "Post", hoop, (0.0, POST_M, -1.3), (0.16, 0.16, 3.5), GREY)
    _box(scene, "Arm", hoop, (0.0, 0.5 * (POST_M + 0.44), 0.35), (0.12, POST_M - 0.44, 0.12), GREY)
    lying = _empty(scene, "Lying", BALL)
    bpy.context.view_layer.update()
    return {"hoop": hoop, "lying": lying}


def bake_court(scene: bpy.types.Scene, targets: dict[str, bpy.types.Object]) -> Baked:
    """Add a character that picks the ball up, dribbles and passes, and the shooter; return the shooter.

    Raises:
        RuntimeError: the add-on reports an error, with its message.
    """
    passer, shooter = add_walker(CONTROLLER), add_walker()
    passer.name, shooter.name = "Passer", "Shooter"
    for armature, path, speed in ((passer, PATH, SPEED_M_S), (shooter, SHOOTER_PATH, SHOOTER_SPEED_M_S)):
        armature.footfall.path, armature.footfall.speed = draw_path([(x, y, False) for x, y in path]), speed
    passer.footfall.ball = "RIGHT"
    cues = (
        (passer, "PICK_UP", targets["lying"], 0.0),
        (passer, "PASS", shooter, END_M),
        (shooter, "CATCH", passer, END_M),
        (shooter, "SHOOT", targets["hoop"], END_M),
    )
    for armature, kind, target, at in cues:
        cue = armature.footfall.path_events.add()
        cue.type, cue.target, cue.start_distance = kind, target, at
    for armature in (passer, shooter):  # the shooter waits for the pass
        bpy.context.view_layer.objects.active = armature
        bpy.ops.footfall.bake_shot()
    ball = played_ball(shooter)
    assert ball is not None and ball == played_ball(passer)
    ball.data.materials.append(plain_material("Ball", ORANGE))
    clip, first = read_mapped_action(shooter, shooter.animation_data.action, scene)
    scene.frame_start, scene.frame_end = first, first + len(clip) - 1
    return Baked(shooter, clip, first, shooter.footfall.quality_summary)


def overlook(scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a camera with the path and the hoop in view from the side."""
    return place_camera(scene, "Court", CAMERA, AIM)


def _empty(scene: bpy.types.Scene, name: str, at: tuple[float, float, float]) -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.location, empty.empty_display_size = at, RIM_RADIUS_M
    scene.collection.objects.link(empty)
    return empty


def _ring(scene: bpy.types.Scene, hoop: bpy.types.Object) -> None:
    """Add the rim of the hoop."""
    bpy.ops.mesh.primitive_torus_add(major_radius=RIM_RADIUS_M, minor_radius=RIM_THICKNESS_M / 2, major_segments=48)
    rim = bpy.context.object
    rim.name, rim.parent, rim.location = "Rim", hoop, (0.0, 0.0, 0.0)
    rim.data.materials.append(plain_material("Rim", ORANGE))


def _box(
    scene: bpy.types.Scene,
    name: str,
    hoop: bpy.types.Object,
    at: tuple[float, float, float],
    size: tuple[float, float, float],
    colour: Colour,
) -> None:
    """Add a part of the hoop at a place from the rim's center."""
    mesh, form = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_cube(form, size=1.0)
    bmesh.ops.scale(form, vec=size, verts=form.verts)
    form.to_mesh(mesh)
    form.free()
    mesh.materials.append(plain_material(name, colour))
    part = bpy.data.objects.new(name, mesh)
    part.parent, part.location = hoop, at
    scene.collection.objects.link(part)
