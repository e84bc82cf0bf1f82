"""Rest: where the phase stops, and how a pose returns to the standing one."""

import numpy as np
import pytest

from footfall.core.control.runtime.resting import StandingPose, phase_at_rest, standing_axes
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array
from footfall.tests.core.control.conftest import GAITS, answering

DT = 1 / 60
PULL = DT / 0.25
LOW = "foot", "toes"
RESTS, MOVES = np.array([True]), np.array([False])


def standing(model: ControllerModel) -> Array:
    return np.asarray(model.start["position"], dtype=float)


def joints_of(model: ControllerModel, *endings: str) -> np.ndarray:
    """The joints (P) whose names have one of the endings, as a mask."""
    return np.array([name.endswith(endings) for name in model.joints])


@pytest.mark.parametrize(("phase", "advance", "after"), [(0.1, 0.2, 0.15), (0.6, 0.2, 0.65), (0.15, 0.2, 0.15)])
def test_a_phase_stops_at_its_next_rest_however_far_the_network_goes(
    phase: float, advance: float, after: float
) -> None:
    found = phase_at_rest(np.array([phase]), np.array([(phase + advance) % 1.0]))
    np.testing.assert_allclose(found, after, atol=1e-9)


@pytest.mark.parametrize(("ratio", "pulled"), [(0.9, True), (1.1, False), (-1.1, True)])
def test_only_a_controller_that_gets_up_by_itself_rises_without_the_pull(ratio: float, pulled: bool) -> None:
    drop = np.array([0.0, 0.0, -ratio * 0.15])
    for gaits, follows in (((*GAITS, "sit"), pulled), ((*GAITS, "lie"), pulled), (GAITS, True)):
        model = answering(gaits=gaits)
        low = standing(model)[None] + model.skeleton.leg_length * drop
        settled = StandingPose(model).settle(low, RESTS, np.zeros(1), DT)
        assert (np.abs(settled - low).max() > 0.0) == follows


def test_the_drop_is_that_of_the_body_over_its_feet() -> None:
    """Feet that are deep down, as on a step, are none."""
    model = answering(gaits=(*GAITS, "sit"))
    low = np.repeat(standing(model)[None], 1, axis=0)
    low[0, joints_of(model, *LOW), 2] -= 5.0
    low[0, 0, 0] += 0.1
    settled = StandingPose(model).settle(low, RESTS, np.zeros(1), DT)
    assert settled[0, 0, 0] - standing(model)[0, 0] == pytest.approx(0.1 * (1 - PULL))


def test_joint_axes_return_as_positions_do() -> None:
    model = answering()
    axes, feet = standing_axes(model), joints_of(model, *LOW)
    assert axes is not None
    pose = StandingPose(model)
    settled = pose.settle_axes(axes[None] + 0.1, RESTS, DT)[0] - axes
    np.testing.assert_allclose(settled[feet], 0.1)
    np.testing.assert_allclose(settled[~feet], 0.1 * (1 - PULL))
    np.testing.assert_array_equal(pose.settle_axes(axes[None] + 0.1, MOVES, DT), axes[None] + 0.1)
    np.testing.assert_allclose(pose.settle_axes(axes[None] + 0.1, RESTS, 1.0)[0, ~feet], axes[~feet], atol=1e-12)
