"""A small made-up person whose joints are known exactly."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion.clip import Clip
from footfall.core.motion.rotations import from_euler
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.small_bvh import PERSON, Bvh

# name, parent, rest offset in meters: Z up, the person looks along -Y as in a file that was Y up and looked along Z.
JOINTS = [
    ("hips", -1, (0.0, 0.0, 0.0)),
    ("lfemur", 0, (0.1, 0.0, -0.05)),
    ("ltibia", 1, (0.0, 0.0, -0.4)),
    ("lfoot", 2, (0.0, 0.0, -0.4)),
    ("rfemur", 0, (-0.1, 0.0, -0.05)),
    ("rtibia", 4, (0.0, 0.0, -0.4)),
    ("rfoot", 5, (0.0, 0.0, -0.4)),
    ("lowerback", 0, (0.0, 0.0, 0.1)),
    ("thorax", 7, (0.0, 0.0, 0.3)),
    ("head", 8, (0.0, 0.0, 0.25)),
]


def person(scale: float = 1.0) -> Skeleton:
    """The skeleton of JOINTS, with feet that point forwards."""
    names, parents, offsets = zip(*JOINTS, strict=True)
    tips = np.zeros((len(names), 3))
    tips[[3, 6]] = 0.0, -0.15, -0.05
    tips[9] = 0.0, 0.0, 0.2
    return Skeleton(names, parents, np.array(offsets) * scale, tips * scale)


@pytest.fixture
def clip() -> Clip:
    """Two seconds at 60 Hz: the person walks off, every joint turns smoothly about all its axes."""
    skeleton, time = person(), np.arange(121) / 60
    joints = np.arange(len(skeleton))
    angles = 0.6 * np.sin(2 * np.pi * time[:, None, None] + joints[None, :, None] + np.arange(3))
    roots = np.stack([0.1 * np.sin(time), -1.2 * time, 0.87 + 0.02 * np.cos(9 * time)], axis=-1)
    return Clip(skeleton, 60.0, roots, from_euler(angles * [0.4, 0.5, 1.0], "ZXY"), "made up")


@pytest.fixture
def file(tmp_path: Path) -> Bvh:
    """Writes a text, PERSON unless given, with replacements, as a file."""

    def write(*replacements: tuple[str, str], text: str | bytes = PERSON) -> Path:
        path = tmp_path / "clip.bvh"
        if isinstance(text, str):
            for old, new in replacements:
                assert old in text
                text = text.replace(old, new)
            text = text.encode()
        path.write_bytes(text)
        return path

    return write
