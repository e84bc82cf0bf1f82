"""IK of chains of any number of bones: the legs of animals, with hocks and wrists between knee or elbow and paw.

FABRIK (Aristidou and Lasenby 2011), vectorized over frames: it keeps the shape that the chain has, and so the plane in
which knees and hocks bend.
"""

from typing import Final

import numpy as np

from .limb_ik import POSITION_TOLERANCE_M
from .paws import LegChain
from .rotations import Array, multiply, normalize, rotate, rotation_between

MAX_REACH_RATIO: Final = 0.999
"""Share of its length to which a leg is extended at most."""
ITERATIONS: Final = 12
"""Backward and forward passes, before the leg is closed."""


def solve_chain_ik(
    positions: Array, rotations: Array, chain: LegChain, target: Array, floor: Array | None = None
) -> None:
    """Move a paw to ``target`` by bending its leg, in place.

    A target out of reach is met in direction. The paw's joint keeps its world rotation. A leg that is there already,
    with no joint below the floor, is left unchanged.

    Args:
        positions: world positions (F, J, 3), meters; those of the chain and of its paw are changed.
        rotations: world rotations (F, J, 4); those of the chain are changed.
        chain: the leg.
        target: world position of the paw (F, 3), meters.
        floor: (F) height above which knees, hocks, elbows and wrists are drawn, meters; none by default.
    """
    joints = list(chain.joints)
    floor = np.full(len(target), -np.inf) if floor is None else floor
    away = np.linalg.norm(target - chain.paw_positions(positions, rotations), axis=-1) > POSITION_TOLERANCE_M
    away |= (positions[:, joints[1:], 2] < floor[:, None] - POSITION_TOLERANCE_M).any(axis=1)
    if not away.any():
        return
    if not away.all():
        some = positions[away], rotations[away]
        solve_chain_ik(*some, chain, target[away], floor[away])
        positions[away], rotations[away] = some
        return
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
        after[:, 1:-1, 2] = np.maximum(after[:, 1:-1, 2], floor[:, None])
        for index in range(count - 2, -1, -1):
            after[:, index] = _at_length(after[:, index + 1], after[:, index], lengths[:, index])
        after[:, 0] = first
        for index in range(1, count):
            after[:, index] = _at_length(after[:, index - 1], after[:, index], lengths[:, index - 1])
    after = _closed(after, end)
    for index, joint in enumerate(joints):
        turn = rotation_between(before[:, index + 1] - before[:, index], after[:, index + 1] - after[:, index])
        rotations[:, joint] = multiply(turn, rotations[:, joint])
        positions[:, joint] = after[:, index]
    if chain.paw is not None:
        positions[:, chain.paw] = after[:, -1]


def _closed(chain: Array, end: Array) -> Array:
    """Return the joints (F, N, 3) of a leg with its paw at its end, where passes have left it short of that.

    They hardly bend a leg whose bones lie on the line to a nearer end, as front legs do. Its parts above and below the
    joint that bends most turn like two bones (law of cosines).

    Args:
        chain: (F, N, 3) the joints, and the paw.
        end: (F, 3) where the paw goes, within reach.
    """
    frames = np.arange(len(chain))
    first, line = chain[:, 0], chain[:, -1] - chain[:, 0]
    ahead = normalize(line)[:, None]
    aside = chain - first[:, None]
    aside = aside - np.sum(aside * ahead, axis=-1, keepdims=True) * ahead
    knee = np.linalg.norm(aside, axis=-1).argmax(axis=1)
    turn = rotation_between(line, end - first)
    bend = normalize(rotate(turn, aside[frames, knee]))
    upper = np.linalg.norm(chain[frames, knee] - first, axis=-1)
    lower = np.linalg.norm(chain[:, -1] - chain[frames, knee], axis=-1)
    reach = np.clip(np.linalg.norm(end - first, axis=-1), np.abs(upper - lower) + 1e-9, upper + lower)
    along = (reach**2 + upper**2 - lower**2) / (2 * reach)
    height = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    middle = first + normalize(end - first) * along[:, None] + bend * height[:, None]
    above = rotation_between(chain[frames, knee] - first, middle - first)[:, None]
    below = rotation_between(chain[:, -1] - chain[frames, knee], end - middle)[:, None]
    upper_part = first[:, None] + rotate(above, chain - first[:, None])
    lower_part = middle[:, None] + rotate(below, chain - chain[frames, knee][:, None])
    return np.where((np.arange(chain.shape[1]) <= knee[:, None])[..., None], upper_part, lower_part)


def _at_length(anchor: Array, point: Array, bone_lengths: Array) -> Array:
    """Return points (F, 3) moved along their lines from the anchors (F, 3) to a distance (F) of them."""
    return anchor + normalize(point - anchor) * bone_lengths[:, None]
