"""Baking a minute of walking: finished frames a second."""

from time import perf_counter

import numpy as np

from ..core.control.path import Path
from ..core.control.walk import walk_path
from .document import table
from .setup import Setup

TITLE = "Baking a minute of walking"
SECONDS = 60.0
SPEED = 1.2
PASSES = 3


def measure(setup: Setup) -> str:
    """The section's table."""
    model = setup.model()
    path = Path(winding(SECONDS * SPEED))
    durations, frames = [], 0
    for _ in range(PASSES):
        start = perf_counter()
        frames = len(walk_path(model, path, SPEED).clip)
        durations.append(perf_counter() - start)
    best = min(durations)
    rows = [["core: features, network, path, foot locks", frames, best, frames / best, frames / best / model.rate]]
    head = ["what", "frames", f"s, best of {PASSES}", "frames a second", "times real time"]
    return table(head, rows) + "\n\nReach: 5 times real time with keys written; a peer takes 20 ms a step (0.8 times)."


def winding(length: float) -> np.ndarray:
    """Points (N, 2) of a wave of 1 m amplitude and 12 m wavelength, about so long."""
    x = np.arange(0.0, length, 0.05)
    points = np.stack([x, np.sin(2 * np.pi * x / 12.0)], axis=-1)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
    return points[way <= length]
