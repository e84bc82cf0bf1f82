"""Unit and up axis are read off the body."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion.conventions import UNIT_LENGTHS_M, find_unit, find_up_axis
from footfall.core.motion.kinematics import forward_kinematics
from footfall.core.motion.rotations import IDENTITY, from_axis_angle
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.dog import dog

from .conftest import person


@pytest.mark.parametrize("unit", UNIT_LENGTHS_M[:5])
@pytest.mark.parametrize("stature", [0.75, 1.0, 1.15])
def test_people_of_all_sizes_in_every_unit(unit: float, stature: float) -> None:
    assert find_unit(person(stature / unit)) == pytest.approx(unit)


def test_a_body_of_no_plausible_size_is_in_centimeters() -> None:
    assert find_unit(person(1e6)) == 0.01
    assert find_unit(person(0.0)) == 0.01


def test_an_animal_of_a_meter() -> None:
    offsets = np.array([[0.0, 0, 0], [0.0, 0.6, 0], [0.0, 0.4, 0.2]])
    animal = Skeleton(("body", "torso", "snout"), (-1, 0, 1), offsets, np.zeros((3, 3)))
    assert find_unit(animal) == 1.0
    assert find_unit(animal.scaled(100.0)) == 0.01


def poses(skeleton: Skeleton, about_x: float) -> np.ndarray:
    """Ten times the pose at rest, turned about X."""
    rotations = np.tile(IDENTITY, (10, len(skeleton), 1))
    rotations[:, 0] = from_axis_angle([1, 0, 0], about_x)
    return forward_kinematics(skeleton, np.zeros((10, 3)), rotations)[0]


def y_up_person() -> Skeleton:
    skeleton = person()
    return Skeleton(skeleton.names, skeleton.parents, skeleton.offsets[:, [0, 2, 1]], skeleton.tips)


def test_up_is_where_the_head_is() -> None:
    assert find_up_axis(person(), poses(person(), 0.0)) == "Z"
    assert find_up_axis(y_up_person(), poses(y_up_person(), 0.0)) == "Y"


def test_a_rig_that_lies_at_rest_but_moves_upright() -> None:
    assert find_up_axis(person(), poses(person(), -np.pi / 2)) == "Y"


def test_a_person_who_lies_in_every_frame() -> None:
    assert find_up_axis(y_up_person(), poses(y_up_person(), np.pi / 2)) == "Y"


def test_a_body_without_head_or_feet_is_y_up() -> None:
    tail = Skeleton(("body", "tail"), (-1, 0), np.array([[0.0, 0, 0], [0.0, 0, 1]]), np.zeros((2, 3)))
    assert find_up_axis(tail, poses(tail, 0.0)) == "Y"


def test_up_of_an_animal_is_where_the_tops_of_its_legs_are() -> None:
    z_up = dog()  # it faces -Y, where its head is farther ahead of the hind feet than above them
    y_up = replace(z_up, offsets=z_up.offsets[:, [0, 2, 1]] * [1.0, 1.0, -1.0])
    assert find_up_axis(z_up, poses(z_up, 0.0)) == "Z"
    assert find_up_axis(y_up, poses(y_up, 0.0)) == "Y"
