"""What a rig shows of its bake: faults that are put into the keys turn the report red."""

from collections.abc import Callable
from math import radians
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix, Quaternion, Vector

from footfall.blender_addon.animation.bake_report import RIG_MEASURES, quality_rows
from footfall.blender_addon.rig.store import rig_map_of
from footfall.blender_addon.shot.quality_panel import quality_icon
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.scenes import add_box, add_curve

LEFT, FORWARD = Vector((0.0, 1.0, 0.0)), Vector((1.0, 0.0, 0.0))
"""Axes of a walk along +X."""
Fault = Callable[[bpy.types.Object], None]


def baked(folder: Path, controller: str, seated: bool = False) -> Path:
    """A file with a short bake along +X, or on a stool."""
    empty_blender()
    bpy.context.scene.render.fps = 30
    bpy.ops.footfall.add_character(controller=controller)
    armature = bpy.context.object
    if seated:
        stool = add_box("Stool", (0.0, -1.2, 0.225), (0.45, 0.45, 0.45))
        bpy.context.view_layer.update()
        bpy.ops.footfall.add_interaction_task()
        task = armature.footfall.interaction_tasks[0]
        task.type, task.object, task.duration = "sit", stool, 0.5
        assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    else:
        armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (2.5, 0.0, 0.0)])
        assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    file = folder / "baked.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    return file


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        "person": baked(tmp_path_factory.mktemp("person"), "preset:locomotion"),
        "dog": baked(tmp_path_factory.mktemp("dog"), "preset:quadruped"),
        "seated": baked(tmp_path_factory.mktemp("seated"), "preset:locomotion", seated=True),
    }


@pytest.fixture
def opened(files: dict[str, Path], empty_file: None) -> Callable[[str], bpy.types.Object]:
    """Open one of the files; its character is active."""

    def opening(name: str) -> bpy.types.Object:
        bpy.ops.wm.open_mainfile(filepath=str(files[name]))
        armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
        bpy.context.view_layer.objects.active = armature
        return armature

    return opening


def verdicts(armature: bpy.types.Object) -> dict[str, str]:
    return {row.measure: row.verdict for row in quality_rows(armature) if row.measure in RIG_MEASURES}


def frames_of(armature: bpy.types.Object) -> range:
    first, last = armature.footfall.baked_action.frame_range
    return range(int(first), int(last) + 1)


def bone_of(armature: bpy.types.Object, role: str) -> bpy.types.PoseBone:
    return armature.pose.bones[rig_map_of(armature).bones[role]]


def turn(role: str, axis: Vector, degrees: float, frames: slice = slice(None)) -> Fault:
    """A fault that turns a bone about an axis of the world through its head, at each frame."""

    def change(armature: bpy.types.Object) -> None:
        bone = bone_of(armature, role)
        for frame in frames_of(armature)[frames]:
            bpy.context.scene.frame_set(frame)
            head = Matrix.Translation(bone.matrix.translation)
            about = Quaternion(axis, radians(degrees)).to_matrix().to_4x4()
            bone.matrix = head @ about @ head.inverted() @ bone.matrix
            bone.keyframe_insert("rotation_quaternion", frame=frame)

    return change


def move(shift: Callable[[float, Vector], Vector], frames: slice = slice(None)) -> Fault:
    """A fault that moves the hips at each frame, by a function of the share of these frames and of their place."""

    def change(armature: bpy.types.Object) -> None:
        bone, chosen = bone_of(armature, "hips"), frames_of(armature)[frames]
        for number, frame in enumerate(chosen):
            bpy.context.scene.frame_set(frame)
            at = bone.matrix.translation.copy()
            bone.matrix = Matrix.Translation(shift((number + 1) / len(chosen), at)) @ bone.matrix
            bone.keyframe_insert("location", frame=frame)

    return change


def both(*faults: Fault) -> Fault:
    def change(armature: bpy.types.Object) -> None:
        for fault in faults:
            fault(armature)

    return change


FAULTS: dict[str, tuple[str, Fault, str]] = {
    "pelvis pitched back": ("person", turn("hips", LEFT, -110.0), "posture"),
    "trunk leans": ("person", turn("spine", LEFT, 10.0), "posture"),
    "soles rolled": ("person", both(turn("foot.L", FORWARD, 20.0), turn("foot.R", FORWARD, -20.0)), "sole_tilt"),
    "one sole rolled": ("person", turn("foot.R", FORWARD, 20.0), "sole_tilt"),
    "above its stool": ("seated", move(lambda _share, _at: Vector((0.0, 0.0, 0.24)), slice(-40, None)), "off_plan"),
    "nose dive": ("dog", turn("hips", LEFT, 35.0), "posture"),
    "on hind legs": ("dog", turn("hips", LEFT, -80.0), "posture"),
    "elbow flips": ("person", turn("forearm.L", LEFT, 140.0, slice(30, 34)), "joint_flip"),
    "glides at the end": (
        "person",
        move(lambda share, at: -share * at * Vector((1, 1, 0)), slice(-6, None)),
        "travel_speed",
    ),
    "floats": ("person", move(lambda _share, _at: Vector((0.0, 0.0, 0.04))), "off_plan"),
    "sinks": ("person", move(lambda _share, _at: Vector((0.0, 0.0, -0.04))), "off_plan"),
    "sinks into the floor": ("person", move(lambda _share, _at: Vector((0.0, 0.0, -0.04))), "sole_gap"),
    "travel lost": ("person", move(lambda _share, at: -at * Vector((1, 1, 0))), "off_plan"),
}


@pytest.mark.every_blender
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_keys_is_red(opened: Callable[[str], bpy.types.Object], name: str) -> None:
    character, fault, measure = FAULTS[name]
    armature = opened(character)
    assert "BAD" not in verdicts(armature).values(), verdicts(armature)
    fault(armature)
    assert bpy.ops.footfall.measure_bake() == {"FINISHED"}
    found = verdicts(armature)
    assert found[measure] == "BAD", (found, [row for row in quality_rows(armature) if row.measure in RIG_MEASURES])
    assert quality_icon(armature) != "CHECKMARK"


@pytest.mark.parametrize("character", ("person", "dog"))
def test_what_was_baked_is_measured_alike_again(opened: Callable[[str], bpy.types.Object], character: str) -> None:
    armature = opened(character)
    before = armature.footfall.quality_report
    assert bpy.ops.footfall.measure_bake() == {"FINISHED"}
    assert armature.footfall.quality_report == before


def test_a_parent_that_moves_is_seen(opened: Callable[[str], bpy.types.Object]) -> None:
    armature = opened("person")
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.collection.objects.link(parent)
    for frame, x in ((1, 0.0), (60, -2.0)):
        parent.location.x = x
        parent.keyframe_insert("location", frame=frame)
    armature.parent = parent
    bpy.ops.footfall.measure_bake()
    assert verdicts(armature)["off_plan"] == "BAD"


def test_a_bake_without_a_plan_is_not_measured(opened: Callable[[str], bpy.types.Object]) -> None:
    armature = opened("person")
    for text in ("", "{", "[]", "[{}]", armature.footfall.bake_plan.replace('"step":1', '"step":0')):
        armature.footfall.bake_plan = text
        assert not bpy.ops.footfall.measure_bake.poll(), text[:40]
