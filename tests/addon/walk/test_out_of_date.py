"""A bake is out of date once something that it was made of has changed."""

from collections.abc import Callable

import bpy
import pytest

from footfall.blender_addon.activities.shot.panel import FOOTFALL_PT_shot
from footfall.blender_addon.animation.bake_report import quality_rows
from footfall.blender_addon.shot import quality_panel
from footfall.blender_addon.shot.staleness import finding, first_change
from footfall.tests.addon.support.panel_layout import drawn
from footfall.tests.addon.support.scenes import add_box, add_curve

Change = Callable[[bpy.types.Object], None]


def walker(points=((0.0, 0.0, 0.0), (2.0, 0.0, 0.0))) -> bpy.types.Object:
    bpy.context.scene.render.fps = 24
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", points)
    return armature


def said(armature: bpy.types.Object) -> str:
    bpy.context.view_layer.update()
    return first_change(armature, bpy.context.scene) or ""


def move_point(armature: bpy.types.Object) -> None:
    armature.footfall.path.data.splines[0].points[1].co.x = 2.2


def move_path(armature: bpy.types.Object) -> None:
    armature.footfall.path.location.y = 0.5


def add_event(armature: bpy.types.Object) -> None:
    armature.footfall.path_events.add()


def add_waypoint(armature: bpy.types.Object) -> None:
    armature.footfall.waypoints.add().empty = bpy.data.objects.new("Mark", None)


def set_of(name: str, value: object) -> Change:
    return lambda armature: setattr(armature.footfall, name, value)


def map_other_bone(armature: bpy.types.Object) -> None:
    bpy.ops.footfall.guess_rig()
    armature.footfall.rig.roles["head"].bone = armature.footfall.rig.roles["neck"].bone


def scale(armature: bpy.types.Object) -> None:
    armature.scale = (1.1, 1.1, 1.1)


def move_armature(armature: bpy.types.Object) -> None:
    armature.location.x = 1.0


def move_wall(_armature: bpy.types.Object) -> None:
    bpy.data.objects["Wall"].location.x = 4.0


def tag_wall(_armature: bpy.types.Object) -> None:
    bpy.data.objects["Wall"]["footfall_walk_surface"] = "ignored"


def edit_key(armature: bpy.types.Object) -> None:
    bpy.context.scene.frame_set(10)
    armature.pose.bones[0].location.z += 0.1
    armature.pose.bones[0].keyframe_insert("location", frame=10)


CHANGES: dict[str, tuple[Change, str]] = {
    "point": (move_point, "the path"),
    "path": (move_path, "the path"),
    "speed": (set_of("speed", 1.4), "a setting"),
    "seed": (set_of("seed", 3), "a setting"),
    "controller": (set_of("controller", "preset:locomotion_small"), "a setting"),
    "event": (add_event, "a path event"),
    "waypoint": (add_waypoint, "a waypoint"),
    "pose": (lambda armature: armature.footfall.key_poses.add(), "a key pose"),
    "map": (map_other_bone, "the rig"),
    "scale": (scale, "the rig"),
    "place": (move_armature, "the rig"),
    "wall": (move_wall, "ground or obstacles"),
    "tag": (tag_wall, "ground or obstacles"),
    "key": (edit_key, "keys"),
}


def test_every_change_says_out_of_date() -> None:
    armature = walker()
    add_box("Wall", (1.0, 3.0, 1.0), (0.2, 1.0, 2.0))["footfall_walk_surface"] = "obstacle"
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="set up")
    assert not said(armature), "nothing is baked yet"
    bpy.ops.footfall.bake_shot("EXEC_DEFAULT", True)
    name = armature.name
    for what, (change, words) in CHANGES.items():
        armature = bpy.data.objects[name]
        bpy.context.view_layer.objects.active = armature
        assert said(armature) == "", (what, said(armature))
        change(armature)
        assert said(armature).startswith(f"Out of date: {words}"), (what, said(armature))
        bpy.ops.ed.undo_push(message=what)
        bpy.ops.ed.undo()


def test_looking_and_playing_change_nothing() -> None:
    armature = walker()
    bpy.ops.footfall.bake_shot()
    bpy.context.scene.frame_set(30)
    armature.footfall.active_waypoint = 2
    bpy.context.window_manager.footfall.show_key_poses = False
    assert said(armature) == ""
    assert bpy.ops.footfall.update_bake() == {"FINISHED"} and said(armature) == ""


@pytest.mark.parametrize("root_motion", ("HIPS", "OBJECT"))
def test_a_bake_into_any_carrier_is_up_to_date(root_motion: str) -> None:
    armature = walker()
    armature.footfall.output.root_motion = root_motion
    bpy.ops.footfall.bake_shot()
    bpy.context.scene.frame_set(20)
    assert said(armature) == ""


def test_a_moved_seat_puts_its_bake_out_of_date() -> None:
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    stool = add_box("Stool", (0.0, -1.2, 0.225), (0.45, 0.45, 0.45))
    bpy.context.view_layer.update()
    bpy.ops.footfall.add_interaction_task()
    task = armature.footfall.interaction_tasks[0]
    task.type, task.object, task.duration = "sit", stool, 0.5
    bpy.ops.footfall.bake_shot()
    assert said(armature) == ""
    armature.footfall.speed = 2.0
    assert said(armature) == "", "it has no path to walk along"
    stool.location.x = 0.4
    assert said(armature).startswith("Out of date: a beat")


def test_the_panel_loses_its_tick() -> None:
    armature = walker()
    bpy.ops.footfall.bake_shot()
    assert quality_panel.quality_icon(armature) == "CHECKMARK", quality_rows(armature)
    armature.footfall.speed = 1.5
    bpy.context.view_layer.update()
    finding.task.run()
    assert quality_panel.quality_icon(armature) == quality_panel.OUT_OF_DATE_ICON
    for panel in (quality_panel.FOOTFALL_PT_bake_quality, FOOTFALL_PT_shot):
        assert "Out of date: a setting" in " ".join(drawn(panel)), drawn(panel)
    armature.footfall.bake_inputs = "{"
    assert first_change(armature, bpy.context.scene) is None, "a damaged text says nothing"


def test_a_wall_that_is_walked_around_is_no_fault() -> None:
    armature = walker([(0.0, 0.0, 0.0), (6.0, 0.0, 0.0)])
    add_box("Wall", (3.0, 0.0, 1.0), (0.2, 2.4, 2.0))["footfall_walk_surface"] = "obstacle"
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    row = next(row for row in quality_rows(armature) if row.measure == "path_deviation")
    assert row.verdict != "BAD", row
    assert (
        armature.footfall.detour.startswith("The walk leaves the path by up to 1.")
        and "to avoid 'Wall'" in armature.footfall.detour
    )
    assert armature.footfall.detour in " ".join(drawn(quality_panel.FOOTFALL_PT_bake_quality))
    bpy.data.objects["Wall"].location.y = 9.0
    bpy.context.view_layer.update()
    bpy.ops.footfall.update_bake()
    assert armature.footfall.detour == ""
