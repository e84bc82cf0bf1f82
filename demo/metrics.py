"""The walk in numbers, beside real walks where they are at hand."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import bpy

from ..benchmarks.document import figure, table
from ..benchmarks.mocap import Mocap, measure_mocap
from ..benchmarks.setup import Setup
from ..blender_addon.controllers import library
from ..blender_addon.scene.path_reader import read_path
from ..core.evaluation import evaluate
from ..core.motion.roles import is_quadruped
from .walk import SPEED, Baked

DATA: Final = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "mocap"
AIMS: Final = {"skate_mean_cm_s": "1.5", "motion_detail_ratio": "0.9-1.1", "toe_lift_ratio": "0.9-1.1"}
"""What the project wants to reach; the names of all numbers are those of `core.evaluation`."""

NOTES = """\
All numbers are taken from the keys in the file. Contacts are found again in the motion, as in mocap, so that both
are measured alike; the add-on's own sentence uses the contacts that the bake held. Path errors leave out the first
second; those of real walks are taken from the walkers' own smoothed course. Ratios are against the straight walks."""
NOTES_OF_ANIMALS = """\
All numbers are taken from the keys in the file. Contacts of the four paws are found again in the motion; the add-on's
own sentence uses the contacts that the bake held. Path errors are of the middle of the trunk and leave out the first
second. People's walks are nothing to compare an animal with."""
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
    file.write_text(
        "\n\n".join([title, about, _table(baked, line.points, speed, mocap), notes]) + "\n", encoding="utf-8"
    )


def _table(baked: Baked, points, speed: float, mocap: Mocap | None) -> str:
    clearances = mocap.clearances if mocap else None
    straight = mocap.straight if mocap else None
    report = evaluate(baked.clip, points, speed=speed, ground=0.0, standing_heights=clearances, mocap=straight)
    others = {"straight": mocap.straight, "turning": mocap.turning} if mocap else {}
    head = ["", "this walk", *(f"real walks, {kind} ({row['clips']})" for kind, row in others.items()), "aim"]
    rows = [
        [key, value, *(row.get(key) for row in others.values()), AIMS.get(key)]
        for key, value in report.items()
        if key not in ("labels", "rate_hz", "timed_mean_cm")  # the last is against a plan that knows no corners
    ]
    return table(head, [[figure(cell) for cell in row] for row in rows])
