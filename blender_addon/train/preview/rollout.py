"""The previewed walk: along the active armature's path over its ground, else around the 3D cursor."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.control.path.path import Path
from ....core.control.walk.path_walk import begin_walk
from ....core.control.walk.plan import WalkRequest
from ....core.control.walk.walk_performance import walk_performance
from ....core.evaluation import evaluate
from ....core.evaluation.courses import course_points
from ....core.models.model_file import ControllerModel
from ....core.motion import Clip
from ....core.motion.rotations import Array
from ...activities.walk.bake import WalkBake
from ...shot.write import describe_quality
from ...ui.operator_base import active_armature

DEFAULT_COURSE: Final = "s_curve"
DEFAULT_SPEED_M_S: Final = 1.3
MAX_PREVIEW_S: Final = 15.0
"""Largest duration of the preview, seconds."""
SLICE_FRAMES: Final = 4


@dataclass(frozen=True, eq=False)
class PreviewWalk:
    """The previewed walk.

    Attributes:
        title: title of the controller.
        clip: motion of the walk, world.
        path_points: (N, 3) points of the path, world, meters.
        quality: measured quality, in a few words.
    """

    title: str
    clip: Clip
    path_points: Array
    quality: str


def make_preview_walk(
    context: bpy.types.Context, title: str, model: ControllerModel
) -> Generator[float, None, PreviewWalk]:
    """Generate a walk with a controller, yielding the share done; the file is not changed.

    Raises:
        FootfallError: the active armature's path or rig is unsuitable.
    """
    armature = active_armature(context)
    if armature is not None and armature.footfall.path is not None:
        bake = WalkBake(armature, context, (title, model))
        walking, points = bake.walk, bake.path.points
        heights: Array = np.asarray(bake.path.heights, dtype=float)
        speed, ground = bake.speed, bake.start_ground_height
    else:
        cursor = np.array(context.scene.cursor.location)
        points = course_points(DEFAULT_COURSE)
        points += cursor[:2] - (points.min(axis=0) + points.max(axis=0)) / 2
        heights = np.full(len(points), cursor[2])
        speed, ground = DEFAULT_SPEED_M_S, float(cursor[2])
        walking = begin_walk(model, WalkRequest(Path(points), speed, start_level=ground))
    most = round(MAX_PREVIEW_S * model.rate)
    while walking.advance(SLICE_FRAMES) and walking.frames_done < most:
        yield min(walking.frames_done / min(walking.total_frames, most), 1.0)
    made = walking.finish()
    labels = walk_performance(made, model.gaits, ground).labels
    report = evaluate(made.clip, points, labels, speed=speed, ground=ground)
    way = np.column_stack([np.asarray(points, dtype=float)[:, :2], heights])
    measured = {"path_deviation": "cross_track_max_cm", "foot_sliding": "skate_mean_cm_s"}
    told = {name: value for name, key in measured.items() if isinstance(value := report[key], float)}
    return PreviewWalk(title, made.clip, way, describe_quality(told))
