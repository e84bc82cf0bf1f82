"""Characters, paths and bakes."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from footfall.blender_addon.activities.walk.bake import WalkBake
from footfall.blender_addon.animation.fcurve_io import read_action, read_rig
from footfall.blender_addon.scene.ground_tags import set_tag
from footfall.core.body import bone_ends
from footfall.core.models.model_file import load_model
from footfall.tests.addon.support.armatures import import_bvh, posed_heads
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve, add_mesh

pytestmark = [pytest.mark.every_blender, needs_clips]


CORNERS = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 3.0, 0.0)]


def add_character(statue: Path) -> bpy.types.Object:
    assert bpy.ops.footfall.add_character(controller="file", filepath=str(statue)) == {"FINISHED"}
    return bpy.context.object


def test_a_character_is_the_controllers_skeleton_with_a_body(statue: Path) -> None:
    armature = add_character(statue)
    model = load_model(statue)
    rig = read_rig(armature)
    assert set(rig.names) == set(model.skeleton.names)
    bones = [rig.index[name] for name in model.skeleton.names]
    offsets = rig.skeleton(bones).offsets
    assert np.abs(offsets[1:] - model.skeleton.offsets[1:]).max() < 1e-5
    heads, tails = bone_ends(model.skeleton)
    assert abs(min(heads[:, 2].min(), tails[:, 2].min())) < 1e-6, "stands on the ground"
    thigh = armature.data.bones["lfemur"]
    assert (thigh.tail_local - armature.data.bones["ltibia"].head_local).length < 1e-5
    body = armature.children[0]
    weights = [sum(group.weight for group in vertex.groups) for vertex in body.data.vertices]
    np.testing.assert_allclose(weights, 1.0, atol=1e-6)
    assert {group.name for group in body.vertex_groups} <= set(rig.names)
    height = max((body.matrix_world @ v.co).z for v in body.data.vertices)
    assert 1.4 < height < 2.1, height


def direct(statue: Path, armature, speed: float = 1.2) -> bpy.types.Object:
    curve = add_curve("BEZIER", [(0, 0, 0.2), (2, 0, 0.2), (4, 0, 0.2)])
    armature.footfall.controller, armature.footfall.controller_file = "file", str(statue)
    armature.footfall.path, armature.footfall.speed = curve, speed
    return curve


def test_a_bake_follows_the_path_and_can_be_undone(statue: Path) -> None:
    armature = add_character(statue)
    curve = direct(statue, armature)
    bpy.context.scene.render.fps, bpy.context.scene.frame_start = 30, 11
    bpy.ops.ed.undo_push(message="set up")
    assert bpy.ops.footfall.bake_shot("EXEC_DEFAULT", True) == {"FINISHED"}
    action = armature.animation_data.action
    assert action.name == f"{armature.name} {curve.name}" and armature.animation_data.action_slot
    assert armature.footfall.quality_summary and armature.footfall.baked_action == action
    clip, first = read_action(armature, action, bpy.context.scene)
    assert (first, clip.rate) == (11, 30.0)
    assert 3.0 < len(clip) / clip.rate < 9.0, "4 m at 1.2 m/s and standing before and after"
    roots = clip.positions[:, clip.skeleton.joint("hips")]
    assert np.linalg.norm(roots[0, :2]) < 0.3 and np.linalg.norm(roots[-1, :2] - (4, 0)) < 0.6, roots[-1]
    assert 0.7 < roots[:, 2].mean() - 0.2 < 1.1, "on the path's height"
    assert {s.kind for s in action.footfall.segments} == {"CONTACT", "GAIT", "ACTION"}
    name, armature_name = action.name, armature.name
    bpy.ops.ed.undo()
    assert name not in bpy.data.actions and bpy.data.objects[armature_name].animation_data is None
    bpy.ops.ed.redo()
    assert bpy.data.objects[armature_name].animation_data.action.name == name


def test_bakes_again_after_the_path_changed(statue: Path) -> None:
    armature = add_character(statue)
    curve = direct(statue, armature)
    assert not bpy.ops.footfall.update_bake.poll()
    bpy.ops.footfall.bake_shot()
    first_name = armature.animation_data.action.name
    curve.location.x += 3.0
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    again = armature.animation_data.action
    assert again.name == first_name and len(bpy.data.actions) == 1, "an untouched bake gives way"
    clip, _ = read_action(armature, again, bpy.context.scene)
    assert abs(clip.positions[0, 0, 0] - 3.0) < 0.3
    bag = again.layers[0].strips[0].channelbag(again.slots[0])
    bag.fcurves[0].keyframe_points[3].co[1] += 0.1
    bpy.ops.footfall.update_bake()
    assert len(bpy.data.actions) == 2 and again.users > 0, "an edited bake is kept"
    assert armature.animation_data.nla_tracks[0].mute and armature.animation_data.action != again


def test_a_bake_leaves_tweak_mode_and_keeps_what_was_tweaked(statue: Path) -> None:
    armature = import_bvh(WALK)
    mocap, data = armature.animation_data.action, armature.animation_data
    strip = data.nla_tracks.new().strips.new("take", 1, mocap)
    strip.action_slot = data.action_slot
    data.action = None
    data.nla_tracks[0].select = strip.select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    direct(statue, armature)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert not data.use_tweak_mode and data.action.name.endswith(" Path") and strip.action == mocap


def test_the_importers_armature_walks_in_its_own_size(statue: Path) -> None:
    armature = import_bvh(WALK, scale=0.008)
    mocap = armature.animation_data.action
    direct(statue, armature)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert mocap.users and armature.animation_data.nla_tracks[0].strips[0].action == mocap
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    assert np.linalg.norm(clip.positions[-1, 0, :2] - (4, 0)) < 0.5, "the path is the same"
    assert 0.5 < clip.positions[:, 0, 2].mean() - 0.2 < 0.8, "the hips are lower"


def test_a_rig_stands_on_its_own_soles(statue: Path) -> None:
    """A rig that is built upon its origin says how high the balls of its feet are; others stand as most people do.

    A statue on wheels touches nothing: all of them are as far above the ground as its feet are.
    """
    above = None
    for height, stands in ((-0.7, 0.035), (0.018, 0.018), (0.05, 0.05)):
        armature = import_bvh(WALK)
        armature.animation_data_clear()
        up = height - armature.data.bones["ltoes"].head_local.z
        armature.data.transform(Matrix.Translation((0.0, 0.0, up)))
        direct(statue, armature)
        armature.location.z = 0.2
        assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
        balls = posed_heads(armature, ["ltoes", "rtoes"], 1)[:, 2] - 0.2
        above = balls.mean() - stands if above is None else above
        assert abs(balls.mean() - above - stands) < 0.006, (height, balls, above)
    assert above is not None and 0.0 <= above < 0.04


def test_a_bake_walks_on_what_is_tagged(statue: Path) -> None:
    armature = add_character(statue)
    curve = direct(statue, armature)
    ramp = add_mesh("Ramp", [(-2, -1, 0), (6, -1, 1.6), (6, 1, 1.6), (-2, 1, 0)], [(0, 1, 2, 3)])
    set_tag(ramp, "walkable")
    curve.location.z = 0.8
    scene = bpy.context.scene
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    clip, first = read_action(armature, armature.animation_data.action, scene)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    above = hips[:, 2] - (0.4 + 0.2 * hips[:, 0])
    assert np.ptp(hips[:, 2]) > 0.5 and np.ptp(above) < 0.25, (np.ptp(hips[:, 2]), np.ptp(above))
    assert bpy.context.scene.frame_current == scene.frame_current and first == scene.frame_start


def test_a_bake_tells_of_its_ground(statue: Path) -> None:
    armature = add_character(statue)
    curve = direct(statue, armature)
    bake = WalkBake(armature, bpy.context)
    assert not bake.warnings and abs(bake.start_ground_height - 0.2) < 1e-6, bake.warnings
    for point in curve.data.splines[0].bezier_points:
        point.co.z += point.co.x
    assert "there is no ground under it, so the walk stays" in WalkBake(armature, bpy.context).warnings[0]
    platform = add_mesh("Platform", [(-1, -1, 0.1), (2, -1, 0.1), (2, 1, 0.1), (-1, 1, 0.1)], [(0, 1, 2, 3)])
    set_tag(platform, "walkable")
    hidden = add_mesh("Hidden", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    set_tag(hidden, "walkable")
    hidden.hide_set(True)
    bake = WalkBake(armature, bpy.context)
    assert abs(bake.start_ground_height - 0.1) < 1e-6 and bake.warnings[0].startswith("'Hidden' is hidden")
    assert "There is no ground under" in bake.warnings[1], bake.warnings
    platform.location.z = 0.3
    platform.keyframe_insert("location", frame=1)
    assert "frame by frame: 'Platform'" in " ".join(WalkBake(armature, bpy.context).warnings)


def test_bakes_that_cannot_be_are_refused_and_change_nothing(statue: Path) -> None:
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    curve = direct(statue, armature)
    assert "No body was found" in refusal_of(bpy.ops.footfall.bake_shot)
    armature.footfall.controller = "run:lost"
    assert not bpy.ops.footfall.bake_shot.poll(), "a controller that is gone"
    armature.footfall.controller, armature.footfall.controller_file = "file", ""
    assert "No controller is selected" in refusal_of(bpy.ops.footfall.bake_shot)
    armature.footfall.controller_file = __file__
    assert "Controller file" in refusal_of(bpy.ops.footfall.bake_shot)
    curve.data.splines.clear()
    armature = add_character(statue)
    direct(statue, armature)
    armature.footfall.style = "sneak"
    assert "no style 'sneak': choose one of crouch" in refusal_of(bpy.ops.footfall.bake_shot)
    armature.footfall.style = ""
    armature.footfall.path = curve
    assert "fewer than two points" in refusal_of(bpy.ops.footfall.bake_shot)
    armature.footfall.path = None
    assert not bpy.ops.footfall.bake_shot.poll()
    assert not bpy.data.actions and armature.animation_data is None


def test_linked_and_overridden_armatures(tmp_path: Path, statue: Path) -> None:
    armature = add_character(statue)
    library = tmp_path / "library.blend"
    name = armature.name
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = [name]
    linked = wanted.objects[0]
    bpy.context.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    assert not bpy.ops.footfall.bake_shot.poll()
    own = linked.override_create(remap_local_usages=True)
    own.data.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = own
    direct(statue, own)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert own.animation_data.action.footfall.segments and "footfall_phase" not in own


@pytest.mark.parametrize("touched", (False, True))
def test_an_override_keeps_its_own_settings(tmp_path: Path, statue: Path, touched: bool) -> None:
    """Also where the library's own armature was never touched by Footfall."""
    armature = import_bvh(WALK)
    armature.animation_data_clear()
    if touched:
        armature.footfall.speed, armature.footfall.output.blend_in, armature.footfall.seed = 2.5, 4, 3
    name, library, shot = armature.name, tmp_path / f"actor {touched}.blend", tmp_path / f"shot {touched}.blend"
    bpy.data.libraries.write(str(library), {armature})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = [name]
    bpy.context.collection.objects.link(wanted.objects[0])
    own = wanted.objects[0].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.view_layer.objects.active = own
    direct(statue, own)
    settings, output = own.footfall, own.footfall.output
    settings.speed, settings.start = 0.9, "CURRENT"
    settings.controller_choice = "file"
    output.destination, output.blend_in, output.root_motion = "STRIP", 7, "OBJECT"
    output.root_axes, output.reduce_keys = (True, False, True), True
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    before, baked = said_by(settings), settings.baked_action.name
    for _ in range(2):
        bpy.ops.wm.save_as_mainfile(filepath=str(shot))
        bpy.ops.wm.open_mainfile(filepath=str(shot))
        own = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.override_library)
        settings = own.footfall
        assert said_by(settings) == before, (touched, said_by(settings), before)
    assert settings.controller == "file" and settings.controller_choice == "file"
    assert settings.path.name == "Path" and settings.path.library is None
    assert settings.baked_action.name == baked and [bake.action.name for bake in settings.bake_records] == [baked]
    assert settings.seed == (3 if touched else 0), "what it does not say is as in the library"
    bpy.context.view_layer.objects.active = own
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"} and not settings.bake_records


