"""Rotations obey the laws of rotations, whatever they are made from."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.motion import rotations as R

ORDERS = ["".join(order) for order in permutations("XYZ")]

vectors = arrays(float, 3, elements=st.floats(-10, 10))
quaternions = arrays(float, 4, elements=st.floats(-1, 1)).filter(lambda q: np.linalg.norm(q) > 0.1).map(R.normalize)
angles = st.floats(-np.pi, np.pi)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The angle of the rotation from one to the other; signs of quaternions do not count."""
    return float(np.linalg.norm(R.log(R.multiply(R.inverse(a), b)), axis=-1).max())


@given(quaternions, quaternions, vectors)
def test_a_product_rotates_by_its_second_factor_first(a: np.ndarray, b: np.ndarray, v: np.ndarray) -> None:
    np.testing.assert_allclose(R.rotate(R.multiply(a, b), v), R.rotate(a, R.rotate(b, v)), atol=1e-11)
    np.testing.assert_allclose(np.linalg.norm(R.rotate(a, v)), np.linalg.norm(v), atol=1e-11)


def test_turns_follow_the_right_hand() -> None:
    quarter = np.pi / 2
    np.testing.assert_allclose(R.rotate(R.rotation_about_up(quarter), np.array([1.0, 0, 0])), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(
        R.rotate(R.from_axis_angle([1, 0, 0], quarter), np.array([0, 1.0, 0])), [0, 0, 1], atol=1e-12
    )


@given(quaternions)
def test_matrices_there_and_back(q: np.ndarray) -> None:
    matrix = R.to_matrix(q)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(matrix), 1.0)
    np.testing.assert_allclose(matrix @ [1.0, 2.0, 3.0], R.rotate(q, np.array([1.0, 2.0, 3.0])), atol=1e-12)
    assert apart(R.from_matrix(matrix), q) < 1e-9


@given(quaternions)
def test_the_logarithm_undoes_the_exponential(q: np.ndarray) -> None:
    vector = R.log(q)
    assert np.linalg.norm(vector) <= np.pi + 1e-12
    assert apart(R.exp(vector), q) < 1e-9


@pytest.mark.parametrize("order", ORDERS)
@given(st.tuples(angles, angles, angles))
def test_euler_angles_are_turns_one_after_the_other(order: str, turns: tuple[float, float, float]) -> None:
    axes = np.eye(3)[["XYZ".index(letter) for letter in order]]
    first, second, third = (R.from_axis_angle(axis, turn) for axis, turn in zip(axes, turns, strict=True))
    expected = R.multiply(R.multiply(first, second), third)
    np.testing.assert_allclose(R.from_euler(np.array(turns), order), expected, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@given(quaternions)
def test_euler_angles_there_and_back(order: str, q: np.ndarray) -> None:
    assert apart(R.from_euler(R.to_euler(q, order), order), q) < 1e-7


@given(vectors, vectors)
def test_between_turns_one_direction_into_the_other(a: np.ndarray, b: np.ndarray) -> None:
    turn = R.rotation_between(a, b)
    np.testing.assert_allclose(np.linalg.norm(turn), 1.0)
    if min(np.linalg.norm(a), np.linalg.norm(b)) < 1e-6:
        return
    np.testing.assert_allclose(R.rotate(turn, R.normalize(a)), R.normalize(b), atol=1e-4)
    # It is the smallest such rotation: its axis is perpendicular to both.
    assert abs(turn[1:] @ R.normalize(a)) < 1e-6


@given(quaternions, quaternions, st.floats(0, 1))
def test_slerp_takes_the_shorter_way_at_constant_speed(a: np.ndarray, b: np.ndarray, share: float) -> None:
    middle = R.slerp(a, b, np.array(share))
    assert apart(a, middle) == pytest.approx(share * apart(a, b), abs=1e-7)
    assert apart(middle, b) == pytest.approx((1 - share) * apart(a, b), abs=1e-7)


def test_unrolled_quaternions_do_not_jump() -> None:
    turns = R.from_axis_angle([0.6, 0.0, 0.8], np.linspace(0, 20, 200))[:, None]
    jumping = turns * np.random.default_rng(0).choice([-1.0, 1.0], (200, 1, 1))
    jumping[0] = turns[0]
    np.testing.assert_allclose(R.unroll(jumping), turns)
    np.testing.assert_allclose(R.unroll(jumping[:1]), jumping[:1])


def test_the_mean_of_turns_to_both_sides_is_in_the_middle() -> None:
    middle = R.from_euler(np.array([0.3, -0.5, 1.0]), "ZYX")
    around = np.stack([R.multiply(middle, R.rotation_about_up(angle)) for angle in (-0.2, 0.1, 0.2, -0.1)])
    assert apart(R.mean_rotation(around), middle) < 1e-9
    assert apart(R.mean_rotation(-around), middle) < 1e-9


@given(st.floats(-100, 100))
def test_a_wrapped_angle_is_the_same_direction_within_half_a_turn(angle: float) -> None:
    wrapped = R.wrap_angle(angle)
    assert -np.pi <= wrapped < np.pi
    np.testing.assert_allclose([np.cos(wrapped), np.sin(wrapped)], [np.cos(angle), np.sin(angle)], atol=1e-12)


@given(quaternions)
def test_a_pair_of_axes_is_the_same_rotation(q: np.ndarray) -> None:
    assert apart(R.from_axis_pair(R.to_axis_pair(q)), q) < 1e-6


def test_quaternions_of_opposite_signs_have_the_mean_of_their_rotations() -> None:
    q = R.from_axis_angle([0.0, 0.6, 0.8], np.array([0.3, 0.5, 0.7])) * np.array([[1.0], [-1.0], [1.0]])
    np.testing.assert_allclose(R.mean_rotation(q), R.from_axis_angle([0.0, 0.6, 0.8], 0.5), atol=1e-12)
    assert R.mean_rotation(-q)[0] > 0
