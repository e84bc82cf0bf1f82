"""The trunk's rings: level loops of sixteen columns, whose place between hips, shoulders and neck is as told."""

import numpy as np
import pytest

from footfall.core.body import BodyType
from footfall.core.body.control_cage import ControlCage
from footfall.core.body.design_pose import DesignPose
from footfall.core.body.shape import SHAPES
from footfall.core.body.trunk import Trunk, add_trunk
from footfall.core.motion.rotations import Array
from footfall.tests.addon.support.cmu_person import cmu_person


def pose(forward: float = 0.0, neck_rise: float = 0.0) -> DesignPose:
    """The person in the design pose, with neck and head further ahead and higher by so much, meters."""
    found = DesignPose.of(cmu_person())
    assert found is not None
    places = found.positions.copy()
    neck = found.skeleton.joint("neck")
    places[[neck, neck + 1, found.skeleton.joint("head")]] += [0.0, -forward, neck_rise]
    return DesignPose(found.skeleton, places, found.rotations)


def made(of: DesignPose) -> tuple[ControlCage, Trunk, Array]:
    """The cage with the trunk, its loops, and the points (11, 16, 3) of its rings from the groin to the neck."""
    cage = ControlCage(len(of.skeleton))
    trunk = add_trunk(cage, of, SHAPES[BodyType.MASCULINE])
    return cage, trunk, np.array([cage.point(number) for number in range(11 * 16)]).reshape(11, 16, 3)


def test_loops_for_neck_arms_and_legs_are_on_the_rings() -> None:
    cage, trunk, _ = made(pose())
    assert trunk.neck == list(range(160, 176))
    assert trunk.arms["L"] == [84, 85, 101, 117, 133, 132, 131, 115, 99, 83]
    assert trunk.arms["R"] == [92, 91, 107, 123, 139, 140, 141, 125, 109, 93]
    assert trunk.legs == {
        "L": [*range(9), 176, 177, 178],
        "R": [0, *range(15, 7, -1), 176, 177, 178],
    }
    assert len(cage.faces) == 10 * 16 - 2 * 3 * 2


@pytest.mark.parametrize(
    ("column", "collar", "arm"), [(0, 0.0, 0.0), (2, 0.25, 0.0), (3, 0.426777, 0.4), (4, 0.5, 0.4)]
)
def test_shoulders_follow_collarbone_and_arm_at_their_sides(column: int, collar: float, arm: float) -> None:
    of = pose()
    cage = made(of)[0]
    cage.add_face((7 * 16 + column, 7 * 16 + (-column) % 16, 0), 0)
    values, faces = cage.surface()
    for side, vertex in zip("LR", faces[-1], strict=False):
        weights = values[vertex, 3:]
        assert weights[of.skeleton.joint(f"upper_arm.{side}")] == pytest.approx(arm)
        assert weights[of.skeleton.joint(f"shoulder.{side}")] == pytest.approx(collar * (1 - arm), abs=1e-6)
        assert weights[list(of.spine)].sum() == pytest.approx((1 - collar) * (1 - arm), abs=1e-6)