def said_by(settings: bpy.types.PropertyGroup) -> list[object]:
    """What is set, to compare."""
    output = settings.output
    return [
        *(settings.controller, settings.controller_file, settings.path.name, settings.speed, settings.start),
        *(
            output.destination,
            output.blend_in,
            output.root_motion,
            tuple(output.root_axes),
            output.reduce_keys,
            output.controls,
        ),
        *(
            (bake.destination, bake.action.name, bake.fingerprint, bake.previous_state)
            for bake in settings.bake_records
        ),
    ]


def test_a_librarys_own_bake_stays(tmp_path: Path, statue: Path) -> None:
    armature = add_character(statue)
    direct(statue, armature)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    theirs, library, name = armature.animation_data.action.name, tmp_path / "baked.blend", armature.name
    bpy.data.libraries.write(str(library), {armature})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = [name]
    bpy.context.collection.objects.link(wanted.objects[0])
    own = wanted.objects[0].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.view_layer.objects.active = own
    own.footfall.path = add_curve("POLY", [(0, 0, 0), (0, 3, 0)], name="Other")
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert own.animation_data.action.library is None and own.animation_data.action.name != theirs
    assert any(action.name == theirs and action.library for action in bpy.data.actions), "it is still there"
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert own.animation_data.action.name == theirs
    assert not bpy.ops.footfall.revert_bake.poll(), "what the library baked is taken back there"
