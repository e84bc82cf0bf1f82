"""A hundred characters at once: features, network, paths and foot locks."""

from time import perf_counter

import numpy as np

from ..core.control.path.path import Path
from ..core.control.walk.path_walk import batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.models.model_file import ControllerModel
from .setup import Setup
from .tables import Part, table

TITLE = "A crowd"
COUNTS = (1, 10, 100)
SECONDS = 20.0
SPEED = 1.2
PASSES = 3

NOTES = """\
Characters of the shipped controller on winding paths of 24 m, at 60 frames a second: *steps* for all at once, *feet*
one after the other."""


def measure(setup: Setup) -> list[Part]:
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
    return [table(head, rows), NOTES]


def bake(model: ControllerModel, count: int) -> tuple[int, float, float]:
    """Return the number of frames of all characters, the seconds of the steps, and the seconds of the foot locks."""
    walks = [begin_walk(model, WalkRequest(Path(way(number)), SPEED, seed=number)) for number in range(count)]
    start = perf_counter()
    batch_walks(walks)
    while walks[0].advance(1000):
        pass
    middle = perf_counter()
    frames = sum(len(walk.finish().clip) for walk in walks)
    return frames, middle - start, perf_counter() - middle


def way(number: int) -> np.ndarray:
    """Return points (N, 2) of a character's path: an individual wave."""
    rng = np.random.default_rng(number)
    x = np.arange(0.0, SECONDS * SPEED, 0.1)
    wave = rng.uniform(0.2, 1.0) * np.sin(2 * np.pi * x / rng.uniform(6.0, 12.0))
    return np.stack([x, wave], axis=-1) + rng.uniform(-20, 20, 2)
