"""Legs that hang from seats over the height of the knees."""

from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.interaction.actions.base import SeatContact
from footfall.core.control.interaction.recording import InteractionRecording
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine import hanging_legs
from footfall.core.control.refine.hanging_legs import feet_hang, hang_legs
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import Array
from footfall.tests.core.control.interaction.test_sequencer import block, play
from footfall.tests.support.walker import person


class Recorded:
    """The part of a recording that is looked at."""

    class model:
        """Its controller: of the walker, whose shin is 0.42 m and whose leg is 0.84 m long."""

        skeleton = person()


@pytest.mark.parametrize(("height", "hangs"), [(0.6, False), (0.703, False), (0.704, True), (0.9, True)])
def test_feet_hang_from_hips_higher_than_the_shin_and_a_third_of_the_leg(height: float, hangs: bool) -> None:
    """0.42 m and 0.3375 of 0.84 m: 70.35 cm."""
    assert feet_hang(person(), height) == hangs


def test_the_feet_of_the_body_count_and_not_those_of_the_controller() -> None:
    """Thick flesh raises the hips."""
    done = play([block("stool", "seat", (0.4, 0.4, 0.5), (0.0, 3.0, 0.0))], InteractionTask("sit", 0, duration=1.0))
    clip = decode_interaction(done.recording)
    contacts = FootContacts(np.ones((len(clip), 4)))
    hang = [hang_legs(done.recording, clip, contacts, 1.0, thick)[1] is not contacts for thick in (0.1, 0.3)]
    assert hang == [False, True]


@pytest.fixture(scope="module")
def high() -> tuple[Clip, Clip, FootContacts, int]:
    """A puppet on a high stool, the same with hanging legs, its contacts, and the frame at which it sits."""
    done = play([block("stool", "seat", (0.4, 0.4, 0.78), (0.0, 3.0, 0.0))], InteractionTask("sit", 0, duration=2.0))
    clip = decode_interaction(done.recording)
    made, held = hang_legs(done.recording, clip, FootContacts(np.ones((len(clip), 4))), 1.0)
    reached = done.recording.event_frame("reached", 0)
    assert reached is not None
    return clip, made, held, reached


def joint(clip: Clip, role: str, frame: int = -1) -> Array:
    return clip.positions[frame, clip.skeleton.joint(role)]


def test_thighs_slope_down_to_knees_and_shins_lead_back(high: tuple[Clip, Clip, FootContacts, int]) -> None:
    clip, made, _, _ = high
    ahead = np.append(facing_direction(root_track(clip).yaws[-1]), 0.0)
    reach = 0.42 * np.cos(np.radians(7.0)) - 0.42 * np.sin(np.radians(6.0))
    drop = 0.42 * np.sin(np.radians(7.0)) + 0.42 * np.cos(np.radians(6.0))
    for side in "LR":
        foot = joint(made, f"foot.{side}") - joint(clip, f"thigh.{side}")
        np.testing.assert_allclose(foot, reach * ahead - [0.0, 0.0, drop], atol=0.01)


def test_feet_leave_the_ground_within_a_second_before_the_body_sits(high: tuple[Clip, Clip, FootContacts, int]) -> None:
    clip, made, held, reached = high
    away = np.linalg.norm(made.positions - clip.positions, axis=-1)[:, clip.skeleton.joint("foot.L")]
    begins = int(np.flatnonzero(away > 1e-6)[0])
    assert reached - 75 <= begins <= reached
    lifted = int(np.flatnonzero(held.probabilities.max(axis=1) == 0.0)[0])
    assert reached - 75 <= lifted <= begins
    assert held.probabilities[:lifted].min() == 1.0 and held.probabilities[lifted:].max() == 0.0
    np.testing.assert_allclose(made.positions[:, 0], clip.positions[:, 0], atol=1e-6)


def test_on_a_usual_seat_nothing_changes() -> None:
    done = play([block("stool", "seat", (0.4, 0.4, 0.45), (0.0, 3.0, 0.0))], InteractionTask("sit", 0, duration=1.0))
    clip = decode_interaction(done.recording)
    contacts: Any = FootContacts(np.ones((len(clip), 4)))
    made, held = hang_legs(done.recording, clip, contacts, 1.0)
    assert made is clip and held is contacts


def weights(monkeypatch: pytest.MonkeyPatch, *seats: tuple[int, int, float]) -> Array:
    """Weights (300) of seats at 60 Hz, each from a frame up to before another one, and of a height."""

    class Sitting(Recorded):
        tasks = [InteractionTask("sit", 0)] * len(seats)

        def task_intervals(self) -> list[tuple[int, int, int]]:
            return [(0, stop, number) for number, (_, stop, _) in enumerate(seats)]

    class Sits:
        def seat_contact(self, recording: Sitting, interval: tuple[int, int, int]) -> SeatContact | None:
            start, _, height = seats[interval[2]]
            return SeatContact(start, np.array([0.0, 0.0, height]), np.array([0.0, 1.0])) if height else None

    monkeypatch.setattr(hanging_legs, "ACTION_SPECS", {"sit": Sits()})
    clip = Clip(person(), 60.0, np.zeros((300, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (300, len(person()), 1)))
    return hanging_legs._seated_weights(cast("InteractionRecording", Sitting()), clip, 1.0, 0.1407)


def eased(start: int, stop: int) -> Array:
    """One from the first frame to the last, and a smooth step over a second to both sides."""
    frames = np.arange(300)
    away = np.clip(np.maximum(start - frames, frames - (stop - 1)) / 60, 0.0, 1.0)
    return (1 - away) ** 2 * (1 + 2 * away)


def test_legs_hang_from_the_first_seated_frame_to_the_last_and_ease_in_and_out_over_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = weights(monkeypatch, (100, 161, 0.8))
    np.testing.assert_allclose(found, eased(100, 161), atol=1e-9)
    assert found[[40, 99, 100, 160, 161, 220]].round(3).tolist() == [0.0, 0.999, 1.0, 1.0, 0.999, 0.0]


def test_of_several_seats_the_high_ones_count(monkeypatch: pytest.MonkeyPatch) -> None:
    found = weights(monkeypatch, (20, 30, 0.45), (100, 121, 0.8), (150, 0, 0.0), (200, 221, 0.7))
    np.testing.assert_allclose(found, np.maximum(eased(100, 121), eased(200, 221)), atol=1e-9)
    assert not weights(monkeypatch, (20, 30, 0.45)).any()
