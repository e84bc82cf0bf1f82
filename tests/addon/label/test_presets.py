"""What is looked for, in settings and presets."""

import math
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io.contact_targets import read_contact_objects
from footfall.blender_addon.label.presets import PRESET_SUBFOLDER, apply_preset, to_preset
from footfall.core.labelling.presets import BIPED_PRESET, load_preset, shipped_presets
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = needs_clips


def settings():
    return bpy.context.scene.footfall.labelling


def close(one, other) -> bool:
    """Whether presets are equal but for single precision."""
    numbers = [(s.height, s.speed, s.sharpness, s.shortest, *s.offset) for s in one.sensors]
    others = [(s.height, s.speed, s.sharpness, s.shortest, *s.offset) for s in other.sensors]
    words = [(s.name, s.joint, s.against, s.at) for s in one.sensors]
    return (
        words == [(s.name, s.joint, s.against, s.at) for s in other.sensors]
        and np.allclose(numbers, others, atol=1e-6)
        and dict(one.feet) == dict(other.feet)
        and set(one.actions) == set(other.actions)
        and one.local_phases == other.local_phases
        and one.name == other.name
    )


def test_a_new_scene_looks_for_what_bipeds_do() -> None:
    assert close(to_preset(settings()), BIPED_PRESET)


@pytest.mark.parametrize("name", sorted(shipped_presets()))
def test_every_shipped_preset_goes_through_the_settings_unharmed(name: str) -> None:
    assert bpy.ops.footfall.labelling_preset(preset=name) == {"FINISHED"}
    assert close(to_preset(settings()), load_preset(shipped_presets()[name]))


def test_the_feet_change_together() -> None:
    settings().feet_speed = 2 * BIPED_PRESET.sensors[0].speed
    bpy.ops.footfall.add_sensor()
    settings().feet_height = 3 * BIPED_PRESET.sensors[0].height
    preset = to_preset(settings())
    assert len(preset.sensors) == len(BIPED_PRESET.sensors) + 1
    for sensor, before in zip(preset.sensors, BIPED_PRESET.sensors, strict=False):
        assert math.isclose(sensor.speed, 2 * before.speed, rel_tol=1e-5)
        assert math.isclose(sensor.height, 3 * before.height, rel_tol=1e-5)
    assert preset.sensors[-1].name == "hand.R" and math.isclose(preset.sensors[-1].speed, 0.45, rel_tol=1e-6)


def test_sensors_come_and_go_and_are_found() -> None:
    bpy.ops.footfall.add_sensor()
    hand = settings().sensors[settings().active_sensor]
    assert hand.name == "hand.R"
    box = bpy.data.objects.new("Box", bpy.data.meshes.new("Box"))
    box.data.from_pydata([(-1, -1, -1), (1, 1, 1), (1, -1, 3)], [], [])
    box.location = (0, 0, 5)
    bpy.context.collection.objects.link(box)
    hand.against_kind, hand.against_name, hand.speed = "OBJECT", "Box", 0.0
    preset = to_preset(settings())
    assert preset.sensors[-1].against == "object:Box" and math.isinf(preset.sensors[-1].speed)
    target = read_contact_objects(preset, 1, 10)["Box"]
    assert np.allclose(target.size, (2, 2, 4)) and np.allclose(target.positions, (0, 0, 6))
    armature = import_bvh(WALK)
    assert bpy.ops.footfall.detect_labels() == {"FINISHED"}
    sensors = {sensor.name: sensor.foot for sensor in armature.animation_data.action.footfall.contacts}
    assert sensors["hand.R"] == "" and sensors["toe.L"] == "L"
    assert "footfall_contact_hand_R" in armature
    bpy.data.objects.remove(box)
    assert "Object 'Box', used by a contact point, is not in this file" in refusal_of(bpy.ops.footfall.detect_labels)
    assert bpy.ops.footfall.remove_sensor() == {"FINISHED"} and len(settings().sensors) == len(BIPED_PRESET.sensors)


def test_a_moving_object_is_followed() -> None:
    box = bpy.data.objects.new("Box", bpy.data.meshes.new("Box"))
    box.data.from_pydata([(-1, -1, -1), (1, 1, 1)], [], [])
    bpy.context.collection.objects.link(box)
    for frame, x in ((1, 0.0), (11, 10.0)):
        box.location.x = x
        box.keyframe_insert("location", frame=frame)
    bpy.ops.footfall.add_sensor()
    sensor = settings().sensors[settings().active_sensor]
    sensor.against_kind, sensor.against_name = "OBJECT", "Box"
    target = read_contact_objects(to_preset(settings()), 1, 11)["Box"]
    assert target.positions.shape == (11, 3) and np.allclose(target.positions[[0, 10], 0], (0, 10), atol=1e-4)


def test_a_foot_without_sensors_is_refused() -> None:
    apply_preset(settings(), BIPED_PRESET)
    for sensor in settings().sensors:
        if sensor.foot == "L":
            sensor.foot = "NONE"
    assert "The left foot has no contact point" in refused(to_preset, settings())


def test_ones_own_presets_are_kept_as_files() -> None:
    settings().feet_speed = 0.77
    assert bpy.ops.footfall.save_labelling_preset(name="My Feet") == {"FINISHED"}
    folder = Path(bpy.utils.user_resource("SCRIPTS", path="presets")) / PRESET_SUBFOLDER
    file = folder / "My_Feet.py"
    assert file.is_file() and settings().preset_name == "My Feet"
    mine = to_preset(settings())
    bpy.ops.footfall.labelling_preset(preset="quadruped")
    bpy.ops.script.execute_preset(filepath=str(file), menu_idname="FOOTFALL_MT_labelling_presets")
    assert close(to_preset(settings()), mine)
    assert bpy.ops.footfall.save_labelling_preset(remove_active=True) == {"FINISHED"} and not file.exists()
