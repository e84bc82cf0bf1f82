"""Lists of a character's settings: items are inserted, moved and removed, and one stays active."""

from pathlib import Path

import bpy
import pytest

from footfall.tests.addon.support.refusals import refusal_of


@pytest.fixture
def armature() -> bpy.types.Object:
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    return bpy.context.object


def speeds(armature: bpy.types.Object) -> list[float]:
    return [event.speed for event in armature.footfall.path_events]


def test_items_are_inserted_after_the_active_one(armature: bpy.types.Object) -> None:
    settings = armature.footfall
    for speed in (1.0, 2.0):
        bpy.ops.footfall.add_path_event()
        settings.path_events[settings.active_path_event].speed = speed
    settings.active_path_event = 0
    bpy.ops.footfall.add_path_event()
    settings.path_events[settings.active_path_event].speed = 1.5
    assert speeds(armature) == [1.0, 1.5, 2.0] and settings.active_path_event == 1


def test_the_active_item_moves_within_the_list(armature: bpy.types.Object) -> None:
    settings = armature.footfall
    for speed in (1.0, 2.0, 3.0):
        bpy.ops.footfall.add_path_event()
        settings.path_events[settings.active_path_event].speed = speed
    for down, expected in ((True, [1.0, 2.0, 3.0]), (False, [1.0, 3.0, 2.0]), (False, [3.0, 1.0, 2.0])):
        bpy.ops.footfall.move_path_event(down=down)
        assert speeds(armature) == expected
    assert settings.active_path_event == 0


def test_items_are_removed_until_the_list_is_empty(armature: bpy.types.Object) -> None:
    settings = armature.footfall
    for _ in range(2):
        bpy.ops.footfall.add_interaction_task()
    settings.active_interaction_task = 7  # of a list that was longer
    assert bpy.ops.footfall.remove_interaction_task() == {"FINISHED"}
    assert len(settings.interaction_tasks) == 1 and settings.active_interaction_task == 0
    assert not bpy.ops.footfall.move_interaction_task.poll(), "one item has no other place"
    assert bpy.ops.footfall.remove_interaction_task() == {"FINISHED"}
    assert not bpy.ops.footfall.remove_interaction_task.poll()
    assert "The list is empty" in refusal_of(bpy.ops.footfall.remove_interaction_task)


def test_the_lists_of_a_linked_character_stay_as_its_library_has_them(
    armature: bpy.types.Object, tmp_path: Path
) -> None:
    """Blender neither saves nor takes back what is changed of linked data."""
    bpy.context.scene.frame_set(7)
    bpy.ops.footfall.add_waypoint()
    library, name = tmp_path / "library.blend", armature.name
    bpy.data.libraries.write(str(library), {armature})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = [name]
    linked = wanted.objects[0]
    bpy.context.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    for change in (bpy.ops.footfall.add_waypoint, bpy.ops.footfall.remove_waypoint, bpy.ops.footfall.add_path_event):
        assert not change.poll()
        assert "make a library override first" in refusal_of(change)
    assert bpy.ops.footfall.go_to_waypoint() == {"FINISHED"}, "it changes nothing of the character"
    assert bpy.context.scene.frame_current == 7
    assert len(linked.footfall.waypoints) == 1 and not linked.footfall.path_events
