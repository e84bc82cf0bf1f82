"""The measures of both bodies: tables of smooth cross-sections, and the places of the parts that follow each joint."""

import numpy as np
import pytest

from footfall.core.body import BodyType, SkinnedMesh, body_mesh
from footfall.core.body.design_pose import DesignPose
from footfall.core.motion.rotations import Array
from footfall.tests.addon.support.cmu_person import cmu_person

PARTS = {
    BodyType.FEMININE: {
        "hips": (98.28, 0.0, -33.0, 924.1, 94.5, 72.5, 75.1),
        "spine": (98.58, 0.0, -33.0, 1068.7, 106.5, 57.5, 56.8),
        "chest": (141.08, 0.0, 9.2, 1324.1, 86.1, 63.6, 59.3),
        "neck": (253.59, 0.0, 19.4, 1405.1, 70.2, 54.4, 30.3),
        "head": (577.00, 0.0, -8.6, 1532.4, 42.5, 57.7, 62.9),
        "shoulder.L": (27.66, 135.2, 36.4, 1407.8, 58.3, 45.6, 44.3),
        "upper_arm.L": (191.76, 283.3, 27.5, 1276.6, 66.6, 30.3, 72.0),
        "forearm.L": (164.37, 411.7, 12.5, 1113.1, 41.7, 24.1, 56.4),
        "hand.L": (489.43, 508.4, -22.7, 957.1, 23.7, 26.8, 43.0),
        "thigh.L": (227.12, 87.7, -41.4, 677.7, 47.8, 48.7, 128.4),
        "shin.L": (240.96, 89.1, -39.2, 281.4, 30.0, 32.8, 149.1),
        "foot.L": (227.04, 92.2, -85.2, 36.8, 26.9, 54.3, 26.5),
        "toe.L": (127.16, 104.8, -199.7, 15.8, 25.0, 28.4, 13.4),
    },
    BodyType.MASCULINE: {
        "hips": (98.28, 0.0, -35.2, 924.1, 93.2, 72.3, 75.1),
        "spine": (98.58, 0.0, -34.2, 1068.7, 109.6, 60.6, 56.8),
        "chest": (141.08, 0.0, 10.0, 1324.0, 95.8, 69.1, 59.3),
        "neck": (253.59, 0.0, 19.8, 1405.1, 76.2, 58.6, 30.3),
        "head": (577.00, 0.0, -8.7, 1532.4, 43.5, 57.9, 62.9),
        "shoulder.L": (27.66, 141.1, 37.1, 1407.9, 58.0, 50.6, 44.8),
        "upper_arm.L": (191.76, 284.6, 27.6, 1276.6, 65.1, 34.9, 72.8),
        "forearm.L": (164.37, 411.7, 12.4, 1113.1, 42.8, 27.2, 56.9),
        "hand.L": (489.43, 511.3, -24.3, 951.6, 25.4, 29.1, 46.1),
        "thigh.L": (227.12, 87.5, -41.6, 677.7, 47.6, 48.5, 128.4),
        "shin.L": (240.96, 89.1, -39.2, 282.2, 30.2, 33.2, 148.0),
        "foot.L": (227.04, 92.3, -85.9, 39.8, 29.0, 55.7, 28.3),
        "toe.L": (127.16, 105.2, -203.0, 17.1, 27.2, 30.6, 14.5),
    },
}
"""Of a person with the bones of :func:`cmu_person`, by role: the vertices that follow the joint, counted by their
shares; their center, to the left, back and up; and their spread along the same axes, millimeters."""


@pytest.fixture(params=list(BodyType), scope="module")
def body_type(request: pytest.FixtureRequest) -> BodyType:
    return request.param


@pytest.fixture(scope="module")
def body(body_type: BodyType) -> SkinnedMesh:
    return body_mesh(cmu_person(), body_type)


def places_mm(body: SkinnedMesh) -> Array:
    """The vertices (V, 3) in the pose in which the surface is made, millimeters."""
    pose = DesignPose.of(cmu_person())
    assert pose is not None
    return 1000 * body.posed(pose.skeleton, pose.positions, pose.rotations)


def test_the_part_that_follows_each_joint_has_its_place_and_size(body_type: BodyType, body: SkinnedMesh) -> None:
    person, points = cmu_person(), places_mm(body)
    shares = np.zeros((len(points), len(person)))
    np.put_along_axis(shares, body.joints, body.weights, axis=-1)
    for role, (count, *place) in PARTS[body_type].items():
        share = shares[:, person.joint(role)]
        center = share @ points / share.sum()
        spread = np.sqrt(share @ (points - center) ** 2 / share.sum())
        assert share.sum() == pytest.approx(count, abs=0.006), role
        np.testing.assert_allclose([*center, *spread], place, atol=0.06, err_msg=role)
