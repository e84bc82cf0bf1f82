"""The rig map stored with an armature: writing, reading and using it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import bpy
import numpy as np

from ...core.control.runtime.pose_decoder import standing_rotations
from ...core.errors import FootfallError
from ...core.models.controller_model import ControllerModel
from ...core.motion import Skeleton
from ...core.motion import rotations as rot
from ...core.motion.fingers import finger_roles
from ...core.motion.roles import is_quadruped
from ...core.motion.rotations import Array
from ...core.retarget.calibration import Calibration, ControllerSide, calibrate_with_yaw
from ...core.rig.rig_map import ControlSetting, IkFkSwitch, IkLimb, RigMap, TranslationBone, body_skeleton
from ...core.rig.rig_map.roles import role_phrase
from ..animation.fcurve_io import Rig, read_rig
from ..animation.fcurve_io.reader import orthonormal
from . import guess
from . import roles as rig_roles
from .finger_bones import with_fingers

MIN_SURE_CONFIDENCE: Final = 0.6
"""Confidence below which a guess is shown as doubtful."""


class _FillState:
    """State of suspended updates: while a map is written, the lists' own updates wait."""

    depth = 0


def updates_are_suspended() -> bool:
    """Return whether a rig map is being written, so that its single changes must not trigger updates."""
    return _FillState.depth > 0


@contextmanager
def suspended_updates() -> Iterator[None]:
    """Suspend updates in the body, where changes are not the user's own."""
    _FillState.depth += 1
    try:
        yield
    finally:
        _FillState.depth -= 1


def has_bone_map(armature: bpy.types.Object) -> bool:
    """Return whether a rig map is stored with an armature."""
    return any(row.name for row in armature.footfall.rig.roles)


def store_rig_map(
    armature: bpy.types.Object, rig_map: RigMap, confidence: Mapping[str, float] | None = None, preset: str = ""
) -> None:
    """Store a rig map with an armature, replacing the previous one.

    Args:
        armature: the armature object.
        rig_map: the map, with the armature's own bone names.
        confidence: confidence of each role, 0 to 1; by default 1.
        preset: the preset from which the map was loaded, see :mod:`rig_presets`.
    """
    rig = armature.footfall.rig
    with suspended_updates():
        rig.title, rig.preset, rig.checked_controller, rig.check_result = rig_map.name, preset, "", ""
        roles = rig_roles.listed_roles(rig_map.bones)
        for role, row in zip(roles, resize_collection(rig.roles, len(roles)), strict=True):
            row.name, row.bone, row.control = role, rig_map.bones.get(role, ""), rig_map.controls.get(role, "")
            row.confidence = (confidence or {}).get(role, 1.0) if row.bone else 0.0
        carrier = rig_map.translation_bone
        rig.translation_bone, rig.translation_joint = (carrier.bone, carrier.joint) if carrier else ("", "")
        for (name, limb), row in zip(rig_map.ik.items(), resize_collection(rig.limbs, len(rig_map.ik)), strict=True):
            _store_limb(row, name, limb)
        rig.active_role = 0
        if rig.reference_pose == "CURRENT":
            capture_reference_pose(armature)


def _store_limb(row: bpy.types.PropertyGroup, name: str, limb: IkLimb) -> None:
    row.name, row.control, row.pole, row.toe = name, limb.control, limb.pole or "", limb.toe or ""
    if limb.switch:
        row.switch_bone, row.switch_property = limb.switch.bone, limb.switch.property
        row.ik_value, row.fk_value = limb.switch.ik, limb.switch.fk
    for setting, item in zip(limb.settings, resize_collection(row.settings, len(limb.settings)), strict=True):
        item.bone, item.property_name, item.value = setting.bone, setting.property, setting.value


