"""Doors pushed by a body: the leaf stays ahead of it, on whichever side it is hinged."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from footfall.core.control.interaction.door import TUNING as DOOR_TUNING
from footfall.core.control.interaction.door import opening_sign, push_door, pushing_joints
from footfall.core.motion.rotations import Array, rotation_about_up
from footfall.core.scene.body_capsules import TRUNK_RADII_M, BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import Model
from footfall.tests.support.walker import Walker, person
from footfall.training.interactions.props.doors import Door

DOOR = Door(width=0.9)
REACH = DOOR.affordance().hinge_distance
NO_BODY = np.zeros((0, 3)), np.zeros(0)


def hung(hinge: int = -1, side: int = 0, yaw: float = 0.0, at: tuple[float, float] = (0.0, 0.0)) -> InteractionObject:
    """Return a closed door, seen from the side of the approach: 0, its front, or 2."""
    door = Door(width=DOOR.width, hinge_side=hinge)
    half, thick = door.width / 2 - 0.004, door.thickness / 2
    collider = Collider(np.array([[-half, -thick, 0.006]]), np.array([[half, thick, door.height]]))
    leaf = InteractionObject(
        "door", "door", collider, np.array([*at, 0.0]), rotation_about_up(np.array(yaw)), handle=door.affordance()
    )
    return leaf.facing_side(side)


def place(door: InteractionObject, along: float, beyond: float, height: float = 1.0) -> Array:
    """Return the point (3) at distances along the closed leaf from its hinge and beyond it, meters."""
    assert door.handle is not None
    leaf = np.sign(door.handle.position[0] - door.handle.hinge[0])
    return door.posed_collider.to_world(door.handle.hinge[None] + [[leaf * along, -beyond, height]])[0]


def before(door: InteractionObject, angle: float, points: Array) -> Array:
    """Return distances (N) of points before the middle plane of an open leaf, meters."""
    return door.swing_open(angle).posed_collider.to_local(points)[:, 1]


def through(door: InteractionObject, angle: float) -> float:
    """Return the distance of the handle beyond the sill, meters."""
    assert door.handle is not None
    there = (
        door.swing_open(angle).posed_collider.to_world(door.handle.position[None])[0]
        - door.posed_collider.to_world(door.handle.hinge[None])[0]
    )
    return -float(there[:2] @ door.front_direction)


hangings = st.tuples(st.sampled_from([-1, 1]), st.sampled_from([0, 2]), st.floats(-3.0, 3.0))
insides = st.floats(0.15, 0.85)
ways = st.floats(-0.4, 0.6)
sizes = st.floats(0.02, 0.12)


@given(insides, ways, sizes, hangings)
@example(0.5, 0.0, 0.1, (-1, 0, 0.0))
@example(0.5, 0.0, 0.1, (1, 2, 0.0))
def test_the_leaf_clears_a_point_by_its_radius(
    along: float, beyond: float, thick: float, hanging: tuple[int, int, float]
) -> None:
    door = hung(*hanging)
    point = place(door, along, beyond)
    assume(
        thick + DOOR_TUNING.leaf_clearance + 1e-6
        < np.hypot(along, beyond)
        < REACH + thick + DOOR_TUNING.leaf_clearance - 1e-6
    )
    angle = push_door(door, point[:2], point[None], np.array([thick]), 0.0)
    assert abs(angle) <= DOOR_TUNING.max_opening
    if abs(angle) < DOOR_TUNING.max_opening - 1e-9:
        assert before(door, angle, point[None])[0] >= thick + DOOR_TUNING.leaf_clearance - 1e-9
        pressed = before(door, angle, point[None])[0] == pytest.approx(thick + DOOR_TUNING.leaf_clearance, abs=1e-9)
        by_hand = abs(angle) == pytest.approx(
            min(np.arcsin(min((beyond + DOOR_TUNING.handle_distance) / REACH, 1.0)), DOOR_TUNING.max_hand_swing)
        )
        assert pressed or by_hand or angle == 0.0, "no farther than it is pushed"
    opened = through(door, angle) - through(door, 0.0)
    assert opened > 0 if abs(angle) > 1e-6 else opened == pytest.approx(0.0, abs=1e-6), "away from who comes"


def test_a_point_before_the_middle_of_a_leaf_opens_it_by_the_angle_of_a_triangle() -> None:
    door, thick = hung(), 0.1
    point = place(door, 0.45, 0.0)
    # The handle is out of the hand's reach: who stands aside does not push with it.
    angle = push_door(door, place(door, 0.45, -DOOR_TUNING.handle_distance)[:2], point[None], np.array([thick]), 0.0)
    assert angle == pytest.approx(-np.arcsin((thick + DOOR_TUNING.leaf_clearance) / 0.45))
    farther = push_door(
        door, place(door, 0.45, -DOOR_TUNING.handle_distance)[:2], place(door, 0.3, 0.3)[None], np.array([thick]), 0.0
    )
    assert farther == pytest.approx(-np.pi / 4 - np.arcsin((thick + DOOR_TUNING.leaf_clearance) / (0.3 * 2**0.5)))


@given(st.floats(-DOOR_TUNING.handle_distance, 1.0), hangings)
def test_a_hand_opens_the_door_as_far_as_the_handle_is_ahead(beyond: float, hanging: tuple[int, int, float]) -> None:
    door, angle = hung(*hanging), 0.0
    for _ in range(30):
        before = angle
        angle = push_door(door, place(door, 0.4, beyond)[:2], *NO_BODY, angle)
        assert abs(angle - before) <= DOOR_TUNING.max_hand_swing + 1e-9, "no faster than a hand is"
    assert REACH * np.sin(abs(angle)) == pytest.approx(min(beyond + DOOR_TUNING.handle_distance, REACH), abs=1e-9)


@pytest.mark.parametrize("hanging", [(-1, 0, 0.0), (1, 0, 0.0), (-1, 2, 0.0), (1, 2, 0.0), (-1, 0, 1.3)])
def test_it_opens_monotonically_without_a_jump_during_a_passage(hanging: tuple[int, int, float]) -> None:
    door, angle, angles = hung(*hanging), 0.0, []
    for beyond in np.linspace(-0.8, 1.2, 121):  # at 1 m/s, 60 frames a second
        body = np.stack([place(door, along, beyond) for along in (0.25, 0.45, 0.65)])
        angle = push_door(door, body[1, :2], body, np.array([0.09, 0.115, 0.09]), angle)
        angles.append(abs(angle))
    steps = np.diff(angles)
    assert angles[0] == 0.0 and np.pi / 2 - 1e-9 < angles[-1] <= DOOR_TUNING.max_opening
    assert steps.min() >= 0.0 and steps.max() <= 0.08


def model(scale: float = 1.0, joints: tuple[str, ...] = person().names) -> Any:
    result = Model()
    result.skeleton, result.joints = person(scale), joints  # type: ignore[misc]
    return result


@pytest.mark.parametrize("hinge", [-1, 1])
def test_the_body_does_not_penetrate_the_leaf_that_it_pushes(hinge: int) -> None:
    clip = Walker(speed=1.1, seconds=2.5).clip()
    door = hung(hinge, 2, at=(0.0, float(clip.root_positions[70, 1])))
    joints, thick = pushing_joints(model())
    angle, leaves = 0.0, []
    for frame in range(len(clip)):
        angle = push_door(door, clip.root_positions[frame, :2], clip.positions[frame, joints], thick, angle)
        leaves.append(door.swing_open(angle))
    assert abs(angle) > np.radians(80)
    places, turns = (np.stack([getattr(leaf, part) for leaf in leaves]) for part in ("position", "rotation"))
    body = BodyCapsules.from_skeleton(clip.skeleton)
    pushes = body.sphere_indices((*TRUNK_RADII_M, "thigh", "shin", "foot"))
    assert body.sphere_penetrations(clip, AnimatedCollider(door.collider, places, turns))[:, pushes].max() < 0.01


def test_a_leaf_swings_away_from_the_approach() -> None:
    assert opening_sign(hung(-1)) == opening_sign(hung(1, 2)) == -1.0
    assert opening_sign(hung(1)) == opening_sign(hung(-1, 2)) == 1.0
