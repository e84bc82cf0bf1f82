"""Which pairs are the legs and which the arms: by how they hang together, how long they are, and where they point."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...motion.rotations import Array, normalize
from .body_tree import BodyTree
from .chains import Chain
from .pairs import Pair

SHORT: Final = 0.2
"""Pairs that reach less far than this share of the longest are no limbs: eyes, breasts, toes."""
TRUNK: Final = 0.3
"""A trunk shorter than this share of the leg's reach is doubtful."""
SAME: Final = 0.02
"""Bones that begin closer together than this share of a limb begin at one place."""
FINGERS: Final = 3
"""So many chains of two or more bones on one bone make it a hand."""


@dataclass(frozen=True, eq=False)
class Limbs:
    """Two legs, and two arms or front legs where there are any."""

    tree: BodyTree
    legs: Pair
    arms: Pair | None
    score: float

    @cached_property
    def leg_length(self) -> float:
        """How far the legs reach: the measure of the body."""
        return float(np.mean([self.tree.reach[self.legs.first], self.tree.reach[self.legs.second]]))

    @cached_property
    def trunk_path(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """From what the legs hang on up to what carries the arms too, and from there on to what the arms hang on."""
        up = self.tree.path_up(self.legs.carrier)
        if self.arms is None:
            return (up[0],), ()
        other = self.tree.path_up(self.arms.carrier)
        common = next((bone for bone in up if bone in set(other)), up[0])
        outwards = tuple(reversed(other[: other.index(common)])) if common in other else ()
        return tuple(up[: up.index(common) + 1]), outwards

    @cached_property
    def down(self) -> Array:
        """Where the legs point (3), unit."""
        return _direction(self.tree, self.legs)

    @cached_property
    def trunk(self) -> Array:
        """From the legs to the arms (3)."""
        arms = self.arms
        if arms is None:
            return -self.down * self.leg_length
        return _middle(self.tree, arms) - _middle(self.tree, self.legs)

    @cached_property
    def four_legged(self) -> bool:
        """Whether the arms stand on the ground beside the legs, and the trunk lies over them."""
        if self.arms is None:
            return False
        heads, tree, along = self.tree.rig.heads, self.tree, normalize(self.trunk)
        level = float(along @ self.down)
        if abs(level) > 0.75:
            return False
        # Paws may stand ahead of hips or behind them: what is square to the trunk is down.
        down = normalize(self.down - level * along)
        ground, front = (
            np.mean([(tree.ends[list(path)] @ down).max() for path in pair.paths]) for pair in (self.legs, self.arms)
        )
        top = np.mean([heads[self.legs.first] @ down, heads[self.legs.second] @ down])
        return bool(abs(ground - front) < 0.4 * (ground - top))


def natural(limbs: Limbs) -> bool:
    """Whether the limbs lie as in a body that stands: some files' rest is no pose, with limbs along any axis."""
    if limbs.four_legged or limbs.arms is None:
        return True
    trunk = normalize(limbs.trunk)
    arms = _way(limbs.tree, limbs.arms) / max(_reach(limbs.tree, limbs.arms), 1e-9)
    ahead = arms - (arms @ limbs.down) * limbs.down
    return float(trunk @ limbs.down) < -0.5 and float(np.linalg.norm(ahead)) < 0.6


def find_limbs(tree: BodyTree, pairs: Sequence[Pair]) -> Limbs | None:
    """The likeliest legs and arms; ``None`` where nothing looks like legs."""
    if not pairs:
        return None
    reach = {id(pair): min(tree.reach[pair.first], tree.reach[pair.second]) for pair in pairs}
    longest = max(reach.values())
    long = [pair for pair in pairs if reach[id(pair)] >= SHORT * longest and len(pair.paths[0]) >= 2]
    long = [
        pair
        for pair in long
        if sum(_reach(tree, other) > 0.7 * _reach(tree, pair) for other in long if other.carrier == pair.carrier) <= 2
    ]
    choices = [_both(tree, legs, arms, long, longest) for legs in long for arms in long if legs is not arms]
    choices += [_legs_alone(tree, legs, longest) for legs in long]
    return max(choices, key=lambda limbs: limbs.score, default=None)


def _both(tree: BodyTree, legs: Pair, arms: Pair, long: Sequence[Pair], longest: float) -> Limbs:
    """A choice of legs and arms with its score."""
    limbs = Limbs(tree, legs, arms, -np.inf)
    up_legs, up_arms = tree.path_up(legs.carrier), tree.path_up(arms.carrier)
    inside = {legs.first, legs.second} & set(up_arms) or {arms.first, arms.second} & set(up_legs)
    if inside or up_legs[-1] != up_arms[-1]:
        return limbs
    score = (_reach(tree, legs) + _reach(tree, arms)) / longest + _depth(legs) + _depth(arms)
    if legs.carrier in up_arms:
        score += 0.5
    elif arms.carrier in up_legs:
        score -= 0.5
    nearer = (pair for pair in long if pair is not legs and pair.carrier in up_arms[1:])
    if any(pair.carrier not in up_legs and _reach(tree, pair) > 0.7 * _reach(tree, arms) for pair in nearer):
        score -= 0.7  # ears and long hair are farther out than the arms
    others = set(tree.children[arms.carrier]) - {arms.first, arms.second} - set(up_legs)
    score += 0.5 * any(tree.reach[other] + tree.length(other) > 0.1 * longest for other in others)
    score += 0.5 * (hub(tree, arms) is not None) - 0.5 * (hub(tree, legs) is not None)
    score += 0.6 * float(-normalize(limbs.trunk) @ limbs.down) * _straight(tree, legs)
    # Fingers, and the legs of a spider, hang side by side; a body has a trunk between its limbs.
    apart = float(np.linalg.norm(limbs.trunk)) / max(limbs.leg_length, 1e-9)
    score -= 1.5 * max(1.0 - apart / TRUNK, 0.0) + 0.5 * (legs.carrier == arms.carrier)
    return Limbs(tree, legs, arms, float(score))


def _legs_alone(tree: BodyTree, legs: Pair, longest: float) -> Limbs:
    """A choice of legs without arms."""
    high = len(tree.path_up(legs.carrier)) / max(tree.depths)
    return Limbs(tree, legs, None, float(_reach(tree, legs) / longest + _depth(legs) - high + 0.2))


def _reach(tree: BodyTree, pair: Pair) -> float:
    return float(np.mean([tree.reach[pair.first], tree.reach[pair.second]]))


def _depth(pair: Pair) -> float:
    """Limbs have three bones and more."""
    return {0: -2.0, 1: -2.0, 2: -0.4}.get(len(pair.paths[0]), 0.0)


def _straight(tree: BodyTree, pair: Pair) -> float:
    """How far both chains end from where they begin, together, as a share of their reach: arms of a T-pose cancel."""
    return min(float(np.linalg.norm(_way(tree, pair))) / max(_reach(tree, pair), 1e-9), 1.0)


def _way(tree: BodyTree, pair: Pair) -> Array:
    starts = tree.rig.heads[[pair.first, pair.second]]
    return (tree.ends[[path[-1] for path in pair.paths]] - starts).mean(axis=0)


def _direction(tree: BodyTree, pair: Pair) -> Array:
    return normalize(_way(tree, pair))


def _middle(tree: BodyTree, pair: Pair) -> Array:
    return tree.rig.heads[[pair.first, pair.second]].mean(axis=0)


def apart(tree: BodyTree, pair: Pair) -> Array:
    """From the second branch to the first (3), where they begin: hands and feet may cross."""
    first, second = map(list, pair.paths)
    across = tree.rig.heads[first] - tree.rig.heads[second]
    clear = np.flatnonzero(np.linalg.norm(across, axis=-1) > 0.05 * _reach(tree, pair))
    return across[clear[0]] if len(clear) else across.sum(axis=0)


def hub(tree: BodyTree, pair: Pair) -> int | None:
    """Which bone of a pair's chains carries fingers: its place in the chains."""
    for place, (one, other) in enumerate(zip(*pair.paths, strict=True)):
        if all(sum(tree.depths[child] >= 2 for child in tree.children[bone]) >= FINGERS for bone in (one, other)):
            return place
    return None


def chains(tree: BodyTree, pair: Pair) -> list[Chain]:
    """Both chains of a pair, as places."""
    place = hub(tree, pair)
    trusted = tree.ends is not tree.rig.heads
    return [Chain(np.vstack([tree.rig.heads[list(path)], tree.ends[path[-1]]]), trusted, place) for path in pair.paths]
