"""Feet that are held frame by frame."""

from dataclasses import replace

import numpy as np

from footfall.core.control.drive.live_feet import LiveFeet
from footfall.core.motion import Clip
from footfall.core.motion.rotations import length
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
