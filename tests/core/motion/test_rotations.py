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


@given(quaternions, quaternions, quaternions)
def test_rotations_form_a_group(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    np.testing.assert_allclose(R.multiply(R.multiply(a, b), c), R.multiply(a, R.multiply(b, c)), atol=1e-12)
    np.testing.assert_allclose(R.multiply(a, R.IDENTITY), a)
    np.testing.assert_allclose(R.multiply(a, R.inverse(a)), R.IDENTITY, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(R.multiply(a, b)), 1.0)


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


@pytest.mark.parametrize("axis", np.eye(3))
def test_half_turns_survive_matrices(axis: np.ndarray) -> None:
    half = R.from_axis_angle(axis, np.pi)
    assert apart(R.from_matrix(R.to_matrix(half)), half) < 1e-9


@given(quaternions)
def test_the_logarithm_undoes_the_exponential(q: np.ndarray) -> None:
    vector = R.log(q)
    assert np.linalg.norm(vector) <= np.pi + 1e-12
    assert apart(R.exp(vector), q) < 1e-9


@given(vectors.map(lambda v: v * (3.1 / 18)))
def test_the_exponential_undoes_the_logarithm(v: np.ndarray) -> None:
    np.testing.assert_allclose(R.log(R.exp(v)), v, atol=1e-9)


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-12, 1e-8])
def test_tiny_rotations_keep_their_size(size: float) -> None:
    vector = np.array([0.0, size, 0.0])
    np.testing.assert_allclose(R.log(R.exp(vector)), vector, rtol=1e-9)


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


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("side", [1, -1])
def test_gimbal_lock_loses_nothing(order: str, off: float, side: int) -> None:
    locked = R.from_euler(np.array([0.7, side * (np.pi / 2 - off), -0.4]), order)
    assert apart(R.from_euler(R.to_euler(locked, order), order), locked) < 3e-7


def test_euler_angles_of_many_joints_at_once() -> None:
    turns = np.random.default_rng(0).uniform(-1, 1, (5, 7, 3))
    together = R.from_euler(turns, "ZXY")
    assert together.shape == (5, 7, 4)
    np.testing.assert_allclose(together[2, 3], R.from_euler(turns[2, 3], "ZXY"))
    np.testing.assert_allclose(R.to_euler(together, "ZXY"), turns, atol=1e-12)


@given(vectors, vectors)
def test_between_turns_one_direction_into_the_other(a: np.ndarray, b: np.ndarray) -> None:
    turn = R.rotation_between(a, b)
    np.testing.assert_allclose(np.linalg.norm(turn), 1.0)
    if min(np.linalg.norm(a), np.linalg.norm(b)) < 1e-6:
        return
    np.testing.assert_allclose(R.rotate(turn, R.normalize(a)), R.normalize(b), atol=1e-4)
    # It is the smallest such rotation: its axis is perpendicular to both.
    assert abs(turn[1:] @ R.normalize(a)) < 1e-6


