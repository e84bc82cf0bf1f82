"""The skeleton of the bones that a rig map names in an armature."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion.hand_direction import MAX_BEND_RAD
from ...motion.roles import is_quadruped
from ...motion.rotations import Array, normalize
from ...motion.skeleton import Skeleton
from . import roles as rig_roles
from .rig_map import RigMap, bind_rig_map

ONWARD_PARTS: Final = ("hand", "head", "toe")
"""End parts whose bones should continue the line of their limb at rest; toes continue the foot, but level."""


def body_skeleton(rig_map: RigMap, names: Sequence[str], heads: Array, tails: Array) -> Skeleton:
    """Return the skeleton of the mapped bones, whose hierarchy follows from their roles, not the bones' parents.

    The hierarchy of control rigs is arbitrary. Roles without a bone are skipped: without shoulders, the chest is the
    parent of the upper arms. The parent of a twist bone is its limb. ``root``, which is not part of the body, is
    omitted.

    Args:
        rig_map: a map with the armature's own bone names, as :func:`.bind_rig_map` returns.
        names: (B) names of the armature's bones.
        heads: (B, 3) heads of these bones at rest, meters, world.
        tails: (B, 3) tails of these bones at rest, meters, world.

    Returns:
        The skeleton, with the bones' names, the map's roles, and the role ``chest`` for the last of two or more
        ``spine`` joints. Joints without children (fingers and weapons do not count) have tips.

    Raises:
        FootfallError: no bone has the role of the hips, or a bone of the map is missing.
    """
    roles = tuple(role for role in rig_roles.sort_roles(rig_map.bones) if role != "root")
    if "hips" not in rig_map.bones:
        raise FootfallError(
            "The bone map '{name}' has no hips: choose the bone that carries the whole body", name=rig_map.name
        )
    index = {name: bone for bone, name in enumerate(names)}
    missing = [rig_map.bones[role] for role in roles if rig_map.bones[role] not in index]
    if missing:
        raise FootfallError(
            "The bone map '{name}' refers to the bone '{bone}', which does not exist in the armature: map it again",
            name=rig_map.name,
            bone=missing[0],
        )
    bones = [index[rig_map.bones[role]] for role in roles]
    parent_roles = [rig_roles.parent_role(role, roles) for role in roles]
    parents = [-1 if parent is None else roles.index(parent) for parent in parent_roles]
    at = np.asarray(heads, dtype=np.float64)[bones]
    offsets = at - at[np.maximum(parents, 0)]
    offsets[0] = 0.0
    tips = np.asarray(tails, dtype=np.float64)[bones] - at
    beside = (rig_roles.WEAPON_PART, rig_roles.EYE_PART, *rig_roles.FINGER_PARTS)
    parts = [rig_roles.split_role(role)[0] for role in roles]
    tips[sorted({parent for part, parent in zip(parts, parents, strict=True) if part not in beside} - {-1})] = 0.0
    joints = _with_chest({role: joint for joint, role in enumerate(roles)})
    tips = _with_plausible_tips(tips, offsets, joints)
    return Skeleton(tuple(names[bone] for bone in bones), tuple(parents), offsets, tips, joints)


def _with_plausible_tips(tips: Array, offsets: Array, roles: Mapping[str, int]) -> Array:
    """Return the tips (J, 3), with those of hands, head and toes aligned with their limbs where the bones are not.

    Bones from games and other programs can lie across limbs. Heads of animals are bent against their necks.
    """
    result = tips.copy()
    if is_quadruped(roles):
        return result
    for role, joint in roles.items():
        part = rig_roles.split_role(role)[0]
        if part not in ONWARD_PARTS:
            continue
        plane = np.array([1.0, 1.0, 0.0 if part == "toe" else 1.0])
        length, onward = np.linalg.norm(tips[joint]), normalize(plane * offsets[joint])
        if onward.any() and float(tips[joint] @ onward) < np.cos(MAX_BEND_RAD) * length:
            result[joint] = length * onward
    return result


def with_mapped_roles(skeleton: Skeleton, rig_map: RigMap) -> Skeleton:
    """Return a skeleton with the roles that a map gives its joints, and ``chest`` for the last of several ``spine``.

    Raises:
        FootfallError: the skeleton has none of the map's bones.
    """
    bones = bind_rig_map(rig_map, skeleton.names).bones
    roles = {role: skeleton.names.index(bone) for role, bone in bones.items() if role != "root"}
    if not roles:
        raise FootfallError(
            "The bone map '{name}' has none of the joints of the skeleton: map it again", name=rig_map.name
        )
    return replace(skeleton, roles=_with_chest(roles))


def _with_chest(roles: dict[str, int]) -> dict[str, int]:
    """Add the role ``chest`` for the last of two or more ``spine`` bones."""
    spine = rig_roles.chain_roles("spine", roles)
    return roles | {"chest": roles[spine[-1]]} if len(spine) >= 2 else roles
