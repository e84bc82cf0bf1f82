"""Labeling an hour of mocap: seconds and memory."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, cycle, islice
from time import perf_counter

import numpy as np

from ..core.labelling import label_clip
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from .machine import peak_megabytes
from .setup import Setup
from .tables import Part, table

TITLE = "Labelling an hour of mocap"
RATE = 60.0
HOUR = round(3600 * RATE)


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    clips = [read_bvh(file).resampled(RATE) for file in setup.clips("walk", "run", "turn")]
    count = _count(clips)
    rows: list[list[object]] = []
    for name in (f"{count} clips", "one clip"):
        many = islice(_repeated(clips), count)
        rows.append([name, *_timed(many if name != "one clip" else iter([_joined(list(many))]))])
    rows.append(["reach", HOUR, 20, HOUR / 20, None])
    head = ["an hour as", "frames at 60 Hz", "seconds", "frames a second", "peak memory beside the clips, MB"]
    return [
        table(head, rows),
        "Contacts, phase and gait, forward kinematics included, reading the files not; "
        f"{len(clips)} CMU walks, runs and turns of {len(clips[0].skeleton)} joints, repeated.",
    ]


def _timed(hour: Iterator[Clip]) -> tuple[int, float, float, float]:
    """Return the number of frames, the seconds, the frames per second and the growth of the peak memory."""
    before, frames, seconds = peak_megabytes(), 0, 0.0
    for clip in hour:
        start = perf_counter()
        label_clip(clip)
        seconds += perf_counter() - start
        frames += len(clip)
    return frames, seconds, frames / seconds, peak_megabytes() - before


def _repeated(clips: Sequence[Clip]) -> Iterator[Clip]:
    """Yield the clips repeatedly, as new objects, so that no cached result is reused."""
    return (replace(clip) for clip in cycle(clips))


def _count(clips: Sequence[Clip]) -> int:
    """Return the number of repeated clips in an hour."""
    return next(count for count, frames in enumerate(accumulate(map(len, cycle(clips))), start=1) if frames >= HOUR)


def _joined(clips: Sequence[Clip]) -> Clip:
    """Return one clip, on the skeleton of the first, with jumps of the root between the parts."""
    roots = np.concatenate([clip.root_positions for clip in clips])
    return replace(clips[0], root_positions=roots, rotations=np.concatenate([clip.rotations for clip in clips]))
