"""Frames of a batch: kept in blocks, given back for each character as they were made."""

import numpy as np
import pytest

from footfall.core.control.runtime.locomotion_runtime import RuntimeFrames
from footfall.core.control.walk.frame_history import BLOCK_FRAMES, FrameHistory, FrameRecord

ENDS = 70
"""Frames of the second of three characters; the others have :data:`FRAMES`."""
FRAMES = 2 * BLOCK_FRAMES + 10
OUTPUTS = 5


def record(frame: int, rows: np.ndarray) -> FrameRecord:
    """A frame whose numbers tell the frame and the character."""
    values = 1000.0 * rows + frame
    frames = RuntimeFrames(
        position=np.stack([values, -values], axis=-1),
        height=values,
        yaw=values,
        phase=values,
        contacts=np.tile(values[:, None], (1, 4)),
        output=np.tile(values[:, None], (1, OUTPUTS)).astype(np.float32),
    )
    return FrameRecord(rows, frames, np.tile(values[:, None], (1, 3)), values)


@pytest.fixture
def history() -> FrameHistory:
    """Return a batch of three, one of which ends before the others."""
    history, everybody, rest = FrameHistory(), np.arange(3), np.array([0, 2])
    for frame in range(FRAMES):
        history.append(record(frame, everybody if frame < ENDS else rest))
    return history


@pytest.mark.parametrize(
    "start, stop", [(0, FRAMES), (3, 5), (BLOCK_FRAMES - 1, BLOCK_FRAMES + 1), (60, 60), (129, 999)]
)
@pytest.mark.parametrize("character", [0, 2])
def test_a_character_has_the_frames_between(history: FrameHistory, character: int, start: int, stop: int) -> None:
    trace = history.trace(character, start, stop)
    expected = 1000.0 * character + np.arange(start, min(stop, FRAMES))
    np.testing.assert_array_equal(trace.planned_lengths, expected)
    if len(expected):
        np.testing.assert_array_equal(trace.frames.position, np.stack([expected, -expected], axis=-1))
        np.testing.assert_array_equal(trace.frames.output[:, -1], expected.astype(np.float32))
        assert trace.frames.output.dtype == np.float32
        assert trace.gaits.shape == (len(expected), 3) and trace.frames.contacts.shape == (len(expected), 4)


@pytest.mark.parametrize("kept", [0, 1, BLOCK_FRAMES, ENDS, ENDS + 1, FRAMES])
def test_a_history_that_goes_on_from_a_frame_leaves_the_other_as_it_is(history: FrameHistory, kept: int) -> None:
    again = history.before_frame(kept)
    assert len(again) == kept
    for frame in range(kept, kept + 3):
        again.append(record(7000 + frame, np.array([0])))
    expected = [*range(kept), *range(7000 + kept, 7000 + kept + 3)]
    np.testing.assert_array_equal(again.trace(0, 0, len(again)).frames.phase, expected)
    np.testing.assert_array_equal(history.trace(0, 0, FRAMES).frames.phase, np.arange(FRAMES))
