"""The walk request of a character: its settings, path events and waypoints as input for core."""

import bpy

from ....core.ball.takes import shipped_takes
from ....core.control.ball.accompaniment import BallAccompaniment
from ....core.control.ball.ball_plan import BallKit
from ....core.control.ball.dribble import Dribble
from ....core.control.path.path import Path
from ....core.control.walk.plan import WalkRequest, model_styles
from ....core.models.model_file import ControllerModel
from ....core.retarget.calibration import Calibration
from ...animation.fcurve_io.reader import scene_rate
from ...animation.output import walk_source, walk_start_frame
from ...controllers.generators import load_chosen_generator
from ...scene.mesh_ground import Clock
from ...scene.path_reader import WorldPath
from ...scene.walk_scene import CharacterWalkScene
from .path_events import read_path_events
from .waypoints import read_waypoints


def next_start_frame(armature: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """Return the scene frame at which a character's walk will start: that of its last bake, if any."""
    return walk_start_frame(armature, scene, walk_source(armature))


def make_clock(start_frame: int, scene: bpy.types.Scene, model: ControllerModel) -> Clock:
    """Return the clock that maps frames of a walk to frames of the scene, given its start frame."""
    return Clock(start_frame, scene_rate(scene) / model.rate)


def start_level(path: WorldPath, walk_scene: CharacterWalkScene) -> float:
    """Return the approximate height, meters, of the start of a path; on level ground, the path's mean height."""
    return path.mean_height if walk_scene.is_level else float(path.heights[0])


def read_walk_request(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    model: ControllerModel,
    path: WorldPath,
    walk_scene: CharacterWalkScene,
    calibration: Calibration,
    start_frame: int,
    seed_offset: int = 0,
    drop_unknown_names: bool = False,
) -> WalkRequest:
    """Return the request to walk that a character's settings and path describe.

    Args:
        armature: the character.
        scene: scene of the walk.
        model: the controller.
        path: the path.
        walk_scene: ground and obstacles of the walk.
        calibration: calibration of the armature to the controller's skeleton.
        start_frame: the scene's frame at which the walk starts.
        seed_offset: number added to the seed in the settings, so that the characters of a crowd are out of step.
        drop_unknown_names: whether to ignore a style or performer that the controller lacks.

    Raises:
        FootfallError: a path event or a waypoint is incomplete, or refers to a deleted object.
    """
    settings = armature.footfall
    cues = read_path_events(armature, scene, path, make_clock(start_frame, scene, model))
    seed = settings.seed + seed_offset
    style = "" if drop_unknown_names and settings.style not in model_styles(model) else settings.style
    performer = "" if drop_unknown_names and settings.performer not in model.performers else settings.performer
    return WalkRequest(
        path=Path(path.points),
        speed=float(settings.speed),
        walk_scene=walk_scene.walk_scene,
        start_level=start_level(path, walk_scene),
        target=calibration,
        seed=seed,
        style=style,
        cues=cues,
        waypoints=read_waypoints(armature, scene, start_frame),
        performer=performer,
        performer_share=float(settings.performer_share),
        variation=float(settings.control_variation),
        generator=(
            load_chosen_generator(settings.generator, settings.generator_file)
            if settings.control_variation and seed
            else None
        ),
        responsiveness=float(settings.responsiveness),
        accompaniment=_read_ball(settings, bool(cues.balls)),
    )


def _read_ball(settings: bpy.types.PropertyGroup, is_played: bool) -> BallAccompaniment | None:
    """Return the ball that a character's settings describe; `None` if it neither dribbles nor plays a ball."""
    radius = float(settings.ball_radius)
    dribble = None if settings.ball == "NONE" else Dribble(settings.ball.lower(), radius)
    if dribble is None and not is_played:
        return None
    return BallAccompaniment(dribble, BallKit(shipped_takes(), radius) if is_played else None)
