"""Ways around: an arm that goes through the other body within some frames is led around it."""

from typing import Literal

import numpy as np
import pytest

from footfall.core.control.refine.detours import (
    DIRECTIONS,
    Detour,
    _candidates,
    _displaced,
    _excess,
    _moments,
    _replaced,
    lead_around,
)
from footfall.core.control.refine.joined_hands import join_hands, palm_distances
from footfall.core.control.refine.partner_clearance import give_way
from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import HAND_PAIRS
from footfall.core.scene.body_overlap import body_overlaps, deepest_overlap
from footfall.tests.core.motion.test_hand_holds import facing_pair
from footfall.tests.support.walker import person

FRAMES, START, STOP = 120, 60, 63
NO_HOLDS = np.zeros((FRAMES, 4), dtype=bool)


def arms_that_meet() -> tuple[Clip, Clip]:
    """Face to face; for some frames hands are 6 cm behind the other's hands."""
    gaps = np.full(FRAMES, 1.2)
    gaps[START:STOP] = -0.06
    return facing_pair(gaps)


def test_arms_are_led_out_of_each_other_and_others_frames_stay() -> None:
    first, second = arms_that_meet()
    assert deepest_overlap(first, second).max() > 0.02
    clips = lead_around(first, second, NO_HOLDS)
    assert deepest_overlap(*clips).max() <= 0.014 + 1e-9
    fade = round(0.35 * first.rate)
    for one, other in zip(clips, (first, second), strict=True):
        moved = np.abs(one.positions - other.positions).max(axis=(1, 2))
        assert moved[: START - fade].max() < 1e-9 and moved[STOP + fade :].max() < 1e-9
        feet = [person().joint("foot.L"), person().joint("foot.R")]
        assert np.abs(one.positions - other.positions)[:, feet].max() < 1e-6, "feet stay where they are"


def test_bodies_that_are_apart_stay_as_they_are() -> None:
    first, second = facing_pair(np.full(FRAMES, 1.2))
    one, other = lead_around(first, second, NO_HOLDS)
    assert one is first and other is second


def test_hands_that_hold_each_other_stay_together() -> None:
    first, second = arms_that_meet()
    holds = NO_HOLDS.copy()
    column = HAND_PAIRS.index(("L", "R"))
    holds[:, column] = True
    joined = join_hands(first, second, holds)
    before = palm_distances(*joined)[:, column]
    clips = lead_around(*joined, holds)
    assert deepest_overlap(*clips, holds).max() < deepest_overlap(*joined, holds).max() - 0.005
    assert (palm_distances(*clips)[:, column] - before).max() < 0.02 + 1e-9, "a centimeter for each of two fades"


def test_moments_less_than_a_gap_apart_are_one() -> None:
    deep = np.zeros(40, dtype=bool)
    deep[2:4] = deep[8:10] = deep[15:16] = deep[30:] = True
    assert _moments(deep, 5) == [(2, 10), (15, 16), (30, 40)]
    assert _moments(deep, 4) == [(2, 4), (8, 10), (15, 16), (30, 40)]
    assert _moments(deep, 6) == [(2, 16), (30, 40)]
    assert _moments(deep, 15) == [(2, 40)]
    assert _moments(np.zeros(40, dtype=bool), 5) == []


def test_bodies_are_too_deep_by_what_exceeds_fourteen_millimeters_in_each_frame() -> None:
    assert _excess(np.array([0.0, 0.014, 0.013])) == 0.0
    assert _excess(np.array([0.024, 0.0, 0.015])) == pytest.approx(0.011)


def test_directions_are_those_of_a_cube_to_its_faces_and_corners() -> None:
    np.testing.assert_allclose(np.linalg.norm(DIRECTIONS, axis=1), 1.0)
    assert len({tuple(way) for way in DIRECTIONS.round(6)}) == len(DIRECTIONS) == 14
    np.testing.assert_allclose(DIRECTIONS.sum(axis=0), 0.0, atol=1e-12)


