"""Baking a minute of walking: finished frames per second, without Blender and in it."""

import json
import subprocess
from pathlib import Path as File
from time import perf_counter
from typing import Any

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.errors import FootfallError
from ..core.motion.polyline import arc_lengths_of
from ..core.motion.rotations import Array
from ..tools.build.environments import BLENDERS, Environment, is_ready
from .setup import Setup
from .tables import Part, table

TITLE = "Baking a minute of walking"
SECONDS = 60.0
SPEED = 1.2
PASSES = 3
SCRIPT = File(__file__).with_name("bake_in_blender.py")

NOTES = """\
A path of 72 m walked at 1.2 m/s, at 60 frames a second. In Blender everything counts that the operator does: reading
the armature and the curve, the walk, a key for every bone and frame, the labels on the action, and the measuring of
the result."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model, points = setup.model(), winding(SECONDS * SPEED)
    durations, frames = [], 0
    for _ in range(PASSES):
        start = perf_counter()
        frames = len(make_walk(model, WalkRequest(Path(points), SPEED)).clip)
        durations.append(perf_counter() - start)
    rows = [_row("core: features, network, path, foot locks", frames, min(durations), model.rate)]
    for version, environment in BLENDERS.items():
        if is_ready(environment):
            bakes = [bake_in_blender(environment, setup.model_path(), points) for _ in range(PASSES)]
            best = min(bakes, key=lambda bake: bake["seconds"])
            what = f"Blender {version}: the whole bake, keys on {best['bones']} bones"
            rows.append(_row(what, best["frames"], best["seconds"], model.rate))
        else:
            rows.append([f"Blender {version}: not set up here", None, None, None, None])
    head = ["what", "frames", f"s, best of {PASSES}", "frames a second", "times real time"]
    return [table(head, rows), NOTES]


def bake_in_blender(blender: Environment, controller: File, points: Array) -> dict[str, Any]:
    """Bake in a new Blender; return frames, seconds and bones.

    Raises:
        FootfallError: the bake fails.
    """
    command = [blender.python, "-P", SCRIPT, controller.resolve(), SPEED, json.dumps(points.round(4).tolist())]
    child = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, timeout=600)
    if child.returncode:
        raise FootfallError(f"The bake in Blender ({blender.name}) failed: its own message is above.")
    return json.loads(child.stdout.splitlines()[-1])


def winding(length: float) -> Array:
    """Return the points (N, 2) of a wave of 1 m amplitude and 12 m wavelength, of about the given length."""
    x = np.arange(0.0, length, 0.05)
    points = np.stack([x, np.sin(2 * np.pi * x / 12.0)], axis=-1)
    way = arc_lengths_of(points)
    return points[way <= length]


def _row(what: str, frames: int, seconds: float, rate: float) -> list[object]:
    return [what, frames, seconds, frames / seconds, frames / seconds / rate]
