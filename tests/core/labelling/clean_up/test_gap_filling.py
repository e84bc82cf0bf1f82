"""Gaps in the motion of a body that stands, and of one that jumps from place to place."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling.clean_up.gap_filling import fill_gaps
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.walker import person


def going(
    steps: dict[int, float], usual: float = 0.0, frames: int = 120, scale: float = 1.0, rate: float = 60.0
) -> Clip:
    """A body that is carried ahead by some meters in each frame, and by others before some frames."""
    step = np.full(frames, usual)
    for frame, meters in steps.items():
        step[frame] = meters
    step[0] = 0.0
    skeleton = person(scale)
    roots = np.cumsum(step)[:, None] * [0.0, 1.0, 0.0]
    return Clip(skeleton, rate, roots, np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1)))


def test_a_gap_is_bridged_on_a_straight_line() -> None:
    clip = going({}, usual=0.01)
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    rotations[60:, 3] = from_axis_angle([1.0, 0.0, 0.0], 1.0)
    roots[50:60, 0] = np.nan
    rotations[55:60, 3] = np.inf
    whole, filled = fill_gaps(replace(clip, root_positions=roots, rotations=rotations))
    assert np.flatnonzero(filled).tolist() == list(range(50, 60))
    np.testing.assert_allclose(whole.root_positions, clip.root_positions, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(whole.rotations, axis=-1), 1.0)
    last, first = rotations[49, 3], rotations[60, 3]
    share = last + (first - last) * 6 / 11
    np.testing.assert_allclose(whole.rotations[55, 3], share / np.linalg.norm(share))
    np.testing.assert_array_equal(whole.rotations[:50], clip.rotations[:50])


def test_a_turn_is_bridged_the_short_way_whatever_the_sign_of_its_quaternions() -> None:
    clip = going({})
    rotations = clip.rotations.copy()
    rotations[61:] *= -1
    rotations[60] = np.nan
    whole, _ = fill_gaps(replace(clip, rotations=rotations))
    np.testing.assert_allclose(np.abs(whole.rotations[60, :, 0]), 1.0)


def test_frames_without_numbers_and_strays_are_filled() -> None:
    clip = going({50: 1.0, 53: -1.0})
    roots = clip.root_positions.copy()
    roots[80] = np.nan
    whole, filled = fill_gaps(replace(clip, root_positions=roots))
    assert np.flatnonzero(filled).tolist() == [50, 51, 52, 80]
    np.testing.assert_allclose(whole.root_positions, 0.0, atol=1e-12)


def test_a_clip_whose_moments_are_longer_than_its_motion_is_refused() -> None:
    """At a thousand frames a second all of it is within a tenth of a second of its jump."""
    with pytest.raises(FootfallError, match="moves impossibly fast between most of its 120 frames"):
        fill_gaps(going({70: 1.0}, rate=1000.0))
