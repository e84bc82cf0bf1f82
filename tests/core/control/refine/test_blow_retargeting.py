"""Blows brought to other targets: exactly met, on feet and bones that stay, of posed people and recorded fighters."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.refine.blow_retargeting import (
    RetargetedBlows,
    retarget_blow,
    sample_targets,
)
from footfall.core.errors import FootfallError
from footfall.core.evaluation.extremes import joint_accelerations
from footfall.core.labelling.semantics.blow_targets import blow_targets, blow_targets_from_root
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array, rotation_about_up
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


def test_targets_are_solved_at_once_as_they_are_alone() -> None:
    targets = TARGET + np.array([[0.1, 0.0, 0.0], [0.0, 0.05, -0.3], [-0.1, 0.05, 0.1]])
    together = retarget_blow(PUNCH, BLOW, targets)
    for number, target in enumerate(targets):
        alone = retarget_blow(PUNCH, BLOW, target[None])
        np.testing.assert_allclose(together.rotations[number], alone.rotations[0], atol=1e-6)


def test_what_is_out_of_reach_is_refused_with_the_distance() -> None:
    made = retarget_blow(PUNCH, BLOW, TARGET[None] + np.array([0.0, -2.0, 0.0]))
    assert not made.reached[0]
    with pytest.raises(FootfallError, match=r"falls \d+\.\d cm short of a target: bring the target closer"):
        made.clip(0)


def test_a_target_at_no_number_is_refused() -> None:
    with pytest.raises(FootfallError, match="is not at a finite position"):
        retarget_blow(PUNCH, BLOW, np.full((1, 3), np.nan))


def test_targets_turn_with_the_character_but_not_in_its_root_frame() -> None:
    turned = PUNCH.transformed(rotation_about_up(1.0), np.array([2.0, 1.0, 0.0]))
    np.testing.assert_allclose(blow_targets_from_root(turned, [BLOW]), blow_targets_from_root(PUNCH, [BLOW]), atol=1e-6)
    away = blow_targets_from_root(PUNCH, [BLOW])[0]
    assert away[1] > 0.4, "the target of a punch is ahead"
    assert away[2] == pytest.approx(TARGET[2])


def test_sampled_targets_lie_around_the_blow_s_own() -> None:
    targets = sample_targets(PUNCH, BLOW, 0.0, 200, np.random.default_rng(3))
    hips = at(PUNCH, "hips")[BLOW.apex]
    scale = PUNCH.skeleton.leg_length / 0.84
    away, own = targets[:, :2] - hips[:2], TARGET[:2] - hips[:2]
    angles = np.arctan2(away[:, 1] * own[0] - away[:, 0] * own[1], away @ own)
    assert np.degrees(np.abs(angles)).max() <= 30.0
    assert np.abs(np.linalg.norm(away, axis=1) - np.linalg.norm(own)).max() <= 0.25 * scale + 1e-9
    assert targets[:, 2].min() >= 0.6 * scale
    assert targets[:, 2].max() <= 1.8 * scale


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


def test_a_blow_is_displaced_from_a_bit_before_it_to_a_bit_after_it() -> None:
    """0.15 s: nine frames."""
    made = retarget_blow(PUNCH, BLOW, TARGET[None] + np.array([0.1, 0.0, 0.0]))
    assert len(made.own) == BLOW.stop - BLOW.start + 18
    assert (made.blow.start, made.blow.apex) == (9, BLOW.apex - BLOW.start + 9)
    np.testing.assert_allclose(made.own.positions[0], PUNCH.positions[BLOW.start - 9], atol=1e-9)


def test_the_displacement_grows_as_a_quintic_to_the_apex_and_falls_to_the_end() -> None:
    made = retarget_blow(PUNCH, BLOW, TARGET[None] + np.array([0.0, 0.05, -0.3]))
    moved = (made.root_positions[0] - made.own.root_positions)[:, 2]
    apex, last = made.blow.apex, len(made.own) - 1
    frames = np.arange(len(made.own))
    share = np.where(frames <= apex, frames / apex, (last - frames) / (last - apex))
    np.testing.assert_allclose(moved, moved[apex] * share**3 * (10 - 15 * share + 6 * share**2), atol=1e-6)
    assert moved[apex] < -0.05


def test_targets_are_sampled_over_the_whole_range() -> None:
    targets = sample_targets(PUNCH, BLOW, 0.5, 2000, np.random.default_rng(3))
    hips, scale = at(PUNCH, "hips")[BLOW.apex], PUNCH.skeleton.leg_length / 0.84
    away, own = targets[:, :2] - hips[:2], TARGET[:2] - hips[:2]
    angles = np.degrees(np.arctan2(away[:, 1] * own[0] - away[:, 0] * own[1], away @ own))
    np.testing.assert_allclose([angles.min(), angles.max()], [-30.0, 30.0], atol=0.3)
    distances = (np.linalg.norm(away, axis=1) - np.linalg.norm(own)) / scale
    np.testing.assert_allclose([distances.min(), distances.max()], [-0.25, 0.25], atol=0.003)
    heights = (targets[:, 2] - 0.5) / scale
    np.testing.assert_allclose([heights.min(), heights.max()], [0.6, 1.8], atol=0.01)


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
