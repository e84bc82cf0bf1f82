"""Doors that are pulled: places outside of the swing arc, and a leaf that opens with the steps back."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.interaction.door import opening_angle, opening_sign
from footfall.core.control.interaction.door_pull import TUNING as DOOR_PULL_TUNING
from footfall.core.control.interaction.door_pull import DoorPull
from footfall.core.motion.rotations import Array, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.training.interactions.props.doors import Door

FRONT = np.array([0.0, 1.0])


def pulled(width: float = 0.9, hinge: int = -1, side: int = 0, yaw: float = 0.0) -> InteractionObject:
    """Return a closed door, seen from the side to which it opens: 0, its front, or 2."""
    door = Door(width=width, hinge_side=hinge)
    half, thick = width / 2 - 0.004, door.thickness / 2
    collider = Collider(np.array([[-half, -thick, 0.006]]), np.array([[half, thick, door.height]]))
    handle = replace(door.affordance(), opens_toward=FRONT if side == 0 else -FRONT)
    turn = rotation_about_up(np.array(yaw))
    return InteractionObject("door", "door", collider, np.zeros(3), turn, handle=handle).facing_side(side)


def along_leaf(door: InteractionObject, place: Array) -> Array:
    """Return a place (2) as its distances from the hinge along the closed leaf and before it, meters."""
    assert door.handle is not None
    offset = door.posed_collider.to_local(np.append(place, 0.0)[None])[0] - door.handle.hinge
    return offset[:2] * [np.sign(door.handle.position[0] - door.handle.hinge[0]), 1.0]


hangings = st.tuples(st.sampled_from([-1, 1]), st.sampled_from([0, 2]), st.floats(-3.0, 3.0))


@given(hangings)
def test_a_leaf_that_is_pulled_swings_toward_the_character(hanging: tuple[int, int, float]) -> None:
    door = pulled(0.9, *hanging)
    assert door.handle is not None
    leaf = door.swing_open(opening_sign(door) * np.pi / 2)
    handle = along_leaf(door, leaf.posed_collider.to_world(door.handle.position[None])[0, :2])
    reach, out = abs(door.handle.position[0] - door.handle.hinge[0]), float(door.handle.position[1])
    # Open at a right angle, the leaf stands before its hinge, and the handle is on its far face.
    np.testing.assert_allclose(handle, [-out, reach], atol=1e-9)
    assert opening_angle(leaf, door) == pytest.approx(np.pi / 2)


@given(hangings)
def test_the_places_are_offsets_from_the_handle(hanging: tuple[int, int, float]) -> None:
    door = pulled(0.9, *hanging)
    assert door.handle is not None
    pull = DoorPull.of(door)
    reach, out = abs(door.handle.position[0] - door.handle.hinge[0]), float(door.handle.position[1])
    np.testing.assert_allclose(
        along_leaf(door, pull.grasp), np.add([reach, out], DOOR_PULL_TUNING.grasp_offset), atol=1e-9
    )
    cosine, sine = np.cos(DOOR_PULL_TUNING.pulled_angle), np.sin(DOOR_PULL_TUNING.pulled_angle)
    opened = [reach * cosine - out * sine, reach * sine + out * cosine]
    np.testing.assert_allclose(
        along_leaf(door, pull.release), np.add(opened, DOOR_PULL_TUNING.release_offset), atol=1e-9
    )
    np.testing.assert_allclose(pull.facing, -door.front_direction)
