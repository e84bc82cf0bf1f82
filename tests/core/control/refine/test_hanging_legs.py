"""Legs that hang from seats over the height of the knees."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.hanging_legs import hang_legs
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import Array
from footfall.tests.core.control.interaction.test_sequencer import block, play


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
