"""Duels in Blender: beats on their markers' frames, what changes and what stays, and what is refused."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.duel.properties import PART_ITEMS
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.rig.store import rig_map_of
from footfall.core.control.duel.beats import STRUCK_PARTS
from footfall.core.control.duel.body_contact import effector_gap
from footfall.core.motion import Clip
from footfall.tests.addon.strike.test_strikes import add_person, add_sword, tip_of
from footfall.tests.addon.support.refusals import refusal_of


def add_pair() -> tuple[bpy.types.Object, bpy.types.Object]:
    first, second = add_person((0.0, 1.2, 0.1), 1.05), add_person((0.0, -1.4, 0.1))
    first.name, second.name = "Ada", "Bob"
    return first, second


def add_beat(striker: bpy.types.Object, receiver: bpy.types.Object, frame: int, **values: object):
    bpy.context.view_layer.objects.active = striker
    for one in bpy.context.scene.objects:
        one.select_set(one in (striker, receiver))
    assert bpy.ops.footfall.add_beat() == {"FINISHED"}
    beat = bpy.context.scene.footfall_duel.beats[-1]
    assert (beat.striker, beat.receiver) == (striker, receiver)
    beat.frame = frame
    for name, value in values.items():
        setattr(beat, name, value)
    return beat


def motion(armature: bpy.types.Object) -> tuple[Clip, int]:
    return read_mapped_action(armature, armature.animation_data.action, bpy.context.scene)


def gap(striker: bpy.types.Object, receiver: bpy.types.Object, frame: int, effector: str, part: str) -> float:
    """The distance between the surfaces of an end effector and a part, meters, negative inside."""
    (own, first), (other, _) = motion(striker), motion(receiver)
    pose, others = (clip.cut(frame - first, frame - first + 1) for clip in (own, other))
    return effector_gap(pose, 0, effector, others, part)


@pytest.mark.every_blender
def test_beats_are_met_on_their_frames() -> None:
    ada, bob = add_pair()
    add_beat(ada, bob, 110)
    add_beat(bob, ada, 150, answer="parry", part="chest")
    assert bpy.ops.footfall.bake_duel() == {"FINISHED"}
    assert abs(gap(ada, bob, 110, "hand.R", "head")) < 0.02
    assert min(abs(gap(bob, ada, 150, "hand.R", f"hand.{side}")) for side in "LR") < 0.03
    assert len(motion(ada)[0]) == len(motion(bob)[0])
    assert bpy.ops.footfall.revert_duel() == {"FINISHED"}
    assert ada.animation_data.action is None and bob.animation_data.action is None


def blade_of(sword: bpy.types.Object, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Grip and tip of a sword at a frame of the scene."""
    tip = tip_of(sword, frame)
    return np.array(sword.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation[:]), tip


def test_swords_meet_in_a_parry_and_strike_the_body() -> None:
    pair = ada, bob = add_pair()
    swords = [add_sword(one) for one in pair]
    for one, sword in zip(pair, swords, strict=True):
        one.footfall.combat.weapon = sword
    add_beat(ada, bob, 120, side="left", answer="parry")
    add_beat(bob, ada, 180, side="above")
    assert bpy.ops.footfall.bake_duel() == {"FINISHED"}
    (first, other), (second, tip) = (blade_of(sword, 120) for sword in swords)
    across = np.cross(other - first, tip - second)
    apart = abs((second - first) @ across) / np.linalg.norm(across)
    assert apart < 0.06, "capsules of blades are 1 to 1.5 cm thick"
    head = gap(bob, ada, 180, "hand.R", "head")
    assert 0.2 < head < 0.9, "the sword is between hand and head"
    for one, sword in zip(pair, swords, strict=True):
        clip, start = motion(one)
        hands = [clip.positions[120 - start, clip.skeleton.joint(role)] for role in ("hand.L", "hand.R")]
        grip, end = blade_of(sword, 120)
        blade, hilt = end - grip, hands[1] - hands[0]
        assert blade @ hilt > 0.7 * np.linalg.norm(blade) * np.linalg.norm(hilt), "along the line of both hands"
    actions = [sword.animation_data.action for sword in swords]
    assert bpy.ops.footfall.update_duel() == {"FINISHED"}
    assert [sword.animation_data.action for sword in swords] == actions
    assert bpy.ops.footfall.revert_duel() == {"FINISHED"}
    assert all(sword.animation_data.action is None for sword in swords)