def resize_collection(rows: bpy.types.bpy_prop_collection, count: int) -> list[bpy.types.PropertyGroup]:
    """Resize a list to at least ``count`` rows; empty the first ``count`` rows and return them.

    Rows that a library override inherits cannot be removed, so extra empty rows may remain.
    """
    while len(rows) > count:
        before = len(rows)
        try:
            rows.remove(before - 1)
        except TypeError:
            break
        if len(rows) == before:
            break
    while len(rows) < count:
        rows.add()
    for row in rows:
        for item in row.bl_rna.properties:
            if item.type == "COLLECTION":
                resize_collection(getattr(row, item.identifier), 0)
            elif item.identifier != "rna_type":
                row.property_unset(item.identifier)
    return list(rows)[:count]


def clear_rig_map(armature: bpy.types.Object) -> None:
    """Clear the stored rig map; it is guessed again when needed."""
    rig = armature.footfall.rig
    with suspended_updates():
        for name in (
            "title",
            "preset",
            "translation_bone",
            "translation_joint",
            "active_role",
            "list_filter",
            "reference_pose",
            "checked_controller",
            "check_result",
        ):
            rig.property_unset(name)
        resize_collection(rig.roles, 0)
        resize_collection(rig.limbs, 0)


def on_bone_chosen(armature: bpy.types.Object, role: str, slot: str) -> None:
    """Update the map after the user has put a bone into a role's slot: remove the bone from other roles."""
    rows = armature.footfall.rig.roles
    row = rows[role]
    with suspended_updates():
        bone = getattr(row, slot)
        for other in rows:
            if bone and other.name != role and getattr(other, slot) == bone:
                setattr(other, slot, "")
                other.confidence *= slot != "bone"
                other.is_manual = other.is_manual and slot != "bone"
        if row.control == row.bone:
            row.control = ""
        if slot == "bone":
            row.confidence, row.is_manual = float(bool(bone)), bool(bone)


def add_role(armature: bpy.types.Object, role: str) -> None:
    """Add a role without a bone to the list, in the order of the body."""
    rig = armature.footfall.rig
    if role not in rig.roles:
        with suspended_updates():
            rig.roles.add().name = role
            place = rig_roles.sort_by_body(row.name for row in rig.roles).index(role)
            rig.roles.move(len(rig.roles) - 1, place)
    rig.active_role = rig.roles.find(role)


def add_limb(armature: bpy.types.Object, limb: str) -> None:
    """Add a foot or hand to the list of limbs posed by IK, unless it is there already."""
    limbs = armature.footfall.rig.limbs
    if limb not in limbs:
        limbs.add().name = limb


def remove_limb(armature: bpy.types.Object, limb: str) -> None:
    """Remove a foot or hand from the list of limbs posed by IK."""
    limbs = armature.footfall.rig.limbs
    try:
        limbs.remove(limbs.find(limb))
    except TypeError:  # an override has it from its library, so that an empty row remains
        limbs[limb].name = ""


def missing_bones(armature: bpy.types.Object) -> list[tuple[str, str]]:
    """Return (role or IK limb, bone name) for each bone in the stored map and IK settings that no longer exists."""
    rig, bones = armature.footfall.rig, armature.data.bones
    found = [(row.name, bone) for row in rig.roles for bone in (row.bone, row.control) if bone and bone not in bones]
    for limb in rig.limbs:
        named = (limb.control, limb.pole, limb.toe, limb.switch_bone)
        found += [(limb.name, bone) for bone in named if limb.name and bone and bone not in bones]
    return found


def stored_map(armature: bpy.types.Object) -> RigMap:
    """Return the rig map as stored, even if some of its bones no longer exist.

    Raises:
        FootfallError: a bone has two roles.
    """
    rig = armature.footfall.rig
    played = [row for row in rig.roles if row.bone]
    bones = {row.name: row.bone for row in played}
    controls = {row.name: row.control for row in played if row.control}
    return RigMap(
        rig.title or "Rig",
        bones,
        controls,
        {limb.name: _to_ik_limb(limb) for limb in rig.limbs if limb.name and limb.control},
        TranslationBone(rig.translation_bone, rig.translation_joint)
        if rig.translation_bone and rig.translation_joint in bones
        else None,
    )


