"""End effectors of strikes: knuckles, the middle of a foot, or the tip of a held weapon."""

from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ....core.control.performance import ObjectTrack
from ....core.control.strike import rig_strike
from ....core.errors import FootfallError
from ....core.motion import Clip, Skeleton
from ....core.motion.proportions import ADULT_LEG_LENGTH_M
from ....core.motion.rotations import Array, rotation_between, unroll
from ....core.motion.weapons import weapon_role
from ....core.rig.rig_map.roles import role_phrase
from ...animation.fcurve_io.body_reader import read_present_pose
from ...rig.store import rig_map_of
from ...scene.evaluated_mesh import EvaluatedMesh
from ...ui.operator_base import is_in_scene
from .targets import hangs_on

FIST_M: Final = 0.09
"""Largest distance of an adult's knuckles from the wrist; bones of hands may be as long as their fingers."""
FOOT_SHARE: Final = 0.5
"""Position between ankle and ball of the foot that meets the target of a kick, as a share."""
MAX_GRIP_M: Final = 0.25
"""Largest distance of an adult's wrist from the nearest vertex of a held object."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldWeapon:
    """A weapon in a hand.

    Attributes:
        name: full name of the object.
        in_hand: the object's matrix (4, 4) in the frame of the hand's joint.
        hangs: whether it follows the hand by itself; otherwise it needs keys.
    """

    name: str
    role: str
    in_hand: Matrix
    hangs: bool


def limb_tip(skeleton: Skeleton, role: str) -> Array:
    """Return the striking point (3) of a hand or foot, meters, in the frame of its joint.

    For a hand with a weapon bone, the striking point is the weapon's tip at rest.
    """
    weapon = skeleton.joint(weapon_role(skeleton, role))
    if weapon != skeleton.joint(role):
        return skeleton.offsets[weapon] + skeleton.bone_vectors[weapon]
    bone = skeleton.bone_vectors[skeleton.joint(role)]
    if role.startswith("foot"):
        return FOOT_SHARE * bone
    fist = FIST_M * skeleton.leg_length / ADULT_LEG_LENGTH_M
    return bone * min(1.0, fist / max(float(np.linalg.norm(bone)), 1e-9))


def read_weapon(
    weapon: bpy.types.Object, role: str, armature: bpy.types.Object, context: bpy.types.Context
) -> tuple[HeldWeapon, Array]:
    """Return a weapon as a hand holds it now, and its tip (3), meters, in the frame of the hand's joint.

    Raises:
        FootfallError: the weapon was deleted, has no tip, or is not in the hand.
    """
    if not is_in_scene(weapon, context.scene):
        raise FootfallError("The weapon '{name}' was deleted: choose another", name=weapon.name)
    graph = context.evaluated_depsgraph_get()
    pose = read_present_pose(armature, graph, rig_map_of(armature))
    hand = _joint_matrix(pose, pose.skeleton.joint(role))
    matrix = weapon.evaluated_get(graph).matrix_world
    vertices = EvaluatedMesh.of(weapon).vertices
    size = pose.skeleton.leg_length / ADULT_LEG_LENGTH_M
    if not len(vertices):
        raise FootfallError("'{name}' has no tip, since it has no vertices: choose another weapon", name=weapon.name)
    places = np.array([matrix @ Vector(vertex) for vertex in vertices.tolist()])
    away = np.linalg.norm(places - np.array(hand.translation[:]), axis=-1)
    if away.min() > MAX_GRIP_M * size:
        raise FootfallError(
            "'{name}' is {distance} cm away from {hand}: place it in the hand at this frame, or parent it to "
            "the bone of the hand",
            name=weapon.name,
            distance=f"{100 * away.min():.0f}",
            hand=role_phrase(role),
        )
    if away.max() < rig_strike.TUNING.long_tip * size:
        raise FootfallError(
            "'{name}' is too short as a weapon, since all its vertices are within {distance} cm of the wrist: "
            "strike without it",
            name=weapon.name,
            distance=f"{100 * rig_strike.TUNING.long_tip * size:.0f}",
        )
    inverse = hand.inverted()
    tip = np.array((inverse @ Vector(places[away.argmax()].tolist()))[:])
    return HeldWeapon(weapon.name_full, role, inverse @ matrix, hangs_on(weapon, armature)), tip


def nearer_hand(weapon: bpy.types.Object, armature: bpy.types.Object, context: bpy.types.Context) -> str:
    """Return the role of the hand that is nearer to a weapon's vertices, or to its origin if it has none."""
    graph = context.evaluated_depsgraph_get()
    pose, matrix = read_present_pose(armature, graph, rig_map_of(armature)), weapon.evaluated_get(graph).matrix_world
    vertices = EvaluatedMesh.of(weapon).vertices
    places = np.array([matrix @ Vector(vertex) for vertex in (vertices.tolist() if len(vertices) else [(0, 0, 0)])])
    hands = {role: pose.positions[0, pose.skeleton.joint(role)] for role in ("hand.R", "hand.L")}
    return min(hands, key=lambda role: float(np.linalg.norm(places - hands[role], axis=-1).min()))


def along_blade(weapon: HeldWeapon, tip: Array, hand_end: Array, blade: Array) -> HeldWeapon:
    """Return a weapon turned about the end of the hand's bone so that its tip points along a blade vector.

    Args:
        weapon: the held weapon.
        tip: (3), tip of the weapon in the frame of the hand's joint, meters.
        hand_end: (3), end of the hand's bone in that frame, meters.
        blade: (3), wanted vector from the end of the bone to the tip, meters.
    """
    turn = Quaternion(rotation_between(tip - hand_end, blade).tolist()).to_matrix().to_4x4()
    pivot = Matrix.Translation(hand_end.tolist())
    return replace(weapon, in_hand=pivot @ turn @ pivot.inverted() @ weapon.in_hand)


def weapon_track(weapon: HeldWeapon, clip: Clip) -> ObjectTrack:
    """Return the motion of a weapon's origin that follows the hand in a motion of the rig's body."""
    joint = clip.skeleton.joint(weapon.role)
    poses = [(_joint_matrix(clip, joint, frame) @ weapon.in_hand).decompose() for frame in range(len(clip))]
    places, turns = (np.array([pose[part][:] for pose in poses]) for part in (0, 1))
    return ObjectTrack(weapon.name, places, unroll(turns), np.zeros(len(clip), dtype=bool))


def _joint_matrix(clip: Clip, joint: int, frame: int = 0) -> Matrix:
    """Return the world matrix (4, 4) of a joint's frame."""
    positions, rotations = clip.world
    turn = Quaternion(rotations[frame, joint].tolist())
    return Matrix.Translation(positions[frame, joint].tolist()) @ turn.to_matrix().to_4x4()
