"""Strips show the frames that they should, and are written as pictures."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.strips import (
    FRAMES,
    TOPICS,
    rest_frames,
    stride_frames,
)
from footfall.core.errors import FootfallError
from footfall.tests.support.walker import Walker


def test_a_stride_is_shown_from_strike_to_strike() -> None:
    walker = Walker(seconds=8.0)
    frames = stride_frames(1.1)(walker.clip(), FRAMES, 0)
    assert frames[-1] - frames[0] == walker.cycle * walker.rate
    with pytest.raises(FootfallError, match="stride"):
        stride_frames(1.1)(walker.clip().cut(0, 20), FRAMES, 0)


def test_a_rest_is_shown_from_its_begin_to_its_end() -> None:
    walker = Walker(seconds=14.0, pause=4.0)
    clip = walker.clip()
    resting = np.flatnonzero(walker.resting)
    frames = rest_frames(clip, FRAMES, 0)
    assert abs(frames[0] - resting[0]) < 40 and abs(frames[-1] - resting[-1]) < 40
    with pytest.raises(FootfallError, match="never rests"):
        rest_frames(Walker(seconds=4.0).clip(), FRAMES, 0)


def test_every_topic_has_its_people(shared_data: Path) -> None:
    missing = [
        name for topic in TOPICS for name in topic.captured if not (shared_data / "mocap" / f"{name}.bvh").is_file()
    ]
    assert missing == []
