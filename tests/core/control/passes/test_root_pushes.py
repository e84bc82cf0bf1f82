"""A root that is pushed out of something within a frame is led there."""

from dataclasses import replace

import numpy as np

from footfall.core.control.passes import root_pushes
from footfall.core.control.passes.root_pushes import soften_pushes
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker

PUSHED = 90
"""Frame in which it is pushed."""


def pushed(meters: float) -> Clip:
    """A walk that is 3 cm beside itself from a frame on."""
    clip = Walker(seconds=3.0).clip()
    offset = np.where(np.arange(len(clip))[:, None] < PUSHED, 0.0, [[meters, 0.0, 0.0]])
    return replace(clip, root_positions=clip.root_positions + offset)


def largest_acceleration(clip: Clip) -> float:
    steps = np.diff(clip.root_positions[:, :2], 2, axis=0)
    return float(np.linalg.norm(steps, axis=1).max()) * clip.rate**2


def test_a_push_within_a_frame_is_eased_in_and_out() -> None:
    clip = pushed(0.03)
    soft = soften_pushes(clip)
    assert largest_acceleration(clip) > 90.0
    assert largest_acceleration(soft) < root_pushes.TUNING.max_acceleration
    far = np.abs(np.arange(len(clip)) - PUSHED) > 60
    np.testing.assert_allclose(soft.root_positions[far], clip.root_positions[far], atol=2e-3)
    np.testing.assert_array_equal(soft.root_positions[:, 2], clip.root_positions[:, 2])
    np.testing.assert_array_equal(soft.rotations, clip.rotations)
