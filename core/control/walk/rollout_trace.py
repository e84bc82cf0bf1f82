"""The recorded roll-out of one character."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ..runtime.locomotion_runtime import RuntimeFrames

TRACE_FIELDS: Final = ("position", "height", "yaw", "phase", "contacts", "output")
"""Names of the fields of :class:`RuntimeFrames` that are recorded."""


@dataclass(frozen=True, slots=True, eq=False)
class RolloutTrace:
    """The recorded roll-out of one character.

    Attributes:
        frames: the network's F frames.
        gaits: (F, G) commanded gaits.
        planned_lengths: (F) planned arc lengths, meters.
    """

    frames: RuntimeFrames
    gaits: Array
    planned_lengths: Array

    def from_frame(self, frame: int) -> "RolloutTrace":
        """Return the part of the recording from `frame` on."""
        return self._slice(slice(frame, None))

    def before_frame(self, frame: int) -> "RolloutTrace":
        """Return the part of the recording made of the first `frame` frames."""
        return self._slice(slice(frame))

    def concat(self, other: "RolloutTrace") -> "RolloutTrace":
        """Return this recording followed by a second recording of the same character."""
        pairs = ((getattr(self.frames, name), getattr(other.frames, name)) for name in TRACE_FIELDS)
        runtime_frames = RuntimeFrames(*(np.concatenate(pair) for pair in pairs))
        gaits, planned_lengths = (
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("gaits", "planned_lengths")
        )
        return RolloutTrace(runtime_frames, gaits, planned_lengths)

    def _slice(self, frames: slice) -> "RolloutTrace":
        runtime_frames = RuntimeFrames(*(getattr(self.frames, name)[frames] for name in TRACE_FIELDS))
        return RolloutTrace(runtime_frames, self.gaits[frames], self.planned_lengths[frames])
