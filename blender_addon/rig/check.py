"""Fit of an armature's rig map to the selected controller: degrees by role, and a sentence."""

import math
from collections.abc import Collection
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.models.controller_model import ControllerModel
from ...core.motion.proportions import WALKING_LEG_LENGTHS_M, leg_length
from ...core.retarget.calibration import LIMB_ROLES, Calibration, residual_limit
from ...core.rig.rig_map.roles import role_phrase
from ...core.rig.validation import find_problems
from ..ui.translations import translate_interface
from . import roles as rig_roles
from . import store
from .chosen_controller import chosen_controller, load_chosen

UNKNOWN_ERROR_DEG: Final = -1.0


def controller_key(armature: bpy.types.Object) -> str:
    """Return a text that identifies an armature's controller, for comparisons."""
    return "|".join(chosen_controller(armature.footfall))


def calibrate_to_controller(armature: bpy.types.Object) -> Calibration:
    """Return the calibration of an armature to the skeleton of its controller.

    Raises:
        FootfallError: there is no such controller, or the map lacks bones for walking.
    """
    return store.calibrate_to_model(armature, _controller(armature))


def _controller(armature: bpy.types.Object) -> ControllerModel:
    settings = armature.footfall
    _, model = load_chosen(settings)
    return model


def require_walking_size(armature: bpy.types.Object, legs: float) -> None:
    """Raise :class:`FootfallError` if a leg length, meters, is implausible, for example due to another unit."""
    if not WALKING_LEG_LENGTHS_M[0] < legs < WALKING_LEG_LENGTHS_M[1]:
        raise FootfallError(
            "The legs of '{name}' are {length} m long: check the scale of the armature, and the Unit Scale of "
            "the scene",
            name=armature.name,
            length=f"{legs:.3g}",
        )


def store_check(armature: bpy.types.Object, calibration: Calibration) -> str:
    """Store the result of checking the rig map; return a sentence about it."""
    require_walking_size(armature, leg_length(calibration.target))
    rig = armature.footfall.rig
    wrong = find_problems(calibration.target, calibration.source)
    for row in rig.roles:
        row.alignment_error, row.issue = (
            calibration.residuals.get(row.name, UNKNOWN_ERROR_DEG),
            translate_interface(wrong.get(row.name, "")),
        )
    rig.checked_controller = controller_key(armature)
    bad = calibration.bad_roles()
    rig.check_passed = not bad and not wrong and not calibration.doubts
    if wrong:
        first = next(iter(wrong))
        result = Message(
            "{body_part}: {problem}. Choose another bone than '{bone}'",
            body_part=role_phrase(first, capital=True),
            problem=wrong[first],
            bone=rig.roles[first].bone,
        )
        result = _with_others(result, wrong)
    elif bad:
        result = Message(
            "{body_part} is misaligned by {angle}°: choose another bone, or another reference pose",
            body_part=role_phrase(bad[0], capital=True),
            angle=f"{calibration.residuals[bad[0]]:.0f}",
        )
        result = _with_others(result, bad)
    elif calibration.doubts:
        result = calibration.doubts[0]
    else:
        worst = max((calibration.residuals.get(role, 0.0) for role in LIMB_ROLES), default=0.0)
        result = Message("Aligned: arms and legs deviate by at most {angle}°", angle=max(math.ceil(worst), 1))
    rig.check_result = translate_interface(result)
    return result


def _with_others(sentence: Message, roles: Collection[str]) -> Message:
    """Return a sentence on the first of some body parts, with the number of the other parts."""
    others = len(roles) - 1
    if not others:
        return sentence
    count = (
        Message("1 other body part has an issue")
        if others == 1
        else Message("{count} other body parts have issues", count=others)
    )
    return Message.joined(". ", (sentence, count))


def update_check(armature: bpy.types.Object) -> None:
    """Repeat the check after a change; if it is impossible, the panel shows why."""
    rig = armature.footfall.rig
    try:
        store_check(armature, calibrate_to_controller(armature))
    except FootfallError as error:
        wrong = _find_issues(armature)
        for row in rig.roles:
            row.alignment_error, row.issue = UNKNOWN_ERROR_DEG, translate_interface(wrong.get(row.name, ""))
        needed = rig_roles.required_roles(row.name for row in rig.roles)
        missing = [role for role in needed if role not in rig.roles or not rig.roles[role].bone]
        rig.checked_controller, rig.check_passed, rig.check_result = "", False, translate_interface(str(error))
        if missing:
            result = Message("Choose a bone for {body_part}", body_part=role_phrase(missing[0]))
            rig.check_result = translate_interface(_with_others(result, missing))


def _find_issues(armature: bpy.types.Object) -> dict[str, str]:
    """Return the issues of an incomplete rig map, by role."""
    try:
        body = store.mapped_skeleton(armature, store.available_rig_map(armature))
        return find_problems(body, _controller(armature).skeleton)
    except FootfallError:
        return {}


def is_suspect(row: bpy.types.PropertyGroup) -> bool:
    """Return whether the bone of a role deviates too much, or is probably the wrong one."""
    return bool(row.issue) or row.alignment_error > residual_limit(row.name)


def issue_text(row: bpy.types.PropertyGroup) -> str:
    """Return a short description of the problem with a bone."""
    return row.issue or Message("the bone is misaligned by {angle}°", angle=f"{row.alignment_error:.0f}")
