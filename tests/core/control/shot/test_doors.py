"""A door in a shot: the hand lets go of the handle in time, and the leaf falls shut while the character walks on."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.cli.interact import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.performance import ObjectTrack
from footfall.core.control.shot.beats import Beat, TaskBeat, WalkBeat
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.control.shot.tracks import settled
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import inverse, multiply, rotate, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.training.interactions.props.doors import Door

OPEN = TaskBeat(InteractionTask("open", 0))


def shot_of(hinge_side: int, *beats: Beat) -> Shot:
    door = Door(width=0.92, hinge_side=hinge_side)
    leaf = InteractionObject(
        "door",
        "door",
        Collider.from_mesh(*door.leaf_mesh()),
        np.array([0.0, 3.0, 0.0]),
        rotation_about_up(np.array(np.pi)),
        handle=door.affordance(),
    )
    walks, acts = load_model(shipped_controller()), load_model(shipped_controller(SHIPPED_CONTROLLER))
    rollout = ShotRollout(walks, acts, ShotRequest(beats, np.zeros(3), 0.0, None, [leaf]))
    while rollout.advance():
        pass
    return rollout.finish()


@pytest.fixture(scope="module", params=[-1, 1])
def shot(request: pytest.FixtureRequest) -> Shot:
    """Return a walk through a door and on, with the hinge on either side."""
    return shot_of(request.param, OPEN, WalkBeat(np.array([[0.0, 7.0]])))


def leaf_angles(shot: Shot, shut: float = np.pi) -> np.ndarray:
    """Return the opening angle at each frame, degrees, given the yaw of the shut leaf, radians."""
    rotations = next(one for one in shot.performance.objects if one.name == "door").rotations
    turned = multiply(rotations, inverse(rotation_about_up(np.array(shut))))
    return np.degrees(2 * np.arctan2(np.abs(turned[:, 3]), np.abs(turned[:, 0])))


def test_the_leaf_falls_shut_without_a_jump_while_the_character_walks_on(shot: Shot) -> None:
    angles = leaf_angles(shot)
    assert angles.max() > 65.0 and angles[-1] < 1.0
    assert np.abs(np.diff(angles)).max() < 4.0, "degrees per frame"
    assert angles[shot.seams[-1]] > 5.0, "it is still open where the walk begins"


def test_no_hand_is_left_behind_on_the_handle(shot: Shot) -> None:
    clip = shot.performance.clip
    track, skeleton = root_track(clip), clip.skeleton
    for side in "LR":
        hand = (
            clip.positions[:, skeleton.joint(f"hand.{side}")] - clip.positions[:, skeleton.joint(f"upper_arm.{side}")]
        )
        ahead = np.sum(hand[:, :2] * facing_direction(track.yaws), axis=1)
        assert ahead.min() > -0.25, "no farther back than in a walk"


def test_a_door_that_is_opened_again_while_it_falls_shut_does_not_jump(shot: Shot) -> None:
    angles = np.radians(
        np.concatenate([np.full(50, 60.0), np.zeros(60), np.linspace(0.0, 70.0, 60), np.full(60, 70.0)])
    )
    falling = np.radians(60.0 * 0.5 * (1.0 + np.cos(np.linspace(0.0, np.pi, 120))))
    made, falls = (door_track(one) for one in (angles, falling))
    moved = settled(replace(shot.performance, objects=(made,)), 50, falls)
    opened = leaf_angles(replace(shot, performance=moved), 0.0)
    assert np.abs(np.diff(opened)).max() < 2.0, "degrees per frame"
    assert opened.min() > 15.0 and opened[-1] == pytest.approx(70.0)


def door_track(angles: np.ndarray) -> ObjectTrack:
    """Return a door turned by angles (F), radians, about its hinge, 0.46 m from its origin."""
    turns = rotation_about_up(angles)
    places = np.array([-0.46, 0.0, 0.0]) + rotate(turns, np.array([0.46, 0.0, 0.0]))
    return ObjectTrack("door", places, turns, np.zeros(len(angles), dtype=bool))
