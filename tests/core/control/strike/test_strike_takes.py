"""Captured attacks as takes: placed by their target, from rest to rest, raised, and mirrored."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.strike.strike_takes import StrikeTake
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
from footfall.core.motion.root_frame import yaw_of
from footfall.tests.support.poses import puncher

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TAKE = StrikeTake.of(PUNCH, BLOW, len(PUNCH))


def test_the_hand_is_over_the_origin_at_the_apex_and_the_hips_are_behind_it() -> None:
    positions, skeleton = TAKE.clip.positions[TAKE.blow.apex], TAKE.clip.skeleton
    hand, hips = (positions[skeleton.joint(role)] for role in (BLOW.effector, "hips"))
    np.testing.assert_allclose(hand, [0.0, 0.0, TAKE.height], atol=1e-9)
    assert abs(hips[0]) < 1e-9 and hips[1] < -0.3
    own = PUNCH.positions[BLOW.apex, PUNCH.skeleton.joint(BLOW.effector)]
    assert TAKE.height == pytest.approx(own[2], abs=5e-3)
    assert TAKE.velocity[1] > 0.9, "a straight punch"


def test_it_strikes_its_target_along_a_direction() -> None:
    target, skeleton = np.array([2.0, -1.0, 1.3]), TAKE.clip.skeleton
    placed = TAKE.at(target, 0.7).positions[TAKE.blow.apex]
    hand, hips = (placed[skeleton.joint(role)] for role in (BLOW.effector, "hips"))
    np.testing.assert_allclose(hand, [2.0, -1.0, TAKE.height], atol=1e-9)
    assert yaw_of((hand - hips)[:2]) == pytest.approx(0.7)


@pytest.mark.parametrize("way", [(0.0, 0.6, -0.8), (1.0, 0.0, 0.0)])
def test_both_hands_strike_from_above_alone(way: tuple[float, float, float]) -> None:
    take = replace(TAKE, velocity=np.array(way), both_hands=True)
    assert take.comes_from("above") == (way[2] < 0.0)
    assert not take.comes_from("straight") and not take.comes_from("left")
    assert take.mirrored().both_hands


def test_its_mirror_image_strikes_with_the_other_hand_at_the_same_place() -> None:
    mirrored = TAKE.mirrored()
    assert mirrored.blow.effector == {"hand.R": "hand.L", "hand.L": "hand.R"}[BLOW.effector]
    assert mirrored.height == pytest.approx(TAKE.height, abs=1e-3)
    np.testing.assert_allclose(mirrored.velocity, TAKE.velocity * [-1.0, 1.0, 1.0])
    end = mirrored.clip.positions[mirrored.blow.apex, mirrored.clip.skeleton.joint(mirrored.blow.effector)]
    np.testing.assert_allclose(end[:2], 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("velocity", "sides"),
    [
        ((0.31, 0.9, 0.0), {"straight", "left"}),
        ((0.29, 0.9, 0.0), {"straight"}),
        ((-0.31, 0.9, 0.0), {"straight", "right"}),
        ((0.0, 0.9, -0.31), {"straight", "above"}),
        ((0.0, 0.9, 0.31), {"straight", "below"}),
        ((0.3, 0.0, -0.3), {"straight", "left", "above"}),
    ],
)
def test_an_attack_comes_from_the_sides_that_it_goes_away_from(
    velocity: tuple[float, float, float], sides: set[str]
) -> None:
    take = replace(TAKE, velocity=np.array(velocity))
    every = ("straight", "left", "right", "above", "below")
    assert {side for side in every if take.comes_from(side)} == sides
    both = replace(take, both_hands=True)
    assert {side for side in every if both.cuts_from(side)} == sides
    assert {side for side in every if both.comes_from(side)} == sides & {"above"}


def spans(blow: Blow, following: int = len(PUNCH)) -> tuple[int, Blow]:
    take = StrikeTake.of(PUNCH, blow, following)
    return len(take.clip), take.blow


APEX = BLOW.apex


def test_the_frames_of_a_take_are_captured_ones_at_speeds_that_grow_from_and_fall_to_rest() -> None:
    length, own = spans(Blow("hand.R", APEX - 10, APEX, APEX + 15))
    count = 43 + 18
    steps = np.arange(count)
    ease = [np.clip(one / 18.0, 0.0, 1.0) for one in (steps + 0.5, count - 0.5 - steps)]
    rates = np.prod([share * share * (3.0 - 2.0 * share) for share in ease], axis=0)
    times = np.concatenate([[0.0], np.cumsum(rates)[:-1]])
    times *= 42.0 / times[-1]
    assert length == count
    found = [int(np.argmin(np.abs(times - frame))) for frame in (9, 19, 34)]
    assert [own.start, own.apex, own.stop] == found


@pytest.mark.parametrize(("following", "captured"), [(APEX + 50, 43), (APEX + 20, 39), (APEX + 2, 28)])
def test_a_take_ends_before_the_next_attack_begins_but_not_at_its_own_apex(following: int, captured: int) -> None:
    assert spans(Blow("hand.R", APEX - 10, APEX, APEX + 15), following)[0] == captured + 18
