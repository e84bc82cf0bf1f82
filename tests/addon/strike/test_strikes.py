"""Strikes as beats in Blender: targets of all kinds on their frames, weapons, undo, and what is refused."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.blender_addon.rig.store import rig_map_of
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_mesh

WALKER = "preset:locomotion"
RATE = 24


def add_person(at: tuple[float, float, float] = (0.0, 0.0, 0.0), size: float = 1.0) -> bpy.types.Object:
    bpy.context.scene.render.fps = RATE
    assert bpy.ops.footfall.add_character(controller=WALKER) == {"FINISHED"}
    person = bpy.context.object
    person.location, person.scale = at, (size,) * 3
    bpy.context.view_layer.update()
    return person


def add_empty(at: tuple[float, float, float], name: str = "Target") -> bpy.types.Object:
    place = bpy.data.objects.new(name, None)
    place.location = at
    bpy.context.collection.objects.link(place)
    bpy.context.view_layer.update()
    return place


def add_strike(person: bpy.types.Object, frame: int, target: bpy.types.Object | None, **values: object):
    bpy.context.view_layer.objects.active = person
    strike = person.footfall.interaction_tasks.add()
    strike.type, strike.target, strike.has_end, strike.end_frame = "strike", target, True, frame
    for name, value in values.items():
        setattr(strike, name, value)
    return strike


def why_skipped(person: bpy.types.Object) -> str:
    """Why the only beat of a character cannot be done, as the bake tells it."""
    return refusal_of(bpy.ops.footfall.bake_shot)


def joint_place(person: bpy.types.Object, role: str, frame: int) -> np.ndarray:
    """The place of a joint at a frame of the scene, as Blender evaluates it."""
    bpy.context.scene.frame_set(frame)
    bone = person.pose.bones[rig_map_of(person).bones[role]]
    return np.array((person.matrix_world @ bone.head)[:])


def knuckles(person: bpy.types.Object, role: str, frame: int) -> np.ndarray:
    """The end of a hand's bone at a frame, at most 9 cm from the wrist."""
    wrist = joint_place(person, role, frame)
    bone = person.pose.bones[rig_map_of(person).bones[role]]
    way = np.array((person.matrix_world @ bone.tail)[:]) - wrist
    return wrist + way * min(1.0, 0.09 / np.linalg.norm(way))


@pytest.mark.every_blender
def test_two_blows_are_on_their_frames() -> None:
    person = add_person((0.0, 0.0, 0.2))
    targets = [add_empty((0.05, -0.7, 1.6)), add_empty((-0.1, -0.72, 1.5))]
    add_strike(person, 74, targets[0])
    add_strike(person, 103, targets[1], effector="HAND_L")
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    action = person.animation_data.action
    for target, role, frame in zip(targets, ("hand.R", "hand.L"), (74, 103), strict=True):
        away = [
            np.linalg.norm(knuckles(person, role, frame + near) - np.array(target.location)) for near in range(-6, 7)
        ]
        assert away[6] < 0.02 and int(np.argmin(away)) == 6
    assert any(segment.name == "strike" for segment in action.footfall.segments)
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert person.animation_data.action is None


def test_a_bone_is_struck_on_the_surface_of_its_body() -> None:
    person, other = add_person(), add_person((0.1, -1.9, 0.0), 1.1)
    other.rotation_euler.z = np.pi
    bpy.context.view_layer.update()
    head = rig_map_of(other).bones["head"]
    add_strike(person, 125, other, bone=head)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    fist = knuckles(person, "hand.R", 125)
    body = next(child for child in other.children if child.type == "MESH")
    seen = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found, place, _, _ = seen.closest_point_on_mesh(body.matrix_world.inverted() @ Vector(fist))
    assert found and (body.matrix_world @ place - Vector(fist)).length < 0.02
    bone = other.pose.bones[head]
    assert abs(fist[2] - (other.matrix_world @ ((bone.head + bone.tail) / 2)).z) < 0.02


