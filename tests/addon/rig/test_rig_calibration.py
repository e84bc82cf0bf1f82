"""Rest poses and bones that do not fit, measured and marked; the calibration by the current pose."""

import math

import bpy
import numpy as np

from footfall.blender_addon.rig import (
    panel as panel_rig,
)
from footfall.blender_addon.rig import (
    store,
    validation_overlay,
)
from footfall.core.retarget.calibration import MAX_LIMB_RESIDUAL_DEG
from footfall.tests.addon.rig.test_rig_panel import Guessed, drawn, guessed, listed

__all__ = ["guessed"]


def test_wrong_rest_poses_are_measured_in_degrees(guessed: Guessed) -> None:
    armature, rig = guessed
    rig.reference_pose = "T_POSE"
    straight = rig.roles["upper_arm.L"].alignment_error
    rig.reference_pose = "A_POSE"
    assert rig.roles["upper_arm.L"].alignment_error > max(MAX_LIMB_RESIDUAL_DEG, straight), (
        "this character stands in a T-pose"
    )
    assert not rig.check_passed and "misaligned by" in rig.check_result and "another reference pose" in rig.check_result
    seen = drawn(panel_rig.FOOTFALL_PT_rig)
    assert "45°" in seen, seen
    rig.list_filter = "ISSUES"
    assert "upper_arm.L" in listed(rig) and "hips" not in listed(rig)
    rig.reference_pose = "AUTOMATIC"
    assert rig.check_passed and armature.footfall.rig.roles["upper_arm.L"].alignment_error < 1


def test_wrong_bones_are_told_whatever_they_are_turned_to(guessed: Guessed) -> None:
    _, rig = guessed
    rig.roles["forearm.L"].bone = "lhand"
    assert not rig.check_passed and rig.roles["forearm.L"].issue, rig.check_result
    assert "Choose another bone than 'lhand'" in rig.check_result, rig.check_result
    rig.list_filter = "ISSUES"
    assert "forearm.L" in listed(rig)
    rig.roles["forearm.L"].bone = "lradius"
    assert rig.check_passed and not rig.roles["forearm.L"].issue
    rig.roles["thigh.L"].bone = "rfemur"
    assert rig.roles["thigh.R"].bone == "" and "right thigh" in rig.check_result.lower(), rig.check_result
    rig.roles["thigh.R"].bone = "lfemur"
    assert rig.roles["thigh.L"].issue == "the bone is on the right side of the body", rig.check_result


def test_the_current_pose_calibrates_and_stays_what_it_was(guessed: Guessed) -> None:
    armature, rig = guessed
    armature.location, armature.rotation_euler = (1.0, 2.0, 0.0), (0.0, 0.0, 0.7)
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    upper = armature.pose.bones["lhumerus"]
    upper.rotation_mode = "XYZ"
    upper.rotation_euler = (0.0, 0.0, math.radians(40.0))
    bpy.context.view_layer.update()
    rig.reference_pose = "CURRENT"
    assert math.isclose(rig.roles["upper_arm.L"].alignment_error, 40.0, abs_tol=0.1), rig.roles[
        "upper_arm.L"
    ].alignment_error
    assert math.isclose(rig.roles["forearm.L"].alignment_error, 40.0, abs_tol=0.1), "it hangs on the upper arm"
    upper.rotation_euler = (0.0, 0.0, 0.0)
    armature.rotation_euler = (0.0, 0.0, -1.0)
    bpy.context.view_layer.update()
    bpy.ops.footfall.check_rig()
    assert math.isclose(rig.roles["upper_arm.L"].alignment_error, 40.0, abs_tol=0.1), (
        "a baked motion must not change it"
    )
    assert bpy.ops.footfall.capture_reference_pose() == {"FINISHED"}
    assert rig.roles["upper_arm.L"].alignment_error < 0.1
    rig.roles["toe.L"].bone = "lthumb"
    assert "press Capture Pose" in rig.check_result and not rig.check_passed


def test_marks_lie_along_the_bones_that_do_not_fit(guessed: Guessed) -> None:
    armature, rig = guessed
    armature.location = (0.0, 3.0, 0.0)
    bpy.context.view_layer.update()
    assert [(mark.role, mark.level) for mark in validation_overlay.bone_highlights(armature)] == [("hips", "marked")]
    rig.active_role = len(rig.roles)
    assert not list(validation_overlay.bone_highlights(armature))
    rig.reference_pose = "A_POSE"
    marks = {mark.role: mark for mark in validation_overlay.bone_highlights(armature)}
    arm = marks["upper_arm.L"]
    head = armature.matrix_world @ armature.pose.bones["lhumerus"].head
    assert arm.level == "error" and np.allclose(arm.start, head) and "misaligned by 45°" in arm.text
    rig.reference_pose = "AUTOMATIC"
    with store.suspended_updates():
        rig.roles["toe.L"].confidence = 0.3
    (doubt,) = validation_overlay.bone_highlights(armature)
    assert (doubt.role, doubt.level, doubt.text) == ("toe.L", "warning", "Left Toe: the detected bone is uncertain")
    rig.roles["shin.R"].bone = ""
    gap = next(mark for mark in validation_overlay.bone_highlights(armature) if mark.role == "shin.R")
    assert not gap.exists and np.allclose(gap.start, armature.matrix_world @ armature.pose.bones["rfemur"].head)
    assert np.allclose(gap.end, armature.matrix_world @ armature.pose.bones["rfoot"].head)
    assert rig.check_result == "Choose a bone for the right shin"
