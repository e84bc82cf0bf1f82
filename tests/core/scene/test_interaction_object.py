"""Things that are looked at from another side: the same things in the same places, with another front."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.motion.rotations import Array, rotate, rotation_about_up
from footfall.core.scene.affordances import Grips, Seat
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.support.properties import examples
from footfall.training.interactions.props.doors import Door

PLACE, TURN = np.array([1.0, -2.0, 0.3]), rotation_about_up(np.array(0.4))
SIDES = range(-1, 5)


def crate(**known: Seat | Grips) -> InteractionObject:
    """Two cuboids that look different from every side."""
    lower, upper = [[-0.2, -0.3, 0.0], [-0.1, 0.3, 0.1]], [[0.2, 0.3, 0.4], [0.0, 0.4, 0.3]]
    return InteractionObject("crate", "box", Collider(np.array(lower), np.array(upper)), PLACE, TURN, **known)


def corners(thing: InteractionObject) -> Array:
    """The corners (C, 8, 3) of the cuboids in the world, each cuboid's in one order from any side."""
    boxes = np.stack([thing.collider.lower, thing.collider.upper], axis=1)
    picks = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    found = thing.posed_collider.to_world(np.stack([boxes[:, picks[:, axis], axis] for axis in range(3)], axis=-1))
    return np.array([sorted(map(tuple, found[cuboid].round(6))) for cuboid in range(len(found))])


def way(thing: InteractionObject, direction: Array) -> Array:
    """A direction (2) of the thing's space in the world."""
    return rotate(thing.rotation, np.append(direction, 0.0))[:2]


@pytest.mark.parametrize("side", SIDES)
def test_it_is_in_the_same_place(side: int) -> None:
    thing, seen = crate(), crate().facing_side(side)
    np.testing.assert_allclose(corners(seen), corners(thing), atol=2e-6)
    np.testing.assert_array_equal(seen.position, thing.position)
    assert (seen.name, seen.kind) == (thing.name, thing.kind)


@pytest.mark.parametrize("side", SIDES)
def test_its_front_is_so_many_quarters_on(side: int) -> None:
    np.testing.assert_allclose(
        crate().facing_side(side).front_direction,
        rotate(rotation_about_up(side * np.pi / 2), np.append(crate().front_direction, 0.0))[:2],
        atol=1e-9,
    )


@given(st.integers(-4, 4), st.integers(0, 100))
@settings(max_examples=examples(20))
def test_points_are_as_far_from_it(side: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    thing = crate().place_at(rng.uniform(-3.0, 3.0, 3), rng.normal(size=2))
    points = thing.position + rng.uniform(-1.0, 1.0, (50, 3))
    near, seen = (
        one.collider.distances(one.posed_collider.to_local(points)) for one in (thing, thing.facing_side(side))
    )
    np.testing.assert_allclose(seen, near, atol=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_where_somebody_said_that_one_sits_and_takes_hold_stays(side: int) -> None:
    seat = Seat(np.array([0.1, -0.05, 0.4]), np.array([1.0, 0.0]), 0.4, 0.3)
    grips = Grips(np.array([[0.2, 0.1, 0.2], [-0.2, 0.1, 0.2]]), np.array([0.0, -1.0]))
    thing = crate(seat_override=seat, grips_override=grips)
    seen = thing.facing_side(side)
    assert seen.seat_override is not None and seen.grips_override is not None
    np.testing.assert_allclose(
        seen.posed_collider.to_world(seen.seat_override.position),
        thing.posed_collider.to_world(seat.position),
        atol=1e-9,
    )
    np.testing.assert_allclose(way(seen, seen.seat_override.direction), way(thing, seat.direction), atol=1e-9)
    assert (seen.seat_override.width, seen.seat_override.depth) == (seat.width, seat.depth)
    np.testing.assert_allclose(
        seen.posed_collider.to_world(seen.grips_override.hands), thing.posed_collider.to_world(grips.hands), atol=1e-9
    )
    np.testing.assert_allclose(way(seen, seen.grips_override.direction), way(thing, grips.direction), atol=1e-9)
    np.testing.assert_allclose(
        seen.posed_collider.to_world(seen.grip_centre), thing.posed_collider.to_world(thing.grip_centre), atol=1e-9
    )


@pytest.mark.parametrize("side", SIDES)
def test_grips_that_nobody_named_are_found_from_the_side_where_one_stands(side: int) -> None:
    seen = crate().facing_side(side)
    grips = seen.grips
    assert grips is not None
    np.testing.assert_allclose(way(seen, grips.direction), -seen.front_direction, atol=1e-9)


@pytest.mark.parametrize("hinge", [-1, 1])
@pytest.mark.parametrize("side", range(4))
def test_a_door_has_a_handle_on_two_sides(side: int, hinge: int) -> None:
    door = Door(hinge_side=hinge)
    before, behind = door.affordance(), door.affordance(behind=True)
    thing = InteractionObject("door", "door", Collider.from_mesh(*door.leaf_mesh(), 0.02), PLACE, TURN, handle=before)
    seen = thing.facing_side(side)
    handle, expected = seen.handle, behind if side == 2 else before
    assert handle is not None
    np.testing.assert_allclose(
        seen.posed_collider.to_world(handle.position), thing.posed_collider.to_world(expected.position), atol=1e-9
    )
    np.testing.assert_allclose(
        seen.posed_collider.to_world(handle.hinge), thing.posed_collider.to_world(before.hinge), atol=1e-9
    )
    np.testing.assert_allclose(way(seen, handle.direction), way(thing, expected.direction), atol=1e-9)


@pytest.mark.parametrize(
    ("opens", "pulled"), [((0.0, 1.0), (True, False)), ((0.0, -1.0), (False, True)), (None, (False, False))]
)
def test_a_door_is_pulled_from_the_side_to_which_it_opens(
    opens: tuple[float, float] | None, pulled: tuple[bool, bool]
) -> None:
    door = Door()
    handle = replace(door.affordance(), opens_toward=None if opens is None else np.array(opens))
    leaf = InteractionObject("door", "door", Collider.from_mesh(*door.leaf_mesh()), PLACE, TURN, handle=handle)
    for side in (0, 2):
        seen = leaf.facing_side(side).handle
        assert seen is not None and seen.is_pulled == pulled[side // 2]
        assert seen.pulling_hand != seen.pushing_hand
    again = leaf.facing_side(2).facing_side(2).handle
    assert again is not None and again.is_pulled == pulled[0]
    assert handle.scaled(2.0).is_pulled == pulled[0]
