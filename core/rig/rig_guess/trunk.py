"""The middle of the body: hips, spine, neck and head, tail, and the bone at the ground that carries all."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...motion.rotations import normalize
from .body_tree import BodyTree
from .limbs import Limbs, apart
from .pairs import Pair

NEAR_HIPS: Final = 0.25
"""A bone so close above the hips, as a share of the leg's reach, that carries a tail besides, is the hips."""
SAME: Final = 0.03
"""Bones that begin closer together than this share of the leg's reach begin at one place."""
END: Final = 1.3
"""A last bone that is farther off than this many times the one before marks the top of the head."""
UNCLEAR: Final = 0.4
"""How near to that it is hard to tell, as the logarithm of a factor."""
GROUND: Final = 0.2
"""How far off the ground the bone may be that carries all, as a share of the leg's reach."""


def read_trunk(limbs: Limbs, pairs: Sequence[Pair]) -> dict[str, int]:
    """Roles of the body's middle to bones."""
    tree = limbs.tree
    up, outwards = limbs.trunk_path
    hips = up[-1]
    above = tree.parents[hips]
    near = above >= 0 and tree.length(hips) < NEAR_HIPS * limbs.leg_length
    if near and any(_carries(limbs, child) for child in tree.children[above] if child != hips):
        hips, outwards = above, (hips, *outwards)
    roles = {"hips": hips}
    spine = list(outwards)
    taken = {bone for pair in pairs for bone in (pair.first, pair.second)}
    carrier = limbs.arms.carrier if limbs.arms else hips
    top = _top(limbs, carrier, taken | set(up) | {hips})
    if limbs.arms is None and top:
        spine, top = top[: max(len(top) - 2, 0)], top[-2:]
    roles |= _numbered("spine", spine)
    if top:
        roles |= _numbered("neck", top[:-1]) | {"head": top[-1]}
    if limbs.four_legged:
        roles |= _numbered("tail", _tail(limbs, hips, taken | set(roles.values()) | set(up)))
    return roles


def _numbered(part: str, bones: Sequence[int]) -> dict[str, int]:
    return {part if place == 0 else f"{part}_{place + 1}": bone for place, bone in enumerate(bones)}


def _carries(limbs: Limbs, bone: int) -> bool:
    """Whether a branch is worth being carried: a tail, say."""
    return limbs.tree.reach[bone] + limbs.tree.length(bone) > 0.2 * limbs.leg_length


def _top(limbs: Limbs, carrier: int, taken: set[int]) -> list[int]:
    """From the first bone of the neck to the head: up to where the face begins."""
    tree = limbs.tree
    start = _central(limbs, [child for child in tree.children[carrier] if child not in taken])
    if start is None:
        return []
    path = [start]
    while len(tree.children[path[-1]]) == 1:
        path.append(tree.children[path[-1]][0])
    while len(path) > 1 and tree.length(path[-1]) < SAME * limbs.leg_length:
        path.pop()
    if len(path) >= 3 and not tree.children[path[-1]] and _marks(limbs, path[-1]):
        path.pop()
    return path


def _marks(limbs: Limbs, bone: int) -> bool:
    """Whether a last bone only marks the top of the head, or is a jaw."""
    tree = limbs.tree
    head = tree.parents[bone]
    length, before = tree.length(bone), tree.length(head)
    off = np.linalg.norm(tree.ends[head] - tree.rig.heads[bone])
    skull = np.linalg.norm(tree.ends[head] - tree.rig.heads[head])
    return bool(length > END * before or length < 0.3 * before or (skull > 0 and off > 0.3 * skull))


def doubtful_head(limbs: Limbs, head: int) -> bool:
    """Whether it is hard to tell by length which of the last bones is the head."""
    tree = limbs.tree
    below = tree.children[head]
    last = head if not below else below[0]
    before = tree.length(tree.parents[last])
    if len(below) > 1 or tree.children[last] or before <= 0:
        return False
    return abs(float(np.log(max(tree.length(last), 1e-9) / before / END))) < UNCLEAR


def _central(limbs: Limbs, bones: Sequence[int]) -> int | None:
    """The branch in the body's middle that leads farthest up; ``None`` where there is none."""
    tree = limbs.tree
    trunk = normalize(limbs.trunk)
    middle = normalize(apart(tree, limbs.legs))
    carrier = tree.parents[bones[0]] if bones else -1

    def height(bone: int) -> float:
        ways = tree.rig.heads[tree.below(bone)] - tree.rig.heads[carrier]
        return float((ways @ trunk).max() - abs(ways[0] @ middle)) + 0.1 * float(tree.reach[bone])

    best = max(bones, key=height, default=None)
    return best if best is not None and height(best) > 0.03 * limbs.leg_length else None


def _tail(limbs: Limbs, hips: int, taken: set[int]) -> list[int]:
    """The chain that leads from the hips away from the head."""
    tree, trunk = limbs.tree, normalize(limbs.trunk)
    best: list[int] = []
    for child in tree.children[hips]:
        way = tree.ends[tree.main_path(child)[-1]] - tree.rig.heads[child]
        if child not in taken and _carries(limbs, child) and normalize(way) @ trunk < 0:
            best = max(best, tree.main_path(child), key=len)
    return best


def ground_bone(tree: BodyTree, limbs: Limbs, hips: int) -> int | None:
    """The bone of the whole armature that carries the hips from the ground: the last one on the way to them."""
    rig = tree.rig
    down = limbs.down
    if float(normalize(limbs.trunk) @ down) > 0.3:
        return None
    ends = [tree.ends[path[-1]] for path in limbs.legs.paths]
    floor, reach = float(np.max(np.array(ends) @ down)), limbs.leg_length
    middle = np.mean(ends, axis=0)
    bone = rig.parents[hips]
    while bone >= 0:
        off = rig.heads[bone] - middle
        aside = np.linalg.norm(off - (off @ down) * down)
        if abs(float(rig.heads[bone] @ down) - floor) < GROUND * reach and aside < reach:
            return bone
        bone = rig.parents[bone]
    return None
