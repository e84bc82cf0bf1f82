"""Root motion from stance: a trot on the spot travels after it, and the old action is kept."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon import compat
from footfall.blender_addon.animation.fcurve_io.curves import curves_of
from footfall.blender_addon.label.panel import FOOTFALL_PT_label_root_motion
from footfall.blender_addon.label.stance_operators import FOOTFALL_OT_root_motion_from_stance
from footfall.blender_addon.rig.character import add_character
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.core.motion.paws import paw_tracks
from footfall.core.retarget.stance_travel import stance_velocity
from footfall.tests.addon.support.panel_layout import drawn
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.write_clip import write_clip
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, trot

SPEED = 2 * BEAT_HZ * STRIDE_M
"""Speed of stance paws: their way in half a cycle."""
START = 11


def trotting_dog(travels: bool = False) -> bpy.types.Object:
    """A dog that trots from frame 11 on, and faces -Y."""
    bpy.context.scene.render.fps = 60
    clip, _ = trot(dog(), travels=travels)
    armature = add_character(bpy.context, clip.skeleton, "Dog")
    bpy.context.view_layer.objects.active = armature
    data = armature.animation_data_create()
    data.action = write_clip(armature, clip, "Trot", START)
    data.action_slot = compat.ensure_slot(data.action, armature)
    return armature


def travel_of(armature: bpy.types.Object, first: int, last: int) -> np.ndarray:
    """The way of the object, as Blender evaluates it."""
    places = []
    for frame in (first, last):
        bpy.context.scene.frame_set(frame)
        places.append(armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation[:])
    return np.subtract(places[1], places[0])


@pytest.mark.every_blender
def test_a_trot_on_the_spot_travels_and_its_paws_rest() -> None:
    armature = trotting_dog()
    armature.location = (2.0, 0.0, 0.0)
    old = armature.animation_data.action
    before = {channel: len(curve.keyframe_points) for channel, curve in curves_of(old, old.slots[0]).items()}
    assert bpy.ops.footfall.root_motion_from_stance() == {"FINISHED"}
    new = armature.animation_data.action
    assert new is not old and new.name == "Trot travelling" and len(new.slots) == 1
    np.testing.assert_allclose(travel_of(armature, START, START + 60), [0.0, -SPEED, 0.0], atol=0.02)
    assert abs(armature.location.x - 2.0) < 1e-5
    clip, _ = read_mapped_action(armature, new, bpy.context.scene)
    tracks = paw_tracks(clip)
    low = tracks[..., 2] < tracks[..., 2].min() + 1e-3
    steps = np.linalg.norm(np.diff(tracks[..., :2], axis=0), axis=-1)
    assert np.median(steps[low[1:] & low[:-1]]) < 1e-3, "standing paws do not slide"
    assert stance_velocity(clip) is None

    kept = {channel: len(curve.keyframe_points) for channel, curve in curves_of(old, old.slots[0]).items()}
    assert kept == before, "the old action is as it was"
    track = armature.animation_data.nla_tracks[-1]
    assert track.mute and track.strips[0].action == old


def test_one_undo_takes_it_back() -> None:
    armature = trotting_dog()
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.footfall.root_motion_from_stance("EXEC_DEFAULT", True) == {"FINISHED"}
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Dog"]
    assert armature.animation_data.action.name == "Trot" and not armature.animation_data.nla_tracks
    assert "Trot travelling" not in bpy.data.actions


@pytest.mark.every_blender
def test_a_turned_parent_and_keys_of_the_object_are_taken_into_account() -> None:
    armature = trotting_dog()
    parent = bpy.data.objects.new("Cart", None)
    bpy.context.collection.objects.link(parent)
    parent.rotation_euler, parent.scale = (0.0, 0.0, 0.5), (2.0, 2.0, 2.0)
    armature.parent = parent
    armature.location = (0.0, 0.0, 0.3)
    armature.keyframe_insert("location", frame=START)
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.root_motion_from_stance() == {"FINISHED"}
    ahead = np.array([np.sin(0.5), -np.cos(0.5), 0.0])
    np.testing.assert_allclose(travel_of(armature, START, START + 60), 2 * SPEED * ahead, atol=0.04)
    bpy.context.scene.frame_set(START)
    assert abs(armature.matrix_world.translation.z - 0.6) < 1e-4


def test_what_travels_or_is_held_is_refused_in_a_sentence() -> None:
    armature = trotting_dog(travels=True)
    assert "The planted feet of 'Trot' do not slide back over the ground" in refusal_of(
        bpy.ops.footfall.root_motion_from_stance
    )
    armature = trotting_dog()
    armature.constraints.new("LIMIT_LOCATION")
    assert "is held by its constraint" in refusal_of(bpy.ops.footfall.root_motion_from_stance)
    assert armature.animation_data.action.name.startswith("Trot") and len(armature.animation_data.nla_tracks) == 0


def test_the_panel_says_why_it_cannot_be_pressed() -> None:
    assert FOOTFALL_OT_root_motion_from_stance.why_not(bpy.context) == "Select an armature"
    armature = trotting_dog()
    assert drawn(FOOTFALL_PT_label_root_motion) == ["[Root Motion from Stance]"]
    armature.animation_data.action = None
    assert "The character has no action: bake or animate the character first" in " ".join(
        drawn(FOOTFALL_PT_label_root_motion)
    )
