"""What the checks of labels see of a clip."""

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.labelling.review.context import (
    ReviewContext,
    sensor_display_name,
)
from footfall.tests.support.walker import Walker

from .contexts import context


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_tracks_are_in_meters_of_an_adult_and_smoothed_over_a_tenth_of_a_second(scale: float) -> None:
    clip = Walker(seconds=3.0, scale=scale).clip()
    labels = label_clip(clip)
    found = ReviewContext.of(clip, labels, BIPED_PRESET).sensor_tracks[:, 1]
    toe = clip.positions[:, clip.skeleton.joint("toe.L")] / scale
    np.testing.assert_allclose(found[50], toe[47:54].mean(axis=0), atol=1e-9)


def test_a_foot_without_a_toe_is_called_a_foot() -> None:
    assert context({"foot.L": [], "toe.R": []}).display_name(0) == "Left heel"
    assert context({"foot.L": [], "foot.R": []}).display_name(0) == "Left foot"
    assert sensor_display_name("front_foot.L") == "Left front foot"
    assert sensor_display_name("prop") == "prop"
