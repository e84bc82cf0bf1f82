"""The recorded frames of a roll-out, for all its characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ..runtime.locomotion_runtime import RuntimeFrames
from .rollout_trace import TRACE_FIELDS, RolloutTrace


@dataclass(frozen=True, slots=True, eq=False)
class FrameRecord:
    """One recorded frame of B characters, those that have not finished.

    Attributes:
        rows: (B) indices of the characters.
        frames: the network's frame of each character.
        gaits: (B, G) commanded weights of G gaits.
        planned_lengths: (B) planned arc lengths, meters.
    """

    rows: NDArray[np.intp]
    frames: RuntimeFrames
    gaits: Array
    planned_lengths: Array


BLOCK_FRAMES: Final = 60
"""Number of frames stored in one array, to save the memory of one object per frame."""


class FrameHistory:
    """The frames recorded so far: blocks of frames of the same characters, and recent frames for the next block."""

    def __init__(self) -> None:
        self._blocks: list[FrameRecord] = []
        """Records with arrays (F, B, ...)."""
        self._recent: list[FrameRecord] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, record: FrameRecord) -> None:
        if self._recent and (len(self._recent) == BLOCK_FRAMES or record.rows is not self._recent[0].rows):
            self._blocks.append(_stacked(self._recent))
            self._recent = []
        self._recent.append(record)
        self._count += 1

    def before_frame(self, frame: int) -> "FrameHistory":
        """Return the history of the first `frame` frames; the two histories share their memory."""
        shared = FrameHistory()
        shared._blocks, shared._count = self._blocks_within(0, frame), min(frame, self._count)
        return shared

    def frame_count(self, character: int) -> int:
        """Return the number of frames of one character."""
        return sum(len(block.gaits) for block in self._all_blocks() if character in block.rows)

    def trace(self, character: int, start: int, stop: int) -> RolloutTrace:
        """Return some recorded frames of one character.

        Args:
            character: index of the character.
            start: first frame.
            stop: frame after the last one; frames beyond the character's end are left out.
        """
        blocks = [block for block in self._blocks_within(start, stop) if character in block.rows]
        rows = [int(np.searchsorted(block.rows, character)) for block in blocks]

        def track(parts: Sequence[Array]) -> Array:
            return np.concatenate([part[:, row] for part, row in zip(parts, rows, strict=True)] or [np.zeros(0)])

        frames = RuntimeFrames(*(track([getattr(block.frames, name) for block in blocks]) for name in TRACE_FIELDS))
        gaits, planned_lengths = (
            track([getattr(one, name) for one in blocks]) for name in ("gaits", "planned_lengths")
        )
        return RolloutTrace(frames, gaits, planned_lengths)

    def _blocks_within(self, start: int, stop: int) -> list[FrameRecord]:
        """Return the records of the frames from `start` to `stop`."""
        found, begin = [], 0
        for block in self._all_blocks():
            end = begin + len(block.gaits)
            if begin < stop and end > start:
                found.append(_slice_of(block, slice(max(start - begin, 0), min(stop - begin, end - begin))))
            begin = end
        return found

    def _all_blocks(self) -> list[FrameRecord]:
        """Return all blocks, including one made of the recent frames."""
        return [*self._blocks, _stacked(self._recent)] if self._recent else self._blocks


def _stacked(records: Sequence[FrameRecord]) -> FrameRecord:
    """Return records of single frames of the same characters stacked into one record with arrays (F, B, ...)."""
    frames = RuntimeFrames(*(np.stack([getattr(record.frames, name) for record in records]) for name in TRACE_FIELDS))
    gaits, planned_lengths = (
        np.stack([getattr(record, name) for record in records]) for name in ("gaits", "planned_lengths")
    )
    return FrameRecord(records[0].rows, frames, gaits, planned_lengths)


def _slice_of(block: FrameRecord, frames: slice) -> FrameRecord:
    """Return a block with only a slice of its frames."""
    kept = RuntimeFrames(*(getattr(block.frames, name)[frames] for name in TRACE_FIELDS))
    return FrameRecord(block.rows, kept, block.gaits[frames], block.planned_lengths[frames])
