"""Clips inserted into walks: what is refused, where seams are looked for, and what is told of them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.clip_insertion import Insertion, Seams, find_seams, insert_clip, largest_seam_move
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import length, multiply, rotation_about_up
from footfall.core.terrain.ground import Plane
from footfall.tests.core.control.edit.test_clip_insertion import BODY, FRAME, LONG, RATE, WALK, standing, walked_part
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.walker import Walker


def still(count: int) -> Walk:
    """A walk that stands still."""
    clip, _ = standing(1.0)
    pose = clip.cut(0, 1)
    held = Clip(BODY, RATE, np.repeat(pose.root_positions, count, 0), np.repeat(pose.rotations, count, 0))
    return Walk(held, FootContacts(np.ones((count, 4))), np.linspace(0.0, 0.9, count), np.ones((count, 1)))


def of_seconds(seconds: float) -> Insertion:
    clip, contacts = standing(seconds)
    return Insertion(FRAME, clip, contacts)


class Lift(Plane):
    """Ground that moves."""

    is_static = False


def test_on_ground_that_moves_nothing_is_inserted() -> None:
    with pytest.raises(FootfallError, match="Clips cannot be inserted on ground that moves"):
        insert_clip(WALK, of_seconds(3.0), Lift())


def test_nothing_is_inserted_into_the_walks_of_dogs() -> None:
    clip, stands = trot(dog(), 120)
    walk = Walk(clip, FootContacts(stands.astype(float)), np.zeros(120), np.ones((120, 1)))
    with pytest.raises(FootfallError, match="into the walks of four-legged characters"):
        insert_clip(walk, Insertion(60, clip, walk.contacts), Plane())


@pytest.mark.parametrize("frame", [-1, LONG])
def test_a_clip_begins_at_a_frame_of_the_walk(frame: int) -> None:
    with pytest.raises(FootfallError, match=rf"begins {frame / 60:.1f} s after the start of a walk of 14\.0 s"):
        insert_clip(WALK, replace(of_seconds(3.0), frame=frame), Plane())


def test_in_a_walk_that_is_alike_everywhere_the_clip_begins_at_the_wished_frame_and_is_played_whole() -> None:
    clip = still(240).clip
    seams = find_seams(still(600), clip, FootContacts(np.ones((240, 4))), FRAME)
    # Of frames that fit as well, the first of the beginning, and the first of the end that may be left out.
    assert seams == Seams(FRAME, 0, 240 - 30 + 1, FRAME)


def test_feet_that_stand_on_one_side_alone_make_a_seam_unfit() -> None:
    """Only the frames from 310 on have the contacts of the clip."""
    walk = still(600)
    contacts = np.ones((600, 4))
    contacts[:310, 0] = 0.0
    seams = find_seams(
        replace(walk, contacts=FootContacts(contacts)), still(240).clip, FootContacts(np.ones((240, 4))), FRAME
    )
    assert seams.leaves == 310


def test_at_the_start_of_a_walk_it_is_looked_for_from_the_first_frame_on() -> None:
    clip = still(240).clip
    contacts = FootContacts(np.ones((240, 4)))
    assert find_seams(still(600), clip, contacts, 0).leaves == 0
    ending = find_seams(still(600), clip, contacts, 599)
    assert ending.leaves == 599 and ending.resumes == 599


def test_some_of_the_walk_is_left_after_a_clip() -> None:
    """Of a clip that goes as far as the walk has left, the walk goes on with its last 0.6 s."""
    clip, contacts = walked_part(seconds=6.0)
    seams = find_seams(WALK, clip, contacts, LONG - 120)
    assert seams.resumes <= LONG - 36


def test_a_clip_that_goes_on_resumes_the_walk_as_far_on() -> None:
    clip, contacts = walked_part(start=0.3, seconds=4.0)
    seams = find_seams(WALK, clip, contacts, FRAME)
    gone = length(clip.root_positions[seams.ends - 1, :2] - clip.root_positions[seams.begins, :2])
    skipped = length(WALK.clip.root_positions[seams.resumes, :2] - WALK.clip.root_positions[seams.leaves, :2])
    assert skipped == pytest.approx(float(gone), abs=0.15)


def test_the_walk_keeps_its_phase_and_gait_while_the_clip_is_played() -> None:
    made, seams = insert_clip(WALK, of_seconds(3.0), Plane())
    count = seams.ends - seams.begins
    np.testing.assert_array_equal(made.phase[: seams.leaves], WALK.phase[: seams.leaves])
    np.testing.assert_array_equal(made.phase[seams.leaves : seams.leaves + count], WALK.phase[seams.leaves])
    np.testing.assert_array_equal(made.phase[seams.leaves + count :], WALK.phase[seams.resumes :])
    np.testing.assert_array_equal(made.gaits[seams.leaves], WALK.gaits[seams.leaves])


def test_a_clip_that_is_played_twice_lasts_twice_as_long_and_goes_twice_as_far() -> None:
    clip, contacts = walked_part(seconds=2.0)
    once, first = insert_clip(WALK, Insertion(FRAME, clip, contacts), Plane())
    twice, second = insert_clip(WALK, Insertion(FRAME, clip, contacts, 2), Plane())
    more = (second.ends - second.begins) - (first.ends - first.begins)
    assert more == pytest.approx(len(clip), abs=60)
    gone = second.resumes - second.leaves - (first.resumes - first.leaves)
    assert gone == pytest.approx(len(clip), abs=60)
    assert len(twice.clip) == LONG + second.ends - second.begins - (second.resumes - second.leaves)
    assert len(once.clip) == LONG + first.ends - first.begins - (first.resumes - first.leaves)


@pytest.mark.parametrize(("frames", "told"), [(-25, False), (-24, True), (24, False), (23, True)])
def test_a_jump_is_told_up_to_four_tenths_of_a_second_from_either_seam(frames: int, told: bool) -> None:
    walk, insertion = still(600), Insertion(FRAME, still(240).clip, FootContacts(np.ones((240, 4))))
    seams = Seams(300, 0, 240, 300)
    for seam in (300, 540):
        roots = np.repeat(walk.clip.root_positions[:1], 840, axis=0)
        roots[seam + frames + 1 :, 0] += 0.5
        whole = replace(walk.clip, root_positions=roots, rotations=np.repeat(walk.clip.rotations[:1], 840, axis=0))
        move, usual = largest_seam_move(replace(walk, clip=whole), walk, insertion, seams)
        assert usual == pytest.approx(0.0, abs=1e-9)
        assert move == pytest.approx(0.5 if told else 0.0, abs=1e-9)


@pytest.mark.parametrize("leaves", [0, 1, 2])
def test_at_the_start_of_a_walk_a_clip_goes_over_into_it_without_a_jump(leaves: int) -> None:
    """Its first frames have no motion before them that could go on."""
    insertion = of_seconds(3.0)
    contacts = np.zeros((LONG, 4))
    contacts[leaves] = 1.0
    walk = replace(WALK, contacts=FootContacts(contacts))
    made, seams = insert_clip(walk, replace(insertion, frame=leaves), Plane())
    assert seams.leaves == leaves
    steps = length(np.diff(made.clip.root_positions, axis=0))
    assert steps.max() < 2.0 * length(np.diff(WALK.clip.root_positions, axis=0)).max()
    seam = leaves + seams.ends - seams.begins
    turned = np.abs(np.sum(made.clip.rotations[seam - 1] * made.clip.rotations[seam], axis=-1))
    assert np.degrees(2 * np.arccos(np.minimum(turned, 1.0))).max() < 6.0


def test_a_clip_that_turns_on_the_spot_is_turned_back_by_its_time_to_where_the_walk_goes_on() -> None:
    """It turns evenly by 0.6 rad, and back by as much along a smooth step: in the middle by half of it both ways."""
    clip, contacts = standing(3.0)
    turn = rotation_about_up(np.linspace(0.0, 0.6, len(clip)))
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    made, seams = insert_clip(WALK, Insertion(FRAME, replace(clip, rotations=rotations), contacts), Plane())
    yaws, count = root_track(made.clip).yaws, seams.ends - seams.begins
    own = 0.6 * count / len(clip)
    for share, turned in ((0.5, 0.0), (0.35, 0.35 - 0.35**2 * (3 - 0.7)), (0.65, 0.65 - 0.65**2 * (3 - 1.3))):
        frame = seams.leaves + round(share * count)
        assert yaws[frame] - yaws[0] == pytest.approx(own * turned, abs=0.03)


def test_a_body_that_sways_beside_its_way_sways_to_the_same_side_in_the_walk() -> None:
    clip, contacts = standing(3.0)
    count = len(clip)
    sway = 0.12 * np.sin(2 * np.pi * 2.0 * np.arange(count) / RATE)
    right = Walker(seconds=1.0).clip()
    across = right.positions[0, BODY.joint("thigh.R")] - right.positions[0, BODY.joint("thigh.L")]
    across = np.append(across[:2] / length(across[:2]), 0.0)
    swaying = replace(clip, root_positions=clip.root_positions + sway[:, None] * across)
    made, seams = insert_clip(WALK, Insertion(FRAME, swaying, contacts), Plane())
    part = made.clip.root_positions[seams.leaves : seams.leaves + seams.ends - seams.begins]
    own = sway[seams.begins : seams.ends]
    middle = slice(30, len(own) - 30)
    shown = part[middle] @ across
    assert np.corrcoef(shown - shown.mean(), own[middle])[0, 1] > 0.95


def test_the_walk_is_resumed_as_far_on_as_the_clip_goes_to_its_last_frame() -> None:
    """A clip whose last frame is 1 m ahead of the others; the walk is alike everywhere but for where it is."""
    walk, clip = still(600), still(240).clip
    roots = walk.clip.root_positions + np.arange(600)[:, None] * [0.0, 0.01, 0.0]
    leap = clip.root_positions + np.where(np.arange(240)[:, None] < 180, 0.0, 1.0) * [0.0, 1.0, 0.0]
    moving = replace(walk, clip=replace(walk.clip, root_positions=roots))
    seams = find_seams(moving, replace(clip, root_positions=leap), FootContacts(np.ones((240, 4))), 200)
    assert abs(seams.resumes - seams.leaves - 100) <= 36


def going(meters: float, turn: float) -> Insertion:
    """A body that glides aside by a distance and turns by an angle, and stands still before and after that."""
    clip = still(240).clip
    share = np.clip((np.arange(240) - 60) / 119, 0.0, 1.0)
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(turn * share), rotations[:, 0])
    roots = clip.root_positions + meters * share[:, None] * np.array([1.0, 0.0, 0.0])
    return Insertion(FRAME, replace(clip, root_positions=roots, rotations=rotations), FootContacts(np.ones((240, 4))))


def test_a_clip_that_turns_is_played_again_from_where_it_faces() -> None:
    """It turns by half a radian each time, and is turned back by time: in the middle, by as much as it has made."""
    once = going(0.0, 0.5)
    made, seams = insert_clip(still(600), replace(once, repeats=2), Plane())
    yaws, count = np.unwrap(root_track(made.clip).yaws), seams.ends - seams.begins
    assert count > 400
    assert yaws[seams.leaves + count // 2] - yaws[0] == pytest.approx(0.0, abs=0.06)
    assert np.abs(np.diff(yaws)).max() < 0.02


def test_a_straight_clip_in_a_walk_that_turns_is_bent_and_faces_where_it_goes() -> None:
    clip, contacts = walked_part(start=0.3, seconds=4.0)
    turning = Walker(seconds=14.0, turn=0.3)
    walk = Walk(turning.clip(), FootContacts(turning.contacts), turning.phase, np.ones((LONG, 1)))
    made, seams = insert_clip(walk, Insertion(FRAME, clip, contacts), Plane())
    span = slice(seams.leaves + 10, seams.leaves + seams.ends - seams.begins - 10)
    track = root_track(made.clip, 0.3)
    steps = np.diff(track.positions, axis=0)[span]
    assert np.ptp(np.unwrap(track.yaws)[span]) > 0.6
    aside = np.angle(np.exp(1j * (np.arctan2(-steps[:, 0], steps[:, 1]) - track.yaws[span])))
    assert np.abs(aside).max() < 0.15


@pytest.mark.parametrize("frame", [0, 598, 599])
def test_a_clip_may_begin_at_the_first_frame_and_at_the_last(frame: int) -> None:
    walk = still(600)
    made, seams = insert_clip(walk, Insertion(frame, still(240).clip, FootContacts(np.ones((240, 4)))), Plane())
    assert seams.leaves == frame
    assert len(made.clip) == 600 + seams.ends - seams.begins - (seams.resumes - seams.leaves)
    assert np.isfinite(made.clip.root_positions).all()


def test_from_the_first_frame_on_the_walk_is_resumed_as_far_on_too() -> None:
    clip, contacts = walked_part(start=0.3, seconds=4.0)
    seams = find_seams(WALK, clip, contacts, 0)
    gone = length(clip.root_positions[seams.ends - 1, :2] - clip.root_positions[seams.begins, :2])
    skipped = length(WALK.clip.root_positions[seams.resumes, :2] - WALK.clip.root_positions[seams.leaves, :2])
    assert skipped == pytest.approx(float(gone), abs=0.15)


def test_a_clip_that_goes_somewhere_is_led_along_its_way_and_not_by_its_time() -> None:
    """It stands for a second before it goes and turns: until then nothing is made up."""
    made, seams = insert_clip(still(600), going(1.0, 0.5), Plane())
    yaws = root_track(made.clip).yaws
    first = seams.leaves - seams.begins
    assert yaws[first + 40] - yaws[0] == pytest.approx(0.0, abs=0.01)
    assert length(made.clip.root_positions[first + 40] - made.clip.root_positions[0]) < 0.02
