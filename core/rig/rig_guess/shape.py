"""Roles from the shape of the body alone: hierarchy, lengths and positions of the bones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ..rig_map import roles as rig_roles
from .body_tree import BodyTree
from .chains import BIPED_LEG_PROPORTIONS, HIND_LEG_PROPORTIONS, LimbReading, read_arm, read_front_leg, read_leg
from .limbs import Limbs, find_limbs, is_natural_pose, lateral_vector, limb_chains
from .pairs import MirroredPair, mirrored_pairs
from .sides import find_left_direction
from .trunk import find_ground_bone, is_head_unclear, read_trunk
from .twists import read_twists

MIN_LIMB_SCORE: Final = 0.7
"""Least score of limbs that count as a body's; a person scores about 3."""
EVEN_CONFIDENCE_SCORE: Final = 1.5
"""Score of the limbs at which the confidence of the trunk's roles is 0.5."""
DOUBTFUL_CONFIDENCE_RATIO: Final = 0.6
"""Factor on the confidence of roles with unclear borders."""


@dataclass(frozen=True, eq=False)
class BodyShape:
    """Roles found by shape.

    Attributes:
        bones: index of the bone by role.
        confidence: confidence by role, 0 to 1.
    """

    bones: Mapping[str, int]
    confidence: Mapping[str, float]


def read_shape(tree: BodyTree) -> BodyShape:
    """Return the bones of body parts judged only by the tree's shape; none if it is not shaped like a body."""
    pairs = mirrored_pairs(tree)
    limbs = find_limbs(tree, pairs)
    if limbs is None or limbs.score < MIN_LIMB_SCORE:
        return BodyShape({}, {})
    legs = read_leg(
        limb_chains(tree, limbs.legs), HIND_LEG_PROPORTIONS if limbs.is_quadruped else BIPED_LEG_PROPORTIONS
    )
    arms: list[LimbReading] = []
    if limbs.arms is not None:
        arms = (read_front_leg if limbs.is_quadruped else read_arm)(limb_chains(tree, limbs.arms))
    if not legs or not np.isfinite(legs[0].cost):
        return BodyShape({}, {})
    left, side_confidence = find_left_direction(limbs, legs[0].parts, arms[0].parts if arms else {})
    bones, body = read_trunk(limbs, pairs), _logistic_confidence(limbs.score - EVEN_CONFIDENCE_SCORE)
    unclear = _unclear_roles(limbs, bones)
    confidence = {role: body * (DOUBTFUL_CONFIDENCE_RATIO if role in unclear else 1.0) for role in bones}
    for pair, readings in ((limbs.legs, legs), (limbs.arms, arms)):
        if pair is not None and readings and np.isfinite(readings[0].cost):
            sided = _sided_roles(tree, pair, readings[0], left)
            bones |= sided
            trust = _reading_confidence(readings) * (0.5 + 0.5 * side_confidence * _side_clearness(tree, pair, left))
            # Some rest poses are impossible poses: arms and legs lie along arbitrary axes, on either side.
            trust *= min(body + 0.1, 1.0) * (1.0 if is_natural_pose(limbs) else 0.6)
            confidence |= dict.fromkeys(sided, trust)
    twists = read_twists(tree, bones)
    bones |= twists
    confidence |= {role: 0.8 * confidence[_twisted_limb(role)] for role in twists}
    root = find_ground_bone(tree, limbs, bones["hips"])
    if root is not None and root not in bones.values():
        bones["root"], confidence["root"] = root, 0.8 * confidence["hips"]
    return BodyShape(bones, confidence)


def _twisted_limb(twist: str) -> str:
    """Return the limb's role for the role of its twist bone."""
    part, _, side = rig_roles.split_role(twist)
    return rig_roles.join_role(part.removesuffix("_twist"), 1, side)


def _sided_roles(tree: BodyTree, pair: MirroredPair, reading: LimbReading, left: Array) -> dict[str, int]:
    """Return the bones of a pair's chains by role, for both sides, according to a limb reading."""
    first, second = pair.paths
    first_is_left = float(lateral_vector(tree, pair) @ left) >= 0
    sides = {"L": first, "R": second} if first_is_left else {"L": second, "R": first}
    return {f"{part}.{side}": path[place] for side, path in sides.items() for part, place in reading.parts.items()}


def _side_clearness(tree: BodyTree, pair: MirroredPair, left: Array) -> float:
    """Return how clearly, 0 to 1, one of a pair's chains is to the left of the other."""
    across = lateral_vector(tree, pair)
    return float(abs(across @ left) / max(float(np.linalg.norm(across)), 1e-12))


def _logistic_confidence(margin: float) -> float:
    """Convert the margin of a score to a confidence, 0 to 1, by the logistic function."""
    return float(1.0 / (1.0 + np.exp(-2.0 * margin)))


def _unclear_roles(limbs: Limbs, bones: Mapping[str, int]) -> set[str]:
    """Return the roles in the middle of the body whose borders are unclear.

    Shoulders mark the border between spine and neck; front legs do not.
    """
    necks = set(rig_roles.chain_roles("neck", bones))
    unclear = necks if limbs.is_quadruped else set()
    if "head" in bones and is_head_unclear(limbs, bones["head"]):
        unclear |= {"head", *sorted(necks)[-1:]}
    return unclear


def _reading_confidence(readings: Sequence[LimbReading]) -> float:
    """Return the confidence in the best reading, from its likelihood and its lead over the next."""
    best = readings[0].cost
    margin = readings[1].cost - best if len(readings) > 1 else 4.0
    return float(np.exp(-max(best, 0.0) / 15.0) * (1.0 - 0.5 * np.exp(-max(margin, 0.0))))


__all__ = ["BodyShape", "Limbs", "read_shape"]
