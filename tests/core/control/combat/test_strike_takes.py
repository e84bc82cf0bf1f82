"""Captured attacks as takes: placed by their target, from rest to rest, raised, and mirrored."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.strike_takes import StrikeTake, with_arms_of, with_part
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
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


@pytest.mark.parametrize(
    ("effector", "stop", "following", "captured"),
    [
        ("hand.R", 15, 500, 9 + 10 + 24),  # nine frames before the blow, and 24 after the apex
        ("hand.R", 13, 500, 9 + 10 + 22),  # nine after its end
        ("foot.R", 30, 500, 9 + 10 + 30),  # a kick up to its own end
        ("hand.R", 15, 14, 9 + 10 + 14),  # up to the next attack
        ("hand.R", 15, 4, 9 + 10 + 9),  # but nine frames after the apex
        ("foot.R", 30, 4, 9 + 10 + 9),
    ],
)
def test_a_take_has_a_time_before_and_after_the_blow(effector: str, stop: int, following: int, captured: int) -> None:
    length, own = spans(Blow(effector, APEX - 10, APEX, APEX + stop), APEX + following)
    assert length == captured + 18, "as easing in and out takes twice as long as what is played in it"
    assert own.effector == effector and 0 < own.start < own.apex < own.stop <= length


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


def test_a_blow_at_the_beginning_of_a_clip_has_what_there_is_before_it() -> None:
    cut = PUNCH.cut(APEX - 14, len(PUNCH))
    assert len(StrikeTake.of(cut, Blow("hand.R", 4, 14, 40), 500).clip) == 14 + 24 + 18


def test_a_blow_ends_after_its_apex_at_the_earliest() -> None:
    assert (
        spans(Blow("hand.R", APEX - 10, APEX, APEX))[1].stop == spans(Blow("hand.R", APEX - 10, APEX, APEX))[1].apex + 1
    )


def test_some_frames_of_a_clip_are_as_in_another() -> None:
    part = PUNCH.cut(100, 110)
    made = with_part(PUNCH, 20, replace(part, root_positions=part.root_positions + 1.0))
    np.testing.assert_array_equal(made.root_positions[20:30], part.root_positions + 1.0)
    np.testing.assert_array_equal(made.rotations[20:30], part.rotations)
    for rows in (slice(0, 20), slice(30, None)):
        np.testing.assert_array_equal(made.root_positions[rows], PUNCH.root_positions[rows])
        np.testing.assert_array_equal(made.rotations[rows], PUNCH.rotations[rows])


def test_arms_are_held_as_in_a_pose_and_the_rest_goes_on() -> None:
    pose = PUNCH.cut(APEX, APEX + 1)
    made = with_arms_of(TAKE, pose)
    names = TAKE.clip.skeleton.names
    arms = [n for n, name in enumerate(names) if name[1:] in ("clavicle", "humerus", "radius", "wrist")]
    assert len(arms) == 8
    np.testing.assert_array_equal(made.clip.rotations[:, arms], pose.rotations[:, arms].repeat(len(TAKE.clip), 0))
    others = np.setdiff1d(np.arange(len(names)), arms)
    np.testing.assert_array_equal(made.clip.rotations[:, others], TAKE.clip.rotations[:, others])
    np.testing.assert_array_equal(made.clip.root_positions, TAKE.clip.root_positions)