@pytest.mark.every_blender
def test_a_point_of_a_surface_that_moves() -> None:
    person, box = add_person(), add_box("Pad", (0.0, -1.8, 1.4), (0.3, 0.2, 0.3))
    strike = add_strike(person, 125, None)
    assert bpy.ops.footfall.pick_strike_target(origin=(0.05, -1.0, 1.45), direction=(0.0, -1.0, 0.0)) == {"FINISHED"}
    assert strike.target == box and strike.place == "SURFACE"
    for frame, side in ((60, 0.0), (125, 0.2)):
        box.location.x = side
        box.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(60)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert bpy.context.scene.frame_current == 60
    np.testing.assert_allclose(knuckles(person, "hand.R", 125), (0.25, -1.7, 1.45), atol=0.02)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.footfall.pick_strike_target(origin=(0.05, -1.0, 1.45), direction=(0.0, -1.0, 0.0), vertex=True) == {
        "FINISHED"
    }
    assert strike.place == "VERTEX"
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    fist = knuckles(person, "hand.R", 125)
    np.testing.assert_allclose(fist, box.matrix_world @ box.data.vertices[strike.vertex].co, atol=0.02)


def add_sword(person: bpy.types.Object) -> bpy.types.Object:
    """A blade of 80 cm in the right hand; its tip is vertex 0."""
    hand = person.pose.bones[rig_map_of(person).bones["hand.R"]]
    grip = person.matrix_world @ ((hand.head + hand.tail) / 2)
    sword = add_mesh("Sword", [(0.0, -0.8, 0.0), (-0.02, 0.1, 0.0), (0.02, 0.1, 0.0)], [(0, 1, 2)])
    sword.location = grip
    bpy.context.view_layer.update()
    return sword


def tip_of(sword: bpy.types.Object, frame: int) -> np.ndarray:
    bpy.context.scene.frame_set(frame)
    seen = sword.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array((seen.matrix_world @ sword.data.vertices[0].co)[:])


def test_the_tip_of_a_weapon_that_is_keyed_with_the_hand() -> None:
    person, target = add_person(), add_empty((0.1, -2.4, 1.4))
    sword = add_sword(person)
    rest = sword.matrix_world.copy()
    add_strike(person, 130, target, weapon=sword)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    np.testing.assert_allclose(tip_of(sword, 130), target.location, atol=0.02)
    for frame in (1, 80, 130, 150):
        grip = joint_place(person, "hand.R", frame)
        assert np.linalg.norm(np.array(sword.matrix_world.translation) - grip) < 0.12, "it stays in the hand"
    bpy.context.scene.frame_set(1)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    np.testing.assert_allclose(tip_of(sword, 130), target.location, atol=0.02)
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert sword.animation_data.action is None and person.animation_data.action is None
    np.testing.assert_allclose(np.array(sword.matrix_world), np.array(rest), atol=1e-5)


def test_a_weapon_that_hangs_on_the_hand_gets_no_keys() -> None:
    person, target = add_person(), add_empty((0.1, -2.4, 1.4))
    sword, bone = add_sword(person), rig_map_of(person).bones["hand.R"]
    constraint = sword.constraints.new("CHILD_OF")
    constraint.target, constraint.subtarget = person, bone
    constraint.inverse_matrix = (person.matrix_world @ person.pose.bones[bone].matrix).inverted()
    bpy.context.view_layer.update()
    add_strike(person, 130, target, weapon=sword)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert sword.animation_data is None
    np.testing.assert_allclose(tip_of(sword, 130), target.location, atol=0.02)


