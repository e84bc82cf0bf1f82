"""Measures of statues, whose joints are where they are told."""

import numpy as np

from footfall.core.labelling.semantics.body_measures import BodyMeasures
from footfall.core.motion import Clip

from .statues import FRAMES, between, measured, statue


def of(clip: Clip, ground: float = 0.0) -> BodyMeasures:
    return BodyMeasures(clip, np.zeros((len(clip), 6)), np.full((len(clip), 2), ground), {})


def test_heights_are_over_the_lower_ground_in_meters_of_an_adult() -> None:
    clip = statue({}, scale=0.5)
    body = BodyMeasures(clip, np.zeros((FRAMES, 6)), np.tile([0.3, 0.1], (FRAMES, 1)), {})
    np.testing.assert_allclose(body.ground_height, 0.1)
    np.testing.assert_allclose(body.height(body.hips), (0.5 - 0.1) / 0.5)
    np.testing.assert_allclose(body.height(body.left_and_right("foot")), (0.05 - 0.1) / 0.5)


def test_distances_ahead_are_those_from_the_hips_along_the_facing() -> None:
    body = of(statue({"hand.L": (0.3, -0.5, 1.2)}, scale=0.5))
    np.testing.assert_allclose(body.facing, np.tile([0.0, -1.0], (FRAMES, 1)), atol=1e-12)
    left = body.clip.positions[:, body.clip.skeleton.joint("hand.L")]
    np.testing.assert_allclose(body.forward_distance(left), 0.5)
    np.testing.assert_allclose(body.forward_distance(left, body.arm_length), 0.5)
    np.testing.assert_allclose(body.forward_distance(left, 0.1), 2.5)
    hands = body.hands
    assert hands is not None
    np.testing.assert_allclose(body.forward_distance(hands), np.tile([0.5, 0.0], (FRAMES, 1)), atol=1e-12)


def test_a_part_is_in_contact_if_a_sensor_of_either_side_is() -> None:
    left, right, handle = between(10, 20), between(15, 30), between(50, 60)
    body = measured({}, contacts={"hand.L": left, "hand.R": right, "handle": handle})
    np.testing.assert_array_equal(body.in_contact("hand"), between(10, 30))
    np.testing.assert_array_equal(body.in_contact("handle"), handle)
    assert not body.in_contact("hips").any() and body.in_contact("hips").shape == (FRAMES,)
