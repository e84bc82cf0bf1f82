"""Which side is left: by where the feet point, how knees and elbows bend, and how most armatures stand."""

from typing import Final

import numpy as np

from ...motion.rotations import Array, normalize
from .limbs import Limbs, apart

USUAL: Final = np.array([1.0, 0.0, 0.0])
"""Where the left side is in most armatures, whichever axis is up: they face -Y with Z up, or +Z with Y up."""


def left_side(limbs: Limbs, leg: dict[str, int], arm: dict[str, int]) -> tuple[Array, float]:
    """The direction to the body's left (3), and how sure that is, 0 to 1.

    Args:
        limbs: legs and arms.
        leg, arm: which bones of their chains are which.
    """
    tree, heads = limbs.tree, limbs.tree.rig.heads
    up = _up(limbs)
    across = apart(tree, limbs.legs)
    across = normalize(across - (across @ up) * up)
    ahead = np.cross(across, up)  # where the first of each pair is on the left, the body faces this way
    votes = [0.4 * float(across @ USUAL)]
    if limbs.four_legged:
        votes.append(4.0 * float(normalize(limbs.trunk) @ ahead))
    foot = leg.get("foot")
    for path in limbs.legs.paths:
        if foot is not None:
            end = heads[path[leg["toe"]]] if "toe" in leg else tree.ends[path[-1]]
            sole = end - heads[path[foot]]
            shin = heads[path[foot]] - heads[path[leg["shin"]]]
            if np.linalg.norm(sole) > 0.05 * np.linalg.norm(shin):
                votes.append(1.2 * float(normalize(sole) @ ahead))
        if foot is not None and not limbs.four_legged:
            votes.append(_bend(heads[path[leg["thigh"]]], heads[path[leg["shin"]]], heads[path[foot]], ahead))
    if limbs.arms is not None and "hand" in arm and not limbs.four_legged:
        for path in limbs.arms.paths:
            votes.append(
                -_bend(heads[path[arm["upper_arm"]]], heads[path[arm["forearm"]]], heads[path[arm["hand"]]], ahead)
            )
    total = float(np.sum(votes))
    return across * (1.0 if total >= 0 else -1.0), float(1.0 - np.exp(-1.5 * abs(total)))


def _bend(start: Array, joint: Array, end: Array, ahead: Array) -> float:
    """How far a joint is ahead of the line through its limb, in fifths of the limb's half, at most 1."""
    line = end - start
    off = joint - start - ((joint - start) @ line) / max(float(line @ line), 1e-12) * line
    return float(np.clip(off @ ahead / (0.1 * np.linalg.norm(line) + 1e-12), -1.0, 1.0)) * 0.5


def _up(limbs: Limbs) -> Array:
    """The body's up (3): from the legs' ends, and along the trunk of who stands on two."""
    if limbs.four_legged or limbs.arms is None:
        return -limbs.down
    trunk = normalize(limbs.trunk)
    return normalize(trunk - limbs.down) if trunk @ limbs.down < -0.3 else trunk