def test_small_displacements_of_arms_that_meet_are_tried_first_and_bodies_never_rise() -> None:
    pair = arms_that_meet()
    tried = list(_candidates(pair, body_overlaps(*pair, NO_HOLDS)))
    arms = {(one.character, one.side) for one in tried if one.part != "body"}
    assert arms == {(0, "L"), (0, "R"), (1, "L"), (1, "R")}
    for part, sizes in (("wrist", (0.05, 0.1, 0.18, 0.28)), ("elbow", (0.1, 0.2)), ("body", (0.03, 0.06))):
        found = np.array([np.linalg.norm(one.way) for one in tried if one.part == part])
        assert (np.diff(found) > -1e-9).all()
        np.testing.assert_allclose(np.unique(found.round(9)), sizes)
    bodies = [one for one in tried if one.part == "body"]
    assert max(one.way[2] for one in bodies) <= 0.0
    # Four ways along the ground, one down, and four down to the corners; two bodies, two sizes.
    assert len(bodies) == 9 * 2 * 2 and {one.character for one in bodies} == {0, 1}


@pytest.mark.parametrize("part", ["wrist", "elbow", "body"])
@pytest.mark.parametrize("character", [0, 1])
def test_a_displacement_moves_its_part_of_its_character_by_its_weights(
    part: Literal["wrist", "elbow", "body"], character: int
) -> None:
    """Hands are raised by 15 cm, so that elbows are bent; they swivel about the line from shoulder to wrist."""
    raised, none = np.tile([0.0, 0.0, 0.15], (FRAMES, 1)), np.zeros((FRAMES, 3))
    first, second = facing_pair(np.full(FRAMES, 1.2))
    pair = give_way(first, "L", raised, none), give_way(second, "L", raised, none)
    weights, way = np.where(np.arange(FRAMES) < 60, 0.0, 1.0), np.array([0.06, 0.06, -0.06])
    side = "" if part == "body" else "L"
    made = _displaced(pair, Detour(character, part, side, way), NO_HOLDS, weights)
    other = 1 - character
    np.testing.assert_allclose(made[other].positions, pair[other].positions, atol=1e-9)
    moved = made[character].positions - pair[character].positions
    np.testing.assert_allclose(moved[:20], 0.0, atol=1e-6)
    role = {"wrist": "hand.L", "elbow": "forearm.L", "body": "head"}[part]
    assert np.linalg.norm(moved[100:, person().joint(role)], axis=1).min() > 0.01
    far = {"wrist": "hand.R", "elbow": "hand.R", "body": "foot.L"}[part]
    np.testing.assert_allclose(moved[:, person().joint(far)], 0.0, atol=1e-4)
    if part == "elbow":
        np.testing.assert_allclose(moved[:, person().joint("hand.L")], 0.0, atol=1e-4)


def test_a_hand_that_is_held_goes_with_the_one_that_holds_it() -> None:
    pair = facing_pair(np.full(FRAMES, 1.2))
    holds, way = NO_HOLDS.copy(), np.array([0.0, 0.0, 0.04])
    holds[:, HAND_PAIRS.index(("L", "R"))] = True
    for character, side in ((0, "L"), (1, "R")):
        made = _displaced(pair, Detour(character, "wrist", side, way), holds, np.ones(FRAMES))
        for clip, before, hand in zip(made, pair, ("hand.L", "hand.R"), strict=True):
            risen = (clip.positions - before.positions)[:, person().joint(hand)]
            np.testing.assert_allclose(risen, np.tile(way, (FRAMES, 1)), atol=5e-3)
    one, other = _displaced(pair, Detour(0, "wrist", "R", way), holds, np.ones(FRAMES))
    np.testing.assert_allclose(other.positions, pair[1].positions, atol=1e-9)
    assert (one.positions - pair[0].positions)[:, person().joint("hand.R"), 2].min() > 0.03


def test_a_part_takes_the_place_of_the_frames_that_it_was_cut_from() -> None:
    first, _ = facing_pair(np.linspace(1.0, 1.4, FRAMES))
    part = first.cut(20, 40)
    moved = Clip(part.skeleton, part.rate, part.root_positions + 1.0, part.rotations[::-1])
    made = _replaced(first, moved, 20)
    np.testing.assert_array_equal(made.root_positions[20:40], first.root_positions[20:40] + 1.0)
    np.testing.assert_array_equal(made.rotations[20:40], first.rotations[20:40][::-1])
    outside = np.r_[0:20, 40:FRAMES]
    np.testing.assert_array_equal(made.root_positions[outside], first.root_positions[outside])
    np.testing.assert_array_equal(made.rotations[outside], first.rotations[outside])
