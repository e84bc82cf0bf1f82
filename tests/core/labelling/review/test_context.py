"""What the checks of labels see of a clip."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.labelling.review.context import (
    ReviewContext,
    format_seconds,
    inner_runs,
    sensor_display_name,
)
from footfall.core.labelling.sensors import Sensor
from footfall.tests.support.walker import Walker

from .contexts import FRAMES, context


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_tracks_are_in_meters_of_an_adult_and_smoothed_over_a_tenth_of_a_second(scale: float) -> None:
    clip = Walker(seconds=3.0, scale=scale).clip()
    labels = label_clip(clip)
    found = ReviewContext.of(clip, labels, BIPED_PRESET).sensor_tracks[:, 1]
    toe = clip.positions[:, clip.skeleton.joint("toe.L")] / scale
    np.testing.assert_allclose(found[50], toe[47:54].mean(axis=0), atol=1e-9)


def test_of_a_sensor_that_the_preset_lacks_no_track_is_known() -> None:
    clip = Walker(seconds=3.0).clip()
    labels = label_clip(clip)
    names = ("prop", *labels.contact_joints[1:])
    seen = ReviewContext.of(clip, replace(labels, contact_joints=names), BIPED_PRESET)
    assert np.isnan(seen.sensor_tracks[:, 0]).all() and np.isfinite(seen.sensor_tracks[:, 1:]).all()


def test_a_foot_is_down_with_any_of_its_sensors() -> None:
    seen = context({"toe.L": [(10, 20)], "prop": [(0, 100)], "foot.L": [(15, 30)], "foot.R": [(40, 50)]})
    assert seen.feet == {"L": (2, 0), "R": (3,)}
    assert {side: np.flatnonzero(down).tolist() for side, down in seen.down.items()} == {
        "L": list(range(10, 30)),
        "R": list(range(40, 50)),
    }
    assert [seen.subject(column) for column in range(4)] == ["feet", "prop", "feet", "feet"]
    assert context({"prop": []}).feet == {}


def test_sensors_have_their_presets_shortest_contact_and_surface() -> None:
    hand = Sensor("hand.L", "hand.L", "joint:head", shortest=0.2)
    preset = replace(BIPED_PRESET, sensors=(*BIPED_PRESET.sensors, hand))
    labels = context({"toe.L": [], "hand.L": [], "prop": []}).labels
    seen = ReviewContext(labels, preset, np.zeros((FRAMES, 3, 3)))
    assert [seen.min_contact_duration(column) for column in range(3)] == [0.06, 0.2, 0.06]
    assert [seen.touches_ground(column) for column in range(3)] == [True, False, False]
    assert [seen.sensor_name(column) for column in range(3)] == ["toe.L", "hand.L", "prop"]


def test_a_foot_without_a_toe_is_called_a_foot() -> None:
    assert context({"foot.L": [], "toe.R": []}).display_name(0) == "Left heel"
    assert context({"foot.L": [], "foot.R": []}).display_name(0) == "Left foot"
    assert sensor_display_name("front_foot.L") == "Left front foot"
    assert sensor_display_name("prop") == "prop"


def test_seconds_have_two_digits_below_one() -> None:
    assert [format_seconds(value) for value in (0.123, 0.994, 1.0, 12.34)] == ["0.12 s", "0.99 s", "1.0 s", "12.3 s"]


def test_inner_runs_begin_and_end_inside() -> None:
    state = np.array([1, 0, 1, 1, 0, 1], dtype=bool)
    assert inner_runs(state).tolist() == [[2, 4]]
    assert inner_runs(~state).tolist() == [[1, 2], [4, 5]]
