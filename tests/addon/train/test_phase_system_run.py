"""Training the system of local motion phases from the panel: its preset, and the labels that reach the trainer."""

import json
import sys
from pathlib import Path

import bpy
import numpy as np

from footfall.blender_addon.train import panel as panel_train
from footfall.blender_addon.train.clips import write_clips
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.features.sensor_phases import SensorSignals, labeled_sensors
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.labelling import Labels
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.panel_layout import drawn

pytestmark = needs_clips

PRESET = "local_phase_system_small"
HAND = "hand.R"


def test_the_panel_says_what_the_preset_is_for() -> None:
    bpy.context.scene.footfall.research_preset_choice = PRESET
    seen = " ".join(drawn(panel_train.FOOTFALL_PT_train))
    assert "The system of local motion phases" in seen and "clips of sitting or carrying" not in seen


def test_a_hand_s_contacts_that_the_user_set_are_what_the_trainer_reads(
    preferences: bpy.types.AddonPreferences, tmp_path: Path
) -> None:
    preferences.runs_folder, preferences.training_python = str(tmp_path / "runs"), sys.executable
    import_bvh(WALK)
    bpy.ops.footfall.labelling_preset(preset="interaction")
    bpy.ops.footfall.detect_labels()
    for begin in (40, 120, 200, 280):
        assert bpy.ops.footfall.add_contact(contact=HAND, start=begin, end=begin + 30) == {"FINISHED"}
    bpy.ops.footfall.add_clips()
    settings = bpy.context.scene.footfall
    settings.run_name, settings.research_preset_choice = "tapping", PRESET
    assert bpy.ops.footfall.start_training() == {"FINISHED"}
    run = RunFolder(runs_folder() / "tapping")
    assert PRESET in json.dumps(json.loads((run.path / "request.json").read_bytes()))
    file = next((run.path / "clips").rglob("*.bvh"))
    clip, labels = read_bvh(file), Labels.load(file.with_suffix(".labels.npz"))
    sensors = labeled_sensors([labels])
    assert sensors[: len(FOOT_CONTACTS)] == FOOT_CONTACTS and HAND in sensors
    hand = SensorSignals.of(clip, labels, (*FOOT_CONTACTS, HAND))
    assert hand.contacts[39:70, -1].all() and not hand.contacts[80:115, -1].any()
    assert np.abs(hand.vectors[..., -1, :]).max() > 0.0


def test_the_tip_of_a_tool_has_a_phase_whatever_its_bone_is_called(tmp_path: Path) -> None:
    import_bvh(WALK)
    bpy.ops.footfall.add_sensor()
    sword = bpy.context.scene.footfall.labelling.sensors[-1]
    sword.name, sword.joint, sword.at = "sword", HAND, "tip"
    bpy.ops.footfall.detect_labels()
    for begin in (40, 120, 200, 280):
        assert bpy.ops.footfall.add_contact(contact="sword", start=begin, end=begin + 30) == {"FINISHED"}
    bpy.ops.footfall.add_clips()
    for _ in write_clips(bpy.context.scene, tmp_path / "clips"):
        pass
    file = next((tmp_path / "clips").rglob("*.bvh"))
    clip, labels = read_bvh(file), Labels.load(file.with_suffix(".labels.npz"))
    assert labels.local_phase_joints == ("sword",)
    tip = SensorSignals.of(clip, labels, labeled_sensors([labels]))
    assert labeled_sensors([labels])[-1] == "sword" and np.abs(tip.vectors[..., -1, :]).max() > 0.0