def test_what_cannot_be_struck_is_told() -> None:
    person, target = add_person(), add_empty((0.0, -0.7, 1.5))
    strike = add_strike(person, 90, None)
    assert "Choose the target of beat 1" in refusal_of(bpy.ops.footfall.bake_shot)
    gone = add_empty((0.0, 0.0, 1.0), "Gone")
    strike.target = gone
    bpy.data.scenes[0].collection.objects.unlink(gone)
    assert "was deleted: choose another" in refusal_of(bpy.ops.footfall.bake_shot)
    for own in (person, next(child for child in person.children), add_child(person)):
        strike.target = own
        assert "cannot be on the striking character" in refusal_of(bpy.ops.footfall.bake_shot)
    other = add_person((0.0, -3.0, 0.0))
    bpy.context.view_layer.objects.active = person
    strike.target = other
    assert "Choose the bone of" in refusal_of(bpy.ops.footfall.bake_shot)
    strike.target = target
    strike.end_frame = 5
    assert "cannot reach the target by frame 5: move the strike with the right hand" in why_skipped(person)
    strike.end_frame = 90
    target.location = (0.0, -0.75, 3.4)
    assert " cm short of its target" in why_skipped(person)
    target.location = (0.0, -0.02, 1.2)
    assert "cm inside the striking character" in why_skipped(person)
    target.location = (float("nan"), 0.0, 0.0)
    assert "has no valid position" in refusal_of(bpy.ops.footfall.bake_shot)
    box = add_box("Pad", (0.0, -0.7, 1.5), (0.1, 0.1, 0.1))
    strike.target, strike.place, strike.vertex = box, "VERTEX", 99
    assert "no longer has vertex 99, the target of a strike" in refusal_of(bpy.ops.footfall.bake_shot)
    assert person.animation_data is None, "nothing was written"


def add_child(person: bpy.types.Object) -> bpy.types.Object:
    """An empty that hangs on a bone of a character."""
    child = add_empty((0.0, 0.0, 0.0), "Child")
    child.parent, child.parent_type, child.parent_bone = person, "BONE", rig_map_of(person).bones["head"]
    return child


def test_weapons_that_cannot_strike_are_told() -> None:
    person, target = add_person(), add_empty((0.1, -2.4, 1.4))
    strike = add_strike(person, 130, target, weapon=add_mesh("Nothing", [], []))
    assert "has no tip, since it has no vertices" in refusal_of(bpy.ops.footfall.bake_shot)
    strike.weapon = add_box("Far", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
    assert (
        "cm away from the right hand: place it in the hand at this frame, or parent it to the bone of the hand"
        in refusal_of(bpy.ops.footfall.bake_shot)
    )
    strike.weapon = knob = add_box("Knob", joint_place(person, "hand.R", 1), (0.05, 0.05, 0.05))
    bpy.context.view_layer.update()
    assert "is too short as a weapon, since all its vertices are within" in refusal_of(bpy.ops.footfall.bake_shot)
    bpy.data.scenes[0].collection.objects.unlink(knob)
    assert "The weapon 'Knob' was deleted" in refusal_of(bpy.ops.footfall.bake_shot)


def test_a_combination_is_kept_as_a_preset() -> None:
    person, target = add_person(), add_empty((0.05, -0.7, 1.5))
    settings = person.footfall
    for frame, effector in ((40, "HAND_L"), (64, "HAND_R")):
        add_strike(person, frame, target, effector=effector)
    settings.interaction_tasks.add().type = "idle"
    assert settings.combination == "HAND_L:0.000 HAND_R:1.000"
    settings.combination = "FOOT_R:0.0 HAND_L:0.5 HAND_R:nan NOSE:1"
    *strikes, last = settings.interaction_tasks
    assert [(one.effector, one.end_frame) for one in strikes] == [("FOOT_R", 40), ("HAND_L", 52), ("HAND_R", 40)]
    assert all(one.type == "strike" and one.target == target for one in strikes) and last.type == "idle"
    assert bpy.ops.footfall.save_strike_preset(name="Kick and Jab") == {"FINISHED"}
    (file,) = Path(bpy.utils.user_resource("SCRIPTS")).rglob("footfall/strikes/*.py")
    assert "FOOT_R:0.000 HAND_R:0.000 HAND_L:0.500" in file.read_text()


def test_an_action_of_the_animator_is_kept() -> None:
    person, target = add_person(), add_empty((0.05, -0.7, 1.5))
    person.keyframe_insert("location", frame=1)
    own = person.animation_data.action
    add_strike(person, 90, target)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert person.animation_data.action != own and own.use_fake_user
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert person.animation_data.action == own
