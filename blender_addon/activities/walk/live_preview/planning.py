"""The plan of a walk, renewed whenever its path or settings change, from otherwise constant inputs."""

from dataclasses import dataclass
from typing import Final

import bpy

from .....core.control.walk.path_walk import WalkRollout
from .....core.control.walk.plan import model_styles, plan_walk
from .....core.errors import FootfallError
from .....core.models.model_file import ControllerModel
from .....core.retarget.calibration import Calibration
from ....rig.chosen_controller import load_chosen
from ....rig.store import calibrate_to_model
from ....scene.path_reader import WorldPath, read_path
from ....scene.walk_scene import CharacterWalkScene, read_walk_scene
from ....shot.staleness.inputs import WALK_SETTINGS
from ..request import make_clock, next_start_frame, read_walk_request
from ..waypoints import path_from_waypoints, read_waypoints

EVENT_FIELDS: Final = (
    *("type", "range_type", "start_distance", "end_distance", "start_frame", "end_frame", "start_marker", "end_marker"),
    *("speed", "style", "angle", "duration", "hand", "rim_radius"),
)


@dataclass(frozen=True, slots=True, eq=False)
class WalkInputs:
    """The inputs of a walk's plan that do not change while a path is edited."""

    model: ControllerModel
    calibration: Calibration
    walk_scene: CharacterWalkScene

    @staticmethod
    def of(armature: bpy.types.Object, context: bpy.types.Context) -> "WalkInputs":
        """Return the inputs of a character's walk; raise :class:`FootfallError` if it cannot walk."""
        settings = armature.footfall
        _, model = load_chosen(settings)
        start = next_start_frame(armature, context.scene)
        path, clock = read_character_path(armature, context.scene), make_clock(start, context.scene, model)
        around = read_walk_scene(armature, context, path.places, clock)
        return WalkInputs(model, calibrate_to_model(armature, model), around)


def read_character_path(armature: bpy.types.Object, scene: bpy.types.Scene) -> WorldPath:
    """Return the path of a character: the drawn one, or one from waypoint to waypoint."""
    path = armature.footfall.path
    if path is not None:
        return read_path(path, from_edit_mode=True)
    return path_from_waypoints(armature, read_waypoints(armature, scene, next_start_frame(armature, scene)))


def walk_settings_key(armature: bpy.types.Object) -> tuple:
    """Return all settings of a character's walk except its path; a change in them requires a new walk."""
    settings = armature.footfall
    cues = [
        tuple(getattr(cue, name) for name in EVENT_FIELDS) + _object_key(cue.target) for cue in settings.path_events
    ]
    marks = [
        (mark.frame, mark.match_rotation, mark.planted_foot, *_object_key(mark.empty)) for mark in settings.waypoints
    ]
    path = settings.path
    return (*(getattr(settings, name) for name in WALK_SETTINGS), path and path.session_uid, *cues, *marks)


def _object_key(obj: bpy.types.Object | None) -> tuple:
    return () if obj is None else (obj.session_uid, *(number for row in obj.matrix_world for number in row))


def start_walk(armature: bpy.types.Object, scene: bpy.types.Scene, inputs: WalkInputs) -> WalkRollout:
    """Begin the walk of a character; no frame is generated yet. Raise :class:`FootfallError` if it is impossible."""
    settings, model = armature.footfall, inputs.model
    if settings.style and settings.style not in model_styles(model):
        raise FootfallError("The controller has no style '{style}': choose another style", style=settings.style)
    path = read_character_path(armature, scene)
    start = next_start_frame(armature, scene)
    request = read_walk_request(armature, scene, model, path, inputs.walk_scene, inputs.calibration, start)
    return WalkRollout(model, plan_walk(request, model))
