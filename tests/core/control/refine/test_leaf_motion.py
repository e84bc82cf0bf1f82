"""Leaves of doors that open smoothly over a whole recording, ahead of the body and with the hand on their handle."""

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.interaction.door import TUNING as DOOR_TUNING
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.wrist_targets import palm_offset, wrist_on_handle
from footfall.core.control.refine.interaction_refinement import RefinedInteraction, refine_interaction
from footfall.core.control.refine.leaf_motion import PUSHING_ROLES, smooth_angles
from footfall.core.motion.root_frame import yaw_of
from footfall.core.motion.rotations import Array
from footfall.core.scene.affordances import Handle
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.interaction_object import animated_collider
from footfall.tests.core.control.interaction.test_sequencer import Model, block

TRUNK_AND_LEGS: Final = tuple(role for role in PUSHING_ROLES if role != "upper_arm")
"""The puppet stands with its arms out, wider than the passage."""
RATE: Final = 60.0
FRONT: Final = Handle(np.array([0.35, 0.03, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]))
HANDLE: Final = FRONT.opposite_handle()
"""On the side from which the character comes."""


@st.composite
def pushes(draw: st.DrawFn) -> Array:
    """Draw angles that rise in steps, stay and fall to zero at once, F frames."""
    angles = np.zeros(400)
    for _ in range(draw(st.integers(1, 4))):
        angles[draw(st.integers(60, 250)) :] += draw(st.floats(0.0, 0.45))
    angles[draw(st.integers(260, 380)) :] = 0.0
    return np.minimum(angles, DOOR_TUNING.max_opening)


@given(pushes())
def test_a_leaf_turns_no_faster_than_it_may_and_without_jerks(wanted: Array) -> None:
    angles = smooth_angles(wanted, RATE)
    speeds = np.diff(angles) * RATE
    assert np.abs(speeds).max() <= DOOR_TUNING.max_leaf_speed + 1e-9
    assert np.abs(np.diff(speeds)).max() * RATE < 25.0, "radians per second squared"
    assert angles.min() >= -1e-12 and angles.max() <= wanted.max() + 1e-9


@given(pushes())
def test_a_leaf_is_open_as_far_as_is_wanted_a_moment_before_it_is(wanted: Array) -> None:
    angles = smooth_angles(wanted, RATE)
    assert (wanted - angles).max() < 0.12


@pytest.fixture(scope="module")
def passage() -> tuple[InteractionSequencer, RefinedInteraction]:
    """Return a puppet that goes through a door, and its refined motion."""
    door = block("door", "door", (0.8, 0.04, 2.0), (0.0, 1.2, 0.0), handle=FRONT)
    model: Any = Model()
    play = InteractionSequencer(
        model, [door], [InteractionTask("open", 0), InteractionTask("idle", duration=4.0)], np.zeros(2)
    )
    way = 0.6
    while play.advance(1):
        if play.task_index == 0 and play.runtime.position[0, 1] > 0.6:
            way += 0.015
            play.runtime.position[0, 1] = way  # the puppet would stop before its goal
    return play, refine_interaction(play.recording)


def test_a_leaf_opens_and_falls_shut_at_a_leafs_speed(passage: tuple[InteractionSequencer, RefinedInteraction]) -> None:
    _, refined = passage
    angles = np.unwrap([float(yaw_of(state[0].front_direction)) for state in refined.objects])
    assert abs(angles[0]) < 1e-3 and abs(angles[-1]) < 1e-3
    assert np.radians(70) < angles.max() < np.radians(101), "it swings away from the character"
    assert np.abs(np.diff(angles)).max() * refined.clip.rate <= DOOR_TUNING.max_leaf_speed + 1e-6


def test_the_body_stays_out_of_the_leaf_and_its_hand_on_the_handle(
    passage: tuple[InteractionSequencer, RefinedInteraction],
) -> None:
    play, refined = passage
    passed = [event.frame for event in play.events if event.kind == "began"][1]
    clip, body = refined.clip, BodyCapsules.from_skeleton(refined.clip.skeleton)
    leaves = animated_collider([state[0] for state in refined.objects])
    depths = body.sphere_penetrations(clip, leaves)[:, body.sphere_indices(TRUNK_AND_LEGS)]
    assert depths[:passed].max() < 0.04, "its trunk bends after the handle"
    angles = np.unwrap([float(yaw_of(state[0].front_direction)) for state in refined.objects])
    opens = np.diff(angles, prepend=0.0) * clip.rate > np.radians(3)
    handles = leaves.to_world(
        np.broadcast_to(wrist_on_handle(HANDLE, palm_offset(clip.skeleton.leg_length)), (len(clip), 3))
    )
    wrist = clip.positions[:, clip.skeleton.joint(f"hand.{HANDLE.pushing_hand}")]
    assert (np.linalg.norm(wrist - handles, axis=-1)[opens] < 0.03).mean() > 0.9
