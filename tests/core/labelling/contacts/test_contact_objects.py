"""Boxes that can be touched, at rest and moving, and contacts of hands with them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.labelling import label_clip
from footfall.core.labelling.contacts.contact_objects import ContactObject
from footfall.core.labelling.presets import BIPED_PRESET, LabellingPreset
from footfall.core.labelling.sensors import Sensor
from footfall.core.motion.rotations import normalize, rotate, rotation_about_up
from footfall.tests.support.walker import Walker

numbers = st.floats(-3, 3, allow_nan=False)
BOX = ContactObject(np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([2.0, 1.0, 0.5]))


@given(st.tuples(*[numbers] * 3), st.tuples(*[numbers] * 4), st.tuples(*[numbers] * 3))
def test_a_box_that_is_moved_with_its_points_is_as_far(place, turn, point) -> None:
    rotation = normalize(np.array(turn) + np.array([1e-3, 0.0, 0.0, 0.0]))
    moved = ContactObject(np.array([place]), rotation[None], BOX.size)
    there = rotate(rotation, np.array([point])) + place
    np.testing.assert_allclose(moved.distance(there), BOX.distance(np.array([point])), atol=1e-9)


def with_hand(against: str) -> LabellingPreset:
    return replace(BIPED_PRESET, sensors=(*BIPED_PRESET.sensors, Sensor("hand.R", "hand.R", against, height=0.1)))


def test_a_hand_that_carries_a_box_touches_it_while_it_does() -> None:
    clip = Walker(turn=0.4).clip()
    hand = clip.positions[:, clip.skeleton.joint("hand.R")]
    count = len(clip)
    # Carried in the first half, and left behind where it is then.
    places = np.where(np.arange(count)[:, None] < count // 2, hand, hand[count // 2])
    box = ContactObject(places, np.tile(rotation_about_up(0.3), (count, 1)), np.full(3, 0.1))
    labels = label_clip(clip, with_hand("object:box"), {"box": box})
    touching = labels.contacts_of(["hand.R"])[:, 0] > 0.5
    assert touching[: count // 2 - 3].all()
    assert not touching[count // 2 + 12 :].any()


def test_a_hand_that_rests_on_the_other_hand_touches_it() -> None:
    labels = label_clip(Walker().clip(), with_hand("joint:forearm.R"))
    assert not (labels.contacts_of(["hand.R"]) > 0.5).any()  # 0.2 m away
    near = replace(with_hand("joint:hand.R"), name="itself")
    assert (label_clip(Walker().clip(), near).contacts_of(["hand.R"]) > 0.5).all()


def test_an_object_that_was_not_given_is_asked_for() -> None:
    with pytest.raises(FootfallError, match="touches the object 'box', which is missing"):
        label_clip(Walker().clip(), with_hand("object:box"))
