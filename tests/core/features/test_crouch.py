"""The depth of a crouch, from upright to the deepest that a network sees."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.crouch import FULL_CROUCH_DROP_RATIO, crouch_depth, upright_height
from footfall.core.features.locomotion import gait_inputs, network_gaits
from footfall.core.labelling import label_clip
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
