"""A door in a shot: the hand lets go of the handle in time, and the leaf falls shut while the character walks on."""

import numpy as np
import pytest

from footfall.cli.interact import SHIPPED_CONTROLLER
from footfall.cli.walk import shipped_controller
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import TaskBeat, WalkBeat
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import inverse, multiply, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.training.interactions.props.doors import Door


@pytest.fixture(scope="module", params=[-1, 1])
def shot(request: pytest.FixtureRequest) -> Shot:
    """Return a walk through a door and on, with the hinge on either side."""
    door = Door(width=0.92, hinge_side=request.param)
    leaf = InteractionObject(
        "door",
        "door",
        Collider.from_mesh(*door.leaf_mesh()),
        np.array([0.0, 3.0, 0.0]),
        rotation_about_up(np.array(np.pi)),
        handle=door.affordance(),
    )
    beats = [TaskBeat(InteractionTask("open", 0)), WalkBeat(np.array([[0.0, 7.0]]))]
    walks, acts = load_model(shipped_controller()), load_model(shipped_controller(SHIPPED_CONTROLLER))
    rollout = ShotRollout(walks, acts, ShotRequest(beats, np.zeros(3), 0.0, None, [leaf]))
    while rollout.advance():
        pass
    return rollout.finish()


def leaf_angles(shot: Shot) -> np.ndarray:
    """Return the opening angle at each frame, degrees."""
    rotations = next(one for one in shot.performance.objects if one.name == "door").rotations
    turned = multiply(rotations, inverse(rotations[0]))
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
