"""Objects in the hands: blended in from where they were grasped, upright between them, and out again."""

import numpy as np
import pytest

from footfall.core.control.interaction.attachment import Attachment
from footfall.core.motion.rotations import multiply, rotation_about_up
from footfall.tests.core.control.interaction.test_sequencer import BOX

HANDS = np.array([[-0.25, 0.5, 1.0], [0.25, 0.5, 1.0]])
"""Hands before a body at the origin that faces +Y."""


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
