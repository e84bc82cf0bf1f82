"""Motion files as a folder of them is read: FBX."""

import json
import math
import struct
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.rig import motion_files
from footfall.core.errors import FootfallError
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.person import make_person


@pytest.fixture
def walked(tmp_path: Path) -> Path:
    """An FBX file of a character that moves faster and faster, by a meter in a second."""
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    bpy.context.scene.render.fps = 30
    for frame in range(1, 32):
        armature.pose.bones[0].location = (((frame - 1) / 30) ** 2, 0.0, 0.0)
        armature.pose.bones[0].keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 31
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    file = tmp_path / "walked.fbx"
    bpy.ops.export_scene.fbx(filepath=str(file), use_selection=True, object_types={"ARMATURE"}, add_leaf_bones=False)
    return file


def test_an_fbx_file_is_read_from_its_first_frame_to_its_last(walked: Path) -> None:
    clip = motion_files.read_motions(walked).motions[0].clip
    assert clip.duration == pytest.approx(1.0, abs=0.01)
    assert np.isfinite(clip.root_positions).all()
    np.testing.assert_allclose(np.linalg.norm(np.ptp(clip.root_positions, axis=0)), 1.0, atol=1e-3)


def test_an_fbx_file_whose_places_are_no_numbers_is_refused(walked: Path) -> None:
    """Blender reads damaged curves as they are."""
    data = bytearray(walked.read_bytes())
    keys = struct.pack("<sI", b"f", 31)
    values = data.index(b"KeyValueFloat" + keys) + len(b"KeyValueFloat" + keys) + struct.calcsize("<2I")
    struct.pack_into("<f", data, values, math.nan)
    walked.write_bytes(data)
    with pytest.raises(FootfallError, match="contains bone positions that are not numbers"):
        motion_files.read_motions(walked)


def export(file: Path, rate: float = 30.0, people: int = 1, takes: tuple[str, ...] = ("Walk",), step: int = 1) -> Path:
    """An FBX file of people who step in place for 60 frames; only every `step`-th frame has keys."""
    scene = bpy.context.scene
    scene.render.fps = math.ceil(rate)
    scene.render.fps_base = scene.render.fps / rate
    scene.frame_start, scene.frame_end = 1, 60
    everyone = [make_person() for _ in range(people)]
    for armature in everyone:
        for take in takes:
            bpy.context.view_layer.objects.active = armature
            action = bpy.data.actions.new(take)
            action.use_fake_user = True
            armature.animation_data_create().action = action
            for frame in range(1, 61, 1 if take != "Still" else 60):
                for side, way in (("L", 1), ("R", -1)):
                    bone = armature.pose.bones[f"thigh.{side}"]
                    bone.rotation_quaternion = (1.0, way * 0.2 * math.sin(frame / 7), 0.0, 0.0)
                    bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.object.select_all(action="DESELECT")
    for armature in everyone:
        armature.select_set(True)
    bpy.ops.export_scene.fbx(
        filepath=str(file),
        use_selection=True,
        add_leaf_bones=False,
        bake_anim_step=float(step),
        bake_anim_simplify_factor=0.0,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=len(takes) > 1,
    )
    return file


@pytest.mark.every_blender
def test_an_fbx_file_is_read_at_its_own_rate(tmp_path: Path) -> None:
    for rate in (24.0, 25.0, 30000 / 1001, 60.0, 120.0):
        clip = motion_files.read_motions(export(tmp_path / "clip.fbx", rate)).motions[0].clip
        assert (len(clip), clip.rate) == (60, pytest.approx(rate, rel=1e-6))


def test_thinned_keys_do_not_change_the_rate(tmp_path: Path) -> None:
    whole = motion_files.read_motions(export(tmp_path / "whole.fbx")).motions[0].clip
    thinned = motion_files.read_motions(export(tmp_path / "thinned.fbx", step=3)).motions[0].clip
    assert thinned.rate == 30.0 and len(thinned) in (58, 60)
    np.testing.assert_allclose(thinned.positions, whole.positions[: len(thinned)], atol=0.01)


def test_keys_between_the_frames_of_the_file_show_their_own_rate(tmp_path: Path) -> None:
    file = export(tmp_path / "capture.fbx", 60.0)
    told = motion_files.read_motions(file).motions[0].clip
    data = bytearray(file.read_bytes())
    place = data.index(b"I", data.index(b"TimeMode") + len("TimeModeSxxxxenumSxxxxS"))
    assert struct.unpack_from("<i", data, place + 1) == (3,), "60 frames a second"
    struct.pack_into("<i", data, place + 1, 6)
    file.write_bytes(data)
    clip = motion_files.read_motions(file).motions[0].clip
    assert (len(clip), clip.rate) == (60, 60.0)
    np.testing.assert_allclose(clip.positions, told.positions, atol=1e-4)


@pytest.mark.every_blender
def test_each_person_and_take_is_a_motion_of_its_own(tmp_path: Path) -> None:
    two = motion_files.read_motions(export(tmp_path / "two.fbx", people=2))
    assert [motion.name for motion in two.motions] == ["Person", "Person.001"]
    assert [motion.path.name for motion in two.motions] == ["two.Person.fbx", "two.Person.001.fbx"]
    empty_blender()
    takes = motion_files.read_motions(export(tmp_path / "takes.fbx", takes=("Walk", "Run")))
    assert sorted(takes.names) == ["Run", "Walk"] and {len(motion.clip) for motion in takes.motions} == {60}
    assert motion_files.read_motions(export(tmp_path / "one.fbx")).names == [""]


def test_a_folder_s_report_names_people_and_what_is_not_read(tmp_path: Path) -> None:
    export(tmp_path / "two.fbx", 24.0, people=2)
    (tmp_path / "other.glb").write_bytes(b"glTF")
    assert bpy.ops.footfall.label_folder(directory=str(tmp_path)) == {"FINISHED"}
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [(entry["clip"], entry["frames"], entry["frame_rate"]) for entry in document["labeled"]] == [
        ("two.fbx (Person)", 60, 24.0),
        ("two.fbx (Person.001)", 60, 24.0),
    ]
    assert {entry["labels"] for entry in document["labeled"]} == {file.name for file in tmp_path.glob("*.npz")}
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "'two.fbx' contains 2 motions, which were labeled one by one: Person, Person.001" in report
    assert "glTF files such as 'other.glb' cannot be labeled in a folder" in report
