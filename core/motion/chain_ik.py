"""IK of chains of any number of bones: the legs of animals, with hocks and wrists between knee or elbow and paw.

FABRIK (Aristidou and Lasenby 2011), vectorized over frames: it keeps the shape that the chain has, and so the plane in
which knees and hocks bend.
"""

from typing import Final

import numpy as np

from .limb_ik import POSITION_TOLERANCE_M
from .paws import LegChain
from .rotations import Array, multiply, normalize, rotation_between

MAX_REACH_RATIO: Final = 0.999
"""Share of its length to which a leg is extended at most."""
ITERATIONS: Final = 12
"""Backward and forward passes; a leg is then within a tenth of a millimeter of what it reaches."""


def solve_chain_ik(positions: Array, rotations: Array, chain: LegChain, target: Array) -> None:
    """Move a paw to ``target`` by bending its leg, in place.

    A target out of reach is met in direction. The paw's joint keeps its world rotation. A leg that is there already is
    left unchanged.

    Args:
        positions: world positions (F, J, 3), meters; those of the chain and of its paw are changed.
        rotations: world rotations (F, J, 4); those of the chain are changed.
        chain: the leg.
        target: world position of the paw (F, 3), meters.
    """
    away = np.linalg.norm(target - chain.paw_positions(positions, rotations), axis=-1) > POSITION_TOLERANCE_M
    if not away.any():
        return
    if not away.all():
        some = positions[away], rotations[away]
        solve_chain_ik(*some, chain, target[away])
        positions[away], rotations[away] = some
        return
    joints = list(chain.joints)
    before = np.concatenate([positions[:, joints], chain.paw_positions(positions, rotations)[:, None]], axis=1)
    lengths = np.linalg.norm(np.diff(before, axis=1), axis=-1)
    first = before[:, 0]
    line = target - first
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    reach = MAX_REACH_RATIO * lengths.sum(axis=1, keepdims=True)
    end = first + line * np.minimum(1.0, reach / np.maximum(distance, 1e-9))
    after = before.copy()
    count = after.shape[1]
    for _ in range(ITERATIONS):
        after[:, -1] = end
        for index in range(count - 2, -1, -1):
            after[:, index] = _at_length(after[:, index + 1], after[:, index], lengths[:, index])
        after[:, 0] = first
        for index in range(1, count):
            after[:, index] = _at_length(after[:, index - 1], after[:, index], lengths[:, index - 1])
    for index, joint in enumerate(joints):
        turn = rotation_between(before[:, index + 1] - before[:, index], after[:, index + 1] - after[:, index])
        rotations[:, joint] = multiply(turn, rotations[:, joint])
        positions[:, joint] = after[:, index]
    if chain.paw is not None:
        positions[:, chain.paw] = after[:, -1]


def _at_length(anchor: Array, point: Array, bone_lengths: Array) -> Array:
    """Return points (F, 3) moved along their lines from the anchors (F, 3) to a distance (F) of them."""
    return anchor + normalize(point - anchor) * bone_lengths[:, None]
