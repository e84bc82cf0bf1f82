"""Weight shifts: toward the foot that stays, before the first step only, and back to the path."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, Wait
from footfall.core.control.walk.path_walk import PathWalk
from footfall.core.control.walk.rollout_trace import RolloutTrace
from footfall.core.control.walk.weight_shift import displaced
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array
from footfall.core.motion.signals import runs_of

MAX_SHIFT_M = 0.05
Controller = Callable[..., ControllerModel]

NORTH = Path(np.array([[0.0, 0.0], [0.0, 8.0]]))


def walked(model: ControllerModel, seed: int = 0, cues: Cues | None = None) -> RolloutTrace:
    walk = PathWalk(model, NORTH, 1.2, seed=seed, cues=cues)
    while walk.advance(1000):
        pass
    return walk.trace


def roots_of(model: ControllerModel, seed: int = 0) -> Array:
    return walked(model, seed).frames.position


def test_the_root_moves_before_the_first_step_and_returns(controller: Controller) -> None:
    aside = roots_of(controller((0.0, 1.2)))[:, 0]
    assert aside[0] == 0.0
    assert np.abs(aside).max() == pytest.approx(np.abs(aside[:90]).max()), "within the first second and a half"
    assert 0.01 < np.abs(aside).max() <= MAX_SHIFT_M + 1e-3
    assert abs(aside[-1]) < 0.005


def test_the_phase_tells_the_foot_that_stays(controller: Controller) -> None:
    sides = set()
    for seed in range(1, 9):
        aside = roots_of(controller((0.0, 1.2)), seed)[:, 0]
        sides.add(float(np.sign(aside[np.abs(aside).argmax()])))
    assert sides == {-1.0, 1.0}


def test_a_wait_ends_with_a_shift_of_its_own(controller: Controller) -> None:
    model = controller((0.0, 1.2))
    trace = walked(model, cues=Cues(waits=(Wait(4.0, 5.0),)))
    stands = runs_of(trace.gaits[:, model.gaits.index("stand")] > 0.99)
    (start, stop) = stands[1]
    aside = trace.frames.position[:, 0]
    assert stop - start > 4 * model.rate
    middle = (start + stop) // 2
    np.testing.assert_allclose(aside[middle : stop - round(0.6 * model.rate)], aside[middle], atol=1e-4)
    assert np.abs(aside[stop : stop + 60] - aside[middle]).max() > 0.01


def test_points_are_displaced_to_the_right_of_their_path() -> None:
    points = np.zeros((2, 3, 2))
    moved = displaced(points, np.array([0.1, -0.2]), np.array([0.0, np.pi / 2]))
    np.testing.assert_allclose(moved[0], np.tile([0.1, 0.0], (3, 1)), atol=1e-12)
    np.testing.assert_allclose(moved[1], np.tile([0.0, -0.2], (3, 1)), atol=1e-12)
    assert displaced(points, np.zeros(2), np.zeros(2)) is points
