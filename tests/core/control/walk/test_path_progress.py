"""The place of a character on its path follows the nearest point, and never leaps."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.measures.sharp_paths import random_sharp_path
from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import plan_timing
from footfall.core.control.walk.path_progress import (
    advance_on_paths,
)
from footfall.core.control.walk.path_tables import PathTables
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.evaluation.motion_detail import joint_speeds
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import Array
from footfall.core.terrain.walk_scene import WalkScene

MAX_OVERTAKING_M_S = 0.3
MAX_RETREAT_M_S = 0.3
DT = 1 / 60
REVERSAL = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 0.04]])
"""Two arms that lie 4 cm apart at their other end."""
FASTEST_RAD_S = 20.0
"""Speed of a joint that people do not reach."""


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(Path(shipped_controller()))


def tables(points: Array) -> PathTables:
    path = WalkPath(points)
    profile = TerrainProfile.from_path(path, WalkScene(), 0.0)
    return PathTables([path], [profile], [plan_timing(path, 1.2, 60.0, profile)])


def test_it_does_not_leap_to_the_other_arm_and_back() -> None:
    found, length, speed = tables(REVERSAL), np.array([2.6]), np.array([0.5])
    limits = (-MAX_RETREAT_M_S * DT - 1e-9, (speed[0] + MAX_OVERTAKING_M_S) * DT + 1e-9)
    for frame in range(120):
        beside = 0.02 + 0.02 * (-1) ** frame  # on either arm by turns
        before = length
        length = advance_on_paths(found, np.array([[2.7, beside]]), length, np.array([3.0]), speed, DT)
        assert limits[0] <= (length - before)[0] <= limits[1]


def test_it_comes_to_the_other_arm_in_the_end() -> None:
    found, length = tables(REVERSAL), np.array([2.9])
    for frame in range(120):
        at = 2.9 - 0.8 * frame * DT  # on its way back
        planned = np.array([3.1 + 0.8 * frame * DT])
        length = advance_on_paths(found, np.array([[at, 0.03]]), length, planned, np.array([0.8]), DT)
    place = found.path_at(length[:, None])
    assert length[0] > 4.0
    np.testing.assert_allclose(place.points[0, 0], [at, 0.03], atol=0.05)


def test_no_joint_turns_faster_than_peoples_on_sharp_paths(model: ControllerModel) -> None:
    walk = begin_walk(model, WalkRequest(WalkPath(random_sharp_path(1, 30.0)), 1.2, seed=1))
    while walk.advance(1000):
        pass
    assert joint_speeds(walk.finish().clip).max() < FASTEST_RAD_S
