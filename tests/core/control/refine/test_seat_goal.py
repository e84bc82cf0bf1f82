"""Hips on their way to a seat: no jumps, onto usual seats, those at the height of standing hips and higher ones."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import scipy

from footfall.core.control.interaction.actions.base import SeatContact
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine import seat_goal
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.seat_goal import hip_goal
from footfall.core.control.refine.seat_pose import hips_over_seat
from footfall.core.features.interaction import ACTIONS
from footfall.core.motion import Clip
from footfall.core.motion.blending import smooth_step
from footfall.core.motion.rotations import Array, from_axis_angle
from footfall.core.scene.full_body_ik import EffectorGoal
from footfall.tests.core.control.interaction.test_sequencer import block, play
from footfall.tests.support.walker import person

SIT = ACTIONS.index("sit")


@pytest.mark.parametrize("height", [0.45, 0.62, 0.75, 0.9])
def test_hips_come_over_a_seat_and_leave_it_without_a_jump(height: float) -> None:
    stool = block("stool", "seat", (0.4, 0.4, height), (0.0, 3.0, 0.0))
    done = play([stool], InteractionTask("sit", 0, duration=2.0))
    clip, reached = decode_interaction(done.recording), done.recording.event_frame("reached", 0)
    assert reached is not None
    # A network's body bends before it meets the seat, with hips lower than a stand's, and its action rises slowly.
    met = int(np.argmax(done.recording.actions[:, SIT] > 0.5))
    before = smooth_step((np.arange(len(clip)) - (met - 70)) / 60)
    clip = replace(clip, root_positions=clip.root_positions - 0.25 * before[:, None] * [0.0, 0.0, 1.0])
    actions = done.recording.actions.copy()
    actions[:met, SIT] = 0.9 * before[:met]
    goal = hip_goal(done.recording, clip, actions, 1.0)
    assert goal is not None
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    solved = hips + goal.weights[:, None] * (goal.positions - hips)
    np.testing.assert_allclose(solved[reached + 30], hips_over_seat(stool, clip.skeleton.leg_length), atol=0.01)
    # Higher than the seat and than where they stand they never are.
    assert solved[:, 2].max() < max(hips[:, 2].max(), solved[reached + 30, 2]) + 0.02
    moves = np.diff(solved, axis=0) - np.diff(hips, axis=0)
    assert np.linalg.norm(np.diff(moves, axis=0), axis=1).max() * clip.rate**2 < 40.0


# --- Hips that stay at 1.02 m, of a character that sits from frame 100 to before 300 and has left by frame 420


def goal(
    monkeypatch: pytest.MonkeyPatch, seat: float, weight: Array, lean: tuple[int, int, float] | None = None
) -> EffectorGoal | None:
    """The goal over a seat at a height, at (0.1, 0.2); the trunk leans from a frame to another by some degrees."""

    class Recording:
        model = type("Model", (), {"skeleton": person()})
        tasks = (InteractionTask("sit", 0),)

        def task_intervals(self) -> list[tuple[int, int, int]]:
            return [(50, 300, 0)]

    class Sits:
        def seat_contact(self, recording: Recording, interval: tuple[int, int, int]) -> SeatContact | None:
            return SeatContact(100, np.array([0.1, 0.2, seat]), np.array([0.0, 1.0])) if seat else None

    monkeypatch.setattr(seat_goal, "ACTION_SPECS", {"sit": Sits()})
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (500, len(person()), 1))
    if lean is not None:
        turn = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(lean[2]))
        rotations[lean[0] : lean[1], 0] = turn
    clip = Clip(person(), 60.0, np.tile([0.0, 0.0, 1.02], (500, 1)), rotations)
    actions = np.zeros((500, len(ACTIONS)))
    actions[:, SIT] = weight
    return hip_goal(cast("Any", Recording()), clip, actions, 1.0)


def sitting(first: int = 90, last: int = 310) -> Array:
    return np.where((np.arange(500) >= first) & (np.arange(500) < last), 1.0, 0.0)


def smoothed(weights: Array) -> Array:
    """Smoothed by a Gaussian of a tenth of a second."""
    return scipy.ndimage.gaussian_filter1d(weights, 6.0)


def test_hips_are_brought_over_a_low_seat_with_the_weight_of_sitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the legs over it: 16.3 cm; the seat is left two seconds after the task."""
    found = goal(monkeypatch, 0.45, sitting())
    assert found is not None and found.role == "hips"
    np.testing.assert_allclose(found.positions[50:420], np.tile([0.1, 0.2, 0.45 + 0.194 * 0.84], (370, 1)), atol=1e-9)
    np.testing.assert_allclose(found.positions[:50], np.tile([0.0, 0.0, 1.02], (50, 1)), atol=1e-9)
    expected = np.where((np.arange(500) >= 50) & (np.arange(500) < 420), smoothed(sitting()), 0.0)
    np.testing.assert_allclose(found.weights, expected, atol=1e-9)
    assert goal(monkeypatch, 0.0, sitting()) is None


