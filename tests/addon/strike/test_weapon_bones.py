"""Strikes in Blender by a controller that has learned a blade's bone, onto a rig that has a bone for its blade."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.blender_addon.rig.store import rig_map_of
from footfall.core.models.model_file import save_model
from footfall.tests.addon.strike.test_strikes import add_empty, add_person, add_strike
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.support.cutter import cutter

FRAME = 90


@pytest.fixture
def controller(tmp_path: Path) -> str:
    save_model(tmp_path / "cutter.safetensors", cutter())
    return str(tmp_path / "cutter.safetensors")


def add_blade(person: bpy.types.Object, name: str) -> None:
    """A bone of 70 cm in the right hand."""
    hand = rig_map_of(person).bones["hand.R"]
    bpy.context.view_layer.objects.active = person
    bpy.ops.object.mode_set(mode="EDIT")
    grip, bone = person.data.edit_bones[hand], person.data.edit_bones.new(name)
    bone.parent, bone.head = grip, (grip.head + grip.tail) / 2
    bone.tail = bone.head + Vector((0.0, -0.7, 0.0))
    bpy.ops.object.mode_set(mode="OBJECT")


def tip(person: bpy.types.Object, name: str, frame: int) -> np.ndarray:
    bpy.context.scene.frame_set(frame)
    return np.array((person.matrix_world @ person.pose.bones[name].tail)[:])


def turn_in_hand(person: bpy.types.Object, name: str, frame: int) -> np.ndarray:
    """The rotation of a bone against the hand, as a matrix."""
    bpy.context.scene.frame_set(frame)
    bones = person.pose.bones
    hand = bones[rig_map_of(person).bones["hand.R"]]
    return np.array(hand.matrix.inverted() @ bones[name].matrix)[:3, :3]


def test_the_tip_of_the_rigs_blade_is_at_the_target_and_the_wrist_snaps(controller: str) -> None:
    person, target = add_person(), add_empty((0.25, -1.25, 1.4))
    add_blade(person, "Sword")
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    assert person.footfall.rig.roles["weapon.R"].bone == "Sword"
    person.footfall.strike_controller_file = controller
    add_strike(person, FRAME, target)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    np.testing.assert_allclose(tip(person, "Sword", FRAME), target.location, atol=0.02)
    turns = [turn_in_hand(person, "Sword", frame) for frame in (1, FRAME)]
    assert np.degrees(np.arccos((np.trace(turns[0].T @ turns[1]) - 1) / 2)) > 20.0


def test_a_bone_of_any_name_is_chosen_by_hand_and_a_rig_without_one_is_told(controller: str) -> None:
    person, target = add_person(), add_empty((0.25, -1.25, 1.4))
    person.footfall.strike_controller_file = controller
    add_strike(person, FRAME, target)
    assert "has no bone for" in refusal_of(bpy.ops.footfall.bake_shot)
    add_blade(person, "Excalibur")
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    assert bpy.ops.footfall.add_rig_role(role="weapon.R") == {"FINISHED"}
    person.footfall.rig.roles["weapon.R"].bone = "Excalibur"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    np.testing.assert_allclose(tip(person, "Excalibur", FRAME), target.location, atol=0.02)


def test_controllers_without_a_weapon_leave_its_bone_as_it_is() -> None:
    person, target = add_person(), add_empty((0.05, -0.7, 1.6))
    add_blade(person, "Sword")
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    person.pose.bones["Sword"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    add_strike(person, FRAME, target)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    np.testing.assert_allclose(person.pose.bones["Sword"].rotation_quaternion, (0.8, 0.6, 0.0, 0.0), atol=1e-6)
