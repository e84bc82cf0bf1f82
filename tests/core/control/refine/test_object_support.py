"""Held boxes that would sink through the table they lie on, or through the ground."""

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from footfall.core.control.interaction.recording import InteractionRecording, ObjectStates
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.object_support import _near_rows, _rise, _sample_points, support_held_object
from footfall.core.motion.rotations import Array
from footfall.core.scene.interaction_object import InteractionObject, animated_collider
from footfall.tests.core.control.interaction.test_sequencer import STOOL, block, play

MAX_RISE_M = 0.35
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


def test_before_and_after_it_is_where_it_was(recording: InteractionRecording) -> None:
    sunk = on_table(recording, table(0.7), 0.2)
    took = recording.event_frame("took", 0)
    assert took is not None
    after = support_held_object(sunk)
    assert all(after[frame] is sunk.object_states[frame] for frame in [*range(took), len(after) - 1])


def test_beside_a_high_thing_it_does_not_rise(recording: InteractionRecording) -> None:
    wall = block("wall", "obstacle", (1.2, 1.2, TABLE_TOP + MAX_RISE_M + 0.2), (0.0, 2.0, 0.0))
    sunk = on_table(recording, wall, 0.2)
    assert support_held_object(sunk) == sunk.object_states


def test_points_are_in_layers_of_three_centimeters_just_inside_of_the_sides() -> None:
    """Four by four in each layer, a twentieth inside; up to 35 cm of a higher box."""
    points, heights = _sample_points(np.array([-0.2, 0.0, 0.5]), np.array([0.2, 0.1, 0.79]))
    assert len(points) == 4 * 4 * 10
    np.testing.assert_allclose(np.unique(points[:, 0].round(9)), [-0.18, -0.06, 0.06, 0.18])
    np.testing.assert_allclose(np.unique(points[:, 1].round(9)), [0.005, 0.035, 0.065, 0.095])
    np.testing.assert_allclose(np.unique(heights.round(9)), 0.03 * np.arange(10), atol=1e-9)
    np.testing.assert_allclose(points[:, 2], 0.5 + heights)
    assert np.unique(_sample_points(np.zeros(3), np.ones(3))[1].round(9)).max() == 0.33


def lying(height: float, x: float = 0.0) -> InteractionObject:
    """The box at a height, and beside its place."""
    return replace(BOX, position=np.array([x, 2.0, height]))


@pytest.mark.parametrize(
    ("height", "rise"), [(0.7, 0.0), (0.6, 0.1), (0.37, 0.33), (0.34, 0.0), (0.9, 0.0), (-0.1, 0.1)]
)
def test_a_box_rises_out_of_a_board_and_of_the_ground(height: float, rise: float) -> None:
    """A board 70 cm thick; what would have to rise by more than 35 cm is beside it."""
    found = _rise([(lying(height), table(0.7))] if height >= 0 else [(lying(height),)], 0)
    np.testing.assert_allclose(found, [rise], atol=1e-6)


def test_a_box_beside_a_board_does_not_rise() -> None:
    found = _rise([(lying(0.6, x), table(0.7)) for x in (0.0, 0.75, 0.85, 5.0)], 0)
    np.testing.assert_allclose(found, [0.1, 0.1, 0.0, 0.0], atol=1e-6)


def test_things_are_near_up_to_where_their_outlines_meet() -> None:
    """Half of both diagonals: 0.2236 and 0.8485 m."""
    boxes = animated_collider([lying(0.6, x) for x in (0.0, 1.07, 1.08, -1.07, -1.08)])
    boards = animated_collider([table(0.1)] * 5)
    np.testing.assert_array_equal(_near_rows(boxes, boards), [0, 1, 3])
