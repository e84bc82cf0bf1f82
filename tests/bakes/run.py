"""One part of the bakes, in a Blender of its own: `python -m footfall.tests.bakes.run FOLDER FIRST_SEED COUNT`.

It writes each case before it is baked, so that what ends the process is known, and what it measured afterwards.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Final, TextIO

import bpy
import numpy as np

from footfall.benchmarks.measures.extremes import largest_joint_speed, largest_moves
from footfall.blender_addon.animation.bake_report import quality_rows
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.core.motion.bvh import write_bvh
from footfall.tests.addon.support.empty_blender import enable_add_on

from .cases import Case, make_case

WORST_ROWS: Final = ("ground_penetration", "foot_sliding")
"""Measures of the bake's own report whose worst values are noted."""


def bake(seed: int, folder: Path, log: TextIO) -> None:
    """Make a case, bake it, and note what came of it."""

    def note(**line: object) -> None:
        log.write(json.dumps({"seed": seed, **line}) + "\n")
        log.flush()

    bpy.ops.wm.read_factory_settings(use_empty=True)
    enable_add_on()
    case = make_case(seed)
    note(kind=case.kind, told=case.told)
    begun = time.process_time()
    try:
        result = case.bake()
    except RuntimeError as error:
        note(fault=str(error)) if "Traceback" in str(error) else note(refused=str(error).strip())
        return
    if result != {"FINISHED"}:
        note(fault=f"the bake returned {result}")
        return
    note(seconds=time.process_time() - begun, memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    for name in case.characters:
        note(**_measured(case, name, folder / f"{seed}-{name}.bvh"))


def _measured(case: Case, name: str, file: Path) -> dict[str, object]:
    """Return the measures of a character's motion, and write it to a file."""
    armature = bpy.data.objects[name]
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    if not (np.isfinite(clip.root_positions).all() and np.isfinite(clip.rotations).all()):
        return {"fault": f"'{name}' has positions or rotations that are not finite"}
    write_bvh(file, clip)
    fastest = largest_joint_speed(clip)
    moves = {role: one.value for role, one in largest_moves(clip).items()}
    rows = {row.measure: row.worst for row in quality_rows(armature) if row.measure in WORST_ROWS}
    return {
        "character": name,
        "frames": len(clip),
        "rate": clip.rate,
        "fastest": fastest.value,
        "joint": fastest.role,
        "moves": moves,
        **rows,
        "file": str(file),
        "case": case.told,
    }


def main(folder: str, first: str, count: str) -> None:
    """Bake some cases, and write the log beside their motion."""
    with (Path(folder) / "log.jsonl").open("w", encoding="utf-8") as log:
        for seed in range(int(first), int(first) + int(count)):
            bake(seed, Path(folder), log)
        log.write(json.dumps({"ended": True}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)
