"""Labels in files, of folders, and learning from corrections."""

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.label import edits
from footfall.blender_addon.label.presets import apply_preset, to_preset
from footfall.core.labelling import Labels
from footfall.core.labelling.presets import LabellingPreset
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips


@pytest.fixture
def labelled():
    armature = import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    return armature, armature.animation_data.action


def marks(action) -> set:
    return {(s.kind, s.name, s.start, s.end) for s in action.footfall.segments}


def strikes(action) -> set:
    return {(m.name, m.frame) for m in action.pose_markers}


def test_saved_labels_come_back_with_the_corrections(labelled, tmp_path: Path) -> None:
    armature, action = labelled
    edits.erase_contact(armature, action, "foot.L", 1, 100)
    edits.paint_contact(armature, action, "toe.R", 150, 190)
    edits.add_strike(armature, action, "L", 95)
    before, shown = marks(action), strikes(action)
    file = tmp_path / "walk.labels.npz"
    assert bpy.ops.footfall.save_labels(filepath=str(file)) == {"FINISHED"}
    labels = Labels.load(file)
    assert len(labels) == action.footfall.frame_count and (labels.confidence[:100, 0] == 1.0).all()
    assert labels.local_phase_joints == to_preset(bpy.context.scene.footfall.labelling).local_phases
    bpy.ops.footfall.clear_labels()
    assert bpy.ops.footfall.load_labels(filepath=str(file)) == {"FINISHED"}
    assert marks(action) == before and strikes(action) == shown
    bpy.ops.footfall.detect_labels()
    assert strikes(action) == shown, "what the file's user said stays said"
    assert {m for m in marks(action) if m[0] == "CONTACT"} == {m for m in before if m[0] == "CONTACT"}


