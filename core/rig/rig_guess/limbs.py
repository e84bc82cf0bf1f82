"""Search for legs and arms among the mirrored pairs of branches, by hierarchy, lengths and directions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...motion.rotations import Array, normalize
from .body_tree import BodyTree
from .chains import Chain
from .pairs import MirroredPair

MIN_LIMB_REACH_RATIO: Final = 0.2
"""Reach, relative to the longest pair's, below which a pair is not limbs but eyes, breasts or toes."""
MIN_TRUNK_RATIO: Final = 0.3
"""Length of the trunk, relative to the leg length, below which the choice of limbs is doubtful."""
MIN_FINGER_CHAINS: Final = 3
"""Least number of chains of two or more bones on a bone that counts as a hand."""


@dataclass(frozen=True, eq=False)
class Limbs:
    """A choice of two legs, and of two arms or front legs if any, with its score."""

    tree: BodyTree
    legs: MirroredPair
    arms: MirroredPair | None
    score: float

    @cached_property
    def leg_length(self) -> float:
        """Mean length of both legs along their bones, the unit for the body's other lengths."""
        return float(np.mean([self.tree.branch_reach[self.legs.first], self.tree.branch_reach[self.legs.second]]))

    @cached_property
    def trunk_paths(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Bones from the legs' parent up to the first ancestor of the arms, and from there down to the arms' parent."""
        up = self.tree.path_to_root(self.legs.parent)
        if self.arms is None:
            return (up[0],), ()
        other = self.tree.path_to_root(self.arms.parent)
        common = next((bone for bone in up if bone in set(other)), up[0])
        outward = tuple(reversed(other[: other.index(common)])) if common in other else ()
        return tuple(up[: up.index(common) + 1]), outward

    @cached_property
    def down_direction(self) -> Array:
        """Unit vector (3) from the tops of the legs toward their ends, in the armature's axes."""
        return normalize(_mean_extent(self.tree, self.legs))

    @cached_property
    def trunk_vector(self) -> Array:
        """Vector (3) from the tops of the legs to the tops of the arms, in the armature's axes and unit.

        Without arms it is as long as the legs, and opposite to them.
        """
        arms = self.arms
        if arms is None:
            return -self.down_direction * self.leg_length
        return _midpoint(self.tree, arms) - _midpoint(self.tree, self.legs)

    @cached_property
    def is_quadruped(self) -> bool:
        """True if the arms reach the ground like the legs, below a horizontal trunk."""
        if self.arms is None:
            return False
        heads, tree, along = self.tree.rig.heads, self.tree, normalize(self.trunk_vector)
        level = float(along @ self.down_direction)
        if abs(level) > 0.75:
            return False
        # Paws may stand ahead of hips or behind them: down is perpendicular to the trunk.
        down = normalize(self.down_direction - level * along)
        ground, front = (
            np.mean([(tree.bone_ends[list(path)] @ down).max() for path in pair.paths])
            for pair in (self.legs, self.arms)
        )
        top = np.mean([heads[self.legs.first] @ down, heads[self.legs.second] @ down])
        return bool(abs(ground - front) < 0.4 * (ground - top))


def is_natural_pose(limbs: Limbs) -> bool:
    """Return whether legs and arms are posed as in a standing body; some rest poses lay them along arbitrary axes."""
    if limbs.is_quadruped or limbs.arms is None:
        return True
    trunk = normalize(limbs.trunk_vector)
    arms = _mean_extent(limbs.tree, limbs.arms) / max(_mean_reach(limbs.tree, limbs.arms), 1e-9)
    ahead = arms - (arms @ limbs.down_direction) * limbs.down_direction
    return float(trunk @ limbs.down_direction) < -0.5 and float(np.linalg.norm(ahead)) < 0.6


def find_limbs(tree: BodyTree, pairs: Sequence[MirroredPair]) -> Limbs | None:
    """Return the pairs of branches that are likeliest legs and arms; ``None`` if no pair looks like legs."""
    if not pairs:
        return None
    reach = {id(pair): min(tree.branch_reach[pair.first], tree.branch_reach[pair.second]) for pair in pairs}
    longest = max(reach.values())
    long = [pair for pair in pairs if reach[id(pair)] >= MIN_LIMB_REACH_RATIO * longest and len(pair.paths[0]) >= 2]
    long = [
        pair
        for pair in long
        if sum(
            _mean_reach(tree, other) > 0.7 * _mean_reach(tree, pair) for other in long if other.parent == pair.parent
        )
        <= 2
    ]
    choices = [
        _score_legs_and_arms(tree, legs, arms, long, longest) for legs in long for arms in long if legs is not arms
    ]
    choices += [_score_legs_only(tree, legs, longest) for legs in long]
    return max(choices, key=lambda limbs: limbs.score, default=None)


def _score_legs_and_arms(
    tree: BodyTree, legs: MirroredPair, arms: MirroredPair, long: Sequence[MirroredPair], longest: float
) -> Limbs:
    """Return the choice of these legs and arms with its score."""
    limbs = Limbs(tree, legs, arms, -np.inf)
    up_legs, up_arms = tree.path_to_root(legs.parent), tree.path_to_root(arms.parent)
    inside = {legs.first, legs.second} & set(up_arms) or {arms.first, arms.second} & set(up_legs)
    if inside or up_legs[-1] != up_arms[-1]:
        return limbs
    score = (
        (_mean_reach(tree, legs) + _mean_reach(tree, arms)) / longest
        + _bone_count_score(legs)
        + _bone_count_score(arms)
    )
    if legs.parent in up_arms:
        score += 0.5
    elif arms.parent in up_legs:
        score -= 0.5
    nearer = (pair for pair in long if pair is not legs and pair.parent in up_arms[1:])
    if any(pair.parent not in up_legs and _mean_reach(tree, pair) > 0.7 * _mean_reach(tree, arms) for pair in nearer):
        score -= 0.7  # Ears and long hair are farther out than the arms.
    others = set(tree.children[arms.parent]) - {arms.first, arms.second} - set(up_legs)
    score += 0.5 * any(tree.branch_reach[other] + tree.distance_from_parent(other) > 0.1 * longest for other in others)
    score += 0.5 * (finger_bone_place(tree, arms) is not None) - 0.5 * (finger_bone_place(tree, legs) is not None)
    score += 0.6 * float(-normalize(limbs.trunk_vector) @ limbs.down_direction) * _straightness(tree, legs)
    # Fingers, and the legs of a spider, are side by side; a body has a trunk between its limbs.
    apart = float(np.linalg.norm(limbs.trunk_vector)) / max(limbs.leg_length, 1e-9)
    score -= 1.5 * max(1.0 - apart / MIN_TRUNK_RATIO, 0.0) + 0.5 * (legs.parent == arms.parent)
    return Limbs(tree, legs, arms, float(score))


def _score_legs_only(tree: BodyTree, legs: MirroredPair, longest: float) -> Limbs:
    """Return the choice of these legs, without arms, with its score."""
    high = len(tree.path_to_root(legs.parent)) / max(tree.branch_depths)
    return Limbs(tree, legs, None, float(_mean_reach(tree, legs) / longest + _bone_count_score(legs) - high + 0.2))


def _mean_reach(tree: BodyTree, pair: MirroredPair) -> float:
    """Return the mean reach of a pair's two branches."""
    return float(np.mean([tree.branch_reach[pair.first], tree.branch_reach[pair.second]]))


def _bone_count_score(pair: MirroredPair) -> float:
    """Return the score of a limb's number of bones, two or more; real limbs have three or more."""
    return -0.4 if len(pair.paths[0]) == 2 else 0.0


def _straightness(tree: BodyTree, pair: MirroredPair) -> float:
    """Return how straight a pair's chains are: the length of their mean extent, relative to their reach.

    The extents of arms in a T-pose cancel out.
    """
    return min(float(np.linalg.norm(_mean_extent(tree, pair))) / max(_mean_reach(tree, pair), 1e-9), 1.0)


def _mean_extent(tree: BodyTree, pair: MirroredPair) -> Array:
    """Return the mean of the vectors (3) from start to end of a pair's two chains."""
    starts = tree.rig.heads[[pair.first, pair.second]]
    return (tree.bone_ends[[path[-1] for path in pair.paths]] - starts).mean(axis=0)


def _midpoint(tree: BodyTree, pair: MirroredPair) -> Array:
    """Return the midpoint (3) between the starts of a pair's two branches."""
    return tree.rig.heads[[pair.first, pair.second]].mean(axis=0)


def lateral_vector(tree: BodyTree, pair: MirroredPair) -> Array:
    """Return the vector (3) from a pair's second branch to its first, near their starts, since ends may cross."""
    first, second = map(list, pair.paths)
    across = tree.rig.heads[first] - tree.rig.heads[second]
    clear = np.flatnonzero(np.linalg.norm(across, axis=-1) > 0.05 * _mean_reach(tree, pair))
    return across[clear[0]] if len(clear) else across.sum(axis=0)


def finger_bone_place(tree: BodyTree, pair: MirroredPair) -> int | None:
    """Return the index of the bone that carries fingers in both chains of a pair; ``None`` if there is none."""
    for place, (one, other) in enumerate(zip(*pair.paths, strict=True)):
        if all(
            sum(tree.branch_depths[child] >= 2 for child in tree.children[bone]) >= MIN_FINGER_CHAINS
            for bone in (one, other)
        ):
            return place
    return None


def limb_chains(tree: BodyTree, pair: MirroredPair) -> list[Chain]:
    """Return the chains of both branches of a pair as points, with the bone that carries fingers."""
    place = finger_bone_place(tree, pair)
    has_tip = tree.bone_ends is not tree.rig.heads
    return [
        Chain(np.vstack([tree.rig.heads[list(path)], tree.bone_ends[path[-1]]]), has_tip, place) for path in pair.paths
    ]
