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


@pytest.mark.parametrize(
    ("size", "unit"),
    [(0.19, 0.01), (0.21, 1.0), (4.9, 1.0), (21.0, 0.01), (499.0, 0.01), (501.0, 0.001), (5001.0, 0.01)],
)
def test_the_longest_chain_of_an_unknown_body_is_from_a_fifth_of_a_meter_to_five(size: float, unit: float) -> None:
    """The likeliest unit that makes it so; a centimeter if none does."""
    offsets = np.array([[9.0, 0, 0], [0.0, 0.6, 0], [0.0, 0.4, 0.0], [0.0, 0.5, 0.0]]) * size
    body = Skeleton(("origin", "torso", "snout", "tail"), (-1, 0, 1, 0), offsets, np.zeros((4, 3)))
    assert find_unit(body) == unit


@pytest.mark.parametrize(("length", "unit"), [(0.91, 1.0), (1.89, 1.0), (91.0, 0.01), (189.0, 0.01), (0.89, 0.01)])
def test_a_person_is_measured_from_the_ankle_over_the_hips_to_the_head(length: float, unit: float) -> None:
    """Those of the small person are 1.5 m: legs of 0.85 with the hip's bones, and 0.65 above."""
    skeleton = person(1.0)
    leg = np.hypot(0.1, 0.05) + 0.8
    assert find_unit(skeleton.scaled(length / (leg + 0.65))) == unit


def test_the_place_of_the_root_is_no_length_of_the_body() -> None:
    skeleton = person()
    offsets = skeleton.offsets.copy()
    offsets[0] = [0.0, 0.0, 90.0]
    assert find_unit(replace(skeleton, offsets=offsets)) == 1.0


def test_a_skeleton_with_a_mast_above_its_hips_is_measured_from_its_hips() -> None:
    skeleton = person()
    names = ("mast", *skeleton.names)
    parents = (-1, *(parent + 1 for parent in skeleton.parents))
    offsets = np.vstack([[0.0, 0.0, 0.0], skeleton.offsets])
    offsets[1] = [0.0, 0.0, 30.0]
    assert find_unit(Skeleton(names, parents, offsets, np.vstack([np.zeros(3), skeleton.tips]))) == 1.0


@pytest.mark.parametrize(("pitch", "axis"), [(0.64, "Z"), (0.65, "Y")])
def test_in_doubt_up_is_y(pitch: float, axis: str) -> None:
    """A body whose head is at its hips at rest leans over toward Y in every frame: Z has to win by a fifth."""
    skeleton = person()
    positions = np.zeros((4, len(skeleton), 3))
    positions[:, skeleton.roles["head"]] = [0.0, np.sin(pitch), np.cos(pitch)]
    headless = replace(skeleton, offsets=np.where(np.arange(10)[:, None] >= 7, 0.0, skeleton.offsets))
    assert find_up_axis(headless, positions) == axis


@pytest.mark.parametrize(("pitch", "axis"), [(1.2, "Z"), (1.25, "Y")])
def test_the_rest_pose_counts_four_fifths_of_the_motion(pitch: float, axis: str) -> None:
    """At rest the head is along Z: a body has to lean over further toward Y to be Y up."""
    skeleton = person()
    positions = np.zeros((4, len(skeleton), 3))
    positions[:, skeleton.roles["head"]] = [0.0, np.sin(pitch), np.cos(pitch)]
    assert find_up_axis(skeleton, positions) == axis
