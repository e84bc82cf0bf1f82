"""Feet in shoes: rings about ankle and ball, in the proportions of an adult, whatever its joints say of the ball."""

import numpy as np

from footfall.core.body import BodyType
from footfall.core.body.control_cage import ControlCage
from footfall.core.body.design_pose import DesignPose
from footfall.core.body.foot import add_foot
from footfall.core.body.shape import SHAPES
from footfall.core.motion import Skeleton
from footfall.core.motion.rotations import Array
from footfall.tests.addon.support.cmu_person import cmu_person


def pose(ahead: float | None = None) -> DesignPose:
    """The person in the design pose; without toes, or with balls so many adult's meters before the ankles."""
    person = cmu_person()
    roles = {role: joint for role, joint in person.roles.items() if ahead is not None or not role.startswith("toe")}
    found = DesignPose.of(Skeleton(person.names, person.parents, person.offsets, person.tips, roles))
    assert found is not None
    places = found.positions.copy()
    for side in "LR" if ahead is not None else "":
        foot, toe = (person.joint(f"{part}.{side}") for part in ("foot", "toe"))
        places[toe, :2] = places[foot, :2] - [0.0, ahead * found.scale]
    return DesignPose(found.skeleton, places, found.rotations)


def rings_of(of: DesignPose, side: str = "L") -> tuple[Array, Array]:
    """The points (8, 12, 3) and the weights (8, 12, J) of the rings of a masculine foot."""
    cage = ControlCage(len(of.skeleton))
    rim = cage.add_points(np.zeros((12, 3)), [{0: 1.0}] * 12)
    add_foot(cage, of, SHAPES[BodyType.MASCULINE], side, rim)
    values = cage.surface()[0][12:]
    return values[:, :3].reshape(8, 12, 3), values[:, 3:].reshape(8, 12, -1)


def test_the_right_foot_is_the_left_one_s_mirror_image() -> None:
    of = pose(0.12)
    np.testing.assert_allclose(rings_of(of, "R")[0], rings_of(of)[0] * [-1.0, 1.0, 1.0], atol=1e-9)


def test_a_foot_goes_over_from_the_shin_to_the_toes() -> None:
    of = pose(0.12)
    shin, foot, toe = (of.skeleton.joint(f"{part}.L") for part in ("shin", "foot", "toe"))
    weights = rings_of(of)[1][:, 0]
    np.testing.assert_allclose(weights[:, shin], [0.5, 0.1, 0, 0, 0, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(weights[:, foot], [0.5, 0.9, 1, 1, 0.88, 0.45, 0, 0], atol=1e-12)
    np.testing.assert_allclose(weights[:, toe], [0, 0, 0, 0, 0.12, 0.55, 1, 1], atol=1e-12)
