"""Blending of rigid motions by dual quaternions: a vertex of two joints goes halfway on the screw between them."""

import numpy as np

from footfall.core.body.skinned_mesh import blend_rigid
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, rotate

UP = np.array([0.0, 0.0, 1.0])


def test_a_vertex_of_one_joint_moves_with_it() -> None:
    turn, move = from_axis_angle(UP, 1.2), np.array([0.3, -0.1, 2.0])
    turns, moves = blend_rigid(np.zeros((1, 4), dtype=int), np.array([[1.0, 0, 0, 0]]), turn[None], move[None])
    np.testing.assert_allclose(turns[0], turn)
    np.testing.assert_allclose(moves[0], move)


def test_half_of_a_twist_is_half_the_angle_and_keeps_the_radius() -> None:
    rotations = np.stack([IDENTITY, from_axis_angle(UP, np.pi * 0.9)])
    joints, weights = np.array([[0, 1, 0, 0]]), np.array([[0.5, 0.5, 0.0, 0.0]])
    turns, moves = blend_rigid(joints, weights, rotations, np.zeros((2, 3)))
    np.testing.assert_allclose(turns[0], from_axis_angle(UP, np.pi * 0.45))
    place = rotate(turns[0], np.array([0.04, 0.0, 0.0])) + moves[0]
    np.testing.assert_allclose(np.linalg.norm(place), 0.04)
