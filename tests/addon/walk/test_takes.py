"""Takes in Blender: several bakes of one walk, of which one is chosen."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.shot.takes.overlay import ghosts, read_shown_takes
from footfall.core.motion.rotations import Array, length
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

LINE = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)]


def add_walker(controller: str = "preset:locomotion_small") -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", LINE)
    return armature


def positions(armature: bpy.types.Object, action: bpy.types.Action) -> Array:
    return read_action(armature, action, bpy.context.scene)[0].positions


@pytest.mark.every_blender
def test_takes_differ_and_the_first_is_the_characters_bake() -> None:
    armature = add_walker()
    assert bpy.ops.footfall.bake_takes(count=3) == {"FINISHED"}
    takes = armature.footfall.takes
    assert [item.seed for item in takes] == [1, 2, 3] and all(item.quality for item in takes)
    assert armature.animation_data.action == armature.footfall.baked_action == takes[0].action
    walks = [positions(armature, item.action) for item in takes]
    for one, other in ((0, 1), (1, 2)):
        count = min(len(walks[one]), len(walks[other]))
        assert length(walks[one][:count] - walks[other][:count]).max() > 0.05, "another first step"


def test_a_take_that_is_used_is_made_again_by_the_next_bake() -> None:
    armature = add_walker()
    assert bpy.ops.footfall.bake_takes(count=2) == {"FINISHED"}
    armature.footfall.active_take = 1
    assert bpy.ops.footfall.use_take() == {"FINISHED"}
    take = armature.footfall.takes[1]
    assert armature.animation_data.action == take.action and armature.footfall.seed == 2
    before = positions(armature, take.action)
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    np.testing.assert_allclose(positions(armature, armature.animation_data.action), before, atol=1e-5)


def test_takes_of_another_controller_stand_beside_them() -> None:
    armature = add_walker()
    assert bpy.ops.footfall.bake_takes(count=1) == {"FINISHED"}
    armature.footfall.controller = "preset:locomotion"
    assert bpy.ops.footfall.bake_takes(count=1) == {"FINISHED"}
    assert [item.controller for item in armature.footfall.takes] == ["preset:locomotion_small", "preset:locomotion"]
    armature.footfall.active_take = 0
    assert bpy.ops.footfall.use_take() == {"FINISHED"}
    assert armature.footfall.controller == "preset:locomotion_small"


def test_ghosts_are_the_others_or_those_with_stars() -> None:
    armature = add_walker()
    assert bpy.ops.footfall.bake_takes(count=4) == {"FINISHED"}
    scene = bpy.context.scene
    assert not ghosts(armature, scene), "drawing reads no take"
    read_shown_takes(armature, scene)
    shown = ghosts(armature, scene)
    assert len(shown) == 3 and len({tuple(side) for *_, side in shown}) == 3
    armature.footfall.takes[2].has_star = True
    assert len(ghosts(armature, scene)) == 1


def test_takes_are_strips_of_which_one_is_heard() -> None:
    armature = add_walker()
    assert bpy.ops.footfall.bake_takes(count=2) == {"FINISHED"}
    armature.footfall.active_take = 1
    assert bpy.ops.footfall.takes_to_nla(blend=5) == {"FINISHED"}
    tracks = armature.animation_data.nla_tracks
    assert [track.mute for track in tracks] == [True, False] and armature.animation_data.action is None
    assert [track.strips[0].action for track in tracks] == [item.action for item in armature.footfall.takes]
    assert all(track.strips[0].blend_in == 5 for track in tracks)


def test_removed_and_deleted_takes() -> None:
    armature = add_walker()
    assert "The list of takes is empty: press Bake Takes" in refusal_of(bpy.ops.footfall.use_take)
    assert bpy.ops.footfall.bake_takes(count=2) == {"FINISHED"}
    bpy.data.actions.remove(armature.footfall.takes[1].action)
    armature.footfall.active_take = 1
    assert "The action of the active take was deleted: remove the take from the list" in refusal_of(
        bpy.ops.footfall.use_take
    )
    assert "was deleted" in refusal_of(bpy.ops.footfall.takes_to_nla)
    assert bpy.ops.footfall.remove_take() == {"FINISHED"}
    assert len(armature.footfall.takes) == 1


def test_takes_are_actions_of_their_own() -> None:
    armature = add_walker()
    armature.footfall.output.destination = "STRIP"
    assert "Each take needs its own action" in refusal_of(bpy.ops.footfall.bake_takes)