def _to_ik_limb(row: bpy.types.PropertyGroup) -> IkLimb:
    switch = (
        IkFkSwitch(row.switch_bone, row.switch_property, row.ik_value, row.fk_value)
        if row.switch_bone and row.switch_property
        else None
    )
    settings = tuple(ControlSetting(item.bone, item.property_name, item.value) for item in row.settings if item.bone)
    return IkLimb(row.control, row.pole or None, row.toe or None, switch, settings)


def rig_map_of(armature: bpy.types.Object) -> RigMap:
    """Return the rig map stored with an armature, else a guessed one, without bones that no longer exist.

    Raises:
        FootfallError: a bone required for walking is not mapped, or does not exist.
    """
    if not has_bone_map(armature):
        return _guessed_map(armature)
    whole, rig_map = stored_map(armature), available_rig_map(armature)
    for role in rig_roles.required_roles(whole.bones):
        if role in whole.bones and role not in rig_map.bones:
            raise FootfallError(
                "The armature '{name}' no longer has the bone '{bone}' for {body_part}: choose another bone in "
                "the panel Rig",
                name=armature.name,
                bone=whole.bones[role],
                body_part=role_phrase(role),
            )
        if role not in whole.bones:
            raise FootfallError(
                "The rig of '{name}' has no bone for {body_part}: choose one in the panel Rig",
                name=armature.name,
                body_part=role_phrase(role),
            )
    return rig_map


def _guessed_map(armature: bpy.types.Object) -> RigMap:
    try:
        return guess.guess_rig(armature).rig_map
    except FootfallError as error:
        raise FootfallError(
            "No body was found in the armature '{name}': press Detect Bones, and choose the bones in the list",
            name=armature.name,
        ) from error


def available_rig_map(armature: bpy.types.Object) -> RigMap:
    """Return the rig map stored with an armature, without bones that no longer exist.

    Raises:
        FootfallError: a bone has two roles.
    """
    rig_map, there = stored_map(armature), armature.data.bones
    bones = {role: bone for role, bone in rig_map.bones.items() if bone in there}
    controls = {role: bone for role, bone in rig_map.controls.items() if role in bones and bone in there}
    limbs = {name: _available_limb(limb, there) for name, limb in rig_map.ik.items() if limb.control in there}
    carrier = rig_map.translation_bone
    if carrier and (carrier.bone not in there or carrier.joint not in bones):
        carrier = None
    return RigMap(rig_map.name, bones, controls, limbs, carrier)


def _available_limb(limb: IkLimb, armature_bones: bpy.types.ArmatureBones) -> IkLimb:
    return IkLimb(
        limb.control,
        limb.pole if limb.pole and limb.pole in armature_bones else None,
        limb.toe if limb.toe and limb.toe in armature_bones else None,
        limb.switch if limb.switch and limb.switch.bone in armature_bones else None,
        tuple(setting for setting in limb.settings if setting.bone in armature_bones),
    )


def mapped_skeleton(armature: bpy.types.Object, rig_map: RigMap) -> Skeleton:
    """Return the skeleton of the mapped bones at rest, at the armature's current position, in world meters.

    Raises:
        FootfallError: the armature is stretched or mirrored, or the map has no hips, or one of its bones does not
            exist.
    """
    return _body(read_rig(armature), rig_map)


def _body(rig: Rig, rig_map: RigMap) -> Skeleton:
    _ = rig.scale  # refuses a stretched or mirrored armature
    return body_skeleton(rig_map, rig.names, rig.heads, _with_soles(rig, rig_map))


