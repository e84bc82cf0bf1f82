"""The bone that moves the whole body, if the hips cannot be translated, or if the spine is their sibling as in MMD."""

from collections.abc import Mapping
from dataclasses import replace

from ..rig_map import RigMap, TranslationBone
from .rig_tree import RigTree


def with_carrier(rig_map: RigMap, tree: RigTree) -> RigMap:
    """Return a rig map with its translation bone added, if a bone other than the hips moves the whole body.

    If hips and spine are siblings, the body is moved by their parent or the nearest movable bone above it. If the hips
    can only be rotated, it is moved by a bone above them.
    """
    if rig_map.translation_bone is not None or rig_map.controls:
        return rig_map
    index = {name: bone for bone, name in enumerate(tree.names)}
    bones = {role: index[name] for role, name in rig_map.bones.items() if name in index}
    hips, spine = bones["hips"], bones.get("spine", bones["hips"])
    above = tree.path_to_root(hips)
    common = next((bone for bone in tree.path_to_root(spine) if bone in above), None)
    if common is None or (common == hips and tree.can_move(hips)):
        return rig_map
    carrier = _nearest_movable(tree, above[above.index(common) :], bones)
    if carrier is None:
        return rig_map
    joint = "hips" if common == hips else "spine"
    return replace(rig_map, translation_bone=TranslationBone(tree.names[carrier], joint))


def _nearest_movable(tree: RigTree, upward: list[int], roles: Mapping[str, int]) -> int | None:
    """Return the first bone of ``upward`` that can be translated and has no role; ``None`` if there is none."""
    free = [bone for bone in upward if tree.can_move(bone) and bone not in roles.values()]
    return next(iter(free), None)
