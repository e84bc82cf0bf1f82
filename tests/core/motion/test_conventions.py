"""Unit and up axis are read off the body."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.axes import up_vector
from footfall.core.motion.conventions import UNIT_LENGTHS_M, find_unit, find_up_axis
from footfall.core.motion.kinematics import forward_kinematics
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, multiply
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.dog import dog

from .conftest import person


def unit_of(skeleton: Skeleton) -> float:
    return find_unit(skeleton)[0]


def up_of(skeleton: Skeleton, positions: np.ndarray) -> str:
    return find_up_axis(skeleton, positions)[0]


@pytest.mark.parametrize("unit", UNIT_LENGTHS_M[:5])
@pytest.mark.parametrize("stature", [0.75, 1.0, 1.15])
def test_people_of_all_sizes_in_every_unit(unit: float, stature: float) -> None:
    assert unit_of(person(stature / unit)) == pytest.approx(unit)


def test_a_body_of_no_plausible_size_is_in_centimeters() -> None:
    assert unit_of(person(1e6)) == 0.01
    assert unit_of(person(0.0)) == 0.01


def test_an_animal_of_a_meter() -> None:
    offsets = np.array([[0.0, 0, 0], [0.0, 0.6, 0], [0.0, 0.4, 0.2]])
    animal = Skeleton(("body", "torso", "snout"), (-1, 0, 1), offsets, np.zeros((3, 3)))
    assert unit_of(animal) == 1.0
    assert unit_of(animal.scaled(100.0)) == 0.01


def poses(skeleton: Skeleton, about_x: float, about_y: float = 0.0) -> np.ndarray:
    """Ten times the pose at rest, turned about X, then about Y."""
    rotations = np.tile(IDENTITY, (10, len(skeleton), 1))
    rotations[:, 0] = multiply(from_axis_angle([0, 1, 0], about_y), from_axis_angle([1, 0, 0], about_x))
    return forward_kinematics(skeleton, np.zeros((10, 3)), rotations)[0]


def on_ground(positions: np.ndarray, axis: str, away: float = 2.0, height: float = 0.0) -> np.ndarray:
    """The poses moved along an axis until their lowest joint is at a height, and away along the others."""
    up = up_vector(axis)
    return positions - (positions @ up).min() * up + height * up + away * (1.0 - np.abs(up))


def y_up_person() -> Skeleton:
    skeleton = person()
    return Skeleton(skeleton.names, skeleton.parents, skeleton.offsets[:, [0, 2, 1]], skeleton.tips)


def test_a_rig_that_lies_at_rest_but_moves_upright() -> None:
    assert up_of(person(), poses(person(), -np.pi / 2)) == "Y"


def test_up_of_an_animal_is_where_the_tops_of_its_legs_are() -> None:
    z_up = dog()  # it faces -Y, where its head is farther ahead of the hind feet than above them
    y_up = replace(z_up, offsets=z_up.offsets[:, [0, 2, 1]] * [1.0, 1.0, -1.0])
    assert up_of(z_up, poses(z_up, 0.0)) == "Z"
    assert up_of(y_up, poses(y_up, 0.0)) == "Y"


@pytest.mark.parametrize(("length", "unit"), [(0.91, 1.0), (1.89, 1.0), (91.0, 0.01), (189.0, 0.01), (0.89, 1.0)])
def test_a_person_is_measured_from_the_ankle_over_the_hips_to_the_head(length: float, unit: float) -> None:
    """Those of the small person are 1.5 m: legs of 0.85 with the hip's bones, and 0.65 above."""
    skeleton = person(1.0)
    leg = np.hypot(0.1, 0.05) + 0.8
    assert unit_of(skeleton.scaled(length / (leg + 0.65))) == unit


def test_a_skeleton_with_a_mast_above_its_hips_is_measured_from_its_hips() -> None:
    skeleton = person()
    names = ("mast", *skeleton.names)
    parents = (-1, *(parent + 1 for parent in skeleton.parents))
    offsets = np.vstack([[0.0, 0.0, 0.0], skeleton.offsets])
    offsets[1] = [0.0, 0.0, 30.0]
    assert unit_of(Skeleton(names, parents, offsets, np.vstack([np.zeros(3), skeleton.tips]))) == 1.0


QUARTER = np.pi / 2


def test_a_body_that_lies_on_the_floor_is_asked_about() -> None:
    """A joint is as high above the floor as the body is thick below it."""
    lying = on_ground(poses(y_up_person(), QUARTER), "Y", away=0.0, height=0.1)
    axis, question = find_up_axis(y_up_person(), lying)
    assert axis == "Y" and question is not None and question.is_question
    assert (str(question.text), question.up) == (
        "With Y as the up axis, the body in this clip lies on its side: is Z the up axis?",
        "Z",
    )


def test_the_rest_pose_decides_where_the_floor_does_not() -> None:
    lying = poses(person(), -QUARTER) + np.array([0.0, 9.0, 9.0])
    assert up_of(person(), lying) == "Y"
    assert up_of(y_up_person(), poses(y_up_person(), 0.0) + np.array([0.0, 9.0, 9.0])) == "Y"
