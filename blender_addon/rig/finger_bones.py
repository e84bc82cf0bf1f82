"""Finger bones of a rig: chains on its hands, and those that a controller moves, identified by names."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

import bpy
import numpy as np
import scipy

from ...core.motion.roles import FINGER_ROLES, guess_fingers
from ...core.motion.rotations import Array
from ...core.rig.rig_map import RigMap
from ..animation.fcurve_io.rig import Rig

COINCIDENT_M: Final = 1e-4
"""Largest distance between coincident bones, such as a control on the bone that it moves."""


def with_fingers(armature: bpy.types.Object, rig: Rig, rig_map: RigMap, roles: Collection[str]) -> RigMap:
    """Return a map without fingers and weapons outside some roles, and with others found by their names."""
    own = rig_map.without_other_hand_bones(roles)
    wanted = {role: hand for role, hand in FINGER_ROLES.items() if role in roles and role not in own.bones}
    bodily = {bone for role, bone in own.bones.items() if role not in FINGER_ROLES} | {*own.controls.values()}
    bound, found = set(own.bones.values()), dict[str, str]()
    for hand in sorted({hand for hand in wanted.values() if hand in own.bones}):
        order, parents = [rig.index[own.bones[hand]]], [-1]
        children = _below(armature, rig, order[0], bodily)
        for place, bone in enumerate(order):
            parents += [place] * len(children.get(bone, []))
            order += children.get(bone, [])
        names = [rig.names[bone] for bone in order]
        guessed = {role: names[place] for role, place in guess_fingers(names, parents, {hand: 0}).items()}
        found |= {role: bone for role, bone in guessed.items() if role in wanted and bone not in bound}
    return replace(own, bones={**own.bones, **found}) if found else own


def finger_chains(armature: bpy.types.Object, rig: Rig, hand: int, mapped: Collection[str]) -> list[list[int]]:
    """Return the bone indices of each finger on a hand, from the palm outward, up to the first branch.

    Args:
        armature: the armature.
        rig: its bones.
        hand: index of the bone of the hand.
        mapped: names of the bones with a role, which are left out.
    """
    children = _below(armature, rig, hand, mapped)
    chains: list[list[int]] = []
    for first in children.get(hand, []):
        chain = [first]
        while len(children.get(chain[-1], [])) == 1:
            chain.append(children[chain[-1]][0])
        chains.append(chain)
    return chains


def _below(armature: bpy.types.Object, rig: Rig, hand: int, mapped: Collection[str]) -> dict[int, list[int]]:
    """Return the keyable bones below each bone; bones that coincide with a hand count as the hand.

    If constraints move the fingers, as in Rigify, the keyable bones are the controls.
    """
    ends = np.hstack([rig.heads, rig.to_world(rig.tails)])
    hands = set(scipy.spatial.KDTree(ends).query_ball_point(ends[hand], COINCIDENT_M))
    keyable = _keyable(armature, rig, ends, mapped) - hands
    children: dict[int, list[int]] = {}
    for bone in sorted(keyable):
        parent = int(rig.parents[bone])
        while parent >= 0 and parent not in keyable | hands:
            parent = int(rig.parents[parent])
        children.setdefault(hand if parent in hands else parent, []).append(bone)
    return children


def _keyable(armature: bpy.types.Object, rig: Rig, ends: Array, mapped: Collection[str]) -> set[int]:
    """Return the keyable bones without a role that deform the mesh, or coincide with a constrained bone that does.

    Args:
        armature: the armature.
        rig: the armature's bones.
        ends: (B, 6), head and tail of each bone at rest, meters, world.
        mapped: names of the bones with a role.
    """
    poses = [armature.pose.bones[name] for name in rig.names]
    free = np.array([not one.constraints and not all(one.lock_rotation) and one.name not in mapped for one in poses])
    deforms = np.array([one.bone.use_deform for one in poses])
    moved = ends[deforms & ~free]
    is_control = np.zeros(len(free), dtype=bool)
    if len(moved):
        is_control = scipy.spatial.KDTree(moved).query(ends)[0] < COINCIDENT_M
    return set(np.flatnonzero(free & (deforms | is_control)).tolist())
