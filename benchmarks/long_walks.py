"""Long walks: memory and time by their length, without Blender and in it."""

import resource
import subprocess
import sys
from pathlib import Path as File
from time import process_time

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.models.model_file import load_model
from ..tools.build.environments import BLENDERS, is_ready
from .setup import Setup
from .tables import Part, table
from .walk_rate import SPEED, bake_in_blender, winding

TITLE = "Long walks"
MINUTES = (5, 20, 60)
MINUTES_IN_BLENDER = (2, 10)
POINT_STEP = 4
"""Interval of the points passed to Blender, as a command line has a limited length."""
SHORT_M = 5.0
"""Length of a preceding walk, to measure the memory of the libraries and the controller."""

NOTES = """\
A winding path at 1.2 m/s, at 60 frames a second, each walk in a process of its own, which has walked 5 m before. *MB*
is by how much the process grew at its peak; *MB a minute* is by how much it grew for each minute beyond the row
before."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows = _rows("core", [_in_process(setup.model_path(), minutes) for minutes in MINUTES], MINUTES)
    version, environment = list(BLENDERS.items())[-1]
    if is_ready(environment):
        paths = [winding(60 * minutes * SPEED)[::POINT_STEP] for minutes in MINUTES_IN_BLENDER]
        bakes = [bake_in_blender(environment, setup.model_path(), path) for path in paths]
        grown = [(bake["frames"], bake["megabytes"], bake["seconds"]) for bake in bakes]
        rows += _rows(f"Blender {version}: the whole bake", grown, MINUTES_IN_BLENDER)
    else:
        rows.append([f"Blender {version}: not set up here", *[None] * 5])
    return [table(["what", "minutes", "frames", "MB", "MB a minute", "times real time"], rows), NOTES]


def _rows(what: str, walks: list[tuple[int, float, float]], minutes: tuple[int, ...]) -> list[list[object]]:
    """Return rows of walks: frames, megabytes and seconds of each."""
    rows, before = [], (0, 0.0)
    for length, (frames, megabytes, seconds) in zip(minutes, walks, strict=True):
        rate = (megabytes - before[1]) / (length - before[0]) if before[0] else None
        rows.append([what, length, frames, megabytes, rate, frames / 60.0 / seconds])
        before = (length, megabytes)
    return rows


def _in_process(controller: File, minutes: int) -> tuple[int, float, float]:
    """Return frames, megabytes and seconds of a walk in its own process."""
    command = [sys.executable, "-m", "footfall.benchmarks.long_walks", str(controller), str(minutes)]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return int(said[0]), float(said[1]), float(said[2])


def main(controller: str, minutes: str) -> None:
    """Walk, and print frames, megabytes and seconds."""
    model = load_model(File(controller))
    make_walk(model, WalkRequest(Path(winding(SHORT_M)), SPEED))
    before, begun = _peak_megabytes(), process_time()
    frames = len(make_walk(model, WalkRequest(Path(winding(60 * float(minutes) * SPEED)), SPEED)).clip)
    print(frames, _peak_megabytes() - before, process_time() - begun)


def _peak_megabytes() -> float:
    """Return the largest memory of this process so far (Linux), megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(*sys.argv[1:])
