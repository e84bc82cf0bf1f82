"""Errands of all kinds: lying, pushing, leaning, and the controllers that know them."""

from pathlib import Path

import bpy
import numpy as np

from footfall.blender_addon.activities.interaction.operators import why_no_beats
from footfall.blender_addon.activities.interaction.shot_bake import ShotBake
from footfall.core.features.interaction import ACTIONS, FIRST_ACTION_COUNT
from footfall.tests.addon.interaction.test_errands import actor, cube, empty, hips
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.puppet import save_puppet
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

pytestmark = needs_clips


def test_a_list_of_errands_is_edited(puppet: Path, statue: Path) -> None:
    place = empty((0.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "walk", "target": place}, {"type": "idle", "duration": 0.5})
    assert [item.type for item in armature.footfall.interaction_tasks] == ["walk", "idle"]
    bpy.ops.footfall.move_interaction_task(down=False)
    assert [item.type for item in armature.footfall.interaction_tasks] == ["idle", "walk"]
    bpy.ops.footfall.remove_interaction_task()
    assert [item.type for item in armature.footfall.interaction_tasks] == ["walk"]


def test_an_interaction_controller_of_another_body_walks_by_itself(puppet: Path, statue: Path) -> None:
    armature = actor(puppet, statue, {"type": "walk", "target": empty((0.0, -2.0, 0.0))})
    armature.footfall.controller = "preset:locomotion"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    _, last = map(int, armature.animation_data.action.frame_range)
    assert np.linalg.norm(hips(puppet, armature, last)[:2] - [0.0, -2.0]) < 0.5
    armature.footfall.interaction_tasks[0].target = add_curve("POLY", [(0.0, 0.0, 0.0), (0.0, -2.0, 0.0)])
    assert "were trained for different bodies, so they cannot share a shot" in refusal_of(bpy.ops.footfall.bake_shot)


def test_who_is_to_lie_down_lies_at_the_empty_and_toward_its_front(puppet: Path, statue: Path) -> None:
    armature = actor(puppet, statue, {"type": "lie", "target": empty((0.0, -2.0, 0.0)), "duration": 1.0})
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    _, last = map(int, armature.animation_data.action.frame_range)
    assert np.linalg.norm(hips(puppet, armature, last - 5)[:2] - [0.0, -2.0]) < 0.1


def test_a_controller_that_was_not_taught_to_push_says_so_before_the_bake(
    tmp_path: Path, puppet: Path, statue: Path
) -> None:
    crate, place = cube("crate", (0.6, 0.6, 0.8), (0.0, -2.0, 0.0)), empty((0.0, -3.0, 0.0))
    armature = actor(puppet, statue, {"type": "push", "object": crate, "target": place})
    assert bpy.ops.footfall.bake_shot.poll(), "the puppet knows all clips"
    save_puppet(WALK, tmp_path / "older.safetensors", ACTIONS[:FIRST_ACTION_COUNT])
    armature.footfall.interaction_controller_file = str(tmp_path / "older.safetensors")
    said = "'older' was not trained to push: choose another controller, or train one with such clips"
    assert why_no_beats(bpy.context) == said
    assert not bpy.ops.footfall.bake_shot.poll() and not bpy.ops.footfall.preview_interactions.poll()


def test_a_crate_is_pushed_only_where_it_can_be(puppet: Path, statue: Path) -> None:
    crate, place = cube("crate", (0.6, 0.6, 0.8), (0.0, -2.0, 0.0)), empty((0.5, -2.6, 0.0))
    actor(puppet, statue, {"type": "push", "object": crate, "target": place})
    assert "'crate' can only be pushed straight ahead" in refusal_of(bpy.ops.footfall.bake_shot)
    place.location.x = 0.0
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}


def test_the_first_shipped_controller_that_knows_all_tasks_performs_them(puppet: Path, statue: Path) -> None:
    table = cube("table", (1.6, 0.8, 0.9), (0.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "walk", "target": empty((0.0, -1.0, 0.0))})
    armature.footfall.interaction_controller_file = ""
    assert why_no_beats(bpy.context) is None
    assert ShotBake(armature, bpy.context).controller == "everyday"
    errand = armature.footfall.interaction_tasks[0]
    errand.type, errand.object = "lean", table
    assert why_no_beats(bpy.context) is None
    assert ShotBake(armature, bpy.context).controller == "leaning"


def test_tasks_that_no_shipped_controller_does_together_are_told_apart(puppet: Path, statue: Path) -> None:
    """One of those that ship pushes, another one leans."""
    crate, table = cube("crate", (0.6, 0.6, 0.8), (0.0, -2.0, 0.0)), cube("table", (1.6, 0.8, 0.9), (3.0, 0.0, 0.0))
    armature = actor(
        puppet,
        statue,
        {"type": "push", "object": crate, "target": empty((0.0, -3.0, 0.0))},
        {"type": "lean", "object": table},
    )
    assert why_no_beats(bpy.context) is None, "the puppet knows both"
    armature.footfall.interaction_controller_file = ""
    said = str(why_no_beats(bpy.context))
    assert said.startswith("No shipped controller can both lean on an object and perform the other beats"), said
    seat = armature.footfall.interaction_tasks[1]
    seat.type, seat.target = "sit_ground", empty((0.0, 1.0, 0.0))
    assert "'everyday' was not trained to sit" in str(why_no_beats(bpy.context)), "nor is another that ships"


def test_who_is_to_lean_comes_to_the_near_edge_of_a_table(puppet: Path, statue: Path) -> None:
    table = cube("table", (1.6, 0.8, 0.9), (0.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "lean", "object": table, "duration": 1.0})
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    _, last = map(int, armature.animation_data.action.frame_range)
    assert np.linalg.norm(hips(puppet, armature, last - 5)[:2] - [0.0, -1.2]) < 0.3
    low = cube("low", (1.6, 0.8, 0.4), (0.0, -2.0, 0.0))
    armature.footfall.interaction_tasks[0].object = low
    bpy.context.view_layer.objects.active = armature
    assert "'low' has no side to lean on" in refusal_of(bpy.ops.footfall.bake_shot)


def test_a_task_is_what_the_selected_object_is_for(puppet: Path, statue: Path) -> None:
    armature = actor(puppet, statue)
    box = cube("box", (0.35, 0.3, 0.28), (3.0, 0.0, 0.75))
    things = {
        "carry": box,
        "push": cube("crate", (0.7, 0.7, 0.9), (5.0, 0.0, 0.0)),
        "sit": cube("block", (0.45, 0.45, 0.44), (7.0, 0.0, 0.0)),
    }
    tasks = armature.footfall.interaction_tasks
    for action, thing in things.items():
        for one in bpy.context.view_layer.objects:
            one.select_set(one in (thing, armature))
        bpy.context.view_layer.objects.active = armature
        bpy.ops.footfall.add_interaction_task()
        task = tasks[armature.footfall.active_interaction_task]
        assert (task.type, task.object) == (action, thing)
    place = empty((4.0, 0.0, 0.0))
    place.select_set(True)
    bpy.ops.footfall.add_interaction_task()
    task = tasks[armature.footfall.active_interaction_task]
    assert (task.type, task.object, task.target) == ("carry", things["sit"], place)
