"""Strikes in Blender by a controller that has learned fingers, onto rigs that have bones for them, or none."""

from itertools import pairwise
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.blender_addon.rig.store import rig_map_of
from footfall.core.models.model_file import save_model
from footfall.tests.addon.strike.test_strikes import add_empty, add_person, add_strike, knuckles
from footfall.tests.addon.walk.test_fingers import add_controls
from footfall.tests.support.boxer import BONES_M, FIST_RAD, KNUCKLES_M
from footfall.tests.support.cutter import fist

FRAME = 90
PLACE = (0.05, -0.7, 1.6)


@pytest.fixture
def controller(tmp_path: Path) -> str:
    save_model(tmp_path / "fist.safetensors", fist())
    return str(tmp_path / "fist.safetensors")


def add_fingers(person: bpy.types.Object, name: str = "{hand}{finger}{number}", down: float = 0.3) -> None:
    """Bones of four fingers on each hand, the longer ones bent down a little at rest."""
    hands = {side: rig_map_of(person).bones[f"hand.{side}"] for side in "LR"}
    bpy.context.view_layer.objects.active = person
    bpy.ops.object.mode_set(mode="EDIT")
    bones = person.data.edit_bones
    for side, hand in hands.items():
        sign = 1.0 if side == "L" else -1.0
        for finger, (along, back) in KNUCKLES_M.items():
            parent, head = bones[hand], bones[hand].head + Vector((sign * along, back, 0.0))
            for number, length in enumerate(BONES_M):
                bone = bones.new(name.format(hand=hand, finger=finger.title(), number=number + 1))
                angle = number * down
                bone.head = head
                bone.tail = head + length * Vector((sign * np.cos(angle), 0.0, -np.sin(angle)))
                bone.parent, parent, head = parent, bone, bone.tail.copy()
    bpy.ops.object.mode_set(mode="OBJECT")


def finger(person: bpy.types.Object, side: str, name: str = "{hand}{finger}{number}") -> list[str]:
    """The bones of an index finger."""
    hand = rig_map_of(person).bones[f"hand.{side}"]
    return [name.format(hand=hand, finger="Index", number=number) for number in (1, 2, 3)]


def bends(person: bpy.types.Object, names: list[str], frame: int) -> np.ndarray:
    """Angles between the bones of a finger, one after the other, at a frame."""
    bpy.context.scene.frame_set(frame)
    ways = [(person.pose.bones[name].tail - person.pose.bones[name].head).normalized() for name in names]
    return np.array([first.angle(second) for first, second in pairwise(ways)])


def strike(person: bpy.types.Object, controller: str) -> bpy.types.Object:
    target = add_empty(PLACE)
    person.footfall.strike_controller_file = controller
    add_strike(person, FRAME, target)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    return target


def test_the_rigs_hand_closes_to_a_fist_and_the_other_one_opens_as_the_network_says(controller: str) -> None:
    person = add_person()
    add_fingers(person)
    target = strike(person, controller)
    np.testing.assert_allclose(knuckles(person, "hand.R", FRAME), target.location, atol=0.02)
    np.testing.assert_allclose(bends(person, finger(person, "R"), 1), 0.0, atol=0.1)
    np.testing.assert_allclose(bends(person, finger(person, "R"), FRAME), FIST_RAD, atol=0.12)
    np.testing.assert_allclose(bends(person, finger(person, "L"), FRAME), 0.0, atol=0.1)


def test_controls_on_which_finger_bones_hang_are_keyed_in_their_place(controller: str) -> None:
    person, name = add_person(), "{hand}.finger{finger}{number}"
    add_fingers(person, name, down=0.0)
    bpy.ops.object.mode_set(mode="EDIT")
    add_controls(person)
    bpy.ops.object.mode_set(mode="OBJECT")
    strike(person, controller)
    names = finger(person, "R", name)
    np.testing.assert_allclose(bends(person, names, FRAME), FIST_RAD, atol=0.12)
    paths = keyed_paths(person)
    assert any(f'"control.{names[1]}"' in path for path in paths)
    assert not any(f'"{names[1]}"' in path for path in paths)


def test_bones_without_such_names_are_chosen_in_the_bone_map(controller: str) -> None:
    person, name = add_person(), "{hand}.claw{finger[0]}{number}"
    add_fingers(person, name)
    names = [one.replace("Index", "I") for one in finger(person, "R", name)]
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    for role, bone in zip(("index.R", "index_2.R", "index_3.R"), names, strict=True):
        assert bpy.ops.footfall.add_rig_role(role=role) == {"FINISHED"}
        person.footfall.rig.roles[role].bone = bone
    strike(person, controller)
    np.testing.assert_allclose(bends(person, names, FRAME), FIST_RAD, atol=0.12)
    others = [one.replace(".clawI", ".clawP") for one in names]
    np.testing.assert_allclose(bends(person, others, FRAME), 0.3, atol=1e-4)


def test_a_finger_that_is_chosen_in_part_is_found_by_names_for_the_rest(controller: str) -> None:
    person = add_person()
    add_fingers(person)
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    assert bpy.ops.footfall.add_rig_role(role="index.R") == {"FINISHED"}
    person.footfall.rig.roles["index.R"].bone = finger(person, "R")[0]
    strike(person, controller)
    np.testing.assert_allclose(bends(person, finger(person, "R"), FRAME), FIST_RAD, atol=0.12)


def test_a_rig_without_fingers_strikes_as_well(controller: str) -> None:
    person = add_person()
    target = strike(person, controller)
    np.testing.assert_allclose(knuckles(person, "hand.R", FRAME), target.location, atol=0.02)


def test_a_captured_reference_pose_needs_no_fingers(controller: str) -> None:
    person = add_person()
    add_fingers(person, down=0.0)
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    person.footfall.rig.reference_pose = "CURRENT"
    assert bpy.ops.footfall.capture_reference_pose() == {"FINISHED"}
    strike(person, controller)
    np.testing.assert_allclose(bends(person, finger(person, "R"), FRAME), FIST_RAD, atol=0.12)


def test_the_shipped_controller_leaves_fingers_as_they_are() -> None:
    person, target = add_person(), add_empty(PLACE)
    add_fingers(person)
    bone = person.pose.bones[finger(person, "R")[1]]
    bone.rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    add_strike(person, FRAME, target)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    np.testing.assert_allclose(bone.rotation_quaternion, (0.8, 0.6, 0.0, 0.0), atol=1e-6)
    assert bone.name not in {path.split('"')[1] for path in keyed_paths(person) if '"' in path}


def keyed_paths(person: bpy.types.Object) -> set[str]:
    """Data paths of all curves of the last bake."""
    layers = person.animation_data.action.layers
    bags = [bag for layer in layers for strip in layer.strips for bag in strip.channelbags]
    return {curve.data_path for bag in bags for curve in bag.fcurves}
