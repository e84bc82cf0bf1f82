"""Thickness of a skin: exact on plates that are put at known distances from the joints."""

import numpy as np
import pytest

from footfall.core.body import body_mesh
from footfall.core.body.bound_skin import BoundSkin
from footfall.core.body.skin_thickness import Palm, measure_skin, seated_pose, sole_points
from footfall.core.body.skinned_mesh import rest_positions
from footfall.core.motion import Skeleton
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


def test_single_vertices_and_far_ones_are_no_seat() -> None:
    strap = np.array([[0.0, 0.0, -0.3]])
    seat = measure_skin(BODY, bound(("hips", seat_plate(0.13)), ("hips", strap))).seat
    assert seat == pytest.approx(0.13, abs=2e-3)
    assert measure_skin(BODY, bound(("hips", seat_plate(0.5)))).seat is None, "a skirt"


@pytest.mark.parametrize(("side", "sign"), [("L", 1.0), ("R", -1.0)])
def test_a_palm_faces_the_ground_with_arms_out(side: str, sign: float) -> None:
    wrist = REST[BODY.joint(f"hand.{side}")]
    along, across = np.array([sign * 0.09, 0.0, 0.0]), np.array([0.0, 0.04, 0.0])
    plates = [wrist + along + [0.0, 0.0, z] + grid(across, along) for z in (-0.015, 0.01)]
    palm = measure_skin(BODY, bound((f"hand.{side}", np.concatenate(plates)))).palms[side]
    np.testing.assert_allclose(palm.normal, [0.0, 0.0, -1.0], atol=0.05)
    np.testing.assert_allclose(palm.along, [sign, 0.0, 0.0], atol=0.05)
    assert palm.thickness == pytest.approx(0.015, abs=3e-3) and palm.length == pytest.approx(0.18, abs=0.01)


def test_soles_are_under_the_balls() -> None:
    plates = [
        (
            f"foot.{side}",
            REST[BODY.joint(f"toe.{side}")] - [0.0, 0.0, 0.042] + grid(np.eye(3)[0] / 25, np.eye(3)[1] / 12),
        )
        for side in "LR"
    ]
    assert measure_skin(BODY, bound(*plates)).sole == pytest.approx(0.042, abs=1e-6)


def test_the_points_of_a_sole_are_its_lowest_ones() -> None:
    ankle, ball = (REST[BODY.joint(f"{part}.L")] for part in ("foot", "toe"))
    under = (ankle + ball) / 2 * [1.0, 1.0, 0.0] + grid(np.eye(3)[0] / 25, np.eye(3)[1] / 8)
    instep = under + np.array([0.0, 0.0, 0.06])
    found = sole_points(BODY, bound(("foot.L", under), ("foot.L", instep), ("shin.R", under)))
    assert set(found) == {"foot.L"} and 10 < len(found["foot.L"]) <= len(under)
    np.testing.assert_allclose(found["foot.L"][:, 2], -ankle[2], atol=1e-9)


def test_without_skin_nothing_is_known() -> None:
    found = measure_skin(BODY, bound(("head", REST[[BODY.joint("head")]])))
    assert found.seat is None and not found.palms and found.sole is None


def test_a_palm_reaches_by_its_thickness_and_its_sides() -> None:
    palm = Palm(0.02, 0.04, np.array([0.0, 0.0, -1.0]), np.array([1.0, 0.0, 0.0]), 0.18)
    np.testing.assert_allclose(palm.reach(np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])), [0.02, 0.04])


def test_fingers_reach_past_a_handle_and_not_past_a_wall() -> None:
    palm = Palm(0.02, 0.04, np.array([0.0, 0.0, -1.0]), np.array([1.0, 0.0, 0.0]), 0.18)
    pushing = np.array([[1.0, 0.0, 0.0]])
    assert palm.reach(pushing)[0] == pytest.approx(0.18)
    assert palm.reach(pushing, past=True)[0] == pytest.approx(0.22 * 0.18), "the heel of the hand"


def test_bent_fingers_sink_a_centimeter_into_what_the_palm_holds() -> None:
    wrist, along, across = REST[BODY.joint("hand.L")], np.array([0.09, 0.0, 0.0]), np.array([0.0, 0.04, 0.0])
    hand = np.concatenate([wrist + along + np.array([0.0, 0.0, z]) + grid(across, along) for z in (-0.015, 0.01)])
    fingers = wrist + np.array([0.17, 0.0, -0.05]) + grid(across / 4, along / 20)[:8]
    thin, thick = (
        measure_skin(BODY, bound(("hand.L", skin))).palms["L"] for skin in (hand, np.vstack([hand, fingers]))
    )
    assert thin.thickness == pytest.approx(0.015, abs=3e-3)
    assert thick.thickness == pytest.approx(0.05 - 0.011 * BODY.leg_length, abs=6e-3)


@pytest.mark.parametrize("lower", [0.0, 0.06, 0.3])
def test_the_joint_of_the_hips_may_be_anywhere(lower: float) -> None:
    """Rigify has it under the hip joints, MMD at the knees: the flesh is the same."""
    mesh = body_mesh(BODY)
    offsets = BODY.offsets.copy()
    for joint, parent in enumerate(BODY.parents):
        offsets[joint] += [0.0, 0.0, lower] if parent == 0 else 0.0
    lowered = Skeleton(BODY.names, BODY.parents, offsets, BODY.tips, BODY.roles)
    keeps = np.zeros(len(mesh.vertices), dtype=bool)
    found = [
        measure_skin(body, BoundSkin(mesh.vertices + np.array([0.0, 0.0, rise]), mesh.joints, mesh.weights, keeps))
        for body, rise in ((BODY, 0.0), (lowered, lower))
    ]
    assert found[1].seat == pytest.approx(found[0].seat, abs=1e-6)
    assert 0.1 < (found[0].seat or 0.0) < 0.16 and set(found[0].palms) == set("LR")
