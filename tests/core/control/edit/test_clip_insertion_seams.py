"""Seams of inserted clips in closed form: what is cheapest, what dies out behind them, and ways that are bent."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from footfall.core.control.edit.clip_insertion import (
    Insertion,
    Seams,
    _cheapest,
    _inertialized,
    _kept_outside,
    _led_along,
    _repeated,
    _SeamFeatures,
    _turned_along,
    find_seams,
    insert_clip,
)
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import RootTrack, root_track
from footfall.core.motion.rotations import Array, log, multiply, rotation_about_up
from footfall.core.terrain.ground import Plane
from footfall.tests.core.control.edit.test_clip_insertion_limits import going, still

POINT = Skeleton(("hips",), (-1,), np.zeros((1, 3)), np.ones((1, 3)), {"hips": 0})
RATE = 60.0
STANDING = FootContacts(np.ones((240, 4)))


def sliding(places: Array, turns: Array | None = None) -> Clip:
    """One joint at places (F) along X, turned about the vertical by turns (F)."""
    count = len(places)
    roots = np.column_stack([places, np.zeros(count), np.ones(count)])
    return Clip(POINT, RATE, roots, rotation_about_up(np.zeros(count) if turns is None else turns)[:, None])


def quintic(share: Array) -> Array:
    """One at 0, zero from 1 on."""
    share = np.minimum(share, 1.0)
    return 1 - 10 * share**3 + 15 * share**4 - 6 * share**5


def test_behind_a_seam_the_motion_goes_on_as_before_it_and_comes_to_the_other_one_in_four_tenths_of_a_second() -> None:
    """Before frame 20 a centimeter and 0.01 rad a frame; behind it another place, three times as fast."""
    count, after = 60, np.arange(40)
    motion = np.concatenate([0.01 * np.arange(20), 0.5 + 0.03 * after])
    went_on = 0.19 + 0.01 + 0.01 * after
    wanted = motion[20:] + quintic(after / 24) * (went_on - motion[20:])
    made = _inertialized(sliding(motion, motion), (20,))
    np.testing.assert_array_equal(made.root_positions[:20, 0], motion[:20])
    np.testing.assert_allclose(made.root_positions[20:, 0], wanted, atol=1e-12)
    np.testing.assert_allclose(log(made.rotations)[20:, 0, 2], wanted, atol=1e-9)
    assert len(made) == count


@pytest.mark.parametrize(("seam", "smooth"), [(0, False), (1, False), (2, True), (38, True), (39, False)])
def test_a_seam_with_two_frames_on_either_side_is_smoothed_and_so_are_those_after_one_without(
    seam: int, smooth: bool
) -> None:
    for seams in ((seam,), (1, seam)):
        motion = sliding(np.where(np.arange(40) < seam, 0.0, 1.0))
        made = _inertialized(motion, seams)
        assert made.root_positions[seam, 0] == pytest.approx(0.0 if smooth else 1.0)


@pytest.mark.parametrize("start", [10, 0])
def test_locked_feet_are_blended_in_and_out_over_a_fifth_of_a_second(start: int) -> None:
    """Frames 10 to 69 along a smooth step of 12 frames; from the first frame of a walk on there is nothing to blend."""
    clip, locked = sliding(np.zeros(100)), sliding(np.ones(100), np.full(100, 0.6))
    span = slice(start, 70)
    made = _kept_outside(clip, locked, span)
    frames = np.arange(100)
    share = np.clip(np.minimum(frames - start, 69 - frames) / 12, 0.0, 1.0)
    if start == 0:
        share[:35] = 1.0
    wanted = share**2 * (3 - 2 * share)
    np.testing.assert_allclose(made.root_positions[:, 0], wanted)
    np.testing.assert_allclose(log(made.rotations)[:, 0, 2], 0.6 * wanted, atol=1e-9)
    np.testing.assert_allclose(made.root_positions[:, 2], 1.0)


def test_each_step_of_a_way_is_turned_with_the_frame_that_it_begins_at_and_the_body_beside_it_too() -> None:
    """It goes along Y, 20 cm beside its track, and is turned to the left from its fourth frame on."""
    track = RootTrack(np.column_stack([np.ones(6), 2.0 + 0.1 * np.arange(6)]), np.zeros(6))
    clip = sliding(np.zeros(6))
    clip = replace(clip, root_positions=np.column_stack([track.positions + np.array([0.2, 0.0]), np.full(6, 0.9)]))
    turns = np.where(np.arange(6) < 3, 0.0, np.pi / 2)
    made = _turned_along(clip, track, turns)
    wanted = np.array([[1.2, 2.0], [1.2, 2.1], [1.2, 2.2], [1.0, 2.5], [0.9, 2.5], [0.8, 2.5]])
    np.testing.assert_allclose(made.root_positions, np.column_stack([wanted, np.full(6, 0.9)]))
    np.testing.assert_allclose(log(made.rotations)[:, 0, 2], turns, atol=1e-9)


def features(joints: Array, speeds: Array, contacts: NDArray[np.bool_]) -> _SeamFeatures:
    """Features of joints (F, J) and their speeds (F, J), all along X."""
    count = len(joints)
    flat = (np.stack([part, 0 * part, 0 * part], axis=-1).reshape(count, -1) for part in (joints, speeds))
    return _SeamFeatures(*flat, contacts, RootTrack(np.zeros((count, 2)), np.zeros(count)))


@pytest.mark.parametrize("joints", [1, 4])
@pytest.mark.parametrize(
    ("apart", "speed", "feet", "late", "taken"),
    [
        (0.100, 0.66, 0, 0, True),  # 0.15 s of a difference of velocity: 0.099 m
        (0.100, 0.67, 0, 0, False),
        (0.061, 0.00, 1, 0, True),  # 0.06 m for a foot
        (0.059, 0.00, 1, 0, False),
        (0.121, 0.00, 2, 0, True),
        (0.119, 0.00, 2, 0, False),
        (0.021, 0.00, 0, 60, True),  # 0.02 m for a second
        (0.019, 0.00, 0, 60, False),
    ],
)
def test_a_pair_of_frames_costs_its_distance_velocity_contacts_and_time(
    joints: int, apart: float, speed: float, feet: int, late: int, taken: bool
) -> None:
    """Frame 100 of the walk is the wished one and its pose is apart; the other one has that pose, but for the rest."""
    others = np.zeros((1, joints)), np.zeros((1, joints)), np.ones((1, 4), dtype=bool)
    count = 200
    places, speeds, contacts = np.full((count, joints), 9.0), np.zeros((count, joints)), np.ones((count, 4), dtype=bool)
    for other in (100 - late, 100 + late) if late else (101,):
        places[100], places[other], speeds[other] = apart, 0.0, speed
        contacts[other, :feet] = False
        walked = features(places, speeds, contacts)
        # A frame beside the wished one costs a third of a millimeter.
        found = _cheapest(walked, np.arange(count), features(*others), np.array([0]), 100)
        assert found == (other if taken else 100, 0)
        places[other], contacts[other] = 9.0, True


def test_the_pair_is_of_frames_of_walk_and_clip_and_not_of_their_places_in_what_was_searched() -> None:
    places = np.full((20, 1), 9.0)
    places[12] = 0.0
    clip = np.full((20, 1), 5.0)
    clip[17] = 0.0
    walked, played = (features(part, np.zeros((20, 1)), np.ones((20, 4), dtype=bool)) for part in (places, clip))
    assert _cheapest(walked, np.arange(10, 15), played, np.arange(14, 20), 10) == (12, 17)


def steady(turn: float) -> Clip:
    """A body that turns on the spot evenly."""
    clip = still(240).clip
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(np.linspace(0.0, turn, 240)), rotations[:, 0])
    return replace(clip, rotations=rotations)


def test_a_clip_is_played_again_from_where_it_ends_and_faces() -> None:
    """Behind the seam, from 0.4 s on, it is what it was, turned and moved."""
    clip = steady(2.0)
    clip = replace(clip, root_positions=clip.root_positions + np.linspace(0.0, 1.0, 240)[:, None] * [1.0, 0.0, 0.0])
    whole, contacts = _repeated(Insertion(0, clip, FootContacts(np.ones((240, 4))), 3))
    assert len(whole) == len(contacts.probabilities) == 720
    yaws, roots = root_track(clip).yaws, clip.root_positions
    turn, at = float(yaws[-1] - yaws[0]), 240 + 24
    wanted = multiply(rotation_about_up(np.array(turn)), clip.rotations[24, 0])
    assert abs(float(wanted @ whole.rotations[at, 0])) == pytest.approx(1.0, abs=1e-12)
    moved = (roots[24] - roots[0])[:2] @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    np.testing.assert_allclose(whole.root_positions[at, :2], roots[-1, :2] + moved, atol=1e-9)
    np.testing.assert_allclose(whole.root_positions[at, 2], roots[24, 2])


def test_a_clip_that_is_played_once_is_itself() -> None:
    clip = steady(1.0)
    whole, _ = _repeated(Insertion(0, clip, STANDING))
    assert whole is clip


def test_a_clip_faces_where_the_walk_does_at_its_first_frame_and_at_its_last() -> None:
    """It is turned by what its own facing lacks there, to the last bit."""
    walk, part = still(600), steady(1.2)
    made = _led_along(walk, part, Seams(300, 0, 240, 300), Plane())
    own, facing = root_track(part, 0.3).yaws, float(root_track(walk.clip, 0.3).yaws[300])
    for frame in (0, -1):
        wanted = multiply(rotation_about_up(np.array(facing - own[frame])), part.rotations[frame, 0])
        assert abs(float(wanted @ made.rotations[frame, 0])) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("meters", "by_time"), [(0.28, True), (0.32, False)])
def test_a_clip_that_goes_less_than_thirty_centimeters_is_led_by_its_time(meters: float, by_time: bool) -> None:
    """At a quarter of it it still stands: by its time it has made up for 5/32 of all that there is to make up for."""
    walk = still(600)
    made = _led_along(walk, going(meters, 0.5).clip, Seams(300, 0, 240, 300), Plane())
    gone = made.root_positions[:, 0] - made.root_positions[0, 0]
    share = 45 / 239
    if by_time:
        assert gone[45] == pytest.approx(-meters * share**2 * (3 - 2 * share), abs=0.01)
    else:
        assert gone[45] == pytest.approx(0.0, abs=0.002)


@pytest.mark.parametrize("level", [0.0, 2.0, np.nan])
def test_a_clip_is_put_onto_the_ground_where_there_is_some(level: float) -> None:
    walk, part = still(600), still(240).clip
    made = _led_along(walk, part, Seams(300, 0, 240, 300), Plane(level))
    np.testing.assert_allclose(made.root_positions[:, 2], part.root_positions[:, 2] + np.nan_to_num(level))
    np.testing.assert_allclose(made.root_positions[:, :2], walk.clip.root_positions[300:540, :2], atol=1e-9)


def test_a_clip_that_leads_elsewhere_says_how_far_and_by_which_turn() -> None:
    with pytest.raises(FootfallError, match=r"ends 3\.0 m from where the walk continues, turned by 0 degrees"):
        insert_clip(still(600), going(3.0, 0.0), Plane())


def test_from_the_very_first_frame_on_a_walk_is_resumed_as_far_on_as_the_clip_goes() -> None:
    """It goes a centimeter a frame; the clip, which begins where all feet stand, a meter."""
    walk, clip = still(600), still(240).clip
    roots = walk.clip.root_positions + np.arange(600)[:, None] * [0.0, 0.01, 0.0]
    contacts = np.zeros((600, 4))
    contacts[0] = 1.0
    moving = replace(walk, clip=replace(walk.clip, root_positions=roots), contacts=FootContacts(contacts))
    leap = clip.root_positions + np.clip(np.arange(240)[:, None] / 100 - 0.7, 0.0, 1.0) * [0.0, 1.0, 0.0]
    seams = find_seams(moving, replace(clip, root_positions=leap), STANDING, 0)
    assert seams.leaves == 0
    assert seams.resumes == pytest.approx(100, abs=36)
