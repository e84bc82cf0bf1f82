"""Legs that hang from seats over the height of the knees."""

from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.interaction.actions.base import SeatContact
from footfall.core.control.interaction.recording import InteractionRecording
from footfall.core.control.interaction.task import InteractionTask
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


@pytest.mark.parametrize(("height", "hangs"), [(0.5, False), (0.562, False), (0.563, True), (0.8, True)])
def test_feet_hang_from_a_seat_higher_than_the_shin_and_a_sixth_of_the_leg(height: float, hangs: bool) -> None:
    """0.42 m and 0.17 of 0.84 m: 56.3 cm."""
    contact = SeatContact(0, np.array([0.0, 3.0, height]), np.array([0.0, 1.0]))
    assert feet_hang(cast("InteractionRecording", Recorded()), contact) == hangs


@pytest.fixture(scope="module")
def high() -> tuple[Clip, Clip, FootContacts, int]:
    """A puppet on a high stool, the same with hanging legs, its contacts, and the frame at which it sits."""
    done = play([block("stool", "seat", (0.4, 0.4, 0.78), (0.0, 3.0, 0.0))], InteractionTask("sit", 0, duration=2.0))
    clip = decode_interaction(done.recording)
    made, held = hang_legs(done.recording, clip, FootContacts(np.ones((len(clip), 4))))
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
    made, held = hang_legs(done.recording, clip, contacts)
    assert made is clip and held is contacts
