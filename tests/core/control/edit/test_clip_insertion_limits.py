"""Clips inserted into walks: what is refused, where seams are looked for, and what is told of them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.clip_insertion import Insertion, find_seams, insert_clip
from footfall.core.control.performance import Performance
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import length, multiply, rotation_about_up
from footfall.core.terrain.ground import Plane
from footfall.tests.core.control.edit.test_clip_insertion import BODY, FRAME, LONG, RATE, WALK, standing, walked_part
from footfall.tests.support.performances import performance


def still(count: int) -> Performance:
    """A walk that stands still."""
    clip, _ = standing(1.0)
    pose = clip.cut(0, 1)
    held = Clip(BODY, RATE, np.repeat(pose.root_positions, count, 0), np.repeat(pose.rotations, count, 0))
    return performance(held, FootContacts(np.ones((count, 4))), np.linspace(0.0, 0.9, count), np.ones((count, 1)))


def test_a_clip_that_goes_on_resumes_the_walk_as_far_on() -> None:
    clip, contacts = walked_part(start=0.3, seconds=4.0)
    seams = find_seams(WALK, clip, contacts, FRAME)
    gone = length(clip.root_positions[seams.ends - 1, :2] - clip.root_positions[seams.begins, :2])
    skipped = length(WALK.clip.root_positions[seams.resumes, :2] - WALK.clip.root_positions[seams.leaves, :2])
    assert skipped == pytest.approx(float(gone), abs=0.15)


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