def test_a_sword_that_hangs_across_the_hands_is_told() -> None:
    ada, bob = add_pair()
    sword = add_sword(ada)
    sword.rotation_euler.z = np.pi
    bone = rig_map_of(ada).bones["hand.R"]
    constraint = sword.constraints.new("CHILD_OF")
    constraint.target, constraint.subtarget = ada, bone
    constraint.inverse_matrix = (ada.matrix_world @ ada.pose.bones[bone].matrix).inverted()
    bpy.context.view_layer.update()
    ada.footfall.combat.weapon = sword
    add_beat(ada, bob, 120)
    assert (
        "degrees away from the line through both hands: turn it in the hand, or unparent it from the bone"
        in refusal_of(bpy.ops.footfall.bake_duel)
    )
    add_beat(bob, ada, 180, answer="parry")
    assert "Ada cannot parry the strike of Bob at frame 180" in refusal_of(bpy.ops.footfall.bake_duel)


def test_a_dragged_marker_retimes_its_beat() -> None:
    ada, bob = add_pair()
    beat = add_beat(ada, bob, 110)
    assert bpy.ops.footfall.bake_duel() == {"FINISHED"}
    marker = bpy.context.scene.timeline_markers[beat.marker]
    assert marker.frame == 110
    marker.frame = 131
    assert beat.frame == 131
    assert bpy.ops.footfall.update_duel() == {"FINISHED"}
    assert abs(gap(ada, bob, 131, "hand.R", "head")) < 0.02
    bpy.context.scene.timeline_markers.remove(marker)
    assert beat.frame == 110, "a beat without a marker keeps the frame that it was given"
    beat.frame = 120
    assert beat.frame == 120


def test_what_did_not_change_stays() -> None:
    ada, bob = add_pair()
    add_beat(ada, bob, 110)
    assert bpy.ops.footfall.bake_duel() == {"FINISHED"}
    actions = [one.animation_data.action for one in (ada, bob)]
    checked = [len(one.footfall.bake_records) for one in (ada, bob)]
    assert bpy.ops.footfall.update_duel() == {"FINISHED"}
    assert [one.animation_data.action for one in (ada, bob)] == actions
    assert [len(one.footfall.bake_records) for one in (ada, bob)] == checked


def test_beats_that_cannot_be_are_told() -> None:
    assert "Add a beat" in refusal_of(bpy.ops.footfall.bake_duel)
    ada, bob = add_pair()
    beat = add_beat(ada, bob, 110)
    beat.receiver = None
    assert "has no receiver" in refusal_of(bpy.ops.footfall.bake_duel)
    beat.receiver = ada
    assert "Ada strikes itself: let it strike another character" in refusal_of(bpy.ops.footfall.bake_duel)
    beat.receiver = bob
    other = add_beat(bob, ada, 110)
    assert "at frames 110 and 110 are 8 frames too close to each other" in refusal_of(bpy.ops.footfall.bake_duel)
    other.frame = 1
    assert "must come after frame 1" in refusal_of(bpy.ops.footfall.bake_duel)
    assert bpy.ops.footfall.remove_beat() == {"FINISHED"}
    assert len(bpy.context.scene.timeline_markers) == 1
    beat = bpy.context.scene.footfall_duel.beats[0]
    beat.frame = 10
    assert "at frame 10 comes" in refusal_of(bpy.ops.footfall.bake_duel)
    beat.frame = 110
    bob.location.z = 0.5
    bpy.context.view_layer.update()
    assert "stands 40 cm higher or lower than 'Ada'" in refusal_of(bpy.ops.footfall.bake_duel)
    bpy.data.objects.remove(bob)
    assert "has no receiver" in refusal_of(bpy.ops.footfall.bake_duel)
    assert ada.animation_data is None


def test_the_list_of_parts_is_that_of_duels() -> None:
    assert tuple(item[0] for item in PART_ITEMS) == STRUCK_PARTS


def test_a_beat_after_another_is_the_answer() -> None:
    ada, bob = add_pair()
    add_beat(ada, bob, 60)
    for one in bpy.context.scene.objects:
        one.select_set(False)
    bpy.context.view_layer.objects.active = None
    assert bpy.ops.footfall.add_beat() == {"FINISHED"}
    first, second = bpy.context.scene.footfall_duel.beats
    assert (second.striker, second.receiver) == (bob, ada) and second.frame == first.frame + 36
    assert bpy.ops.footfall.go_to_beat() == {"FINISHED"}
    assert bpy.context.scene.frame_current == second.frame
