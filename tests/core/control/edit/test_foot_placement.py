"""Feet put where they are wanted: ankles, the trunk that gives way, toes and paws."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.foot import feet_of
from footfall.core.control.edit.foot_placement import place_feet
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.rotations import exp, length, multiply
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=2.0)
WALK, CONTACTS = WALKER.clip(), FootContacts(WALKER.contacts)
BODY, COUNT = WALK.skeleton, len(WALK)
ANKLES = [BODY.joint(f"foot.{side}") for side in "LR"]
TROT, STANDS = trot(dog(), 60, travels=True)


def placed(
    shifts: tuple[tuple[float, float, float], tuple[float, float, float]], share: float = 1.0, turn: float = 0.0
) -> Clip:
    """The walk with its ankles elsewhere by shifts, left first, and feet turned about the vertical."""
    feet = feet_of(BODY)
    places = [foot.places(WALK) + np.array(shift) for foot, shift in zip(feet, shifts, strict=True)]
    turns = [multiply(exp(np.array([0.0, 0.0, turn])), foot.turns(WALK)) for foot in feet]
    return place_feet(WALK, places, turns, CONTACTS, np.full(COUNT, share))


def test_feet_that_are_where_they_are_wanted_leave_the_motion_as_it_is() -> None:
    np.testing.assert_allclose(placed(((0, 0, 0), (0, 0, 0))).positions, WALK.positions, atol=1e-6)


def test_a_turned_foot_takes_its_toe_along() -> None:
    made = placed(((0, 0, 0), (0, 0, 0)), turn=0.3)
    for side, ankle in zip("LR", ANKLES, strict=True):
        toe = BODY.joint(f"toe.{side}")
        before, after = (clip.positions[:, toe] - clip.positions[:, ankle] for clip in (WALK, made))
        cosine, sine = np.cos(0.3), np.sin(0.3)
        np.testing.assert_allclose(after[:, 0], cosine * before[:, 0] - sine * before[:, 1], atol=1e-6)
        np.testing.assert_allclose(after[:, 1], sine * before[:, 0] + cosine * before[:, 1], atol=1e-6)
        np.testing.assert_allclose(made.rotations[:, toe], WALK.rotations[:, toe], atol=1e-6)


def paws_placed(shift: tuple[float, float, float], number: int, turn: float = 0.0) -> Clip:
    """The trot with one paw elsewhere by a shift."""
    feet = feet_of(TROT.skeleton)
    places = [foot.places(TROT) + (np.array(shift) if at == number else 0.0) for at, foot in enumerate(feet)]
    turns = [multiply(exp(np.array([0.0, 0.0, turn])), foot.turns(TROT)) for foot in feet]
    return place_feet(TROT, places, turns, FootContacts(STANDS.astype(float)), np.ones(len(TROT)))


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_one_paw_is_moved_and_the_others_stay(number: int) -> None:
    made = paws_placed((0.02, 0.0, 0.01), number)
    moved = paw_tracks(made) - paw_tracks(TROT)
    np.testing.assert_allclose(moved[:, number], np.tile([0.02, 0.0, 0.01], (len(TROT), 1)), atol=2e-3)
    others = [other for other in range(4) if other != number]
    np.testing.assert_allclose(moved[:, others], 0.0, atol=2e-3)
    assert length(made.root_positions - TROT.root_positions).max() < 0.02


def test_paws_that_are_where_they_are_wanted_leave_the_motion_as_it_is() -> None:
    np.testing.assert_allclose(paws_placed((0.0, 0.0, 0.0), 0).positions, TROT.positions, atol=1e-9)


def test_joints_beside_the_legs_keep_what_they_turn_against_their_parents() -> None:
    made = placed(((0.0, 0.1, 0.05), (0.0, 0.0, 0.0)), turn=0.2)
    legs = {BODY.joint(f"{part}.{side}") for part in ("thigh", "shin", "foot") for side in "LR"}
    rest = [joint for joint in range(len(BODY)) if joint not in legs]
    alike = np.abs(np.sum(made.rotations[:, rest] * WALK.rotations[:, rest], axis=-1))
    np.testing.assert_allclose(alike, 1.0, atol=1e-9)


def test_a_claw_turns_with_the_paw_that_is_turned() -> None:
    body = TROT.skeleton
    toe = body.joint("front_toe.L")
    clawed = Skeleton(
        (*body.names, "claw"),
        (*body.parents, toe),
        np.vstack([body.offsets, [0.0, -0.02, 0.0]]),
        np.zeros((len(body) + 1, 3)),
        body.roles,
    )
    turned = np.tile(exp(np.array([0.2, 0.0, 0.0])), (len(TROT), 1, 1))
    clip = replace(TROT, skeleton=clawed, rotations=np.concatenate([TROT.rotations, turned], axis=1))
    feet = feet_of(clawed)
    turns = [multiply(exp(np.array([0.0, 0.0, 0.3])), foot.turns(clip)) for foot in feet]
    held = FootContacts(STANDS.astype(float))
    made = place_feet(clip, [foot.places(clip) for foot in feet], turns, held, np.ones(len(clip)))
    np.testing.assert_allclose(np.abs(np.sum(made.rotations[:, -1] * clip.rotations[:, -1], axis=-1)), 1.0)
    way = [one.positions[:, -1] - one.positions[:, toe] for one in (clip, made)]
    cosine, sine = np.cos(0.3), np.sin(0.3)
    np.testing.assert_allclose(way[1][:, 0], cosine * way[0][:, 0] - sine * way[0][:, 1], atol=1e-6)
