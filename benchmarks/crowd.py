"""A hundred characters at once: features, network, paths and foot locks."""

from time import perf_counter

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import PathWalk, batch_walks
from ..core.models.model_file import ControllerModel
from .document import table
from .setup import Setup

TITLE = "A crowd"
COUNTS = (1, 10, 100)
SECONDS = 20.0
SPEED = 1.2
PASSES = 3

NOTES = """\
Characters of the shipped controller on winding paths of 24 m, every one its own, at 60 frames a second, as
`core.control.walk.batch_walks` bakes them: the *steps* (features, network, following, for all at once) and *feet*
(poses on rigid bones, footholds, two-joint leg IK, one after the other). Numpy's threads are all that run side by
side. Reach: 100 characters in real time."""


def measure(setup: Setup) -> str:
    """Return the section's table."""
    model = setup.model()
    rows: list[list[object]] = []
    for count in COUNTS:
        runs = [bake(model, count) for _ in range(PASSES)]
        frames = runs[0][0]
        steps, feet = (min(run[part] for run in runs) for part in (1, 2))
        seconds = frames / count / model.rate
        rows.append([count, frames, 1e6 * steps / frames, 1e6 * feet / frames, seconds / (steps + feet)])
    head = ["characters", "frames in all", "steps us", "feet us", "times real time"]
    return f"{table(head, rows)}\n\n{NOTES}"


def bake(model: ControllerModel, count: int) -> tuple[int, float, float]:
    """Return the number of frames of all characters, the seconds of the steps, and the seconds of the foot locks."""
    walks = [PathWalk(model, Path(way(number)), SPEED, seed=number) for number in range(count)]
    start = perf_counter()
    batch_walks(walks)
    while walks[0].advance(1000):
        pass
    middle = perf_counter()
    frames = sum(len(walk.finish().clip) for walk in walks)
    return frames, middle - start, perf_counter() - middle


def way(number: int) -> np.ndarray:
    """Return points (N, 2) of a character's path: a wave of its own."""
    rng = np.random.default_rng(number)
    x = np.arange(0.0, SECONDS * SPEED, 0.1)
    wave = rng.uniform(0.2, 1.0) * np.sin(2 * np.pi * x / rng.uniform(6.0, 12.0))
    return np.stack([x, wave], axis=-1) + rng.uniform(-20, 20, 2)
