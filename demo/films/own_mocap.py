"""Own mocap: a captured player picks a ball up; the controller trained on such clips dribbles along a path."""

import math
from typing import Final

import bpy
import numpy as np

from ...blender_addon.label.ball_object import ball_motion, played_ball
from ...blender_addon.rig.clip_reader import read_mapped_action
from ...core.ball.ball_track import BASKETBALL_RADIUS_M
from ...core.ball.takes import SHIPPED_TAKES, BallTakes
from ...core.motion import Clip
from ...core.motion.rotations import rotation_about_up
from ..camera import along
from ..court import CONTROLLER, ORANGE
from ..scene_file import View
from ..stage import draw_path, plain_material
from ..walk import Baked, add_walker
from .film import RATE, Film, Shot, empty_stage
from .stick_figure import add_stick_figure

PATH: Final = ((-2.6, 0.0), (-1.4, -0.1), (-0.2, 0.3), (1.0, 0.0), (2.2, -0.5), (4.0, 0.0))
"""x, y in meters."""
SPEED_M_S: Final = 1.6
BALL: Final = (-1.7, -0.04, BASKETBALL_RADIUS_M)
RAISED_M: Final = 0.02
"""Height of the ball above its resting place from which on it is held."""
CAPTURED_AT: Final = (-1.75, 1.5, 0.0)
"""Place of the captured player at the contact."""
BEFORE_S, SECONDS = 1.25, 5.0
"""Times of the film: before the ball is held, and in total."""
CAPTURED_S: Final = 2.0
VIEW: Final = View(turn=14.0, tilt=12.0, distance=5.6)


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    walk = _bake(scene)
    ball = played_ball(walk.armature)
    assert ball is not None
    ball.data.materials.append(plain_material("Ball", ORANGE))
    motion = ball_motion(ball)
    assert motion is not None
    held = motion[0] + int(np.argmax(motion[1][:, 2] > BASKETBALL_RADIUS_M + RAISED_M))
    take = BallTakes.load(SHIPPED_TAKES).resampled(RATE).takes["pick_up"]
    captured: Clip = take.clip.transformed(rotation_about_up(-math.pi / 2), np.array(CAPTURED_AT))
    add_stick_figure(captured, held - take.contact)
    first = max(held - round(BEFORE_S * RATE), walk.first)
    learned = first + round(CAPTURED_S * RATE)

    def caption(frame: int) -> str:
        return "A captured take" if frame < learned else "The controller trained on such takes"

    camera = along(scene, walk.clip, walk.first, VIEW)
    return Film(scene, (Shot(camera, first, first + round(SECONDS * RATE) - 1, caption),))


def _bake(scene: bpy.types.Scene) -> Baked:
    """Return a walk with a ball that lies on the path, is picked up and dribbled."""
    lying = bpy.data.objects.new("Lying", None)
    lying.location = BALL
    scene.collection.objects.link(lying)
    armature = add_walker(CONTROLLER)
    armature.footfall.path, armature.footfall.speed = draw_path([(x, y, False) for x, y in PATH]), SPEED_M_S
    armature.footfall.ball = "RIGHT"
    event = armature.footfall.path_events.add()
    event.type, event.target = "PICK_UP", lying
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    bpy.ops.footfall.bake_shot()
    clip, first = read_mapped_action(armature, armature.animation_data.action, scene)
    return Baked(armature, clip, first, armature.footfall.quality_summary)
