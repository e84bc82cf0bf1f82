"""Characters that answer a partner's motion in Blender: distances, the actions, undo, and what is refused."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.scene.ground_tags import OBSTACLE, WALKABLE, set_tag
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import root_track, yaw_of
from footfall.core.motion.rotations import wrap_angle
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_box, add_curve, add_plane

LINE = [(0.0, 0.0, 0.2), (2.5, 0.0, 0.2), (2.5, 1.5, 0.2)]
WALKER = "preset:locomotion_small"
DISTANCE_M = 1.3


def add_person(size: float = 1.0) -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller=WALKER) == {"FINISHED"}
    bpy.context.object.scale = (size,) * 3
    bpy.context.view_layer.update()
    return bpy.context.object


def add_pair(relation: str, size: float = 1.0) -> tuple[bpy.types.Object, bpy.types.Object]:
    """A character that answers, which is active, and its partner with a baked walk."""
    partner = add_person()
    partner.footfall.path = add_curve("POLY", LINE)
    bpy.context.view_layer.objects.active = partner
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    armature = add_person(size)
    settings = armature.footfall.partner
    settings.character, settings.relation, settings.distance = partner, relation, DISTANCE_M
    return armature, partner


def motions(*armatures: bpy.types.Object) -> list[Clip]:
    return [read_action(one, one.animation_data.action, bpy.context.scene)[0] for one in armatures]


@pytest.mark.every_blender
@pytest.mark.parametrize(("relation", "size"), [("FACE", 1.0), ("FOLLOW", 1.15)])
def test_it_keeps_the_distance_and_looks_at_its_partner(relation: str, size: float) -> None:
    bpy.context.scene.render.fps = 30
    armature, partner = add_pair(relation, size)
    before = partner.animation_data.action
    assert bpy.ops.footfall.bake_pair() == {"FINISHED"}
    assert partner.animation_data.action == before, "the partner's motion stays as it is"
    own, other = motions(armature, partner)
    assert abs(len(own) - len(other)) <= 1
    count = min(len(own), len(other))
    tracks = [root_track(clip, 0.3) for clip in (own, other)]
    away = tracks[1].positions[:count] - tracks[0].positions[:count]
    assert np.percentile(np.abs(np.linalg.norm(away, axis=-1) - DISTANCE_M), 90) < 0.45
    assert np.median(np.abs(wrap_angle(yaw_of(away) - tracks[0].yaws[:count]))) < 0.3
    toes = own.positions[:, [own.skeleton.joint("toe.L"), own.skeleton.joint("toe.R")], 2]
    assert np.percentile(toes, 5) == pytest.approx(0.2 + 0.035 * size, abs=0.012), "on its partner's ground"


def test_again_and_back_concern_the_one_that_answers() -> None:
    armature, partner = add_pair("CIRCLE")
    walked = partner.animation_data.action
    assert bpy.ops.footfall.bake_pair() == {"FINISHED"}
    name = armature.animation_data.action.name
    armature.footfall.partner.circle_speed = -0.6
    assert bpy.ops.footfall.update_pair() == {"FINISHED"}
    assert armature.animation_data.action.name == name
    assert bpy.ops.footfall.revert_pair() == {"FINISHED"}
    assert armature.animation_data.action is None and partner.animation_data.action == walked


def test_what_cannot_be_answered() -> None:
    armature, partner = add_pair("DEFEND")
    assert "Choose a goal to defend" in refusal_of(bpy.ops.footfall.bake_pair)
    goal = bpy.data.objects.new("Goal", None)
    armature.footfall.partner.goal = goal
    assert "in this scene" in refusal_of(bpy.ops.footfall.bake_pair)
    bpy.context.collection.objects.link(goal)
    assert bpy.ops.footfall.bake_pair.poll()
    armature.footfall.controller = "preset:quadruped"
    assert "choose one for people" in refusal_of(bpy.ops.footfall.bake_pair)
    partner.animation_data.action = None
    assert "has no action for the partner to respond to" in refusal_of(bpy.ops.footfall.bake_pair)


def test_on_what_is_walked_on_and_beside_walls() -> None:
    bpy.context.scene.render.fps = 30
    floor, wall = add_plane(30.0), add_box("Wall", (1.0, 1.15, 1.2), (6.0, 0.2, 2.4))
    set_tag(floor, WALKABLE)
    set_tag(wall, OBSTACLE)
    for number in range(3):  # from x = 1.3, 1.6 and 1.9 on
        length = 4.0 - 0.3 * number
        middle = (1.3 + 0.3 * number + length / 2, 0.0, 0.085 * (number + 1))
        set_tag(add_box(f"Step {number}", middle, (length, 2.0, 0.17 * (number + 1))), WALKABLE)
    partner = add_person()
    partner.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (3.0, 0.0, 0.51)])
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    armature = add_person()
    settings = armature.footfall.partner
    settings.character, settings.relation, settings.distance = partner, "FOLLOW", DISTANCE_M
    assert bpy.ops.footfall.bake_pair() == {"FINISHED"}
    followed, _ = motions(armature, partner)
    assert followed.root_positions[-1, 2] - followed.root_positions[0, 2] > 0.3, "it climbs"
    settings.relation, settings.circle_speed = "CIRCLE", 0.7
    assert bpy.ops.footfall.update_pair() == {"FINISHED"}
    circled, _ = motions(armature, partner)
    assert circled.root_positions[:, 1].max() < 1.05 - 0.2, "it goes along the wall"
