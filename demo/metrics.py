"""The walk in numbers, compared with available real walks."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import bpy
import numpy as np

from ..benchmarks.mocap import Mocap, measure_mocap
from ..benchmarks.setup import Setup
from ..benchmarks.tables import table
from ..blender_addon.controllers import library
from ..blender_addon.scene.path_reader import read_path
from ..blender_addon.scene.walk_scene import read_walk_scene
from ..core.control.runtime.pose_decoder import standing_clip
from ..core.evaluation import evaluate
from ..core.evaluation.footing import measure_footing
from ..core.evaluation.report import MetricReport
from ..core.labelling import label_clip
from ..core.labelling.presets import preset_of_body
from ..core.models.model_file import ControllerModel
from ..core.motion.roles import is_quadruped
from ..core.motion.rotations import Array
from ..core.retarget.calibration import calibrate
from ..core.retarget.retarget import retarget
from ..tools.build.folders import SHARED
from .walk import SPEED, Baked

DATA: Final = SHARED / "data" / "mocap"
AIMS: Final = {"skate_mean_cm_s": "1.5", "motion_detail_ratio": "0.9-1.1", "toe_lift_ratio": "0.9-1.1"}
"""Goals of the project; the names of all numbers are those of `core.evaluation`."""

OF_LEVEL_GROUND: Final = ("drift_cm_s", "toe_lift_cm", "toe_lift_ratio")
"""Measures of heights over level ground."""

NOTES = """\
All numbers are taken from the keys in the file. Contacts are found again in the motion, as in mocap, so that both
are measured alike; the add-on's own sentence uses the contacts that the bake held. Feet are measured against the
ground of the scene. Path errors leave out the first
second; those of real walks are taken from the walkers' own smoothed course. Ratios are against the straight walks."""
NOTES_OF_ANIMALS = """\
All numbers are taken from the keys in the file. Contacts of the four paws are found again in the motion; the add-on's
own sentence uses the contacts that the bake held. Paws are measured against the ground of the scene. Path errors are of
the middle of the trunk and leave out the first second. People's walks are nothing to compare an animal with."""
WITHOUT = "Real walks to compare with are not on this machine (`../shared/data/mocap`)."


def write_metrics(
    scene: bpy.types.Scene, baked: Baked, path: bpy.types.Object, file: Path, speed: float = SPEED
) -> None:
    """Write the report of the baked walk, commanded at a speed in m/s, to a Markdown file."""
    settings = baked.armature.footfall
    name, model = library.load(settings.controller, settings.controller_file)
    mocap, animal = None, is_quadruped(model.skeleton.roles)
    if not animal and (DATA / "SPLIT.csv").is_file():
        print("[metrics] measuring real walks", flush=True)
        mocap = measure_mocap(Setup(DATA), replace(model, rate=baked.clip.rate))
    line = read_path(path)
    title = f"# A walk along a path of {line.length:.1f} m at {speed:g} m/s"
    seconds = f"{baked.clip.duration:.1f} s at {baked.clip.rate:g} frames a second"
    about = f"Controller *{name}*, {seconds}, Blender {bpy.app.version_string}. The add-on says: {baked.said}."
    notes = NOTES_OF_ANIMALS if animal else NOTES if mocap else f"{NOTES}\n{WITHOUT}"
    measured = _measure(baked, model, line.points, speed, mocap)
    file.write_text("\n\n".join([title, about, _table(measured, mocap), notes]) + "\n", encoding="utf-8")


def _measure(baked: Baked, model: ControllerModel, points: Array, speed: float, mocap: Mocap | None) -> MetricReport:
    """Return all metrics of a baked walk, with its feet measured against the ground of its scene.

    Args:
        baked: the walk.
        model: the controller, whose standing pose shows the heights of the feet's joints.
        points: (N, 2) the path, meters.
        speed: commanded speed, m/s.
        mocap: real walks; their heights of standing feet count on level ground.
    """
    clip, heights = baked.clip, mocap.clearances if mocap else None
    labels = label_clip(clip, preset_of_body(clip.skeleton.roles))
    found = read_walk_scene(baked.armature, bpy.context, np.column_stack([points, np.zeros(len(points))]))
    report = evaluate(
        clip, points, labels, speed=speed, ground=0.0, standing_heights=heights, mocap=mocap.straight if mocap else None
    ) | {"labels": "re-detected"}
    if found.is_level:
        return report
    level = standing_clip(model)
    level = level and retarget(level, calibrate(model.skeleton, clip.skeleton))
    report = {key: value for key, value in report.items() if key not in OF_LEVEL_GROUND}
    return report | measure_footing(clip, labels.foot_contacts, found.walk_scene.ground, level)


def _table(report: MetricReport, mocap: Mocap | None) -> str:
    """Return the table of a report compared with real walks."""
    others = {"straight": mocap.straight, "turning": mocap.turning} if mocap else {}
    head = ["", "this walk", *(f"real walks, {kind} ({row['clips']})" for kind, row in others.items()), "aim"]
    rows = [
        [key, value, *(row.get(key) for row in others.values()), AIMS.get(key)]
        for key, value in report.items()
        if value is not None
        and key not in ("labels", "rate_hz", "timed_mean_cm")  # the last is relative to a plan without corners
    ]
    return str(table(head, rows))
