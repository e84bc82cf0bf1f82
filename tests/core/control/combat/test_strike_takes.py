"""Captured attacks as takes: placed by their target, from rest to rest, raised, and mirrored."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.strike_takes import StrikeTake
from footfall.core.labelling.semantics.blows import LimbMotion
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


def test_it_begins_and_ends_at_rest() -> None:
    steps = np.linalg.norm(np.diff(TAKE.clip.positions, axis=0), axis=-1).max(axis=1)
    assert steps[0] < 1e-3 and steps[-1] < 1e-3
    assert steps.max() > 0.03


def test_it_comes_from_the_side_that_it_moves_away_from() -> None:
    assert TAKE.comes_from("straight")
    assert not TAKE.comes_from("above") and not TAKE.comes_from("below")


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


def test_it_is_raised_to_a_height_that_it_reaches() -> None:
    raised, miss = TAKE.raised_to(TAKE.height - 0.12)
    assert raised is not None and miss < 1e-3
    assert raised.height == pytest.approx(TAKE.height - 0.12, abs=1e-3)
    none, miss = TAKE.raised_to(4.0)
    assert none is None and miss > 1.0


def test_it_is_placed_along_a_yaw() -> None:
    placed = TAKE.at(np.array([2.0, 1.0]), np.pi / 2)
    positions, skeleton = placed.positions[TAKE.blow.apex], placed.skeleton
    np.testing.assert_allclose(positions[skeleton.joint(BLOW.effector), :2], [2.0, 1.0], atol=1e-9)
    assert positions[skeleton.joint("hips"), 0] > 2.3, "a yaw of a quarter turn faces -X"