def test_labels_of_another_rate_are_resampled(labelled, tmp_path: Path) -> None:
    _, action = labelled
    shown = sorted(frame for name, frame in strikes(action) if name == "Foot Strike L")
    file = tmp_path / "walk"
    assert bpy.ops.footfall.save_labels(filepath=str(file)) == {"FINISHED"}
    file = file.with_name("walk.labels.npz")
    labels = Labels.load(file)
    labels.resampled(60.0, (len(labels) + 1) // 2).save(file)
    assert bpy.ops.footfall.load_labels(filepath=str(file)) == {"FINISHED"}
    found = sorted(frame for name, frame in strikes(action) if name == "Foot Strike L")
    assert np.abs(np.array(found) - shown).max() <= 1


def test_labels_of_another_motion_are_refused(labelled, tmp_path: Path) -> None:
    _, action = labelled
    file = tmp_path / "walk.labels.npz"
    bpy.ops.footfall.save_labels(filepath=str(file))
    before = marks(action)
    bpy.context.scene.render.fps = 30
    said = refusal_of(lambda: bpy.ops.footfall.load_labels(filepath=str(file)))
    assert "is 2.86 s long" in said and "is 11.43 s long at 30 fps" in said
    file.write_bytes(b"nonsense")
    assert "is not a label file" in refusal_of(lambda: bpy.ops.footfall.load_labels(filepath=str(file)))
    nowhere = str(tmp_path / "none" / "x.labels.npz")
    assert "cannot be written" in refusal_of(lambda: bpy.ops.footfall.save_labels(filepath=nowhere))
    assert marks(action) == before


def test_a_folder_with_bvh_fbx_and_a_damaged_file(tmp_path: Path) -> None:
    place = tmp_path
    shutil.copy(WALK, place / "a walk.bvh")
    armature = import_bvh(WALK)
    (place / "below").mkdir()
    bpy.ops.export_scene.fbx(
        filepath=str(place / "below" / "walk.fbx"),
        object_types={"ARMATURE"},
        add_leaf_bones=False,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=False,
    )
    (place / "damaged.fbx").write_bytes((place / "below" / "walk.fbx").read_bytes()[:4000])
    (place / "empty.bvh").write_text("")
    shutil.copy(place / "below" / "walk.fbx", place / "a walk.fbx")
    blocks = {block.session_uid for block in bpy.data.user_map()}
    scene, rate, active = bpy.context.scene.name, bpy.context.scene.render.fps, armature.name
    assert bpy.ops.footfall.label_folder(directory=str(place)) == {"FINISHED"}
    assert {block.session_uid for block in bpy.data.user_map()} == blocks, "the import has left traces"
    assert (bpy.context.scene.name, bpy.context.scene.render.fps, bpy.context.object.name) == (scene, rate, active)
    one, two = Labels.load(place / "a walk.labels.npz"), Labels.load(place / "below" / "walk.labels.npz")
    assert one.frame_rate == two.frame_rate == 120.0 and abs(len(one) - len(two)) <= 1
    frames = min(len(one), len(two))
    assert np.mean((one.contacts[:frames] > 0.5) == (two.contacts[:frames] > 0.5)) > 0.97
    report = (place / "report.md").read_text(encoding="utf-8")
    document = json.loads((place / "report.json").read_text(encoding="utf-8"))
    entries = {entry["clip"]: entry for entry in document["labeled"]}
    assert (entries["a walk.bvh"]["frames"], entries["a walk.bvh"]["frame_rate"]) == (343, 120.0)
    assert {entry["clip"] for entry in document["failed"]} == {"damaged.fbx", "empty.bvh", "a walk.fbx"}
    assert "like those of 'a walk.bvh'" in report and "`damaged.fbx`" in report
    assert not (place / "damaged.labels.npz").exists()
    confidence = one.confidence.copy()
    confidence[5:9] = 1.0
    replace(one, confidence=confidence).save(place / "a walk.labels.npz")
    assert bpy.ops.footfall.label_folder(directory=str(place)) == {"FINISHED"}
    assert Labels.load(place / "a walk.labels.npz").has_corrections, "corrected labels are kept"
    assert "corrections were kept" in (place / "report.md").read_text(encoding="utf-8")
    assert bpy.ops.footfall.label_folder(directory=str(place), overwrite=True) == {"FINISHED"}
    assert not Labels.load(place / "a walk.labels.npz").has_corrections


def test_folders_without_motion_are_refused(tmp_path: Path) -> None:
    assert "contains no BVH or FBX files" in refusal_of(lambda: bpy.ops.footfall.label_folder(directory=str(tmp_path)))
    for folder in ("/does/not/exist", "x" * 300, ""):
        assert "no BVH or FBX files" in refusal_of(partial(bpy.ops.footfall.label_folder, directory=folder))


def contacts(action: bpy.types.Action) -> list[bpy.types.PropertyGroup]:
    return [segment for segment in action.footfall.segments if segment.kind == "CONTACT"]


def with_thresholds(preset: LabellingPreset, factor: float) -> LabellingPreset:
    sensors = (replace(one, speed=one.speed * factor, height=one.height * factor) for one in preset.sensors)
    return replace(preset, sensors=tuple(sensors))


def test_learning_fits_the_settings_and_labels_the_others(labelled) -> None:
    armature, action = labelled
    assert not bpy.ops.footfall.learn_from_corrections.poll(), "nothing to learn from"
    other = action.copy()
    other.name = "Other"
    right = [(segment.name, segment.start, segment.end) for segment in contacts(action)]
    settings = bpy.context.scene.footfall.labelling
    apply_preset(settings, unfit := with_thresholds(to_preset(settings), 0.25))
    bpy.ops.footfall.detect_labels(scope="ALL")
    for segment in right:
        edits.paint_contact(armature, action, *segment)
    revision = other.footfall.revision
    mine = action.footfall.revision
    assert bpy.ops.footfall.learn_from_corrections() == {"FINISHED"}
    learnt = to_preset(bpy.context.scene.footfall.labelling)
    toe = learnt.sensor_names.index("toe.L")
    assert learnt.sensors[toe].speed > unfit.sensors[toe].speed
    assert other.footfall.revision > revision and action.footfall.revision == mine
