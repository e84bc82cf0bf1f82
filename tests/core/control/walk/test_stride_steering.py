"""Steered strides: phases meet a plan within bounds, and walks over stairs resume to the bit."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import WalkRollout, begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.control.walk.stride_steering import StrideSteering
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import Array
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import relief, stairs

MAX_STEERING_HZ = 0.35
Controller = Callable[..., ControllerModel]


@pytest.fixture(scope="module")
def shipped() -> ControllerModel:
    return load_model(Path(shipped_controller()))


def rolled_out(model: ControllerModel, walk_scene: WalkScene, points: list[list[float]]) -> WalkRollout:
    walk = begin_walk(model, WalkRequest(WalkPath(np.array(points)), 1.1, walk_scene))
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
    start = [[0.0, 0.0], [7.0, 0.0]]
    before = rolled_out(shipped, scene, [*start, [9.0, 0.0]])
    again, fresh = (
        begin_walk(shipped, WalkRequest(WalkPath(np.array([*start, [7.0, 2.0]])), 1.1, scene)) for _ in range(2)
    )
    kept = again.resume_from(before)
    assert kept > 0.4 * before.frames_done
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


# --- A frame of it


class Tables:
    """A path on which cycles, the weight of steering, and leads are the same everywhere."""

    def __init__(self, cycles: float = 0.0, steering: float = 1.0, leads: float = 0.0) -> None:
        self._known = {"cycles": cycles, "steering": steering, "leads": leads}
        self.asked: list[Array] = []

    def path_at(self, lengths: Array) -> SimpleNamespace:
        self.asked.append(lengths)
        return SimpleNamespace(**{name: np.full(np.shape(lengths), value) for name, value in self._known.items()})


def steered(
    model: ControllerModel,
    tables: Tables,
    before: float,
    after: float,
    walking: float = 1.0,
    strikes: tuple[float, float, float] = (0.0, 1.0, 1.0),
    arc_length: float = 2.0,
    soles: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, list[float]]:
    """The phase, and what is known of the strikes, after a frame in which a phase has gone on.

    The ankles and toe joints of both feet are at `soles` before the root.
    """
    steering, pose = StrideSteering(model), np.zeros((1, len(model.joints), 3))
    for side in "RL":
        for part, ahead in zip(("foot", "toe"), soles, strict=True):
            joint = model.skeleton.names[model.skeleton.joint(f"{part}.{side}")]
            pose[0, model.joints.index(joint), 1] = ahead
    runtime = SimpleNamespace(phase=np.array([after]), state=SimpleNamespace(pose=pose))
    made = steering.steer(
        np.array([strikes]),
        cast("Any", runtime),
        cast("Any", tables),
        np.array([arc_length]),
        np.array([before]),
        np.array([walking]),
    )
    return float(runtime.phase[0]), made[0].tolist()


def test_the_plan_is_read_farther_on_by_what_feet_strike_farther_on(controller: Controller) -> None:
    tables = Tables()
    steered(controller(), tables, 0.29, 0.3, strikes=(0.07, 1.0, 1.5))
    np.testing.assert_allclose(tables.asked[0], [2.07])
    np.testing.assert_allclose(tables.asked[1], [[1.0, 1.5]])
