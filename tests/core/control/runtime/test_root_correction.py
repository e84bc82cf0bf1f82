"""Push-outs of roots: out of a block, without a throw."""

import numpy as np

from footfall.core.control.runtime.root_correction import TUNING as ROOT_CORRECTION_TUNING
from footfall.core.control.runtime.root_correction import push_out, shift_clear_of
from footfall.core.scene.body_size import CONTACT_RADIUS_M
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider

RATE = 60.0
BLOCK = PosedCollider(
    Collider(np.array([[-0.3, -0.3, 0.0]]), np.array([[0.3, 0.3, 0.5]])), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
)


def test_a_root_inside_a_block_comes_out_of_it_no_faster_than_a_walk() -> None:
    position, steps = np.array([0.0, 0.107]), []
    for _ in range(120):
        pushed = push_out(position, position, [BLOCK], RATE)
        steps.append(float(np.linalg.norm(pushed - position)))
        position = pushed
    assert max(steps) <= ROOT_CORRECTION_TUNING.max_push / RATE * 1.001
    assert np.abs(position).max() > 0.3 + CONTACT_RADIUS_M - 0.005


def test_a_walk_into_a_block_is_stopped() -> None:
    position = np.array([0.0, 1.5])
    for _ in range(180):
        position = push_out(position - [0.0, 2.2 / RATE], position, [BLOCK], RATE)
    assert position[1] > 0.3 + CONTACT_RADIUS_M - 0.04, "a step at 2.2 m/s"


def test_a_shift_into_a_block_goes_along_it() -> None:
    start, clear = np.array([0.0, 0.6]), 0.3 + CONTACT_RADIUS_M
    done = shift_clear_of(start, np.array([0.2, -0.6]), [BLOCK])
    np.testing.assert_allclose(start + done, [0.2, clear], atol=1e-6)
    np.testing.assert_allclose(shift_clear_of(start, np.array([0.2, 0.1]), [BLOCK]), [0.2, 0.1])
