"""Starts from standing: time to the commanded speed, and its stability."""

import numpy as np

from ..core.control.path.path import Path
from ..core.control.path.velocity_profile import STAND_BEFORE_S
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation.response import response_time, sustained_speed
from .setup import Setup
from .tables import Part, table

TITLE = "Starts from standing"
SPEEDS = (0.5, 1.0, 1.5, 3.0)
SECONDS = 12.0

NOTES = """\
A straight path; the time runs from the end of the standing lead-in to the first half second whose mean speed is 90 %
of the command. A peer in Blender does not start below 1 m/s."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = setup.model()
    rows: list[list[object]] = []
    for speed in SPEEDS:
        walk = make_walk(model, WalkRequest(Path(np.array([[0.0, 0.0], [SECONDS * speed, 0.0]])), speed))
        clip = walk.clip
        roots = clip.positions[round(STAND_BEFORE_S * clip.rate) :, clip.skeleton.joint("hips"), :2]
        reached = response_time(roots, clip.rate, speed)
        rows.append([speed, reached, sustained_speed(roots, clip.rate, speed), "no" if reached is None else "yes"])
    return [table(["commanded m/s", "s to 90 %", "speed kept m/s", "reached"], rows), NOTES]
