"""Errands, done by a puppet."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from footfall.blender_addon.activities.interaction.preview.operators import active_preview, stop_preview
from footfall.blender_addon.activities.interaction.shot_bake import ShotBake
from footfall.blender_addon.activities.shot.panel import FOOTFALL_PT_shot
from footfall.blender_addon.animation.bake_report import describe_bad, quality_rows
from footfall.blender_addon.scene.objects import read_interaction_object, read_obstacles
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.panel_layout import drawn
from footfall.tests.addon.support.refusals import refusal_of, refused
from footfall.tests.addon.support.scenes import add_curve

pytestmark = needs_clips


def cube(name: str, size: tuple[float, float, float], at: tuple[float, float, float], turn: float = 0.0):
    """A block that stands at a place on its lower side; its origin is in its middle."""
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    thing = bpy.context.object
    thing.name = name
    thing.matrix_world = Matrix.LocRotScale(
        (at[0], at[1], at[2] + size[2] / 2), Matrix.Rotation(turn, 3, "Z").to_quaternion(), size
    )
    bpy.context.view_layer.update()
    return thing


def actor(puppet: Path, statue: Path, *errands: dict) -> bpy.types.Object:
    """A character with errands."""
    bpy.context.scene.render.fps = 60
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    armature = bpy.context.object
    armature.footfall.interaction_controller_file = str(puppet)
    for errand in errands:
        bpy.ops.footfall.add_interaction_task()
        item = armature.footfall.interaction_tasks[armature.footfall.active_interaction_task]
        for name, value in errand.items():
            setattr(item, name, value)
    return armature


def empty(at: tuple[float, float, float]) -> bpy.types.Object:
    place = bpy.data.objects.new("Place", None)
    place.location = at
    bpy.context.collection.objects.link(place)
    bpy.context.view_layer.update()
    return place


def hips(puppet: Path, armature: bpy.types.Object, frame: int) -> np.ndarray:
    bpy.context.scene.frame_set(frame)
    bone = armature.pose.bones[load_model(puppet).skeleton.names[0]]
    return np.array((armature.matrix_world @ bone.matrix).translation)


def test_objects_are_things_however_they_are_turned_and_scaled() -> None:
    seat = cube("seat", (0.5, 0.4, 0.45), (1.0, 2.0, 0.3), turn=0.4)
    read = read_interaction_object(seat, "sit", floor_height=0.3)
    np.testing.assert_allclose(read.interaction_object.position, [1.0, 2.0, 0.0], atol=0.06)
    lower, upper = read.interaction_object.collider.bounds
    assert abs((upper - lower)[2] - 0.45) < 0.05 and abs(lower[2]) < 0.03
    np.testing.assert_allclose(
        np.array(read.scene_matrix(read.interaction_object)), np.array(seat.matrix_world), atol=1e-5
    )
    half = read_interaction_object(seat, "sit", scale=2.0, floor_height=0.3)
    np.testing.assert_allclose(half.interaction_object.position, read.interaction_object.position / 2, atol=0.03)
    np.testing.assert_allclose(
        np.array(half.scene_matrix(half.interaction_object)), np.array(seat.matrix_world), atol=1e-5
    )
    for shape, action, words in (((3.0, 3.0, 0.1), "sit", "has no seat"), ((2.0, 2.0, 2.0), "carry", "too wide")):
        assert words in refused(read_interaction_object, cube("odd", shape, (0, 0, 0)), action)


def test_what_one_bumps_into() -> None:
    wall = cube("wall", (2.0, 0.1, 2.0), (0.0, 4.0, 0.0))
    floor = cube("floor", (8.0, 8.0, 0.05), (0.0, 0.0, -0.05))
    hall = cube("hall", (40.0, 40.0, 5.0), (0.0, 0.0, 0.0))
    ignored = cube("ignored", (1.0, 1.0, 1.0), (3.0, 0.0, 0.0))
    ignored["footfall_walk_surface"] = "ignored"
    names = {one.name for one in read_obstacles(bpy.context.scene, [])}
    assert names == {wall.name}, (names, floor.name, hall.name)


def test_a_seat_that_moves_is_refused_before_bake_and_preview(puppet: Path, statue: Path) -> None:
    seat = cube("stool", (0.45, 0.45, 0.45), (0.0, -2.0, 0.0))
    seat.rotation_mode = "XYZ"
    for frame, tilt in ((1, 0.0), (30, 0.2), (60, 0.0)):
        seat.rotation_euler.x = tilt
        seat.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.view_layer.update()
    armature = actor(puppet, statue, {"type": "sit", "object": seat, "duration": 1.0})
    for operator in (bpy.ops.footfall.bake_shot, bpy.ops.footfall.preview_interactions):
        assert "'stool' moves because of the keyframes of 'stool'" in refusal_of(operator)
    assert active_preview() is None and armature.animation_data is None


def test_who_is_to_sit_sits_on_the_seat(puppet: Path, statue: Path) -> None:
    seat = cube("stool", (0.45, 0.45, 0.45), (0.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "sit", "object": seat, "duration": 1.0})
    bpy.ops.ed.undo_push(message="set up")
    assert bpy.ops.footfall.bake_shot("EXEC_DEFAULT", True) == {"FINISHED"}
    action = armature.animation_data.action
    assert action is not None and seat.animation_data is None, "what does not move has no keys"
    first, last = map(int, action.frame_range)
    seated = hips(puppet, armature, last - 20)
    assert np.linalg.norm(seated[:2] - [0.0, -2.0]) < 0.06, seated
    assert 0.66 < seated[2] < 0.76, "their joint is 10 cm above the hip joints, which are a thigh over the seat"
    assert hips(puppet, armature, first)[2] > 0.75
    name = action.name
    bpy.ops.ed.undo()
    assert name not in bpy.data.actions


@pytest.mark.parametrize("thicker", [0.0, 0.03])
def test_the_skin_of_who_sits_lies_on_the_seat(thicker: float) -> None:
    seat = cube("stool", (0.45, 0.45, 0.45), (0.0, -2.0, 0.0))
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    body = next(one for one in bpy.data.objects if one.find_armature() == armature)
    for vertex in body.data.vertices:
        vertex.co.z -= thicker if 0.6 < vertex.co.z < 1.1 else 0.0
    bpy.ops.footfall.add_interaction_task()
    armature.footfall.interaction_tasks[0].type, armature.footfall.interaction_tasks[0].object = "sit", seat
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    row = next(row for row in quality_rows(armature) if row.measure == "seat_gap")
    assert row.worst < 1.5 and row.verdict == "GOOD", row


@pytest.mark.parametrize(("act", "too_thick"), [("sit", "seat_thickness"), ("carry", "palm_thickness")])
def test_skin_that_is_far_from_what_it_touches_is_a_fault(act: str, too_thick: str) -> None:
    thing = cube("thing", (0.4, 0.4, 0.45), (0.0, -2.0, 0.0))
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    assert bpy.ops.footfall.guess_rig() == bpy.ops.footfall.measure_skin() == {"FINISHED"}
    rig = armature.footfall.rig
    entered = getattr(rig, too_thick)
    setattr(rig, too_thick, entered + 0.05 if act == "sit" else [each + 0.05 for each in entered])
    bpy.ops.footfall.add_interaction_task()
    task = armature.footfall.interaction_tasks[0]
    task.type, task.object, task.target = act, thing, empty((1.5, -2.0, 0.6))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    row = next(row for row in quality_rows(armature) if row.measure == ("seat_gap" if act == "sit" else "palm_gap"))
    assert row.worst > 3.0 and row.verdict == "BAD", row
    assert row.title in describe_bad(quality_rows(armature))


def test_a_bake_tells_how_far_refinement_moved_the_hips(puppet: Path, statue: Path) -> None:
    seat = cube("stool", (0.45, 0.45, 0.45), (0.0, -2.0, 0.0))
    bake = ShotBake(actor(puppet, statue, {"type": "sit", "object": seat, "duration": 1.0}), bpy.context)
    while bake.advance(60):
        pass
    moved = max(act.refined.max_corrections["hips"] for act in bake.acts())
    assert f"hips by {100 * moved:.0f} cm" in str(bake.finish(bpy.context.scene).message)


def test_a_box_moves_with_the_hands_and_lies_where_it_was_put(puppet: Path, statue: Path) -> None:
    box, desk = cube("box", (0.4, 0.3, 0.25), (0.0, -1.5, 0.7)), cube("desk", (1.0, 0.6, 0.75), (2.0, -2.0, 0.0))
    rack = cube("rack", (0.6, 0.5, 0.7), (0.0, -1.5, 0.0))
    armature = actor(puppet, statue, {"type": "carry", "object": box, "target": desk})
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    first, last = map(int, box.animation_data.action.frame_range)
    bpy.context.scene.frame_set(first)
    np.testing.assert_allclose(box.matrix_world.translation, [0.0, -1.5, 0.825], atol=1e-4)
    bpy.context.scene.frame_set(last)
    # Its bearer stands before the desk's left side, which is the nearest to where the box was.
    np.testing.assert_allclose(box.matrix_world.translation, [1.68, -2.0, 0.877], atol=0.02)
    assert armature.animation_data.action and rack.animation_data is None and desk.animation_data is None


def test_a_box_may_hang_on_the_hand_and_is_in_the_same_places(puppet: Path, statue: Path) -> None:
    box, desk = cube("box", (0.4, 0.3, 0.25), (0.0, -1.5, 0.7)), cube("desk", (1.0, 0.6, 0.75), (2.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "carry", "object": box, "target": desk})
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    first, last = map(int, box.animation_data.action.frame_range)
    keyed = places(box, first, last)
    for thing in (box, armature):
        thing.animation_data_clear()
    box.matrix_world = keyed[0]
    armature.footfall.bake_records.clear()
    bpy.context.view_layer.update()
    armature.footfall.attachment = "CHILD_OF"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    hung = places(box, first, last)
    np.testing.assert_allclose(np.array(hung), np.array(keyed), atol=2e-3)
    middle = (first + last) // 2
    bpy.context.scene.frame_set(middle)
    bone = armature.pose.bones[box.constraints[0].subtarget]
    before = box.matrix_world.translation.copy()
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.3) @ bone.rotation_quaternion
    bpy.context.view_layer.update()
    assert (box.matrix_world.translation - before).length > 0.01, "who moves the hand moves the box"


def places(thing: bpy.types.Object, first: int, last: int) -> list[Matrix]:
    """Its world matrices."""
    found = []
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append(thing.matrix_world.copy())
    return found


def test_a_preview_changes_nothing_follows_what_is_moved_and_is_baked(puppet: Path, statue: Path) -> None:
    seat = cube("stool", (0.45, 0.45, 0.45), (0.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "sit", "object": seat, "duration": 1.0})
    assert not bpy.ops.footfall.step_interaction_preview.poll(), "nothing is previewed"
    stands = hips(puppet, armature, 1)
    assert bpy.ops.footfall.preview_interactions() == {"FINISHED"}
    assert not bpy.ops.footfall.preview_interactions.poll(), "one at a time"
    acting = active_preview()
    assert acting is not None
    while acting.clip is None:
        acting.tick(0.0)
    for _ in range(30):
        acting.tick(1 / 30)
    walked = acting.frames_shown
    assert 55 < walked < 65, walked
    np.testing.assert_array_equal(hips(puppet, armature, 1), stands)
    assert armature.animation_data is None and not bpy.data.actions
    bpy.ops.footfall.pause_interaction_preview()
    acting.tick(1.0)
    assert acting.frames_shown == walked, "it is paused"
    bpy.ops.footfall.step_interaction_preview()
    assert acting.frames_shown == walked + 1
    bpy.context.view_layer.objects.active = seat
    assert {"[Play]", "[Step]", "[Restart]"} <= set(drawn(FOOTFALL_PT_shot)), "whatever is active"
    bpy.context.view_layer.objects.active = armature
    assert len(acting.clip) == 1 and "1 of 1: Sit On" in acting.status_text()
    seat.location.x += 1.0
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.bake_interaction_preview("EXEC_DEFAULT", True) == {"FINISHED"}, (
        "with the stool where it is now"
    )
    assert active_preview() is None
    _, last = map(int, armature.animation_data.action.frame_range)
    seated = hips(puppet, armature, last - 20)
    assert np.linalg.norm(seated[:2] - [1.0, -2.0]) < 0.06, seated


def test_a_preview_begins_anew_with_what_is_there_now(puppet: Path, statue: Path) -> None:
    seat = cube("stool", (0.45, 0.45, 0.45), (0.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "sit", "object": seat})
    bpy.ops.footfall.preview_interactions()
    first = active_preview()
    for _ in range(20):
        first.tick(0.05)
    bpy.ops.footfall.restart_interaction_preview()
    assert active_preview() is not first and active_preview().frames_shown == 0
    bpy.data.objects.remove(seat)
    with pytest.raises(FootfallError, match="A beat of the shot has no object"):
        active_preview().tick(1.0)
    stop_preview()
    bpy.context.view_layer.objects.active = armature
    assert not bpy.ops.footfall.preview_interactions.poll(), "the errand's object is gone"


@pytest.mark.parametrize("kind", ["sit", "open", "carry", "carry to", "carry onto", "walk", "run"])
def test_what_was_deleted_from_the_scene_is_refused_by_bake_and_preview(kind: str, puppet: Path, statue: Path) -> None:
    box, place = cube("box", (0.3, 0.3, 0.45), (0.0, -2.0, 0.0)), empty((1.0, -2.0, 0.0))
    desk = cube("desk", (1.0, 0.6, 0.75), (2.0, -2.0, 0.0))
    action, _, where = kind.partition(" ")
    errand: dict = {"type": action}
    if action in ("sit", "open", "carry"):
        errand["object"] = box
    if action in ("walk", "run", "carry"):
        errand["target"] = desk if where == "onto" else place
    gone = errand["target"] if where or action in ("walk", "run") else box
    armature = actor(puppet, statue, errand)
    for collection in gone.users_collection:
        collection.objects.unlink(gone)
    assert gone in (armature.footfall.interaction_tasks[0].object, armature.footfall.interaction_tasks[0].target)
    for operator in (bpy.ops.footfall.bake_shot, bpy.ops.footfall.preview_interactions):
        assert f"'{gone.name}' is no longer in the scene: choose another one" in refusal_of(operator)
    assert not bpy.data.actions and active_preview() is None


def test_an_object_that_is_deleted_during_a_bake_is_named_and_nothing_is_baked(puppet: Path, statue: Path) -> None:
    box, desk = cube("box", (0.4, 0.3, 0.25), (0.0, -1.5, 0.7)), cube("desk", (1.0, 0.6, 0.75), (2.0, -2.0, 0.0))
    armature = actor(puppet, statue, {"type": "carry", "object": box, "target": desk})
    bake = ShotBake(armature, bpy.context)
    while bake.advance(60):
        pass
    bpy.data.objects.remove(box)
    assert "'box' was deleted during the bake" in refused(bake.finish, bpy.context.scene)
    assert not bpy.data.actions


def test_what_is_missing_is_said_and_nothing_changes(tmp_path: Path, puppet: Path, statue: Path) -> None:
    armature = actor(puppet, statue, {"type": "sit"})
    assert not bpy.ops.footfall.bake_shot.poll(), "no object"
    armature.footfall.interaction_tasks[0].object = cube("slab", (3.0, 3.0, 0.1), (0.0, -2.0, 0.0))
    bpy.context.view_layer.objects.active = armature
    said = refusal_of(bpy.ops.footfall.bake_shot)
    assert "has no seat" in said, said
    armature.footfall.interaction_controller_file = str(statue)
    assert "only walk along paths" in refusal_of(bpy.ops.footfall.bake_shot)
    armature.footfall.interaction_controller_file = str(tmp_path / "gone.safetensors")
    assert "gone.safetensors" in refusal_of(bpy.ops.footfall.bake_shot)
    assert not bpy.data.actions and armature.animation_data is None


def test_a_walk_and_errands_keep_each_other(puppet: Path, statue: Path) -> None:
    box, desk = cube("box", (0.4, 0.3, 0.25), (0.0, -1.5, 0.7)), cube("desk", (1.0, 0.6, 0.75), (2.0, -2.0, 0.0))
    armature = actor(puppet, statue)
    armature.footfall.controller, armature.footfall.controller_file = "file", str(statue)
    armature.footfall.path = add_curve("BEZIER", [(0, 0, 0), (1, 0, 0)])
    bpy.context.view_layer.objects.active = armature
    stood = box.matrix_world.copy()

    def bake(*beats: str) -> set[str]:
        tasks = armature.footfall.interaction_tasks
        tasks.clear()
        for kind in beats:
            item = tasks.add()
            item.type, item.object, item.target = kind, box, desk
        return bpy.ops.footfall.bake_shot()

    assert bake() == {"FINISHED"}, "without beats it walks along its path"
    walk = armature.animation_data.action
    assert bake("carry") == {"FINISHED"}
    errands, carried = armature.animation_data.action, box.animation_data.action
    assert errands != walk and walk.name in bpy.data.actions
    assert armature.animation_data.nla_tracks[0].strips[0].action == walk
    bpy.context.scene.frame_set(1)
    assert bake("carry") == {"FINISHED"}, "the same errands again"
    assert len([action for action in bpy.data.actions if action.name.startswith("box")]) == 1
    assert bake() == {"FINISHED"}
    errands, carried = armature.footfall.bake_records[1].action, box.animation_data.action
    assert len(armature.footfall.bake_records) == 3 and errands and carried
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert armature.animation_data.action == errands and box.animation_data.action == carried
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert armature.animation_data.action == walk and box.animation_data.action is None
    np.testing.assert_allclose(np.array(box.matrix_world), np.array(stood), atol=1e-5)
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert not bpy.data.actions and armature.animation_data.action is None


def test_a_box_with_an_action_of_its_own_has_it_back(puppet: Path, statue: Path) -> None:
    box, desk = cube("box", (0.4, 0.3, 0.25), (0.0, -1.5, 0.7)), cube("desk", (1.0, 0.6, 0.75), (2.0, -2.0, 0.0))
    for frame in (1, 20):
        box.keyframe_insert("scale", frame=frame)
    own = box.animation_data.action
    armature = actor(puppet, statue, {"type": "carry", "object": box, "target": desk})
    armature.footfall.attachment = "CHILD_OF"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert box.animation_data.action != own and own.name in bpy.data.actions
    item = armature.footfall.interaction_tasks[0]
    item.type, item.target = "walk", empty((1.0, 1.0, 0.0))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}, "without the box"
    assert box.animation_data.action == own, "what moves no longer is as it was"
    bpy.context.view_layer.update()
    np.testing.assert_allclose(box.matrix_world.translation, [0.0, -1.5, 0.825], atol=1e-4)
