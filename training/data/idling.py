"""Idling: small movements of standing people, stored in a controller's file as offsets from a standing pose."""

from typing import Final

import numpy as np

from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.features.rest import IDLE_RATE_HZ
from ...core.models.network import Float32
from ...core.motion.root_frame import out_of_frame
from ...core.motion.rotations import Array
from ...core.motion.signals import runs_of
from .dataset import Dataset

MIN_RUN_S: Final = 2.0
"""Shortest span of standing that counts as idling."""
MAX_TOTAL_S: Final = 60.0
"""Largest total duration of idling that is kept; the longest spans come first."""
MAX_OFFSET_M: Final = 0.1
"""Offset of a joint beyond which a span is not idling but a gesture, a turn or a step."""
FADE_S: Final = 0.5
"""Time over which a span fades from the standing pose, and back to it."""


def idle_offsets(dataset: Dataset) -> list[list[list[float]]]:
    """Return spans of standing: offsets (N, P, 3) of joints from a standing pose, meters, root's frame, at 10 Hz.

    The longest span is first; the list is empty if no clip stands for two seconds.
    """
    stretches: list[Array] = []
    for clip in dataset.clips:
        _, y, _ = dataset.samples_on_terrain(clip)
        resting = dataset.output_layout.view(np.asarray(y), "phase.rate")[:, 0] == 0.0
        for sequence in clip.sequences:
            if sequence.variant.endswith("mirrored"):
                continue
            for start, stop in runs_of(resting[sequence.start : sequence.stop]) + sequence.start:
                if stop - start < MIN_RUN_S * FEATURE_RATE_HZ:
                    continue
                offsets = _fixed_frame_offsets(dataset, np.asarray(y[start:stop]))
                if np.abs(offsets).max() < MAX_OFFSET_M:
                    stretches.append(offsets)
    stretches.sort(key=len, reverse=True)
    kept, total = [], 0
    for stretch in stretches:
        if total + len(stretch) > MAX_TOTAL_S * IDLE_RATE_HZ:
            break
        kept.append(stretch)
        total += len(stretch)
    return np.round(np.concatenate(kept), 5).tolist() if kept else []


def _fixed_frame_offsets(dataset: Dataset, y: Float32) -> Array:
    """Return the offsets (N, P, 3), meters, of the pose joints in outputs (F, m), relative to a fixed root."""
    layout = dataset.output_layout
    turns = np.cumsum(layout.view(y, "root.angular_velocity")[:, 0].astype(float)) / FEATURE_RATE_HZ
    steps = out_of_frame(layout.view(y, "root.velocity").astype(float), turns) / FEATURE_RATE_HZ
    roots = np.concatenate([np.cumsum(steps, axis=0), np.zeros((len(y), 1))], axis=1)
    positions = roots[:, None] + out_of_frame(layout.view(y, "pose.position").astype(float), turns[:, None])
    offsets = positions - positions.mean(axis=0)
    frames = np.arange(len(y))
    fade = np.minimum(1.0, np.minimum(frames, frames[::-1]) / (FADE_S * FEATURE_RATE_HZ))
    return (offsets * fade[:, None, None])[:: round(FEATURE_RATE_HZ / IDLE_RATE_HZ)]
