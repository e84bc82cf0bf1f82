"""Files that an older Footfall saved keep all that is in them.

`tests/data/migration` has two of them, with one of everything, by Blender 4.5 and 5.2.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from footfall.blender_addon import compat
from footfall.blender_addon.app import migration, override_text, renamed

FILES = Path(__file__).parents[2] / "data" / "migration"
SAVED_BY = [version for version in ((4, 5), (5, 2)) if version <= bpy.app.version[:2]]


@pytest.fixture(params=SAVED_BY, ids=lambda version: f"saved by {version[0]}.{version[1]}")
def old_file(request) -> Path:
    """Open a file of the older Footfall."""
    file = FILES / f"one_of_everything_{request.param[0]}_{request.param[1]}.blend"
    bpy.ops.wm.open_mainfile(filepath=str(file))
    return file


def values(group: bpy.types.PropertyGroup, *names: str) -> tuple:
    return tuple(getattr(group, name) for name in names)


def old_names() -> Iterator[str]:
    """Yield what the open file still has under old names."""
    for collection, _, groups in renamed.OWNERS:
        for owner in getattr(bpy.data, collection):
            for old, new in groups.items():
                raw = compat.stored_group(owner, new)
                if raw is not None and migration.has_old_names(getattr(owner, new).bl_rna, raw):
                    yield f"{owner.name}.{new}"
                if old != new and compat.stored_value(owner, old) is not None:
                    yield f"{owner.name}.{old}"
            for old in (*renamed.RENAMED_VALUES.get(collection, {}), *renamed.RENAMED_CUSTOM_PROPERTIES):
                if compat.stored_value(owner, old) is not None or old in owner.keys():  # noqa: SIM118
                    yield f"{owner.name}[{old}]"


def check_values() -> None:
    """Compare what the open file has with what was put into it."""
    hero, scene = bpy.data.objects["Hero"], bpy.context.scene
    settings = hero.footfall
    assert settings.path.name == "Path" and settings.style == "sneak" and settings.start == "CURRENT"
    assert [event.type for event in settings.path_events] == ["SPEED", "STRAFE", "WAIT", "FACE_TARGET", "STYLE"]
    first, aside, wait, look, style = settings.path_events
    assert values(first, "range_type", "start_distance", "end_distance", "speed") == ("DISTANCE", 1.5, 3.5, 2.5)
    assert values(aside, "range_type", "start_frame", "end_frame") == ("FRAMES", 11, 44)
    assert values(wait, "range_type", "start_marker", "end_marker", "duration") == ("MARKERS", "Slow", "Fast", 4.5)
    assert look.target.name == "Target" and style.style == "sneak" and settings.active_path_event == 2
    reached, other = settings.waypoints
    assert reached.empty.name == "Mark" and reached.empty["footfall_waypoint"]
    assert values(reached, "frame", "match_rotation", "planted_foot", "result", "missed") == (
        *(77, True, "R", "3 cm off"),
        True,
    )
    assert values(other, "frame", "planted_foot", "empty") == (99, "EITHER", None) and settings.active_waypoint == 1
    tasks = settings.interaction_tasks
    assert [task.type for task in tasks] == ["walk", "run", "sit", "carry", "open", "idle"]
    assert [task.object and task.object.name for task in tasks] == [None, None, "Box", "Box", "Box", None]
    assert [task.target and task.target.name for task in tasks] == ["Place", "Place", None, "Place", None, None]
    assert {task.duration for task in tasks} == {6.5}
    names = ("active_interaction_task", "attachment", "interaction_controller_file", "quality_summary")
    assert values(settings, *names) == (3, "CHILD_OF", "//one.safetensors", "Good")
    check_output(settings.output)
    check_rig(settings.rig)
    (record,) = settings.bake_records
    assert values(record, "destination", "fingerprint", "previous_state") == ("ACTION", "12 34", '{"slot":"OBHero"}')
    actions = {record.action, record.previous_action, record.base_action, record.unblended_action}
    assert actions == {settings.baked_action} == {bpy.data.actions["Walk"]}
    check_labels(bpy.data.actions["Walk"])
    check_training(scene.footfall, hero)
    assert scene.footfall_show_rig_issues and scene.footfall_show_ground
    assert scene.footfall_label_overlays.show_phase_dials is not switch_default(scene, "show_phase_dials")
    assert scene.footfall_label_overlays.show_strip is not switch_default(scene, "show_strip")
    check_objects(hero)


def switch_default(scene: bpy.types.Scene, name: str) -> bool:
    return scene.footfall_label_overlays.bl_rna.properties[name].default


def check_output(output: bpy.types.PropertyGroup) -> None:
    names = ("controls", "destination", "blend_in", "blend_out", "frame_start", "frame_end")
    assert values(output, *names) == ("FK", "RANGE", 3, 4, 12, 120)
    assert output.root_motion == "OBJECT" and tuple(output.root_axes) == (True, False, True)
    assert output.root_rotation is False and output.max_error == pytest.approx(0.01), "its driver's value"


def check_rig(rig: bpy.types.PropertyGroup) -> None:
    assert [row.name for row in rig.roles] == ["hips", "thigh.L", "foot.L"]
    row = rig.roles[1]
    names = ("bone", "control", "previous_bone", "previous_control", "confidence", "alignment_error", "issue")
    assert values(row, *names) == ("thigh.L", "thigh_fk.L", "thigh.L", "thigh_fk.L", 0.5, 12.5, "Looks odd")
    assert tuple(row.reference_rotation) == (0.5,) * 4 and row.reference_bone == "thigh.L"
    assert rig.roles[0].is_manual and not row.is_manual
    (limb,) = rig.limbs
    names = ("name", "control", "pole", "toe", "switch_bone", "switch_property", "ik_value", "fk_value")
    assert values(limb, *names) == ("foot.L", "foot_ik.L", "knee.L", "toe_ik.L", "hips", "IK_FK", 1.0, 0.0)
    assert limb.previous_bones.split() == ["foot_ik.L", "knee.L", "toe_ik.L", "hips"]
    assert values(limb.settings[0], "bone", "property_name") == ("hips", "stretch")
    names = ("title", "preset", "active_role", "list_filter", "translation_bone", "translation_joint")
    assert values(rig, *names) == ("Mine", "rigify", 1, "ISSUES", "hips", "hips")
    names = ("reference_pose", "checked_controller", "check_result", "check_passed")
    assert values(rig, *names) == ("A_POSE", "preset:biped", "Fits", True)


def check_labels(action: bpy.types.Action) -> None:
    labels = action.footfall
    assert values(labels, "first_frame", "frame_count", "frame_rate") == (1, 50, 30.0)
    assert [(one.name, one.foot) for one in labels.contacts] == [("foot.L", "L"), ("foot.R", "R")]
    assert [values(one, "kind", "name", "start", "end", "applied_start", "applied_end") for one in labels.segments] == [
        ("CONTACT", "foot.L", 3, 9, 3, 9),
        ("GAIT", "walk", 1, 50, 1, 50),
        ("ACTION", "strike", 20, 30, 20, 30),
        ("GOAL", "sit", 40, 44, 40, 44),
    ]
    assert [one.source for one in labels.segments] == ["DETECTED", "USER", "USER", "DETECTED"]
    assert [one.is_present for one in labels.corrections] == [True, False]
    assert [values(one, "side", "frame", "source", "removed") for one in labels.foot_strikes] == [
        ("L", 3, "DETECTED", False),
        ("R", 12, "USER", True),
    ]
    (issue,) = labels.issues
    assert values(issue, "frame", "kind", "name", "text") == (7, "ORDER", "L", "Twice")
    assert values(labels, "active_segment", "active_issue", "following_issue", "has_manual_edits") == (2, 0, 1, False)
    assert sorted((marker.name, marker.frame) for marker in action.pose_markers) == [
        ("Foot Strike L", 3),
        ("Foot Strike R", 12),
        ("Mine", 5),
    ]


def check_training(training: bpy.types.PropertyGroup, hero: bpy.types.Object) -> None:
    assert training.clips[0].armature == hero and training.clips[0].action.name == "Walk"
    assert [folder.path for folder in training.clip_folders] == ["//clips"]
    names = ("training_preset", "fine_tune", "base_controller", "base_controller_file", "new_style", "run_name")
    assert values(training, *names) == ("preset:quick", True, "file", "//base.safetensors", "sneak", "mine")
    labelling = training.labelling
    assert labelling.preset_name == "Sword" and labelling.actions == {"sit", "strike"}
    (sensor,) = labelling.sensors
    assert values(sensor, "joint", "against_kind", "against_name", "at") == ("hand.R", "OBJECT", "Box", "tip")


def check_objects(hero: bpy.types.Object) -> None:
    box, place = bpy.data.objects["Box"], bpy.data.objects["Place"]
    assert box["footfall_walk_surface"] == "obstacle"
    assert bpy.data.objects["Target"]["footfall_walk_surface"] == "jump over"
    assert json.loads(box["footfall_prop_fit"])["interaction"] == "sit"
    assert [constraint.name for constraint in box.constraints] == ["Footfall Attachment"]
    assert hero.id_properties_ui("footfall_foot_contact_L").as_dict()["description"] == "Down"
    (channelbag,) = bpy.data.actions["Curves"].layers[0].strips[0].channelbags
    assert [curve.data_path for curve in channelbag.fcurves] == [
        "footfall.speed",
        "footfall.speed_from_radius",
        "footfall.output.reduce_keys",
        "footfall.path_events[1].angle",
        "footfall.rig.limbs[0].settings[0].value",
        '["footfall_foot_contact_L"]',
        '["footfall_phase"]',
        "location",
    ]
    assert [curve.data_path for curve in hero.animation_data.drivers] == ["footfall.seed", "footfall.output.max_error"]
    (driver,) = place.animation_data.drivers
    paths = [variable.targets[0].data_path for variable in driver.driver.variables]
    assert paths == ["footfall.output.max_error", '["footfall_foot_contact_L"]']


def test_everything_arrives(old_file: Path) -> None:
    check_values()
    assert not list(old_names())


def test_it_is_saved_by_the_names_of_today(old_file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "again.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(copy))
    bpy.ops.wm.open_mainfile(filepath=str(copy))
    check_values()
    assert not list(old_names())
    bpy.context.scene.frame_set(10)
    hero = bpy.data.objects["Hero"]
    assert hero.footfall.path_events[1].angle == pytest.approx(0.75) and hero.footfall.seed == 10
    assert hero["footfall_foot_contact_L"] == pytest.approx(0.75), "F-curves and drivers reach what they moved"


def test_a_second_run_changes_nothing(old_file: Path) -> None:
    bpy.data.objects["Hero"].footfall.path_events[0].start_distance = 1.0
    migration.migrate()
    assert bpy.data.objects["Hero"].footfall.path_events[0].start_distance == 1.0
    bpy.data.objects["Hero"].footfall.path_events[0].start_distance = 1.5
    check_values()


def test_a_walk_from_before_variation_is_not_varied(old_file: Path) -> None:
    assert bpy.data.objects["Hero"].footfall.control_variation == 0.0


def test_a_variation_that_is_chosen_later_stays(old_file: Path) -> None:
    settings = bpy.data.objects["Hero"].footfall
    settings.control_variation = 0.6
    migration.migrate()
    assert settings.control_variation == pytest.approx(0.6)


def test_a_walk_of_today_keeps_the_default() -> None:
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    bpy.context.collection.objects.link(armature)
    default = armature.footfall.control_variation
    armature.footfall.bake_records.add().control_variation = default
    migration.migrate()
    assert armature.footfall.control_variation == default > 0
    assert not armature.footfall.is_property_set("control_variation")


def test_a_linked_file_is_left_as_it_is(old_file: Path, capsys) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(old_file), link=True) as (_, wanted):
        wanted.objects = ["Hero"]
    migration.migrate()
    said = capsys.readouterr().out
    assert "have old names: open and save these files" in said and old_file.name in said


def test_an_appended_character_is_migrated(old_file: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.append(directory=f"{old_file}/Object", filename="Hero")
    assert len(bpy.data.objects["Hero"].footfall.path_events) == 5


def test_the_text_of_an_override_is_read_by_its_old_names() -> None:
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    text: dict[str, Any] = {
        "cues": [{"kind": "TURN", "unit": "METRES", "start": 1.0, "end": 2.0, "turn": 0.5}],
        "marks": [{"foot": "ANY", "frame": 7}],
        "output": {"sparse": True, "travel": [True, False, True]},
        "rig": {"shown": "CHECK", "limbs": [{"name": "foot.L", "switch_key": "IK_FK"}]},
    }
    override_text.from_json_data(armature.footfall, migration.rename_in_text(armature.footfall.bl_rna, text))
    settings = armature.footfall
    assert values(settings.path_events[0], "type", "range_type", "end_distance", "angle") == (
        *("STRAFE", "DISTANCE", 2.0),
        0.5,
    )
    assert values(settings.waypoints[0], "planted_foot", "frame") == ("EITHER", 7)
    assert settings.output.reduce_keys and tuple(settings.output.root_axes) == (True, False, True)
    assert settings.rig.list_filter == "ISSUES" and settings.rig.limbs[0].switch_property == "IK_FK"
