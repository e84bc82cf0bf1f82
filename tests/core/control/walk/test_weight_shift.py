"""Weight shifts: toward the foot that stays, before the first step only, and back to the path."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, Wait
from footfall.core.control.walk.path_tables import PlanSamples
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.control.walk.rollout_trace import RolloutTrace
from footfall.core.control.walk.weight_shift import WeightShift
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array
from footfall.core.motion.signals import runs_of

MAX_SHIFT_M = 0.05
Controller = Callable[..., ControllerModel]

NORTH = Path(np.array([[0.0, 0.0], [0.0, 8.0]]))


def walked(model: ControllerModel, seed: int = 0, cues: Cues | None = None) -> RolloutTrace:
    walk = begin_walk(model, WalkRequest(NORTH, 1.2, seed=seed, cues=cues or Cues()))
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


# --- A frame of it, of a body whose right foot is 9 cm beside its root and whose left foot is 8 cm

LEAVES, RESTS, WALKS = (0.0, 1.0), (0.0, 0.0), (1.0, 1.0)
"""Weights of moving now and in half a second."""
RIGHT_STAYS, LEFT_STAYS = (0.15, 0.66, 0.9), (0.16, 0.4, 0.65)


def shifted(
    model: ControllerModel,
    shift: float = 0.0,
    phase: float = 0.15,
    moving: tuple[float, float] = LEAVES,
    speed: float = 1.0,
    yaw_offset: float = 0.0,
    right: float = 0.09,
    frames: int = 1,
) -> float:
    """The shift after some frames."""
    feet = [model.joints.index(model.skeleton.names[model.skeleton.joint(f"foot.{side}")]) for side in "RL"]
    pose = np.zeros((1, len(model.joints), 3))
    pose[0, feet, 0] = right, -0.08
    runtime = cast("Any", SimpleNamespace(phase=np.array([phase]), state=SimpleNamespace(pose=pose)))
    zeros = np.zeros((1, 6))
    speeds = np.where(np.arange(6) == 3, speed, 0.0)[None]
    plans = PlanSamples(zeros, speeds, zeros + yaw_offset, zeros, zeros, np.zeros((1, 6, 4)))
    weights = np.array([[moving[0], 0.0, 0.0, moving[1], 0.0, 0.0]])
    shifts = np.array([shift])
    for _ in range(frames):
        shifts = WeightShift(model).advance(shifts, runtime, plans, weights)
    return float(shifts[0])


def test_a_body_moves_over_to_the_line_beside_the_foot_that_stays(controller: Controller) -> None:
    """Five centimeters beside the foot, at 7 cm/s."""
    model = controller()
    for phase in RIGHT_STAYS:
        assert shifted(model, phase=phase) == pytest.approx(0.07 / 60)
        assert shifted(model, phase=phase, frames=100) == pytest.approx(0.04)
    for phase in LEFT_STAYS:
        assert shifted(model, phase=phase) == pytest.approx(-0.07 / 60)
        assert shifted(model, phase=phase, frames=100) == pytest.approx(-0.03)


def test_a_body_that_rests_keeps_its_shift_and_one_that_walks_returns(controller: Controller) -> None:
    model = controller()
    assert shifted(model, 0.03, moving=RESTS) == 0.03
    assert shifted(model, 0.03, moving=LEAVES, speed=0.0) == 0.03, "a turn on the spot leads nowhere"
    assert shifted(model, 0.03, moving=WALKS) == pytest.approx(0.03 - 0.02 / 60)
    assert shifted(model, -0.03, moving=WALKS) == pytest.approx(-0.03 + 0.02 / 60)
    assert shifted(model, 0.03, moving=WALKS, frames=200) == 0.0
