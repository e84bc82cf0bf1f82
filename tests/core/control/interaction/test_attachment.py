"""Objects in the hands: blended in from where they were grasped, upright between them, and out again."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.attachment import Attachment, Release
from footfall.core.motion.blending import smooth_step
from footfall.core.motion.rotations import exp, log, multiply, rotation_about_up
from footfall.tests.core.control.interaction.test_sequencer import BOX

HANDS = np.array([[-0.25, 0.5, 1.0], [0.25, 0.5, 1.0]])
"""Hands before a body at the origin that faces +Y."""


def test_an_object_is_where_it_was_at_the_grasp_and_half_a_second_later_between_the_hands() -> None:
    attachment = Attachment.attach(3, BOX, HANDS, 40)
    assert attachment.object_index == 3 and attachment.start_frame == 40
    np.testing.assert_allclose(attachment.object_at(HANDS, 0.0).position, BOX.position, atol=1e-12)
    for seconds in (0.5, 2.0):
        held = attachment.object_at(HANDS, seconds)
        grip = held.posed_collider.to_world(held.grip_centre[None])[0]
        np.testing.assert_allclose(grip, HANDS.mean(axis=0), atol=1e-12)
    middle = attachment.object_at(HANDS, 0.25).position
    np.testing.assert_allclose(middle, (BOX.position + attachment.object_at(HANDS, 1.0).position) / 2, atol=1e-12)
    share = float(smooth_step(0.1 / 0.5))
    early = attachment.object_at(HANDS, 0.1).position
    np.testing.assert_allclose(early, BOX.position + share * (held.position - BOX.position), atol=1e-12)


@pytest.mark.parametrize("turn", [0.7, -2.0])
def test_it_turns_and_moves_with_its_carrier(turn: float) -> None:
    attachment = Attachment.attach(0, BOX, HANDS, 0)
    about, shift = rotation_about_up(np.array(turn)), np.array([2.0, -1.0, 0.3])
    carried = Attachment.attach(0, BOX, HANDS, 0)
    hands = np.array(
        [[np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y, z] for x, y, z in HANDS]
    )
    held, moved = attachment.object_at(HANDS, 0.3), carried.object_at(hands + shift, 0.3)
    x, y, z = held.position
    turned = np.array([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y, z])
    np.testing.assert_allclose(moved.position, turned + shift, atol=1e-12)
    np.testing.assert_allclose(np.abs(moved.rotation @ multiply(about, held.rotation)), 1.0)


def test_one_that_lies_askew_comes_upright() -> None:
    askew = replace(BOX, rotation=multiply(rotation_about_up(np.array(0.4)), exp(np.array([0.3, 0.0, 0.0]))))
    attachment = Attachment.attach(0, askew, HANDS, 0)
    np.testing.assert_allclose(attachment.object_at(HANDS, 0.0).rotation, askew.rotation, atol=1e-12)
    np.testing.assert_allclose(log(attachment.object_at(HANDS, 0.5).rotation), [0.0, 0.0, 0.4], atol=1e-9)


def test_one_that_is_let_go_of_comes_to_its_place_in_half_a_second() -> None:
    placed = BOX.place_at(np.array([1.0, 2.0, 0.3]), np.array([-1.0, 0.0]))
    release = Release(0, BOX, placed, 7)
    for seconds, share in ((0.0, 0.0), (0.25, 0.5), (0.5, 1.0), (3.0, 1.0), (0.1, 0.104)):
        now = release.object_at(seconds)
        np.testing.assert_allclose(now.position, BOX.position + share * (placed.position - BOX.position), atol=1e-12)
        np.testing.assert_allclose(log(now.rotation), [0.0, 0.0, share * np.pi / 2], atol=1e-9)
