"""Held boxes that would sink through the table they lie on, or through the ground."""

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from footfall.core.control.interaction.recording import InteractionRecording, ObjectStates
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.object_support import support_held_object
from footfall.core.motion.rotations import Array
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import STOOL, block, play

TABLE_TOP: Final = 0.7
BOX: Final = block("box", "box", (0.4, 0.2, 0.3), (0.0, 2.0, TABLE_TOP))
DESK: Final = np.array([2.2, 1.5, 0.75])
SINK_FRAMES: Final = 30


@pytest.fixture(scope="module")
def recording() -> InteractionRecording:
    """A box that is carried from one place to another."""
    tasks = InteractionTask("carry", 1, position=DESK), InteractionTask("idle", duration=0.2)
    return play([STOOL, BOX], *tasks).recording


def table(thickness: float) -> InteractionObject:
    """Return a board under the box, of a thickness in meters, whose upper side is at its base."""
    return block("table", "surface", (1.2, 1.2, thickness), (0.0, 2.0, TABLE_TOP - thickness))


def on_table(recording: InteractionRecording, board: InteractionObject, depth: float) -> InteractionRecording:
    """Return the recording with the box over the board, sinking by a depth, meters, and rising, after the grasp."""
    took = recording.event_frame("took", 0)
    assert took is not None
    sunk: ObjectStates = []
    for frame, (stool, box, *_) in enumerate(recording.object_states):
        since = np.clip((frame - took) / SINK_FRAMES, 0.0, 1.0)
        at = BOX.position - [0.0, 0.0, depth * np.sin(np.pi * since)]
        sunk.append((stool, replace(box, position=at) if 0 < since < 1 else box, board))
    return replace(recording, objects=(*recording.objects[:2], board), object_states=sunk)


def heights(states: ObjectStates) -> Array:
    return np.array([state[1].position[2] for state in states])


@pytest.mark.parametrize("thickness", [0.7, 0.05])
def test_a_box_stays_on_its_table_while_hands_are_below(recording: InteractionRecording, thickness: float) -> None:
    sunk = on_table(recording, table(thickness), 0.2)
    took = recording.event_frame("took", 0)
    assert took is not None
    before, after = heights(sunk.object_states), heights(support_held_object(sunk))
    inside = slice(took + 1, took + SINK_FRAMES)
    assert before[inside].min() == pytest.approx(TABLE_TOP - 0.2, abs=0.005)
    assert after[inside].min() > TABLE_TOP - 0.002
    assert after[inside].max() < TABLE_TOP + 0.21, "no higher than it sank"
    assert np.abs(np.diff(after[took - 10 : took + SINK_FRAMES])).max() < 0.02, "no jump where it is taken"


def test_it_stays_out_of_the_ground(recording: InteractionRecording) -> None:
    took = recording.event_frame("took", 0)
    assert took is not None
    held = range(took + 2, took + 40)
    low = [
        (stool, replace(box, position=np.array([*box.position[:2], -0.2 if frame in held else 0.0])))
        for frame, (stool, box) in enumerate(recording.object_states)
    ]
    raised = heights(support_held_object(replace(recording, object_states=low)))
    np.testing.assert_allclose(raised[:took], 0.0)
    assert raised[took:].min() > -1e-9
