"""Root motion from stance."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.paws import paw_tracks
from footfall.core.retarget.stance_travel import add_stance_travel, require_stance_velocity, stance_velocity
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, trot

SPEED = 2 * BEAT_HZ * STRIDE_M
"""Speed of stance paws: their way in half a cycle."""


def test_the_ground_passes_at_the_speed_of_the_stance_paws() -> None:
    clip, _ = trot(dog())
    velocity = stance_velocity(clip)
    assert velocity is not None and np.allclose(velocity, [0.0, SPEED], atol=0.02)


def test_with_its_travel_a_trot_on_the_spot_does_not_slide() -> None:
    clip, stands = trot(dog())
    moved = add_stance_travel(clip)
    assert np.allclose(
        moved.root_positions[-1] - moved.root_positions[0], [0.0, -SPEED * clip.duration, 0.0], atol=0.05
    )
    steps = np.linalg.norm(np.diff(paw_tracks(moved)[..., :2], axis=0), axis=-1)
    assert np.median(steps[stands[1:] & stands[:-1]]) < 1e-3


def test_three_mapped_legs_are_refused_in_a_sentence() -> None:
    clip, _ = trot(dog())
    three = {
        role: joint for role, joint in clip.skeleton.roles.items() if role not in ("front_thigh.L", "front_shin.L")
    }
    with pytest.raises(FootfallError, match="the left front leg has none"):
        stance_velocity(replace(clip, skeleton=replace(clip.skeleton, roles=three)))


def test_a_clip_that_is_not_on_the_spot_is_refused_in_a_sentence() -> None:
    clip, _ = trot(dog(), travels=True)
    with pytest.raises(
        FootfallError, match="do not slide back over the ground: the animation already travels, or it stands still"
    ):
        require_stance_velocity(clip)
