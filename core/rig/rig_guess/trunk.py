"""The middle of the body: hips, spine, neck, head, tail, and the root bone on the ground."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...motion.rotations import normalize
from ..rig_map import roles as rig_roles
from .body_tree import BodyTree
from .limbs import Limbs, lateral_vector
from .pairs import MirroredPair

FAR_CARRIER_DISTANCE_RATIO: Final = 0.25
"""Distance from the legs, relative to their length, beyond which the parent of legs and spine is not the hips."""
HIPS_MERGE_DISTANCE_RATIO: Final = 0.25
"""Distance above the hips, relative to the leg length, within which a bone with a tail counts as the hips."""
COINCIDENT_DISTANCE_RATIO: Final = 0.03
"""Distance, relative to the leg length, within which bones coincide."""
END_MARKER_LENGTH_RATIO: Final = 1.3
"""Length of a last bone, relative to the one before, above which it only marks the top of the head."""
UNCLEAR_LOG_RATIO: Final = 0.4
"""Log ratio to the length of an end marker within which it is unclear which bone is the head."""
GROUND_DISTANCE_RATIO: Final = 0.2
"""Largest height of the root bone over the ground, relative to the leg length."""


def read_trunk(limbs: Limbs, pairs: Sequence[MirroredPair]) -> dict[str, int]:
    """Return the indices of hips, spine, neck, head, tail and root bone, by role; missing ones are omitted."""
    tree = limbs.tree
    up, outward = limbs.trunk_paths
    hips = up[0] if _is_far_carrier(limbs, up) else up[-1]
    above = tree.parents[hips]
    near = (
        hips == up[-1] and above >= 0 and tree.distance_from_parent(hips) < HIPS_MERGE_DISTANCE_RATIO * limbs.leg_length
    )
    if near and any(_is_long_branch(limbs, child) for child in tree.children[above] if child != hips):
        hips, outward = above, (hips, *outward)
    roles = {"hips": hips}
    spine = list(outward)
    taken = {bone for pair in pairs for bone in (pair.first, pair.second)}
    shoulder_bone = limbs.arms.parent if limbs.arms else hips
    top = _neck_and_head(limbs, shoulder_bone, taken | set(up) | {hips})
    if limbs.arms is None and top:
        spine, top = top[: max(len(top) - 2, 0)], top[-2:]
    roles |= rig_roles.number_roles("spine", spine)
    if top:
        roles |= rig_roles.number_roles("neck", top[:-1]) | {"head": top[-1]}
    if limbs.is_quadruped:
        roles |= rig_roles.number_roles("tail", _tail_chain(limbs, hips, taken | set(roles.values()) | set(up)))
    return roles


def _is_far_carrier(limbs: Limbs, up: Sequence[int]) -> bool:
    """Return whether the last bone above the legs only moves the body, without being part of it."""
    heads = limbs.tree.rig.heads
    legs = heads[[limbs.legs.first, limbs.legs.second]].mean(axis=0)
    first, last = (float(np.linalg.norm(heads[bone] - legs)) for bone in (up[0], up[-1]))
    return last > max(first, FAR_CARRIER_DISTANCE_RATIO * limbs.leg_length)


def _is_long_branch(limbs: Limbs, bone: int) -> bool:
    """Return whether the branch that starts at a bone is long enough for a part of the body, such as a tail."""
    return limbs.tree.branch_reach[bone] + limbs.tree.distance_from_parent(bone) > 0.2 * limbs.leg_length


def _neck_and_head(limbs: Limbs, shoulder_bone: int, taken: set[int]) -> list[int]:
    """Return the bones from the first neck bone to the head; bones of the face are left out."""
    tree = limbs.tree
    start = _central_branch(limbs, [child for child in tree.children[shoulder_bone] if child not in taken])
    if start is None:
        return []
    path = [start]
    while len(tree.children[path[-1]]) == 1:
        path.append(tree.children[path[-1]][0])
    while len(path) > 1 and tree.distance_from_parent(path[-1]) < COINCIDENT_DISTANCE_RATIO * limbs.leg_length:
        path.pop()
    if len(path) >= 3 and not tree.children[path[-1]] and _is_end_marker(limbs, path[-1]):
        path.pop()
    return path


def _is_end_marker(limbs: Limbs, bone: int) -> bool:
    """Return whether a chain's last bone is not the head: it only marks the top of the head, or is a jaw."""
    tree = limbs.tree
    head = tree.parents[bone]
    length, before = tree.distance_from_parent(bone), tree.distance_from_parent(head)
    off = np.linalg.norm(tree.bone_ends[head] - tree.rig.heads[bone])
    skull = np.linalg.norm(tree.bone_ends[head] - tree.rig.heads[head])
    return bool(length > END_MARKER_LENGTH_RATIO * before or length < 0.3 * before or (skull > 0 and off > 0.3 * skull))


