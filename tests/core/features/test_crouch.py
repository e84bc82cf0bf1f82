"""The depth of a crouch, from upright to the deepest that a network sees."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.crouch import FULL_CROUCH_DROP_RATIO, crouch_depth, upright_height
from footfall.core.features.locomotion import gait_inputs, network_gait_labels, network_gaits
from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.motion.rotations import IDENTITY, from_axis_angle
from footfall.tests.support.walker import Walker, person


def test_an_upright_body_is_about_as_high_as_its_bones() -> None:
    skeleton = person()
    heights = Walker(pause=2.0, seconds=8.0).clip().positions[:, skeleton.joint("head"), 2]
    assert upright_height(skeleton) == pytest.approx(np.median(heights), rel=0.06)
    assert upright_height(person(0.5)) == pytest.approx(0.5 * upright_height(skeleton))


def test_who_walks_upright_does_not_crouch_and_who_sinks_does_by_as_much() -> None:
    clip = Walker().clip()
    assert crouch_depth(clip).max() < 0.2
    sunk = replace(clip, root_positions=clip.root_positions - [0.0, 0.0, 0.0])
    skeleton = clip.skeleton
    bent = sunk.positions[:, skeleton.joint("head"), 2].mean() / upright_height(skeleton)
    assert np.mean(crouch_depth(sunk)) == pytest.approx(max(0.0, (1 - bent) / FULL_CROUCH_DROP_RATIO), abs=0.05)


def test_a_crouch_that_is_half_as_deep_is_half_a_crouch_and_half_a_walk() -> None:
    clip = Walker().clip()
    labels = label_clip(clip)
    names = network_gaits(labels.gait_names)
    gaits = np.zeros_like(labels.gaits)
    gaits[:, labels.gait_names.index("crouch")] = 1.0
    told = gait_inputs(clip, replace(labels, gaits=gaits), np.full(len(clip), 1.2))
    np.testing.assert_allclose(told[:, names.index("crouch")], crouch_depth(clip))
    np.testing.assert_allclose(told.sum(axis=1), 1.0)
    assert told[:, names.index("stand")].max() == 0.0


def bowing(angle: float, height: float = 1.02) -> Clip:
    """A body at rest whose back is bent by an angle above its lowest joint, its hips at a height."""
    skeleton = person()
    rotations = np.tile(IDENTITY, (1, len(skeleton), 1))
    rotations[0, skeleton.names.index("lowerback")] = from_axis_angle([1.0, 0.0, 0.0], angle)
    return Clip(skeleton, 60.0, np.array([[0.0, 0.0, height]]), rotations)


def test_the_upright_height_is_that_of_spine_pelvis_leg_and_ankle() -> None:
    spine, pelvis = 0.11 + 0.23 + 0.12 + 0.18, 0.75 * np.hypot(0.1, 0.1)
    assert upright_height(person()) == pytest.approx(0.97 * (spine + pelvis + 0.84 + 0.072))


def test_feet_without_toes_are_measured_at_their_ankles() -> None:
    clip = bowing(1.2)
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if not role.startswith("toe")}
    height = 0.94 + 0.035 + 0.11 + 0.53 * np.cos(1.2)
    expected = (1 - height / upright_height(clip.skeleton)) / 0.35
    np.testing.assert_allclose(crouch_depth(replace(clip, skeleton=replace(clip.skeleton, roles=roles))), [expected])


def test_the_depth_is_between_upright_and_the_deepest_crouch() -> None:
    assert crouch_depth(bowing(0.0)) == 0.0
    assert crouch_depth(bowing(3.0)) == 1.0


@pytest.mark.parametrize(("speed", "walking"), [(0.1, 0.0), (0.25, 0.5), (0.4, 1.0), (0.0, 0.0), (2.0, 1.0)])
def test_a_body_that_does_not_crouch_stands_or_walks_by_its_speed(speed: float, walking: float) -> None:
    clip = Walker(seconds=1.0).clip()
    labels = label_clip(clip)
    names = network_gaits(labels.gait_names)
    gaits = np.zeros_like(labels.gaits)
    gaits[:, labels.gait_names.index("crouch")] = 1.0
    told = gait_inputs(clip, replace(labels, gaits=gaits), np.full(len(clip), speed))
    upright = 1 - crouch_depth(clip)
    np.testing.assert_allclose(told[:, names.index("walk")], upright * walking)
    np.testing.assert_allclose(told[:, names.index("stand")], upright * (1 - walking))


def test_gaits_of_a_body_without_a_head_are_those_of_the_labels() -> None:
    clip = Walker(seconds=1.0).clip()
    labels = label_clip(clip)
    gaits = np.zeros_like(labels.gaits)
    gaits[:, labels.gait_names.index("crouch")] = 1.0
    labels = replace(labels, gaits=gaits)
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != "head"}
    headless = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
    told = gait_inputs(headless, labels, np.ones(len(clip)))
    np.testing.assert_array_equal(told, network_gait_labels(labels))
