"""The floor below feet at known heights."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.clip import Clip
from footfall.core.motion.floor import estimate_floor_height
from footfall.core.motion.rotations import IDENTITY, Array
from footfall.tests.support.walker import person


def at_heights(heights: Array, scale: float = 1.0) -> Clip:
    """A body at rest whose toes are at heights (F), meters: the lowest joints of its feet."""
    skeleton = person(scale)
    roots = np.zeros((len(heights), 3))
    roots[:, 2] = heights + 0.985 * scale
    return Clip(skeleton, 60.0, roots, np.tile(IDENTITY, (len(heights), len(skeleton), 1)))


def test_feet_without_toes_are_measured_at_their_ankles() -> None:
    clip = at_heights(np.full(10, 0.3))
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if not role.startswith("toe")}
    assert estimate_floor_height(replace(clip, skeleton=replace(clip.skeleton, roles=roles))) == pytest.approx(0.325)


def test_the_lower_foot_counts() -> None:
    clip = at_heights(np.full(10, 0.3))
    offsets = clip.skeleton.offsets.copy()
    offsets[clip.skeleton.roles["toe.R"], 2] -= 0.1
    assert estimate_floor_height(replace(clip, skeleton=replace(clip.skeleton, offsets=offsets))) == pytest.approx(0.18)
