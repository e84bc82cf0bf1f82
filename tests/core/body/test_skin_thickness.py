"""Thickness of a skin: exact on plates that are put at known distances from the joints."""

import numpy as np
import pytest

from footfall.core.body.bound_skin import BoundSkin
from footfall.core.body.skin_thickness import measure_skin, seated_pose
from footfall.core.body.skinned_mesh import rest_positions
from footfall.core.motion.rotations import Array, inverse, rotate
from footfall.tests.support.walker import person

BODY = person()
REST = rest_positions(BODY)


def grid(across: Array, along: Array, count: int = 15) -> Array:
    """Points (N, 3) of a plate, from corner to corner of both its ways."""
    shares = np.linspace(-1.0, 1.0, count)
    return np.array([a * across + b * along for a in shares for b in shares])


def bound(*parts: tuple[str, Array]) -> BoundSkin:
    """A skin of points at rest, each of which follows the joint of a role."""
    points = np.concatenate([places for _, places in parts])
    joints = np.concatenate([np.full((len(places), 1), BODY.joint(role)) for role, places in parts])
    return BoundSkin(points, joints, np.ones((len(points), 1)), np.zeros(len(points), dtype=bool))


def seat_plate(below: float) -> Array:
    """A level plate under the hip joints of the body that sits, at rest, meters."""
    positions, rotations = seated_pose(BODY)
    hips = BODY.joint("hips")
    middle = positions[[BODY.joint("thigh.L"), BODY.joint("thigh.R")]].mean(axis=0)
    plate = middle - [0.0, 0.0, below] + grid(np.array([0.15, 0.0, 0.0]), np.array([0.0, 0.15, 0.0]))
    return REST[hips] + rotate(inverse(rotations[hips]), plate - positions[hips])


@pytest.mark.parametrize("below", [0.08, 0.13, 0.2])
def test_a_seat_is_as_thick_as_its_plate_is_low(below: float) -> None:
    seat = measure_skin(BODY, bound(("hips", seat_plate(below)))).seat
    assert seat == pytest.approx(below, abs=1e-6)


@pytest.mark.parametrize(("side", "sign"), [("L", 1.0), ("R", -1.0)])
def test_a_palm_faces_the_ground_with_arms_out(side: str, sign: float) -> None:
    wrist = REST[BODY.joint(f"hand.{side}")]
    along, across = np.array([sign * 0.09, 0.0, 0.0]), np.array([0.0, 0.04, 0.0])
    plates = [wrist + along + [0.0, 0.0, z] + grid(across, along) for z in (-0.015, 0.01)]
    palm = measure_skin(BODY, bound((f"hand.{side}", np.concatenate(plates)))).palms[side]
    np.testing.assert_allclose(palm.normal, [0.0, 0.0, -1.0], atol=0.05)
    np.testing.assert_allclose(palm.along, [sign, 0.0, 0.0], atol=0.05)
    assert palm.thickness == pytest.approx(0.015, abs=3e-3)
    assert np.ptp(palm.points @ palm.along) == pytest.approx(0.18, abs=0.01)


def test_soles_are_under_the_balls() -> None:
    plates = [
        (
            f"foot.{side}",
            REST[BODY.joint(f"toe.{side}")] - [0.0, 0.0, 0.042] + grid(np.eye(3)[0] / 25, np.eye(3)[1] / 12),
        )
        for side in "LR"
    ]
    assert measure_skin(BODY, bound(*plates)).sole == pytest.approx(0.042, abs=1e-6)


def test_bent_fingers_sink_a_little_into_what_the_palm_holds() -> None:
    wrist, along, across = REST[BODY.joint("hand.L")], np.array([0.09, 0.0, 0.0]), np.array([0.0, 0.04, 0.0])
    hand = np.concatenate([wrist + along + np.array([0.0, 0.0, z]) + grid(across, along) for z in (-0.015, 0.01)])
    fingers = wrist + np.array([0.17, 0.0, -0.05]) + grid(across / 4, along / 20)[:8]
    thin, thick = (
        measure_skin(BODY, bound(("hand.L", skin))).palms["L"] for skin in (hand, np.vstack([hand, fingers]))
    )
    assert thin.thickness == pytest.approx(0.015, abs=3e-3)
    assert thick.thickness == pytest.approx(0.05 - 0.006 * BODY.leg_length, abs=6e-3)
    assert (thick.points @ thick.normal).max() == pytest.approx(thick.thickness), "they are pressed flat"
    assert (thick.skin @ thick.normal).min() < -0.02, "the palm is behind its plane"