def is_head_unclear(limbs: Limbs, head: int) -> bool:
    """Return whether bone lengths leave open if ``head`` or the bone before or after it is the head."""
    tree = limbs.tree
    below = tree.children[head]
    last = head if not below else below[0]
    before = tree.distance_from_parent(tree.parents[last])
    if len(below) > 1 or tree.children[last] or before <= 0:
        return False
    return (
        abs(float(np.log(max(tree.distance_from_parent(last), 1e-9) / before / END_MARKER_LENGTH_RATIO)))
        < UNCLEAR_LOG_RATIO
    )


def _central_branch(limbs: Limbs, bones: Sequence[int]) -> int | None:
    """Return the bone whose branch leads farthest up in the middle of the body; ``None`` if there is none."""
    tree = limbs.tree
    trunk = normalize(limbs.trunk_vector)
    middle = normalize(lateral_vector(tree, limbs.legs))
    parent = tree.parents[bones[0]] if bones else -1

    def height(bone: int) -> float:
        """Return a branch's score: its height along the trunk minus its distance from the middle."""
        offsets = tree.rig.heads[tree.subtree(bone)] - tree.rig.heads[parent]
        return float((offsets @ trunk).max() - abs(offsets[0] @ middle)) + 0.1 * float(tree.branch_reach[bone])

    best = max(bones, key=height, default=None)
    return best if best is not None and height(best) > 0.03 * limbs.leg_length else None


def _tail_chain(limbs: Limbs, hips: int, taken: set[int]) -> list[int]:
    """Return the bones of the chain that leads from the hips away from the head."""
    tree, trunk = limbs.tree, normalize(limbs.trunk_vector)
    best: list[int] = []
    for child in tree.children[hips]:
        extent = tree.bone_ends[tree.longest_path(child)[-1]] - tree.rig.heads[child]
        if child not in taken and _is_long_branch(limbs, child) and normalize(extent) @ trunk < 0:
            best = max(best, tree.longest_path(child), key=len)
    return best


def find_ground_bone(tree: BodyTree, limbs: Limbs, hips: int) -> int | None:
    """Return the nearest ancestor of the hips that is at the level of the feet; ``None`` if there is none."""
    rig = tree.rig
    down = limbs.down_direction
    if float(normalize(limbs.trunk_vector) @ down) > 0.3:
        return None
    ends = [tree.bone_ends[path[-1]] for path in limbs.legs.paths]
    floor, reach = float(np.max(np.array(ends) @ down)), limbs.leg_length
    middle = np.mean(ends, axis=0)
    bone = rig.parents[hips]
    while bone >= 0:
        off = rig.heads[bone] - middle
        aside = np.linalg.norm(off - (off @ down) * down)
        if abs(float(rig.heads[bone] @ down) - floor) < GROUND_DISTANCE_RATIO * reach and aside < reach:
            return bone
        bone = rig.parents[bone]
    return None
