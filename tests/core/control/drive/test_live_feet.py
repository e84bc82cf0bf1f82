"""Feet that are held frame by frame."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.drive.live_feet import LiveFeet
from footfall.core.motion import Clip
from footfall.core.motion.rotations import length
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=4.0)
WALK, CONTACTS = WALKER.clip(), WALKER.contacts
DRIFT_M_S = 0.15


def drifting() -> Clip:
    """A walk whose body drifts aside, so that its feet slide."""
    drift = np.arange(len(WALK))[:, None] / WALK.rate * [DRIFT_M_S, 0.0, 0.0]
    return replace(WALK, root_positions=WALK.root_positions + drift)


def held(clip: Clip) -> Clip:
    feet = LiveFeet(clip.rate)
    poses = [feet.hold(clip.cut(frame, frame + 1), CONTACTS[frame]) for frame in range(len(clip))]
    return replace(
        clip,
        root_positions=np.concatenate([pose.root_positions for pose in poses]),
        rotations=np.concatenate([pose.rotations for pose in poses]),
    )


def slide(clip: Clip) -> float:
    """Mean speed of the balls that touch in two frames, m/s, but for those in which a contact begins."""
    speeds = []
    for side, column in (("L", 1), ("R", 3)):
        steps = length(np.diff(clip.positions[:, clip.skeleton.joint(f"toe.{side}"), :2], axis=0)) * clip.rate
        touching = CONTACTS[:, column] > 0.5
        speeds.append(steps[2:][touching[3:] & touching[2:-1] & touching[1:-2]])
    return float(np.concatenate(speeds).mean())


def test_feet_that_slide_stand() -> None:
    clip = drifting()
    assert slide(clip) > 0.8 * DRIFT_M_S
    assert slide(held(clip)) < 0.1 * DRIFT_M_S


def test_a_walk_without_slide_is_left_alone() -> None:
    np.testing.assert_allclose(held(WALK).positions, WALK.positions, atol=0.015)


def test_feet_come_back_to_the_motion_without_a_jump() -> None:
    clip, made = drifting(), held(drifting())
    for side in "LR":
        foot = clip.skeleton.joint(f"foot.{side}")
        off = made.positions[:, foot] - clip.positions[:, foot]
        assert length(np.diff(off, axis=0)).max() < 0.03, "a correction changes gradually"
        swings = CONTACTS[:, [0, 1] if side == "L" else [2, 3]].max(axis=1) < 0.5
        assert length(off[swings]).min() < 0.003


def test_a_foot_too_far_from_its_place_is_let_go_of() -> None:
    fast = np.arange(len(WALK))[:, None] / WALK.rate * [1.5, 0.0, 0.0]
    clip = replace(WALK, root_positions=WALK.root_positions + fast)
    assert length(held(clip).positions - clip.positions).max() < 0.2


def test_places_go_with_ground_that_moves() -> None:
    feet, pose = LiveFeet(60.0), WALK.cut(100, 101)
    touching = np.ones(4)
    for _ in range(3):
        feet.hold(pose, touching)
    feet.shift(np.array([0.05, 0.0]))
    moved = replace(pose, root_positions=pose.root_positions + np.array([0.05, 0.0, 0.0]))
    np.testing.assert_allclose(feet.hold(moved, touching).positions, moved.positions, atol=1e-3)


def test_a_foot_that_lands_is_held_once_it_is_slow() -> None:
    """A point that touches comes to rest below 0.8 m/s; a faster one goes on."""
    pose = WALK.cut(100, 101)
    for speed, held_there in ((0.7, True), (0.9, False)):
        feet, touching = LiveFeet(60.0), np.ones(4)
        step = np.array([speed / 60.0, 0.0, 0.0])
        for frame in range(4):
            moved = replace(pose, root_positions=pose.root_positions + frame * step)
            made = feet.hold(moved, touching)
        toe = WALK.skeleton.joint("toe.L")
        off = float(length(made.positions[0, toe] - moved.positions[0, toe]))
        # It is known to be slow in the second frame, and held from there on.
        assert off == (pytest.approx(2 * speed / 60.0, abs=2e-3) if held_there else pytest.approx(0.0, abs=1e-3))


def test_heights_stay_the_networks() -> None:
    pose, feet = WALK.cut(100, 101), LiveFeet(60.0)
    for _ in range(3):
        feet.hold(pose, np.ones(4))
    higher = replace(pose, root_positions=pose.root_positions + np.array([0.0, 0.0, 0.03]))
    np.testing.assert_allclose(feet.hold(higher, np.ones(4)).positions, higher.positions, atol=2e-3)


def test_each_foot_is_held_by_its_own_contacts() -> None:
    pose, feet = WALK.cut(100, 101), LiveFeet(60.0)
    left = np.array([0.0, 1.0, 0.0, 0.0])
    for _ in range(3):
        feet.hold(pose, left)
    moved = replace(pose, root_positions=pose.root_positions + np.array([0.05, 0.0, -0.02]))
    made = feet.hold(moved, left)
    off = [float(length((made.positions - moved.positions)[0, WALK.skeleton.joint(f"foot.{side}")])) for side in "LR"]
    assert off[0] == pytest.approx(0.05, abs=3e-3) and off[1] == pytest.approx(0.0, abs=2e-3)


def test_quadrupeds_stay_as_they_are() -> None:
    clip, _ = trot(dog(), 10)
    pose = clip.cut(0, 1)
    assert LiveFeet(60.0).hold(pose, np.ones(4)) is pose
