"""What is walked: planned anew whenever its path or its settings change, from what does not change meanwhile."""

from dataclasses import dataclass
from typing import Final

import bpy

from ....core.control.path.path import Path
from ....core.control.walk.path_walk import PathWalk, model_styles
from ....core.errors import FootfallError
from ....core.models.model_file import ControllerModel
from ....core.retarget.calibration import Calibration
from ...animation.fcurve_io.reader import scene_rate
from ...animation.output import first_frame
from ...controllers import library
from ...rig.store import calibration_of
from ...scene.mesh_ground import Clock
from ...scene.path_reader import WorldPath, read_path
from ...scene.walk_scene import SceneSurroundings, surroundings_of
from ..path_events import cues_of
from ..waypoints import marks_of, path_through

TOLD: Final = ("controller", "controller_file", "style", "speed", "seed", "start", "speed_by_radius")
CUE: Final = (
    *("kind", "unit", "start", "end", "first", "last", "first_marker", "last_marker"),
    *("speed", "style", "turn", "seconds"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """What a walk is planned from and does not change while a path is edited."""

    model: ControllerModel
    calibration: Calibration
    around: SceneSurroundings

    @staticmethod
    def of(armature: bpy.types.Object, context: bpy.types.Context) -> "Basis":
        """The basis of a character; raises :class:`FootfallError` where it cannot walk."""
        settings = armature.footfall
        _, model = library.load(settings.controller, settings.controller_file)
        path, clock = line_of(armature, context.scene), clock_of(armature, context.scene, model)
        around = surroundings_of(armature, context, path.ground, clock)
        return Basis(model, calibration_of(armature, model.skeleton), around)


def clock_of(armature: bpy.types.Object, scene: bpy.types.Scene, model: ControllerModel) -> Clock:
    """Which of the scene's frames a frame of the walk is."""
    return Clock(first_frame(armature, scene), scene_rate(scene) / model.rate)


def line_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> WorldPath:
    """The way of a character, as it is drawn now or from mark to mark."""
    path = armature.footfall.path
    if path is not None:
        return read_path(path, live=True)
    return path_through(armature, marks_of(armature, scene, first_frame(armature, scene)))


def told(armature: bpy.types.Object) -> tuple:
    """All that a character's walk is told but for its path: another walk is planned where it is not equal."""
    settings = armature.footfall
    cues = [tuple(getattr(cue, name) for name in CUE) + _place(cue.target) for cue in settings.cues]
    marks = [(mark.frame, mark.faces, mark.foot, *_place(mark.spot)) for mark in settings.marks]
    path = settings.path
    return (*(getattr(settings, name) for name in TOLD), path and path.session_uid, *cues, *marks)


def _place(thing: bpy.types.Object | None) -> tuple:
    return () if thing is None else (thing.session_uid, *(number for row in thing.matrix_world for number in row))


def planned(armature: bpy.types.Object, scene: bpy.types.Scene, basis: Basis) -> PathWalk:
    """The walk of a character, of which nothing is made yet; raises :class:`FootfallError` where there can be none."""
    settings, model = armature.footfall, basis.model
    path, clock = line_of(armature, scene), clock_of(armature, scene, model)
    level = path.ground if basis.around.level else float(path.heights[0])
    if settings.style and settings.style not in model_styles(model):
        raise FootfallError(f"The controller has no style '{settings.style}'.")
    return PathWalk(
        model,
        Path(path.points),
        float(settings.speed),
        basis.around.surroundings,
        level,
        basis.calibration,
        settings.seed,
        settings.style,
        cues_of(armature, scene, path, clock),
        marks_of(armature, scene, first_frame(armature, scene)),
    )
