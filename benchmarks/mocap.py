"""The mocap rows: the metrics of real walks, on the controller's skeleton and at its rate, by the same code."""

from dataclasses import dataclass

import numpy as np

from ..core.evaluation import mean_standing_heights, mocap_row
from ..core.evaluation.report import MetricReport
from ..core.evaluation.speed import moving_frames, travel_speed
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import Array
from ..core.retarget.fit import fit_clip
from .setup import Setup

SPEEDS = (1.0, 1.4)
STRAIGHT = 0.9
"""Distance from first to last frame, relative to the walked length, above which a walk is straight."""


@dataclass(frozen=True, slots=True, eq=False)
class Mocap:
    """Real walks at 1.0 to 1.4 m/s: their metrics, and the standing heights of their foot joints (C)."""

    straight: MetricReport
    turning: MetricReport
    clearances: Array


def measure_mocap(setup: Setup, model: ControllerModel) -> Mocap:
    """Measure the walks of both splits after fitting them to the controller's skeleton."""
    straight, turning = fitted_walks(setup, model)
    clearances = mean_standing_heights(straight, ground=0.0)
    return Mocap(
        mocap_row(straight, ground=0.0, standing_heights=clearances),
        mocap_row(turning, ground=0.0, standing_heights=clearances),
        clearances,
    )


def fitted_walks(setup: Setup, model: ControllerModel) -> tuple[list[Clip], list[Clip]]:
    """Return the straight and the turning walks of both splits, fitted to the controller's skeleton."""
    straight: list[Clip] = []
    turning: list[Clip] = []
    for file in setup.clips("walk", "turn"):
        clip = fit_clip(read_bvh(file).resampled(model.rate), model.skeleton)
        roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
        speed = float(travel_speed(roots, clip.rate)[moving_frames(roots, clip.rate)].mean())
        if SPEEDS[0] <= speed <= SPEEDS[1]:
            direct = float(np.linalg.norm(roots[-1] - roots[0])) / clip.duration
            (straight if direct > STRAIGHT * speed else turning).append(clip)
    return straight, turning
