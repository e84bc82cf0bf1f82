"""The direction of a body's left, from its feet, the bend of knees and elbows, and usual orientations."""

from typing import Final

import numpy as np

from ...motion.rotations import Array, normalize
from .limbs import Limbs, lateral_vector

USUAL_LEFT_DIRECTION: Final = np.array([1.0, 0.0, 0.0])
"""Direction of the left side in most armatures, which face -Y with Z up, or +Z with Y up: +X in both cases."""


def find_left_direction(limbs: Limbs, leg: dict[str, int], arm: dict[str, int]) -> tuple[Array, float]:
    """Return the direction to the body's left (3), in the armature's axes, and its confidence, 0 to 1.

    Args:
        limbs: legs and arms.
        leg: index in the legs' chains of each part's bone, such as that of ``shin``.
        arm: index in the arms' chains of each part's bone.
    """
    tree, heads = limbs.tree, limbs.tree.rig.heads
    up = _up_direction(limbs)
    across = lateral_vector(tree, limbs.legs)
    across = normalize(across - (across @ up) * up)
    ahead = np.cross(across, up)  # Facing direction, assuming that the first branch of each pair is the left one.
    votes = [0.4 * float(across @ USUAL_LEFT_DIRECTION)]
    if limbs.is_quadruped:
        votes.append(4.0 * float(normalize(limbs.trunk_vector) @ ahead))
    foot = leg.get("foot")
    for path in limbs.legs.paths:
        if foot is not None:
            end = heads[path[leg["toe"]]] if "toe" in leg else tree.bone_ends[path[-1]]
            sole = end - heads[path[foot]]
            shin = heads[path[foot]] - heads[path[leg["shin"]]]
            if np.linalg.norm(sole) > 0.05 * np.linalg.norm(shin):
                votes.append(1.2 * float(normalize(sole) @ ahead))
        if foot is not None and not limbs.is_quadruped:
            votes.append(_bend_vote(heads[path[leg["thigh"]]], heads[path[leg["shin"]]], heads[path[foot]], ahead))
    if limbs.arms is not None and "hand" in arm and not limbs.is_quadruped:
        for path in limbs.arms.paths:
            votes.append(
                -_bend_vote(heads[path[arm["upper_arm"]]], heads[path[arm["forearm"]]], heads[path[arm["hand"]]], ahead)
            )
    total = float(np.sum(votes))
    return across * (1.0 if total >= 0 else -1.0), float(1.0 - np.exp(-1.5 * abs(total)))


def _bend_vote(start: Array, joint: Array, end: Array, forward: Array) -> float:
    """Return a vote for ``forward``, from -0.5 to 0.5, by how far a joint is ahead of its limb's line."""
    line = end - start
    off = joint - start - ((joint - start) @ line) / max(float(line @ line), 1e-12) * line
    return float(np.clip(off @ forward / (0.1 * np.linalg.norm(line) + 1e-12), -1.0, 1.0)) * 0.5


def _up_direction(limbs: Limbs) -> Array:
    """Return the body's up direction (3), from the legs' ends to their tops, and for bipeds also along the trunk."""
    if limbs.is_quadruped or limbs.arms is None:
        return -limbs.down_direction
    trunk = normalize(limbs.trunk_vector)
    return normalize(trunk - limbs.down_direction) if trunk @ limbs.down_direction < -0.3 else trunk
