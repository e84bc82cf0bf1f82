"""Repeated measurements of walks over a scene with small variations; nothing is rendered."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import bpy
import numpy as np

from ..blender_addon.activities.walk.bake import WalkBake
from ..core.evaluation.feet import skate_speeds
from ..core.evaluation.footing import measure_footing
from ..core.evaluation.report import root_positions
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.presets import preset_of_body
from .scene_file import SceneFile
from .walk import add_walker

NEAR: Final = 0.5
"""Distance from the path's end at which a walk has arrived, meters."""

Measures = dict[str, float | int | bool]


def try_scene(described: SceneFile, seeds: int, set_up: Callable[[], bpy.types.Object]) -> Iterator[Measures]:
    """Walk over a scene once for each seed; ``set_up`` builds it in a new file and returns the path.

    ``off_`` is the distance to the planned way, ``drawn_`` that to the path as drawn, which leads through obstacles.
    """
    path = set_up()
    armature = add_walker(described.controller)
    settings = armature.footfall
    settings.path, settings.speed = path, described.speed
    for settings.seed in range(seeds):
        begun = time.perf_counter()
        bake = WalkBake(armature, bpy.context)
        while bake.advance(1000):
            pass
        walk = bake.walk.finish()
        spent = time.perf_counter() - begun
        measures: Measures = {"seed": settings.seed, "times_real_time": walk.clip.duration / spent}
        roots = root_positions(walk.clip)
        measures["left_cm"] = 100 * float(np.linalg.norm(roots[-1] - described.path[-1]))
        measures["arrived"] = measures["left_cm"] < 100 * NEAR
        for name, way in (("drawn", bake.path.points), ("off", bake.walk.scale * bake.walk.path.points)):
            off = np.array([np.linalg.norm(way - place, axis=1).min() for place in roots])
            measures |= {f"{name}_mean_cm": 100 * float(off.mean()), f"{name}_max_cm": 100 * float(off.max())}
        tracks = sensor_tracks(walk.clip, preset_of_body(walk.clip.skeleton.roles), walk.standing_clip)
        measures["skate_mean_cm_s"] = 100 * float(
            skate_speeds(tracks, walk.contacts.probabilities, walk.clip.rate).mean()
        )
        yield measures | measure_footing(walk.clip, walk.contacts, bake.walk.surroundings.ground, walk.standing_clip)


def write_trials(described: SceneFile, trials: list[Measures], file: Path) -> None:
    """Write all measures and their summary as JSON."""
    file.write_text(json.dumps({"scene": described.name, "whole": whole(trials), "trials": trials}, indent=1) + "\n")


def whole(trials: list[Measures]) -> dict[str, Any]:
    """Return the number of walks that arrived, the means of all measures, and the largest of maxima."""
    result: dict[str, Any] = {"walks": len(trials), "arrived": sum(bool(trial["arrived"]) for trial in trials)}
    for key in trials[0]:
        if key not in ("seed", "arrived"):
            values = [float(trial[key]) for trial in trials]
            result[key] = max(values) if "_max_" in key or key == "left_cm" else float(np.mean(values))
    return result