def test_between_opposites_is_a_half_turn_and_between_nothing_none() -> None:
    a = np.array([[0.0, 0.0, 2.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    b = np.array([[0.0, 0.0, -1.0], [-3.0, -3.0, 0.0], [1.0, 0.0, 0.0]])
    turns = R.rotation_between(a, b)
    np.testing.assert_allclose(R.rotate(turns, a)[:2], [[0, 0, -2], [-1, -1, 0]], atol=1e-9)
    np.testing.assert_allclose(turns[2], R.IDENTITY)


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


@pytest.mark.parametrize("shape", [(700, 31), (R.BLOCK_SIZE + 1,), (3, R.BLOCK_SIZE), (9000, 1)])
def test_many_are_turned_as_each_by_itself(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = (R.normalize(rng.normal(size=(*shape, 4))) for _ in range(2))
    v = rng.normal(size=(*shape, 3))
    for some in (np.s_[:2], np.s_[-2:]):
        np.testing.assert_array_equal(R.multiply(a, b)[some], R.multiply(a[some], b[some]))
        np.testing.assert_array_equal(R.rotate(a, v)[some], R.rotate(a[some], v[some]))
    one = a[:1] if len(shape) == 1 else a[:, :1]
    np.testing.assert_array_equal(R.multiply(one, b), R.multiply(np.broadcast_to(one, b.shape), b))
    np.testing.assert_array_equal(R.rotate(a, R.UP), R.rotate(a, np.broadcast_to(R.UP, v.shape)))


@pytest.mark.parametrize("shape", [(50, 2), (4, 30, 3), (200, 4), (3,)])
def test_lengths_are_numpys_norms(shape: tuple[int, ...]) -> None:
    v = np.random.default_rng(1).normal(size=shape)
    np.testing.assert_array_equal(R.length(v), np.linalg.norm(v, axis=-1))
    assert R.length(v.astype(np.float32)).dtype == np.float32


@given(st.floats(-100, 100))
def test_a_wrapped_angle_is_the_same_direction_within_half_a_turn(angle: float) -> None:
    wrapped = R.wrap_angle(angle)
    assert -np.pi <= wrapped < np.pi
    np.testing.assert_allclose([np.cos(wrapped), np.sin(wrapped)], [np.cos(angle), np.sin(angle)], atol=1e-12)


@given(quaternions)
def test_a_pair_of_axes_is_the_same_rotation(q: np.ndarray) -> None:
    assert apart(R.from_axis_pair(R.to_axis_pair(q)), q) < 1e-6


def test_axes_that_are_not_orthonormal_are_made_so() -> None:
    np.testing.assert_allclose(R.from_axis_pair(np.array([0, 2.0, 0, 0, 0.5, 3.0])), R.IDENTITY, atol=1e-12)


@given(arrays(float, (4, 3), elements=st.floats(-5.0, 5.0)), arrays(float, (3,), elements=st.floats(-5.0, 5.0)))
def test_cross_products_are_numpys_to_the_last_bit(a: R.Array, b: R.Array) -> None:
    np.testing.assert_array_equal(R.cross(a, b), np.cross(a, b))
    np.testing.assert_array_equal(R.cross(b, b), np.zeros(3))


def test_differences_of_phases_and_angles_are_wrapped_to_half_a_turn() -> None:
    cycles = np.array([-1.25, -0.5, -0.25, 0.0, 0.49, 0.5, 1.25, 2.75])
    expected = [-0.25, -0.5, -0.25, 0.0, 0.49, -0.5, 0.25, -0.25]
    np.testing.assert_allclose(R.wrap_cycles(cycles), expected, atol=1e-12)
    np.testing.assert_allclose(R.wrap_angle(2 * np.pi * cycles), 2 * np.pi * np.array(expected), atol=1e-12)


def test_the_angle_about_an_axis_is_between_projections() -> None:
    up, ahead = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.3])
    for angle in (-3.0, -1.0, 0.0, 0.5, 2.0):
        turned = R.rotate(R.from_axis_angle(up, angle), ahead) * np.array([2.0, 2.0, 1.0]) - np.array([0.0, 0.0, 5.0])
        assert R.signed_angle_about(up, ahead, turned) == pytest.approx(angle)


def test_large_arrays_are_multiplied_and_rotated_block_by_block_as_small_ones() -> None:
    rng = np.random.default_rng(0)
    a, b = R.normalize(rng.normal(size=(2, 100, 101, 4)))
    v = rng.normal(size=(101, 3))
    product, turned = R.multiply(a, b), R.rotate(a, v)
    for row in (0, 80, 81, 82, 99):
        np.testing.assert_array_equal(product[row], R.multiply(a[row], b[row]))
        np.testing.assert_array_equal(turned[row], R.rotate(a[row], v))


def test_lengths_and_cross_products_are_numpy_s() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 50, 3))
    np.testing.assert_allclose(R.cross(a, b), np.cross(a, b))
    for size in (2, 3, 4):
        v = rng.normal(size=(50, size))
        np.testing.assert_allclose(R.length(v), np.linalg.norm(v, axis=-1))


def test_signs_of_neighbors_are_chosen_one_after_the_other() -> None:
    q = R.from_axis_angle([0.0, 0.0, 1.0], np.linspace(0.0, 12.0, 25))
    signs = np.where(np.random.default_rng(2).uniform(size=25) < 0.5, -1.0, 1.0)
    np.testing.assert_allclose(R.unroll(q * signs[:, None]), q * signs[0])
    assert R.unroll(q[:1]) is not q


def test_quaternions_of_opposite_signs_have_the_mean_of_their_rotations() -> None:
    q = R.from_axis_angle([0.0, 0.6, 0.8], np.array([0.3, 0.5, 0.7])) * np.array([[1.0], [-1.0], [1.0]])
    np.testing.assert_allclose(R.mean_rotation(q), R.from_axis_angle([0.0, 0.6, 0.8], 0.5), atol=1e-12)
    assert R.mean_rotation(-q)[0] > 0
