"""The left side of a body: what feet, knees, elbows and the trunk of an animal say about it, and what nothing says."""

import numpy as np
import pytest

from footfall.core.motion.rotations import Array
from footfall.core.rig.rig_guess.sides import find_left_direction
from footfall.tests.support.small_rigs import Bone, Point, body_tree, both_sides, chain, limbs_of

LEG, FOOT, ARM = {"thigh": 0, "shin": 1}, {"thigh": 0, "shin": 1, "foot": 2}, {"upper_arm": 0, "forearm": 1, "hand": 2}


TRUNK: list[Bone] = [("hips", "", (0, 0, 4), (0, 0, 6)), ("chest", "hips", (0, 0, 6), (0, 0, 8))]
STRAIGHT_LEG: tuple[Point, ...] = ((1, 0, 4), (1, 0, 2), (1, 0, 0))
STRAIGHT_ARM: tuple[Point, ...] = ((1, 0, 8), (1, 0, 6), (1, 0, 4), (1, 0, 3))


def person(leg: tuple[Point, ...] = STRAIGHT_LEG, arm: tuple[Point, ...] | None = STRAIGHT_ARM) -> list[Bone]:
    return [*TRUNK, *both_sides("leg", "hips", *leg), *(both_sides("arm", "chest", *arm) if arm else [])]


def turned(bones: list[Bone]) -> list[Bone]:
    """Return the bones after half a turn about Z: the left ones are in -X."""

    def turn(point: Point) -> Point:
        x, y, z = point
        return -x, -y, z

    return [(name, parent, turn(head), turn(tail)) for name, parent, head, tail in bones]


def sideways(bones: list[Bone]) -> list[Bone]:
    """Return the bones after a quarter of a turn about Z: the left ones are in +Y, and the body faces +X."""

    def turn(point: Point) -> Point:
        x, y, z = point
        return -y, x, z

    return [(name, parent, turn(head), turn(tail)) for name, parent, head, tail in bones]


def left(
    bones: list[Bone], leg: dict[str, int] = LEG, arm: dict[str, int] | None = None, arms: str | None = "arm"
) -> tuple[Array, float]:
    """Return the direction to the left and its confidence."""
    direction, confidence = find_left_direction(limbs_of(body_tree(bones), arms=arms), leg, arm or {})
    return np.round(direction, 9), confidence


FEET = (*STRAIGHT_LEG, (1, -1, 0))
KNEES: tuple[Point, ...] = ((1, 0, 4), (1, -1, 2), (1, 0, 0), (1, 0, -0.01))
ELBOWS: tuple[Point, ...] = ((1, 0, 8), (1, 1, 6), (1, 0, 4), (1, 0, 3))


def test_with_nothing_else_to_see_the_left_is_in_x() -> None:
    for bones in (person(), turned(person())):
        direction, confidence = left(bones)
        np.testing.assert_allclose(direction, (1, 0, 0), atol=1e-9)
        assert 0.0 < confidence < 0.5


@pytest.mark.parametrize(
    ("bones", "leg", "arm"),
    [(person(FEET), FOOT, {}), (person(KNEES), FOOT, {}), (person(arm=ELBOWS), LEG, ARM)],
    ids=["feet point ahead", "knees bend ahead", "elbows bend back"],
)
def test_the_facing_direction_determines_the_left_side(
    bones: list[Bone], leg: dict[str, int], arm: dict[str, int]
) -> None:
    for turn, expected in ((list, (1, 0, 0)), (turned, (-1, 0, 0)), (sideways, (0, 1, 0))):
        direction, confidence = left(turn(bones), leg, arm)
        np.testing.assert_allclose(direction, expected, atol=1e-9)
        assert confidence > 0.5


def test_limbs_that_contradict_each_other_show_nothing() -> None:
    legs = [
        *chain("leg.L", "hips", (1, 0, 4), (1, -1, 2), (1, 0, 0), (1, 0, -0.01)),
        *chain("leg.R", "hips", (-1, 0, 4), (-1, 1, 2), (-1, 0, 0), (-1, 0, -0.01)),
    ]
    _, confidence = left(sideways([*TRUNK, *legs, *both_sides("arm", "chest", *STRAIGHT_ARM)]), FOOT)
    assert confidence == pytest.approx(0.0, abs=1e-9)


def animal() -> list[Bone]:
    """Return an animal that looks along -Y; knees and elbows are bent, and its paws are too short to show anything."""
    trunk: list[Bone] = [("hips", "", (0, 0, 4), (0, -6, 4)), ("chest", "hips", (0, -6, 4), (0, -7, 4))]
    hind = both_sides("leg", "hips", (1, 0, 4), (1, -1, 2), (1, 0, 0), (1, 0, -0.01))
    return [*trunk, *hind, *both_sides("arm", "chest", (1, -6, 4), (1, -5, 2), (1, -6, 0), (1, -6, -0.01))]


def test_an_animal_faces_along_its_trunk() -> None:
    for turn, expected in ((list, (1, 0, 0)), (turned, (-1, 0, 0)), (sideways, (0, 1, 0))):
        direction, confidence = left(turn(animal()))
        np.testing.assert_allclose(direction, expected, atol=1e-9)
        assert confidence > 0.9
