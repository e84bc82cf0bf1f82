"""The single-feature gap: ranks in closed form, and windows of walkers that are told apart by what differs."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.measures.realism import FeatureSpace, actor_floor, feature_aucs, measure_realism, one_actor_gap
from footfall.core.motion import Clip
from footfall.core.motion.chain_ik import solve_chain_ik
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.paws import leg_chains, paw_tracks
from footfall.tests.support.dog import dog, trot
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


def test_animals_are_told_by_their_trunks_and_the_joints_of_their_legs() -> None:
    usual, _ = trot(dog(), 361, travels=True)
    roots = usual.root_positions - [0.0, 0.0, 0.06]
    positions, rotations = (array.copy() for array in replace(usual, root_positions=roots).world)
    for number, chain in enumerate(leg_chains(usual.skeleton)):
        solve_chain_ik(positions, rotations, chain, paw_tracks(usual)[:, number])
    crouched = with_world_rotations(usual, roots, rotations)
    space = FeatureSpace.of([usual])
    features = [space.features(clip) for clip in (usual, crouched)]
    assert "front_foot.L joint 1, mean" in space.names and len(features[0]) > 5
    assert measure_realism(features[0], features[0], space.names).gap == pytest.approx(0.0)
    told = dict(measure_realism(*features, space.names, worst_count=len(space.names)).worst)
    assert told["root height, mean"] == 0.0 and told["foot.L joint 1, mean"] == 1.0
