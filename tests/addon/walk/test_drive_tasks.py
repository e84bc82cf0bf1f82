"""Tasks of a drive in Blender: a seat, a box and a door are clicked, done, recorded and baked."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.blender_addon.activities.drive.driven_beats import store_driven_beats
from footfall.blender_addon.activities.drive.reach import objects_ahead
from footfall.blender_addon.activities.drive.session import DriveSession
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.core.control.drive.driven_beats import DrivenWalk
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import length
from footfall.tests.addon.support.scenes import add_box, add_mesh, add_plane

AHEAD = 0.0
"""Yaw of a view along +Y."""
TICK_S = 1 / 30
LONGEST_S = 40.0


def begin(*things: tuple[str, tuple[float, float, float], tuple[float, float, float]]) -> DriveSession:
    """A character among blocks: names, middles and sizes."""
    set_tag(add_plane(30.0, name="Floor"), WALKABLE)
    for thing in things:
        add_box(*thing)
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    bpy.context.view_layer.update()
    return DriveSession(bpy.context.object, bpy.context)


def add_bench(at: tuple[float, float, float]) -> bpy.types.Object:
    """A seat 90 cm wide, 45 cm high and 40 cm deep, with a back of another 40 cm, which faces -Y."""
    points, faces = list[tuple[float, float, float]](), list[tuple[int, ...]]()
    for low, high in (((-0.45, -0.2, 0.0), (0.45, 0.2, 0.45)), ((-0.45, 0.2, 0.0), (0.45, 0.25, 0.85))):
        first = len(points)
        points += [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        corners = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        faces += [tuple(first + corner for corner in face) for face in corners]
    bench = add_mesh("Bench", points, faces)
    bench.location = at
    bpy.context.view_layer.update()
    return bench


def drive(session: DriveSession, seconds: float, *actions: str) -> None:
    """Hold some keys for a time."""
    for action in actions:
        session.press(action)
    for _ in range(round(seconds / TICK_S)):
        session.advance(TICK_S, AHEAD)
    for action in actions:
        session.release(action)


def click(session: DriveSession, name: str, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
    """Click an object, at a point of its surface where that counts; return what is told."""
    session.click(bpy.data.objects[name] if name else None, Vector(at), bpy.context)
    return str(session.tasks.note)


def tasks_of(session: DriveSession) -> list[tuple[InteractionTask, str]]:
    """The tasks among the beats of a drive, without waits, with the names of their objects."""
    tasks = [(beat, name) for beat, name in session.beats() if isinstance(beat, InteractionTask)]
    return [(task, name) for task, name in tasks if task.action != "idle"]


def until_it_walks(session: DriveSession) -> None:
    """Wait until the task is over."""
    for _ in range(round(LONGEST_S / TICK_S)):
        if session.tasks.live is None:
            return
        session.advance(TICK_S, AHEAD)
    pytest.fail("the task does not end")


def until_it_holds(session: DriveSession) -> None:
    """Wait until something is in its hands, or is pushed by them."""
    for _ in range(round(LONGEST_S / TICK_S)):
        session.advance(TICK_S, AHEAD)
        assert session.tasks.live is not None
        if session.tasks.live.holds:
            return
    pytest.fail("nothing is taken")


@pytest.mark.slow
def test_a_drive_with_a_seat_is_baked_along_the_driven_way_with_its_speeds_and_styles() -> None:
    armature = bpy.data.objects[begin().armature_name]
    armature.rotation_euler.z = np.pi  # it looks ahead
    add_bench((0.5, 5.0, 0.0))
    session = DriveSession(armature, bpy.context)
    drive(session, 2.5, "FORWARD")
    assert "Press a movement key or click to stop using" in click(session, "Bench")
    drive(session, 8.0)
    assert session.tasks.live is not None and session.tasks.live.is_done, "it sits, and stays"
    drive(session, 0.2, "LEFT")
    until_it_walks(session)
    drive(session, 1.5, "LEFT")
    drive(session, 2.0, "LEFT", "FASTER")
    drive(session, 2.5, "BACKWARD", "CROUCH")
    said = str(store_driven_beats(armature, session.beats(), session.scale, bpy.context.collection))
    items = armature.footfall.interaction_tasks
    assert f"{len(items)} beats were recorded" in said
    done = [item.type for item in items]
    sits = done.index("sit")
    assert set(done[:sits]) == {"walk"} and done[sits + 1 :] == ["walk", "run", "walk"], "and no detours"
    (away, run, low), to = items[sits + 1 :], items[0]
    assert items[sits].object.name == "Bench" and items[sits].duration > 0.3
    assert [to.style, away.style, run.style, low.style] == ["", "", "", "crouch"]
    assert run.speed > 2.0 > 1.5 > away.speed > low.speed and to.target.type == "CURVE"
    assert all(len(item.target.data.splines[0].bezier_points) < 12 for item in (to, away, run, low)), "to be edited"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, _ = read_action(armature, armature.footfall.baked_action, bpy.context.scene)
    baked = root_track(clip.resampled(240.0), 0.25).positions
    driven = session.scale * np.array([moment.root[:2] for moment in session.moments])
    off = np.array([length(baked - place).min() for place in driven])
    ((done, _),) = session.tasks.done
    assert off[: done.first].max() < 0.05, "where it was driven by hand"
    assert np.percentile(off[done.stop :], 90) < 0.1
    assert abs(len(clip) / clip.rate - session.seconds) < 0.25 * session.seconds


@pytest.mark.all_only("live tasks are tested in tests/core")
def test_a_counter_is_leaned_on_until_a_movement_key_by_the_controller_that_leans() -> None:
    session = begin(("Counter", (0.0, 3.0, 0.45), (1.8, 0.6, 0.9)))
    drive(session, 0.5)
    assert "Press a movement key or click to stop using" in click(session, "Counter")
    drive(session, 12.0)
    assert session.tasks.live is not None and session.tasks.live.is_done, "it leans, and stays"
    drive(session, 1.0, "LEFT")
    until_it_walks(session)
    drive(session, 1.0, "LEFT")
    assert [task.action for task, _ in tasks_of(session)] == ["lean"]
    assert isinstance(session.beats()[-1][0], DrivenWalk), "it walks away"


@pytest.mark.all_only("a box is put down in another test")
def test_a_box_is_carried_to_where_the_floor_is_clicked_and_may_be_taken_again() -> None:
    session = begin(("Box", (1.0, 2.0, 0.15), (0.35, 0.3, 0.3)))
    drive(session, 0.5)
    assert click(session, "Box") == "Click where to put 'Box'" and session.tasks.live is None
    click(session, "Floor", (-1.0, 2.0, 0.0))
    until_it_walks(session)
    (_, matrix) = next(session.tasks.moved_objects())
    np.testing.assert_allclose(matrix.translation[:2], [-1.0, 2.0], atol=0.02)
    assert matrix.translation.z == pytest.approx(0.15, abs=0.01)
    ahead = [
        [one.name for one in objects_ahead(bpy.context.scene, np.array([x, 1.0, 0.0]), AHEAD, {"Box": matrix})]
        for x in (1.0, -1.0)
    ]
    assert ahead == [[], ["Box"]], "where it is now, and not where it was"
    click(session, "Box")
    click(session, "Floor", (0.0, 4.0, 0.0))
    until_it_walks(session)
    (_, matrix) = next(session.tasks.moved_objects())
    np.testing.assert_allclose(matrix.translation[:2], [0.0, 4.0], atol=0.02)
    assert [name for _, name in session.tasks.done] == ["Box", "Box"]
    assert tuple(bpy.data.objects["Box"].location) == pytest.approx((1.0, 2.0, 0.15)), "the file stays as it is"


def test_a_click_has_what_is_carried_put_down_before_the_feet() -> None:
    session = begin(("Box", (0.0, 2.0, 0.15), (0.35, 0.3, 0.3)))
    drive(session, 0.5)
    click(session, "Box")
    click(session, "Floor", (0.0, 8.0, 0.0))
    until_it_holds(session)
    drive(session, 1.0)
    click(session, "")
    until_it_walks(session)
    (_, matrix) = next(session.tasks.moved_objects())
    assert matrix.translation.y < 6.0 and matrix.translation.z == pytest.approx(0.15, abs=0.01)


def test_a_task_that_goes_on_when_the_drive_ends_is_recorded_too() -> None:
    session = begin(("Box", (0.0, 2.0, 0.15), (0.35, 0.3, 0.3)))
    drive(session, 0.5)
    assert session.beats() == []
    click(session, "Box")
    assert click(session, "Box") == "", "a second click on it chooses nothing"
    click(session, "Box")
    click(session, "Floor", (0.0, 5.0, 0.0))
    drive(session, 1.0)
    (task, name) = session.beats()[-1]
    assert isinstance(task, InteractionTask)
    assert (task.action, name) == ("carry", "Box") and task.position is not None and task.direction is not None
    np.testing.assert_allclose(session.scale * task.position, [0.0, 5.0, 0.0], atol=1e-6)


def test_a_door_is_gone_through() -> None:
    session = begin(("Door", (0.0, 2.0, 1.0), (0.9, 0.05, 2.0)))
    drive(session, 0.5)
    click(session, "Door")
    until_it_walks(session)
    assert session.place[1] > 2.5 and [name for _, name in session.tasks.done] == ["Door"]
    drive(session, 4.0)
    (_, matrix) = next(session.tasks.moved_objects())
    assert abs(matrix.to_euler().z) < 0.05, "it has fallen shut"


@pytest.mark.all_only("a crate is let go of in another test")
def test_a_crate_is_pushed_straight_as_far_as_is_clicked_and_baked_so() -> None:
    session = begin(("Crate", (0.0, 3.0, 0.4), (0.6, 0.6, 0.8)))
    armature = bpy.data.objects[session.armature_name]
    drive(session, 0.5)
    assert click(session, "Crate") == "Click where to push 'Crate'"
    click(session, "Floor", (0.4, 5.0, 0.0))
    until_it_walks(session)
    (_, matrix) = next(session.tasks.moved_objects())
    np.testing.assert_allclose(matrix.translation, [0.0, 5.0, 0.4], atol=0.3)
    assert abs(matrix.translation.x) < 0.01, "straight from its face, not slantwise to the point"
    ((task, name),) = tasks_of(session)
    assert (task.action, name) == ("push", "Crate") and task.position is not None
    np.testing.assert_allclose(session.scale * task.position[:2], matrix.translation[:2], atol=1e-4)
    store_driven_beats(armature, session.beats(), session.scale, bpy.context.collection)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    bpy.context.scene.frame_set(int(armature.footfall.baked_action.frame_range[1]))
    assert length(np.array(bpy.data.objects["Crate"].matrix_world.translation - matrix.translation)) < 0.3


def test_a_movement_key_has_what_is_pushed_let_go_of() -> None:
    session = begin(("Crate", (0.0, 2.5, 0.4), (0.6, 0.6, 0.8)))
    drive(session, 0.5)
    click(session, "Crate")
    click(session, "Floor", (0.0, 9.0, 0.0))
    until_it_holds(session)
    drive(session, 1.5)
    drive(session, 0.2, "LEFT")
    until_it_walks(session)
    (_, matrix) = next(session.tasks.moved_objects())
    assert 2.6 < matrix.translation.y < 6.0
    ((done, name),) = session.tasks.done
    assert name == "Crate" and done.task.position is not None
    assert session.scale * done.task.position[1] == pytest.approx(matrix.translation.y, abs=1e-4)


def test_a_key_lies_down_ahead_and_another_gets_up_and_it_is_baked_so() -> None:
    session = begin()
    armature = bpy.data.objects[session.armature_name]
    drive(session, 1.0, "FORWARD")
    session.press("LIE")
    assert str(session.tasks.note) == "Press a movement key or click to get up"
    drive(session, 12.0)
    assert session.tasks.live is not None and session.tasks.live.is_done
    assert session.pose is not None and session.pose.root_positions[0, 2] < 0.3
    drive(session, 0.2, "FORWARD")
    until_it_walks(session)
    drive(session, 1.5, "FORWARD")
    assert [(task.action, name) for task, name in tasks_of(session)] == [("lie", "")]
    store_driven_beats(armature, session.beats(), session.scale, bpy.context.collection)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}


def test_a_key_uses_what_is_ahead_or_tells_that_nothing_is() -> None:
    session = begin(("Pillar", (0.5, 2.2, 1.5), (0.2, 0.2, 3.0)), ("Crate", (0.0, -2.0, 0.4), (0.6, 0.6, 0.8)))
    drive(session, 1.5, "FORWARD")
    session.press("USE")
    assert (
        str(session.tasks.note)
        == "There is nothing to use in front of the character: walk up to a seat, a box or a door, or click one"
    )
    add_bench((0.0, 2.8, 0.0))
    session.press("USE")
    assert session.tasks.live is not None and session.tasks.live.task.action == "sit"
    session.press("USE")
    until_it_walks(session)
    assert session.tasks.live is None


def test_a_key_of_an_action_that_was_not_learned_says_so() -> None:
    session = begin()
    drive(session, 0.2)
    session.press("SIT_GROUND")
    assert "was not trained to sit on the ground" in str(session.tasks.note) and session.tasks.live is None


def test_what_cannot_be_used_is_told_and_the_drive_goes_on() -> None:
    session = begin(("Pillar", (3.0, 0.0, 1.5), (0.4, 0.4, 3.0)), ("Box", (0.0, 3.0, 0.15), (0.35, 0.3, 0.3)))
    drive(session, 0.2)
    assert "There is nothing under the mouse" in click(session, "")
    assert "'Pillar' cannot be sat on, leaned on, carried, pushed or opened" in click(session, "Pillar")
    assert "'Floor' cannot be sat on, leaned on, carried, pushed or opened" in click(session, "Floor")
    click(session, "Box")
    assert "Click where to put 'Box'" in click(session, "")
    bpy.data.objects.remove(bpy.data.objects["Box"])
    assert "'Box' was deleted: click another object" in click(session, "Floor", (1.0, 1.0, 0.0))
    drive(session, 2.0, "FORWARD")
    assert session.place[1] > 0.5


def test_the_task_of_an_object_that_is_deleted_ends_and_is_not_recorded() -> None:
    session = begin()
    add_bench((0.0, 3.0, 0.0))
    drive(session, 0.5)
    click(session, "Bench")
    drive(session, 1.0)
    bpy.data.objects.remove(bpy.data.objects["Bench"])
    drive(session, 0.1)
    assert (
        str(session.tasks.note) == "'Bench' was deleted, so the character stops using it" or session.tasks.live is None
    )
    until_it_walks(session)
    assert not session.tasks.done


def test_without_an_interaction_controller_of_the_same_body_nothing_is_clicked() -> None:
    set_tag(add_plane(30.0, name="Floor"), WALKABLE)
    add_bench((0.0, 3.0, 0.0))
    assert bpy.ops.footfall.add_character(controller="preset:quadruped") == {"FINISHED"}
    session = DriveSession(bpy.context.object, bpy.context)
    drive(session, 0.5)
    assert "The controller and the interaction controller were trained for different bodies" in click(session, "Bench")
    bpy.context.object.footfall.interaction_controller_file = "/none.safetensors"
    session = DriveSession(bpy.context.object, bpy.context)
    assert "/none.safetensors" in click(session, "Bench") and session.tasks.live is None


def test_a_task_on_the_list_says_how_its_object_is_used() -> None:
    session = begin(("Block", (0.0, 3.0, 0.225), (0.5, 0.4, 0.45)))
    assert "Click where to put 'Block'" in click(session, "Block"), "a block is carried"
    armature = bpy.data.objects[session.armature_name]
    item = armature.footfall.interaction_tasks.add()
    item.type, item.object = "sit", bpy.data.objects["Block"]
    session = DriveSession(armature, bpy.context)
    drive(session, 0.2)
    click(session, "Block")
    assert session.tasks.live is not None and session.tasks.live.task.action == "sit"


def test_a_task_is_done_on_the_floor_of_the_start() -> None:
    session = begin(("Bench", (0.0, 3.0, 0.225), (1.2, 0.4, 0.45)))
    session.driver.runtime.past_heights[:] = 1.0
    assert "You can only use objects on the floor where you started driving" in click(session, "Bench")
