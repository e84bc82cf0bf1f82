"""Fights as beats in Blender: blows on their frames, weapons in both hands, and what is told."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.interaction.properties import PART_ITEMS
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.rig.store import rig_map_of
from footfall.core.control.duel.beats import STRUCK_PARTS
from footfall.core.control.duel.body_contact import effector_gap
from footfall.core.motion import Clip
from footfall.tests.addon.strike.test_strikes import add_person, add_sword, tip_of
from footfall.tests.addon.support.refusals import refusal_of


def add_pair() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Ada, taller and active, and Bob, who face each other at the distance of a fight."""
    bob, ada = add_person((0.0, -0.7, 0.1)), add_person((0.0, 0.7, 0.1), 1.05)
    bob.rotation_euler.z = np.pi
    ada.name, bob.name = "Ada", "Bob"
    bpy.context.view_layer.update()
    return ada, bob


def add_fight(one: bpy.types.Object, other: bpy.types.Object, frame: int = 0, **values: object):
    """A beat in which a character strikes another one at a frame; without a frame, it only answers."""
    beat = one.footfall.interaction_tasks.add()
    beat.type, beat.partner, beat.attacks = "fight", other, frame > 0
    beat.has_end, beat.end_frame = frame > 0, frame
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
def test_blows_are_met_on_their_frames_and_a_marker_retimes_them() -> None:
    ada, bob = add_pair()
    add_fight(ada, bob, 110)
    parried = add_fight(bob, ada, 150, answer="parry", part="chest")
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert abs(gap(ada, bob, 110, "hand.R", "head")) < 0.02
    assert min(abs(gap(bob, ada, 150, "hand.R", f"hand.{side}")) for side in "LR") < 0.03
    assert len(motion(ada)[0]) == len(motion(bob)[0])
    names = [one.animation_data.action.name for one in (ada, bob)]
    bpy.context.scene.timeline_markers.new("Later", frame=161)
    parried.end_marker, parried.answer, parried.part = "Later", "hit", "head"
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert abs(gap(bob, ada, 161, "hand.R", "head")) < 0.02
    assert [one.animation_data.action.name for one in (ada, bob)] == names
    for one in (ada, bob):
        bpy.context.view_layer.objects.active = one
        assert bpy.ops.footfall.revert_bake() == {"FINISHED"} and one.animation_data.action is None


def blade_of(sword: bpy.types.Object, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Grip and tip of a sword at a frame of the scene."""
    tip = tip_of(sword, frame)
    return np.array(sword.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation[:]), tip


def test_swords_meet_in_a_parry_and_strike_the_body() -> None:
    pair = ada, bob = add_pair()
    swords = [add_sword(one) for one in pair]
    add_fight(ada, bob, 120, side="left", answer="parry", weapon=swords[0])
    add_fight(bob, ada, 180, side="above", weapon=swords[1])
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
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
    for one, sword in zip(pair, swords, strict=True):
        bpy.context.view_layer.objects.active = one
        assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
        assert sword.animation_data.action is None


def test_a_sword_that_hangs_across_the_hands_is_told() -> None:
    ada, bob = add_pair()
    sword = add_sword(ada)
    sword.rotation_euler.z = np.pi
    bone = rig_map_of(ada).bones["hand.R"]
    constraint = sword.constraints.new("CHILD_OF")
    constraint.target, constraint.subtarget = ada, bone
    constraint.inverse_matrix = (ada.matrix_world @ ada.pose.bones[bone].matrix).inverted()
    bpy.context.view_layer.update()
    add_fight(ada, bob, 120, weapon=sword)
    answers = add_fight(bob, ada)
    assert (
        "degrees away from the line through both hands: turn it in the hand, or unparent it from the bone"
        in refusal_of(bpy.ops.footfall.bake_shot)
    )
    answers.attacks, answers.answer, answers.has_end, answers.end_frame = True, "parry", True, 180
    assert "Ada cannot parry the strike of Bob at frame 180" in refusal_of(bpy.ops.footfall.bake_shot)
    assert ada.animation_data is None and bob.animation_data is None


def test_the_list_of_parts_is_that_of_duels() -> None:
    assert tuple(item[0] for item in PART_ITEMS) == STRUCK_PARTS
