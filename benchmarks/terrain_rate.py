"""Baking over a mesh of 200 000 triangles in Blender: finished frames per second."""

import json
import subprocess
from pathlib import Path as File
from typing import Any

from ..core.errors import FootfallError
from ..tools.build.environments import BLENDERS, Environment, is_ready
from .setup import Setup
from .tables import Part, table

TITLE = "Baking over rough ground"
LENGTH = 24.0
SPEED = 1.1
PASSES = 3
RATE = 60.0
SCRIPT = File(__file__).with_name("bake_over_terrain_in_blender.py")
NOTES = """\
24 m over made rubble, one mesh, at 60 frames a second. Everything counts that the operator does: reading the scene
and building its BVH tree, the way, the walk, footholds, a key for every bone and frame, the labels, the measuring."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows: list[list[object]] = []
    for version, environment in BLENDERS.items():
        if not is_ready(environment):
            rows.append([f"Blender {version}: not set up here", None, None, None, None])
            continue
        bakes = [_bake(environment, setup.model_path()) for _ in range(PASSES)]
        best = min(bakes, key=lambda bake: bake["seconds"])
        rate = best["frames"] / best["seconds"]
        rows.append([f"Blender {version}", best["triangles"], best["frames"], best["seconds"], rate, rate / RATE])
    head = ["the whole bake", "triangles", "frames", f"s, best of {PASSES}", "frames a second", "times real time"]
    return [table(head, rows), NOTES]


def _bake(blender: Environment, controller: File) -> dict[str, Any]:
    command = [blender.python, "-P", SCRIPT, controller.resolve(), SPEED, LENGTH]
    child = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, timeout=600)
    if child.returncode:
        raise FootfallError(f"The bake in Blender ({blender.name}) failed: its own message is above.")
    return json.loads(child.stdout.splitlines()[-1])
