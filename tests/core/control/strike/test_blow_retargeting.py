"""Blows brought to other targets: exactly met, on feet and bones that stay, of posed people and recorded fighters."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.benchmarks.measures.extremes import joint_accelerations
from footfall.core.control.strike.blow_retargeting import RetargetedBlows, retarget_blow, sample_targets
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array
from footfall.tests.support.poses import puncher
from footfall.tests.support.properties import examples

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TARGET = blow_targets(PUNCH, [BLOW])[0]


def at(clip: Clip, role: str) -> Array:
    return clip.positions[:, clip.skeleton.joint(role)]


def lengths(clip: Clip) -> Array:
    parents = list(clip.skeleton.parents[1:])
    return np.linalg.norm(clip.positions[:, 1:] - clip.positions[:, parents], axis=-1)


def assert_made_well(made: RetargetedBlows, number: int, standing: tuple[str, ...] = ("foot.L", "foot.R")) -> None:
    clip, blow = made.clip(number), made.blow
    np.testing.assert_allclose(at(clip, blow.effector)[blow.apex], made.targets[number], atol=1e-3)
    np.testing.assert_allclose(lengths(clip), lengths(made.own), atol=1e-6)
    for role in standing:
        np.testing.assert_allclose(at(clip, role), at(made.own, role), atol=5e-3)
    for end in (0, -1):
        np.testing.assert_allclose(clip.positions[end], made.own.positions[end], atol=1e-6)


def test_a_blow_brought_to_its_own_target_stays_as_it_is() -> None:
    made = retarget_blow(PUNCH, BLOW, TARGET[None])
    np.testing.assert_allclose(made.clip(0).positions, made.own.positions, atol=1e-5)


@given(st.floats(-0.4, 0.4), st.floats(-0.15, 0.0), st.floats(-0.5, 0.2))
@settings(max_examples=examples(15))
def test_targets_within_reach_are_met(angle: float, shift: float, rise: float) -> None:
    hips = at(PUNCH, "hips")[BLOW.apex]
    away = TARGET[:2] - hips[:2]
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ away
    target = np.append(hips[:2] + turned * (1 + shift / np.linalg.norm(away)), TARGET[2] + rise)
    made = retarget_blow(PUNCH, BLOW, target[None])
    assert made.reached[0]
    assert_made_well(made, 0)


def test_targets_out_of_reach_are_refused_with_the_distance() -> None:
    made = retarget_blow(PUNCH, BLOW, TARGET[None] + np.array([0.0, -2.0, 0.0]))
    assert not made.reached[0]
    with pytest.raises(FootfallError, match=r"falls \d+\.\d cm short of a target: bring the target closer"):
        made.clip(0)


RECORDED = ["cmu_asfamc-14_02", "cmu_asfamc-135_04", "cmu_asfamc-02_07", "cmu_daz_more-13_18"]


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_blows_meet_most_targets_without_new_jerks(shared_data: Path, name: str) -> None:
    hand = json.loads((Path(__file__).parents[3] / "data" / "blows" / f"{name}.json").read_text())
    clip = read_bvh(shared_data / "mocap" / hand["clip"]).resampled(60.0)
    ground = float(np.percentile(clip.positions[..., 2].min(axis=1), 20))
    first = hand["blows"][0]
    start, apex, stop = (round(first[key] * 60 / hand["rate"]) for key in ("start", "apex", "stop"))
    blow = Blow(first["effector"], start, apex, stop)
    made = retarget_blow(clip, blow, sample_targets(clip, blow, ground, 40, np.random.default_rng(1)))
    assert made.reached.mean() > 0.5
    standing = tuple(role for role in ("foot.L", "foot.R") if role != blow.effector)
    for number in map(int, np.flatnonzero(made.reached)):
        assert_made_well(made, number, standing)
    hardest = [joint_accelerations(made.clip(number)).max() for number in map(int, np.flatnonzero(made.reached))]
    assert np.median(hardest) < 1.3 * joint_accelerations(made.own).max()


def test_hands_that_hold_one_weapon_stay_together_at_the_apex(shared_data: Path) -> None:
    clip = read_bvh(shared_data / "mocap" / "cmu_asfamc" / "sword" / "02_07.bvh").resampled(60.0)
    blow = LimbMotion.of(clip, 0.0).blows[0]
    made = retarget_blow(clip, blow, blow_targets(clip, [blow]) + np.array([0.05, 0.05, 0.2]))
    apart = [
        np.linalg.norm(at(one, "hand.L") - at(one, "hand.R"), axis=1)[made.blow.apex]
        for one in (made.own, made.clip(0))
    ]
    assert apart[1] == pytest.approx(apart[0], abs=1e-3)


def measured(miss: float = 0.0, foot: float = 0.0, flexion: float = 1.0) -> RetargetedBlows:
    """The punch brought to its own target, with made-up measures."""
    own = retarget_blow(PUNCH, BLOW, TARGET[None])
    return replace(own, misses=np.array([miss]), foot_errors=np.array([foot]), flexions=np.array([flexion]))


def test_why_a_target_is_not_reached_is_said() -> None:
    with pytest.raises(FootfallError, match=r"falls 2\.5 cm short of a target"):
        measured(miss=0.025).clip(0)
    with pytest.raises(FootfallError, match="only with feet or joints out of place"):
        measured(foot=0.02).clip(0)
    assert len(measured().clip(0)) == len(measured().own)


def test_a_body_sinks_with_a_low_target_and_steps_to_a_far_one_and_turns_to_one_aside() -> None:
    hips = at(PUNCH, "hips")[BLOW.apex]
    own = TARGET - hips
    ahead = np.append(own[:2] / np.linalg.norm(own[:2]), 0.0)

    def moved(target: Array) -> Array:
        made = retarget_blow(PUNCH, BLOW, target[None])
        return made.root_positions[0, made.blow.apex] - made.own.root_positions[made.blow.apex]

    assert moved(TARGET - [0.0, 0.0, 0.4])[2] < -0.1
    assert abs(moved(TARGET + np.array([0.0, 0.0, 0.1]))[2]) < 0.05
    assert moved(TARGET - 0.15 * ahead) @ ahead < -0.03
