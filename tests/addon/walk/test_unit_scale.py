"""Scenes of other units than meters: what their Unit Scale says is honored, or refused before any work."""

import bpy
import numpy as np
import pytest

from footfall.tests.addon.support.armatures import posed_heads
from footfall.tests.addon.support.person import lowest, make_person, path_along
from footfall.tests.addon.support.refusals import refusal_of

BONES = ["hips", "head", "foot.L", "toe.R", "hand.L"]


def scene_of(meters: float) -> float:
    """Give the scene units of a length; return the units of a meter."""
    bpy.context.scene.unit_settings.scale_length = meters
    return 1.0 / meters


def walk(meters: float, root_motion: str = "HIPS") -> list[np.ndarray]:
    """The places, meters, of a person who walks over a low box, frame by frame."""
    unit = scene_of(meters)
    bpy.ops.mesh.primitive_cube_add(size=unit, location=(0.0, 1.2 * unit, -0.4 * unit))
    armature = make_person(unit=unit)
    armature.location.x = 0.5 * unit
    armature.footfall.output.root_motion = root_motion
    armature.footfall.path = path_along((0, 0), (0, 1.3 * unit))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    last = int(armature.animation_data.action.frame_range[1])
    return [meters * posed_heads(armature, BONES, frame) for frame in range(1, last + 1, 5)]


def compare(root_motion: str, meters: float) -> None:
    wanted = walk(1.0, root_motion)
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    found = walk(meters, root_motion)
    assert len(found) == len(wanted)
    np.testing.assert_allclose(found, wanted, atol=2e-3)


@pytest.mark.every_blender
def test_a_walk_is_the_same_in_centimeters() -> None:
    compare("HIPS", 0.01)


def test_an_object_travels_the_same_way_in_kilometers() -> None:
    compare("OBJECT", 1000.0)


def test_motion_of_a_character_of_the_scene_is_retargeted_in_its_units() -> None:
    unit = scene_of(0.01)
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    source = bpy.context.object
    assert source.dimensions.z == pytest.approx(1.7 * unit, rel=0.1), "it is as tall as a person"
    source.footfall.path = path_along((0, 0), (0, unit))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    target = make_person(unit=0.5 * unit)
    bpy.ops.object.select_all(action="DESELECT")
    source.select_set(True)
    target.select_set(True)
    bpy.context.view_layer.objects.active = target
    assert bpy.ops.footfall.retarget_motion() == {"FINISHED"}
    assert 0.0 < 0.01 * lowest(target, ["toe.L", "toe.R"], range(1, 40, 3)) < 0.02


def test_waypoints_and_the_root_empty_are_in_the_scene_s_units() -> None:
    unit = scene_of(0.01)
    armature = make_person(unit=unit)
    bpy.context.scene.frame_set(60)
    bpy.context.scene.cursor.location = (0.0, 1.5 * unit, 0.0)
    bpy.ops.footfall.add_waypoint()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert np.linalg.norm(posed_heads(armature, ["hips"], 60)[0, :2] / unit - (0.0, 1.5)) < 0.15
    bpy.ops.footfall.add_root_empty()
    empty = next(thing for thing in bpy.data.objects if thing.type == "EMPTY" and "Root" in thing.name)
    bpy.context.scene.frame_set(60)
    assert np.linalg.norm(np.array(empty.matrix_world.translation)[:2] / unit - (0.0, 1.5)) < 0.15


@pytest.mark.every_blender
def test_a_wrong_size_is_refused_before_the_work() -> None:
    armature = make_person(unit=100.0)
    armature.footfall.path = path_along((0, 0), (0, 300))
    said = refusal_of(bpy.ops.footfall.bake_shot)
    assert "The legs of 'Person' are 82.1 m long: check the scale of the armature, and the Unit Scale" in said
    assert armature.animation_data is None
    bpy.ops.footfall.guess_rig()
    assert "82.1 m long" in refusal_of(bpy.ops.footfall.check_rig)
    scene_of(0.01)
    assert bpy.ops.footfall.check_rig() == {"FINISHED"}


def test_what_needs_meters_is_refused_elsewhere() -> None:
    armature = make_person()
    armature.footfall.interaction_tasks.add()
    scene_of(0.01)
    for operator in (bpy.ops.footfall.bake_shot, bpy.ops.footfall.fit_ball):
        with pytest.raises(RuntimeError, match="Works only in scenes whose Unit Scale is 1"):
            operator()
    bpy.context.scene.unit_settings.system = "NONE"
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.footfall.bake_shot()
    assert "Unit Scale" not in str(refused.value), "without a system of units there is no scale"