@pytest.mark.parametrize(("degrees", "waits"), [(29.0, False), (31.0, True)])
def test_hips_that_leave_wait_for_a_lean_of_thirty_degrees(
    monkeypatch: pytest.MonkeyPatch, degrees: float, waits: bool
) -> None:
    """The trunk leans most from frame 330 on: up to an eighth of a second before, the hips stay on the seat."""
    found = goal(monkeypatch, 0.45, sitting(last=300), (330, 350, degrees))
    assert found is not None
    weight = sitting(last=300)
    if waits:
        share = np.clip((np.arange(500) - (330 - 8)) / 48, 0.0, 1.0)
        waited = 1 - share**3 * (10 - 15 * share + 6 * share**2)
        weight = np.maximum(weight, np.where((np.arange(500) >= 300) & (np.arange(500) < 420), waited, 0.0))
    expected = np.where((np.arange(500) >= 50) & (np.arange(500) < 420), smoothed(weight), 0.0)
    np.testing.assert_allclose(found.weights, expected, atol=1e-9)


def test_a_lean_that_comes_later_than_a_second_and_a_fifth_is_none_of_getting_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = goal(monkeypatch, 0.45, sitting(last=300))
    for first, same in ((372, True), (371, False)):
        found = goal(monkeypatch, 0.45, sitting(last=300), (first, 400, 40.0))
        assert found is not None and plain is not None
        assert np.array_equal(found.weights, plain.weights) == same


@pytest.mark.parametrize(("rise", "high"), [(0.059, False), (0.061, True)])
def test_onto_a_high_seat_hips_rise_three_tenths_of_a_second_before_they_come_over_it(
    monkeypatch: pytest.MonkeyPatch, rise: float, high: bool
) -> None:
    """From a rise of six centimeters on; the seat is no higher than the knees of a larger body would be."""
    seat = 1.02 + rise - 0.194 * 0.84
    monkeypatch.setattr(seat_goal, "feet_hang", lambda body, hip_height: False)
    found = goal(monkeypatch, seat, sitting())
    assert found is not None
    weight = np.where((np.arange(500) >= 50) & (np.arange(500) < 420), smoothed(sitting()), 0.0)
    if not high:
        np.testing.assert_allclose(found.weights, weight, atol=1e-9)
        return
    early = scipy.ndimage.gaussian_filter1d(scipy.ndimage.maximum_filter1d(weight, 37), 9.0)
    np.testing.assert_allclose(found.weights, np.maximum(early, weight), atol=1e-9)
    hips = np.array([0.0, 0.0, 1.02])
    solved = hips + found.weights[:, None] * (found.positions - hips)
    np.testing.assert_allclose(solved[:, :2], weight[:, None] * [0.1, 0.2], atol=1e-6)
    assert solved[80, 2] - 1.02 > 5 * weight[80] * rise, "they rise before they come over it"