def _with_soles(rig: Rig, rig_map: RigMap) -> Array:
    """Return the end of each bone (B, 3), meters, world; an animal's paws end where the lowest bones below them do.

    A hoof or toes stand on the ground even if they are not mapped, unlike the bone above them.
    """
    ends = rig.to_world(rig.tails)
    if not is_quadruped(rig_map.bones):
        return ends
    lowest = ends.copy()
    for bone, parent in reversed(list(enumerate(rig.parents))):
        if parent >= 0 and lowest[bone, 2] < lowest[parent, 2]:
            lowest[parent] = lowest[bone]
    paws = [rig.index[bone] for role, bone in rig_map.bones.items() if "toe" in role and bone in rig.index]
    ends[paws] = lowest[paws]
    return ends


def calibrate_to_model(armature: bpy.types.Object, model: ControllerModel) -> Calibration:
    """Return the calibration of the armature's body to a controller; see :func:`calibrate_armature`."""
    return calibrate_armature(armature, model.skeleton, standing_rotations(model), "SOURCE")


def calibrate_armature(
    armature: bpy.types.Object, source: Skeleton, stance: Array | None = None, controller: ControllerSide | None = None
) -> Calibration:
    """Return the calibration of the armature's body to a source skeleton, by the method in its settings.

    Fingers and a weapon's bone that the source lacks are not part of the body, and keep their pose. Fingers that the
    source has but the map lacks are found by name.

    Args:
        armature: the armature object.
        source: the skeleton to follow.
        stance: world rotations (J, 4) of the source's standing pose, if known.
        controller: ``SOURCE`` if the source is a controller's skeleton.

    Raises:
        FootfallError: a bone required for walking is missing, or the reference pose was captured with other bones.
    """
    rig = read_rig(armature)
    target = _body(rig, with_fingers(armature, rig, rig_map_of(armature), source.roles))
    method = armature.footfall.rig.reference_pose
    if method != "CURRENT":
        return calibrate_with_yaw(
            source, target, yaw_of(rig.rotation), method, source_stance=stance, controller=controller
        )
    return calibrate_with_yaw(source, target, yaw_of(rig.rotation), "REST", _reference_rotations(armature, rig, target))


def yaw_of(turn: Array) -> float:
    """Return the yaw, radians, of a rotation (4) about the world's up axis."""
    return 2.0 * float(np.arctan2(turn[3], turn[0]))


def capture_reference_pose(armature: bpy.types.Object) -> None:
    """Store the current pose of the mapped bones, including constraints, as the calibration's reference pose.

    A copy is stored, so that baked motion does not change the calibration.
    """
    rig = read_rig(armature)
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    for row in armature.footfall.rig.roles:
        row.reference_bone = row.bone if row.bone in rig.index else ""
        if row.reference_bone:
            posed = np.array(evaluated.pose.bones[row.bone].matrix, dtype=float)[:3, :3]
            rest = rig.rest_matrices[rig.index[row.bone], :3, :3]
            row.reference_rotation = rot.from_matrix(orthonormal(posed) @ orthonormal(rest).T)


def _reference_rotations(armature: bpy.types.Object, rig: Rig, body: Skeleton) -> Array:
    """Return the world rotations (J, 4) from rest of a body's joints in the stored reference pose."""
    rows = {row.bone: row for row in armature.footfall.rig.roles if row.bone}
    fingers = {body.names[body.joint(role)] for role in finger_roles(body)}
    for name in body.names:
        if name not in fingers and (name not in rows or rows[name].reference_bone != name):
            raise FootfallError(
                "The reference pose was captured before the bone '{name}' was chosen: press Capture Pose in "
                "the panel Rig",
                name=name,
            )
    captured: list[Array] = []
    for name, parent in zip(body.names, body.parents, strict=True):
        # Fingers found by their names keep their rest pose in the hand.
        is_own = name in rows and rows[name].reference_bone == name
        captured.append(np.array(rows[name].reference_rotation) if is_own else captured[parent])
    taken = rot.normalize(np.array(captured))
    return rot.multiply(rot.multiply(rig.rotation, taken), rot.inverse(rig.rotation))
