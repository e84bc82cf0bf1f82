"""Collision masks: hands on what they hold, bodies on their seats, and objects that are carried."""

import numpy as np
import pytest

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.collision_mask import CollisionMask, build_collision_mask
from footfall.core.control.refine.held_object import carry_weights
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.tests.core.control.interaction.test_sequencer import STOOL, block, play
from footfall.tests.support.walker import person

BODY = BodyCapsules.from_skeleton(person())
CRATE = block("crate", "box", (0.4, 0.3, 0.3), (0.0, 2.0, 0.0))
FAR = block("far", "seat", (0.4, 0.4, 0.45), (5.0, 5.0, 0.0))


def spheres(*roles: str) -> np.ndarray:
    """The spheres (S) of the roles, as a mask."""
    return np.isin(np.arange(len(BODY.radii)), BODY.sphere_indices(roles))


@pytest.fixture(scope="module")
def sat() -> InteractionSequencer:
    return play([STOOL, FAR], InteractionTask("sit", 0, duration=1.0))


@pytest.fixture(scope="module")
def carried() -> InteractionSequencer:
    return play([CRATE, STOOL], InteractionTask("carry", 0, np.array([0.0, 5.0, 0.0])))


def mask_of(done: InteractionSequencer) -> CollisionMask:
    return build_collision_mask(done.recording, BODY, done.recording.actions)


def test_hips_and_thighs_rest_on_the_seat_that_is_used_and_on_no_other(sat: InteractionSequencer) -> None:
    mask = mask_of(sat)
    assert mask.seat_indices == {0} and not mask.handled_indices
    seated = spheres("hips", "thigh")
    np.testing.assert_array_equal(mask.limbs[0], np.tile(seated, (len(sat.recording), 1)))
    assert not mask.limbs[1].any() and not mask.hands["L"][0].any()


def test_only_each_hand_with_its_forearm_may_touch_a_handled_object(carried: InteractionSequencer) -> None:
    mask, count = mask_of(carried), len(carried.recording)
    assert mask.handled_indices == {0} and not mask.seat_indices
    for side in "LR":
        own = spheres(f"hand.{side}", f"forearm.{side}")
        np.testing.assert_array_equal(mask.hands[side][0], np.tile(own, (count, 1)))
        assert not mask.hands[side][1].any()


def test_a_carried_object_is_no_obstacle_to_the_body(carried: InteractionSequencer) -> None:
    mask = mask_of(carried)
    weights = carry_weights(carried.recording, 0)
    np.testing.assert_array_equal(mask.root[0].all(axis=1), weights > 0.5)
    assert not mask.root[1].all(axis=1).any()
