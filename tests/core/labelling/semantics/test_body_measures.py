"""Measures of statues, whose joints are where they are told."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.labelling.semantics.body_measures import BodyMeasures
from footfall.core.motion import Clip

from .statues import FRAMES, between, measured, statue


def of(clip: Clip, ground: float = 0.0) -> BodyMeasures:
    return BodyMeasures(clip, np.zeros((len(clip), 6)), np.full((len(clip), 2), ground), {})


def without(clip: Clip, *roles: str) -> Clip:
    kept = {role: joint for role, joint in clip.skeleton.roles.items() if role not in roles}
    return replace(clip, skeleton=replace(clip.skeleton, roles=kept))


def test_smoothing_is_a_gaussian_whose_sum_stays() -> None:
    body = of(statue({}))
    one = np.zeros(FRAMES)
    one[60] = 1.0
    spread = body.smooth(one, 0.1)
    assert spread.sum() == pytest.approx(1.0)
    assert np.sqrt(spread @ (np.arange(FRAMES) - 60) ** 2) == pytest.approx(6.0, abs=0.01)
    short = np.array([0.0, 0.0, 1.0, 0.0])
    np.testing.assert_allclose(body.smooth(short, 10.0), body.smooth(short, 1 / 60), rtol=0, atol=1e-12)
    np.testing.assert_allclose(body.smooth(short, 0.0), short)


def test_heights_are_over_the_lower_ground_in_meters_of_an_adult() -> None:
    clip = statue({}, scale=0.5)
    body = BodyMeasures(clip, np.zeros((FRAMES, 6)), np.tile([0.3, 0.1], (FRAMES, 1)), {})
    np.testing.assert_allclose(body.ground_height, 0.1)
    np.testing.assert_allclose(body.height(body.hips), (0.5 - 0.1) / 0.5)
    np.testing.assert_allclose(body.height(body.left_and_right("foot")), (0.05 - 0.1) / 0.5)


def test_a_step_of_the_ground_is_smoothed() -> None:
    ground = np.repeat([0.0, 0.2], [60, 61])[:, None] * [1.0, 1.0]
    height = BodyMeasures(statue({}), np.zeros((FRAMES, 6)), ground, {}).ground_height
    assert height[59] + height[60] == pytest.approx(0.2)
    assert height[54] == pytest.approx(0.2 * 0.18, abs=0.004), "a deviation before the step"


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


def test_a_body_that_goes_ahead_carries_its_distances_along() -> None:
    body = of(statue({"hips": (0.4, 0.3, 1.0), "hand.L": (0.3, -0.5, 1.2)}, velocity=(1.0, 2.0, 0.0)))
    np.testing.assert_allclose(body.forward_distance(body.left_and_right("hand")[:, 0]), 0.8)


def test_a_turned_body_faces_across_its_thighs() -> None:
    turned = of(statue({"thigh.L": (0.0, 0.1, 0.94), "thigh.R": (0.0, -0.1, 0.94)}))
    np.testing.assert_allclose(turned.facing, np.tile([1.0, 0.0], (FRAMES, 1)), atol=1e-12)
    none = of(statue({"thigh.L": (0.0, 0.0, 0.94), "thigh.R": (0.0, 0.0, 0.94)}))
    np.testing.assert_array_equal(none.facing, 0.0)


def test_the_speed_is_that_of_the_hips_over_the_ground() -> None:
    np.testing.assert_allclose(of(statue({}, velocity=(0.6, -0.8, 3.0))).speed, 1.0)


def test_a_joint_is_the_first_of_its_roles() -> None:
    body = of(without(statue({}), "neck"))
    head = body.joint("neck", "head", "chest")
    np.testing.assert_allclose(head, np.tile([0.0, 0.0, 1.7], (FRAMES, 1)))
    assert body.joint("neck", "tail") is None


def test_arms_are_as_long_as_both_bones_of_a_side() -> None:
    assert of(statue({"hand.L": (0.2, -0.6, 1.0)})).arm_length == pytest.approx(1.0)
    assert of(statue({}, scale=0.25)).arm_length == pytest.approx(0.25)


@pytest.mark.parametrize("role", ["hand.L", "hand.R", "forearm.L", "forearm.R", "upper_arm.L", "upper_arm.R"])
def test_hands_are_known_with_complete_arms_only(role: str) -> None:
    clip = statue({})
    hands = of(clip).hands
    assert hands is not None
    np.testing.assert_allclose(hands[0], [[0.2, 0.0, 0.8], [-0.2, 0.0, 0.8]])
    np.testing.assert_allclose(of(clip).shoulders[0], [[0.2, 0.0, 1.4], [-0.2, 0.0, 1.4]])
    assert of(without(clip, role)).hands is None


def test_a_part_is_in_contact_if_a_sensor_of_either_side_is() -> None:
    left, right, handle = between(10, 20), between(15, 30), between(50, 60)
    body = measured({}, contacts={"hand.L": left, "hand.R": right, "handle": handle})
    np.testing.assert_array_equal(body.in_contact("hand"), between(10, 30))
    np.testing.assert_array_equal(body.in_contact("handle"), handle)
    assert not body.in_contact("hips").any() and body.in_contact("hips").shape == (FRAMES,)


def test_jogs_and_runs_are_running() -> None:
    body = measured({}, gaits={"jog": 0.25, "run": 0.5, "walk": 0.25})
    np.testing.assert_array_equal(body.running, 0.75)
    np.testing.assert_array_equal(body.gait("walk"), 0.25)
