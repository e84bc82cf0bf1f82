"""Two characters dance in Blender: hands meet on rigs of two sizes, one step is undone for both, refusals are told."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.activities.pair.dance_bake import DanceBake
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.core.control.pair.joined_hands import palm_distances
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import held_hands
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.addon.support.armatures import make_armature
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

LINE = [(0.0, 0.0, 0.3), (0.9, 0.0, 0.3)]
WALKER = "preset:locomotion"


def add_person(size: float = 1.0) -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller=WALKER) == {"FINISHED"}
    armature = bpy.context.object
    armature.scale = (size,) * 3
    return armature


def add_pair(points=LINE, size: float = 1.0) -> tuple[bpy.types.Object, bpy.types.Object]:
    """A follower of a size, and the active leader with a path."""
    follower, leader = add_person(size), add_person()
    bpy.context.view_layer.update()
    leader.footfall.path = add_curve("POLY", points)
    bpy.context.view_layer.objects.active = leader
    leader.footfall.partner.character, leader.footfall.partner.speed = follower, 0.2
    leader.footfall.partner.seed = 1
    return leader, follower


def motion_of(armature: bpy.types.Object) -> Clip:
    return read_action(armature, armature.animation_data.action, bpy.context.scene)[0]


@pytest.mark.every_blender
@pytest.mark.all_only("dances are baked in tests/addon/shot")
def test_both_rigs_dance_and_their_hands_meet() -> None:
    bpy.context.scene.render.fps = 60
    leader, follower = add_pair(size=1.08)
    assert bpy.ops.footfall.bake_pair() == {"FINISHED"}
    clips = motion_of(leader), motion_of(follower)
    assert len(clips[0]) == len(clips[1]) == bpy.context.scene.frame_end
    apart = palm_distances(*clips)[held_hands(*clips)]
    assert len(apart) > 100 and np.median(apart) < 0.01
    assert (deepest_overlap(*clips, held_hands(*clips)) > 0.02).mean() < 0.12
    for armature, clip in zip((leader, follower), clips, strict=True):
        balls = [clip.skeleton.joint(f"toe.{side}") for side in "LR"]
        heights = np.percentile(clip.positions[:, balls, 2] - LINE[0][2], (1, 50), axis=0)
        assert (heights > 0.005).all() and (heights < 0.07).all(), "both stand on the path's height"
        assert armature.footfall.quality_summary and armature.animation_data.action.footfall.segments
    middle = (clips[0].root_positions + clips[1].root_positions)[:, :2] / 2
    assert np.linalg.norm(middle[0]) < 0.35 and np.linalg.norm(middle[-1] - LINE[1][:2]) < 0.35


@pytest.mark.all_only("undo of both is tested")
def test_again_replaces_both_and_revert_takes_both_back() -> None:
    leader, follower = add_pair()
    assert not bpy.ops.footfall.update_pair.poll() and not bpy.ops.footfall.revert_pair.poll()
    kept = bpy.data.actions.new("By hand")
    follower.animation_data_create().action = kept
    assert bpy.ops.footfall.bake_pair() == {"FINISHED"}
    first = {armature: armature.animation_data.action.name for armature in (leader, follower)}
    assert kept.use_fake_user or kept.users
    leader.footfall.partner.seed = 2
    assert bpy.ops.footfall.update_pair() == {"FINISHED"}
    assert {armature: armature.animation_data.action.name for armature in (leader, follower)} == first
    assert len(bpy.data.actions) == 3
    assert bpy.ops.footfall.revert_pair() == {"FINISHED"}
    assert leader.animation_data.action is None and follower.animation_data.action == kept


def test_one_step_of_undo_takes_both_back() -> None:
    names = [armature.name for armature in add_pair()]
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.footfall.bake_pair("EXEC_DEFAULT", True) == {"FINISHED"}
    assert len(bpy.data.actions) == 2
    bpy.ops.ed.undo()
    armatures = [bpy.data.objects[name] for name in names]
    assert not bpy.data.actions and all(armature.animation_data is None for armature in armatures)
    assert armatures[0].footfall.partner.character == armatures[1]


def test_nothing_is_written_before_the_end() -> None:
    leader, follower = add_pair()
    work = DanceBake((leader, follower), bpy.context).work(bpy.context.scene)
    shares = []
    for share, _ in work:
        shares.append(share)
        assert leader.animation_data is None and follower.animation_data is None
        if share > 0.9:
            break
    work.close()
    assert shares == sorted(shares) and not bpy.data.actions


def refusal_of_poll() -> str:
    return refusal_of(bpy.ops.footfall.bake_pair)


def test_pairs_that_are_none() -> None:
    leader, follower = add_pair()
    partner = leader.footfall.partner
    partner.character = leader
    assert "cannot be its own partner" in refusal_of_poll()
    partner.character = None
    assert "Choose a partner" in refusal_of_poll()
    partner.character = follower
    bpy.context.scene.collection.objects.unlink(follower)
    assert "is no longer in the scene" in refusal_of_poll()


def test_a_rig_without_hands_or_without_a_body_is_a_sentence() -> None:
    leader, _ = add_pair()
    rig = make_armature()
    bpy.context.view_layer.objects.active = leader
    leader.footfall.partner.character = rig
    rig.rotation_euler = (0.0, 0.0, 0.0)
    assert "'Rig' has no bone mapped as" in refusal_of_poll()
    leader.footfall.partner.character = bare = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    bpy.context.collection.objects.link(bare)
    assert "No body was found in 'Bare'" in refusal_of_poll()


def test_paths_and_dances_that_do_not_fit() -> None:
    leader, _ = add_pair([(0.0, 0.0, 0.0), (0.2, 0.0, 0.0)])
    assert "s, too short for a dance" in refusal_of_poll()
    leader.footfall.path = None
    assert "Choose a path" in refusal_of_poll()
    leader.footfall.path = add_curve("POLY", LINE)
    leader.footfall.partner.dance = "FILE"
    assert "No dance is chosen" in refusal_of_poll()
    shipped = Path(__file__).parents[3] / "presets" / "controllers" / "locomotion_small.safetensors"
    leader.footfall.partner.dance_file = str(shipped)
    assert "does not move with a partner" in refusal_of_poll()


def test_a_partner_with_a_bake_of_its_own_keeps_it() -> None:
    leader, follower = add_pair()
    follower.footfall.path = add_curve("POLY", [(5.0, 0.0, 0.0), (7.0, 0.0, 0.0)], name="Own")
    bpy.context.view_layer.objects.active = follower
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    bpy.context.view_layer.objects.active = leader
    assert "was baked along its own path 'Own'" in refusal_of_poll()
    follower.footfall.path = None
    assert DanceBake((leader, follower), bpy.context)


def test_a_linked_partner_is_refused(tmp_path: Path) -> None:
    leader, follower = add_pair()
    file = tmp_path / "linked.blend"
    bpy.data.libraries.write(str(file), {follower})
    with bpy.data.libraries.load(str(file), link=True) as (_, wanted):
        wanted.objects = [follower.name]
    linked = wanted.objects[0]
    bpy.context.collection.objects.link(linked)
    leader.footfall.partner.character = linked
    assert "is linked from another file" in refusal_of_poll()


def test_a_character_deleted_during_the_bake_is_told() -> None:
    leader, follower = add_pair()
    work = DanceBake((leader, follower), bpy.context).work(bpy.context.scene)
    next(work)
    bpy.data.objects.remove(follower)
    with pytest.raises(FootfallError, match="was deleted: nothing was baked"):
        for _ in work:
            pass
    assert leader.animation_data is None
