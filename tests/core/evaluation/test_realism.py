"""The single-feature gap: ranks in closed form, and windows of walkers that are told apart by what differs."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.evaluation.realism import (
    FeatureSpace,
    actor_floor,
    feature_aucs,
    measure_realism,
    one_actor_gap,
)
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker


def walk(**changes: float) -> Clip:
    return Walker(**{"seconds": 6.0, **changes}).clip()  # type: ignore[arg-type]


def test_the_auc_is_the_share_of_pairs_in_which_the_second_has_more() -> None:
    first, second = np.array([[1.0, 0.0], [3.0, 0.0]]), np.array([[2.0, 0.0], [4.0, 0.0], [5.0, 0.0]])
    assert feature_aucs(first, second).tolist() == pytest.approx([5 / 6, 0.5])


def test_equal_sets_have_no_gap_and_a_shifted_feature_is_named() -> None:
    features = np.random.default_rng(0).normal(size=(200, 4))
    same = measure_realism(features, features, tuple("abcd"))
    assert same.gap == pytest.approx(0) and same.extreme_count == 0
    other = measure_realism(features, features + np.array([0.0, 9.0, 0.0, -1.0]), tuple("abcd"), worst_count=2)
    assert [name for name, _ in other.worst] == ["b", "d"] and other.worst[0][1] == 1.0 and other.worst[1][1] < 0.3
    assert other.extreme_count == 1 and other.feature_count == 4 and 0.15 < other.gap < 0.22


def test_actors_who_differ_have_a_floor_and_a_lone_actor_a_larger_gap() -> None:
    random = np.random.default_rng(1)
    actors = np.repeat(list("abcdefgh"), 40)
    features = random.normal(size=(320, 20)) + np.repeat(random.normal(size=(8, 20)), 40, axis=0)
    floor, one = actor_floor(features, actors), one_actor_gap(features, actors)
    assert 0.08 < floor < one < 0.4
    assert actor_floor(random.normal(size=(320, 20)), actors) < 0.05


def test_windows_of_one_walker_hardly_differ_wherever_it_walks() -> None:
    clips = [walk(), walk(heading=1.0, start=0.6)]
    space = FeatureSpace.of(clips)
    first, second = (space.features(clip) for clip in clips)
    assert first.shape == second.shape == (11, len(space.names))
    np.testing.assert_allclose(first.mean(axis=0), second.mean(axis=0), rtol=0.15, atol=0.02)
    assert len(set(space.names)) == len(space.names)


def test_the_feature_that_was_changed_is_found() -> None:
    clip = walk()
    space = FeatureSpace.of([clip])
    bob = 0.03 * np.sin(2 * np.pi * 2 * np.arange(len(clip)) / clip.rate)
    bobbing = replace(clip, root_positions=clip.root_positions + np.outer(bob, [0.0, 0.0, 1.0]))
    report = measure_realism(space.features(clip), space.features(bobbing), space.names, 3)
    assert all(name.startswith("root height") for name, _ in report.worst)


def test_turns_pauses_and_short_clips_have_no_windows() -> None:
    space = FeatureSpace.of([walk()])
    assert len(space.features(walk(turn=1.2))) == 0
    assert space.features(walk(seconds=0.5)).shape == (0, len(space.names))
