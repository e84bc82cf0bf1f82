"""Rest: where the phase stops, and how a pose returns to the standing one."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.runtime.resting import StandingPose, phase_at_rest, standing_axes
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.rotations import Array, rotation_about_up, to_axis_pair
from footfall.tests.core.control.conftest import GAITS, answering

DT = 1 / 60
PULL = DT / 0.25
LOW = "foot", "toes"
RESTS, MOVES = np.array([True]), np.array([False])


def idling(model: ControllerModel, frames: int) -> ControllerModel:
    """A controller that idles by (n, 0, 0) from its standing pose at frame n."""
    idle = np.zeros((frames, len(model.joints), 3), np.float32)
    idle[..., 0] = np.arange(frames)[:, None]
    return replace(model, start={**model.start, "idle": idle})


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


def test_a_pose_in_motion_does_not_return() -> None:
    model = answering()
    away = standing(model)[None] + 0.1
    np.testing.assert_array_equal(StandingPose(model).settle(away, MOVES, np.zeros(1), DT), away)


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


def test_without_an_idling_motion_there_is_none() -> None:
    assert StandingPose(answering()).idle_seconds == 0.0


def test_an_idling_motion_is_gone_through_between_its_frames_and_begun_again() -> None:
    model = idling(answering(), 4)
    pose, feet = StandingPose(model), joints_of(model, *LOW)
    assert pose.idle_seconds == pytest.approx(4 / 10.0)
    times = np.array([0.0, 1.0, 1.25, 3.5, 4.0, 5.75]) / 10.0
    wanted = [0.0, 1.0, 1.25, 1.5, 0.0, 1.75]
    here = np.repeat(standing(model)[None], len(times), axis=0)
    reached = pose.settle(here, np.ones(len(times), dtype=bool), times, 0.25) - standing(model)
    np.testing.assert_allclose(reached[:, ~feet, 0], np.tile(wanted, ((~feet).sum(), 1)).T, atol=1e-9)
    np.testing.assert_allclose(reached[..., 1:], 0.0, atol=1e-12)


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


def test_standing_axes_are_those_from_the_reference_rotations() -> None:
    """The reference rotation is half a turn about the vertical, and the standing pose is not turned."""
    axes = standing_axes(answering())
    np.testing.assert_allclose(axes, np.tile(to_axis_pair(rotation_about_up(np.array(-np.pi))), (21, 1)), atol=1e-6)


def test_a_file_without_rotations_has_no_axes_to_return_to() -> None:
    model = answering()
    bare = replace(model, start={key: part for key, part in model.start.items() if key != "rotation"})
    assert standing_axes(bare) is None
    axes = np.ones((1, len(model.joints), 6))
    assert StandingPose(bare).settle_axes(axes, RESTS, DT) is axes


def test_only_arms_of_slow_walks_return_the_more_the_slower_they_are() -> None:
    model = answering()
    speeds = np.array([0.0, 0.7, 0.8, 0.9, 1.5])
    away = np.repeat(standing(model)[None], len(speeds), axis=0) + 0.1
    left = StandingPose(model).settle_arms(away, speeds, DT) - standing(model)
    arms = joints_of(model, "humerus", "radius", "wrist")
    np.testing.assert_allclose(left[:, ~arms], 0.1)
    shares = 1 - np.array([1.0, 1.0, 0.5, 0.0, 0.0]) * DT / 0.35
    np.testing.assert_allclose(left[:, arms], np.broadcast_to(0.1 * shares[:, None, None], left[:, arms].shape))
    assert 0 < arms.sum() < len(arms)
