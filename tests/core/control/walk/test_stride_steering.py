"""Steered strides: phases meet a plan within bounds, and walks over stairs resume to the bit."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import PathWalk
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import relief, stairs

MAX_STEERING_HZ = 0.35
Controller = Callable[..., ControllerModel]


@pytest.fixture(scope="module")
def shipped() -> ControllerModel:
    return load_model(Path(shipped_controller()))


def rolled_out(model: ControllerModel, walk_scene: WalkScene, points: list[list[float]]) -> PathWalk:
    walk = PathWalk(model, WalkPath(np.array(points)), 1.1, walk_scene)
    while walk.advance(1000):
        pass
    return walk


def test_a_phase_is_steered_within_bounds_and_on_stairs_only(controller: Controller) -> None:
    rate = 0.8
    model = controller((0.0, 1.0), phase_rate=rate)
    trace = rolled_out(model, WalkScene(stairs(count=12)), [[-4.0, 0.0], [12.0, 0.0]]).trace
    frames = trace.frames
    advances = np.diff(np.unwrap(2 * np.pi * frames.phase)) / (2 * np.pi) * model.rate
    walking = trace.gaits[:-1, model.gaits.index("stand")] < 0.4
    assert np.abs(advances[walking] - rate).max() <= MAX_STEERING_HZ + 1e-6
    on_stairs = (frames.position[:-1, 0] > 2.5) & (frames.position[:-1, 0] < 5.0)
    assert np.abs(advances[on_stairs] - rate).max() > 0.01
    before = walking & (frames.position[:-1, 0] < -1.0)
    np.testing.assert_allclose(advances[before], rate, atol=1e-5)


def test_a_walk_over_stairs_goes_on_to_the_bit(shipped: ControllerModel) -> None:
    scene = WalkScene(stairs())
    start = [[0.0, 0.0], [12.0, 0.0]]
    before = rolled_out(shipped, scene, [*start, [14.0, 0.0]])
    again, fresh = (PathWalk(shipped, WalkPath(np.array([*start, [12.0, 3.0]])), 1.1, scene) for _ in range(2))
    kept = again.resume_from(before)
    assert kept > 0.5 * before.frames_done
    for walk in (again, fresh):
        while walk.advance(100):
            pass
    np.testing.assert_array_equal(again.trace.frames.phase, fresh.trace.frames.phase)
    np.testing.assert_array_equal(again.trace.frames.position, fresh.trace.frames.position)
    np.testing.assert_array_equal(again.finish().clip.rotations, fresh.finish().clip.rotations)


def test_level_ground_is_not_steered(controller: Controller) -> None:
    model = controller((0.0, 1.2), noise=0.1)
    level = rolled_out(model, WalkScene(relief(lambda xy: np.zeros(xy.shape[:-1]))), [[0.0, 0.0], [6.0, 0.0]])
    kerb = rolled_out(model, WalkScene(stairs(count=1, up=20.0, down=30.0)), [[0.0, 0.0], [6.0, 0.0]])
    np.testing.assert_array_equal(level.trace.frames.phase, kerb.trace.frames.phase)
