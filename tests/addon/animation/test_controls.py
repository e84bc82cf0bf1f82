"""Clips brought to the controls of rigs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.benchmarks.procedural.bodies import adult
from footfall.benchmarks.scripted_rigs import RIGS
from footfall.benchmarks.scripted_rigs.measuring import Errors, assign, body_of, errors, in_hips, map_of
from footfall.benchmarks.scripted_rigs.models import mmd
from footfall.blender_addon.animation.controls import ControlTracks, solve_control_tracks
from footfall.blender_addon.animation.controls.control import plan_controls
from footfall.blender_addon.animation.controls.goals import ControlTargets
from footfall.blender_addon.animation.controls.poles import measure_bend
from footfall.blender_addon.animation.fcurve_io import read_rig
from footfall.blender_addon.animation.fcurve_io.slots import bone_of_path
from footfall.blender_addon.animation.layers import root_motion
from footfall.blender_addon.rig.store import rig_map_of
from footfall.core.motion import Clip
from footfall.core.motion import rotations as rot
from footfall.core.motion.bvh import read_bvh
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.retarget import retarget
from footfall.core.retarget.root_motion import RootAxes
from footfall.core.rig.rig_map import RigMap
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.empty_blender import empty_blender
from footfall.tests.addon.support.refusals import refused

pytestmark = pytest.mark.every_blender


FRAMES = 40
NEAR = 1e-4


@pytest.fixture(scope="module")
def rigify_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A file with a generated Rigify rig, and the rig's name: generating takes longest."""
    empty_blender()
    name = RIGS["rigify"]().name
    file = tmp_path_factory.mktemp("rigify") / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    return file, name


@pytest.fixture
def rigify(empty_file: None, rigify_file: tuple[Path, str]) -> bpy.types.Object:
    """A generated Rigify rig that is as it was generated."""
    file, name = rigify_file
    bpy.ops.wm.open_mainfile(filepath=str(file))
    return bpy.data.objects[name]


@pytest.fixture
def make_rig(request: pytest.FixtureRequest) -> Callable[[str], bpy.types.Object]:
    """Make one of the scripted rigs; Rigify's is generated once for all tests."""
    return lambda name: request.getfixturevalue("rigify") if name == "rigify" else RIGS[name]()


def made_up() -> Clip:
    """A body that sways, bends all its joints, and goes its way."""
    skeleton = adult().skeleton
    random = np.random.default_rng(1)
    times = np.linspace(0.0, 2.0 * np.pi, FRAMES)[:, None, None]
    waves = np.sin(times * random.integers(1, 3, (len(skeleton), 1)) + random.uniform(0, 6, (len(skeleton), 3)))
    rotations = rot.exp(0.3 * waves)
    for side in "LR":
        knee, elbow = skeleton.joint(f"shin.{side}"), skeleton.joint(f"forearm.{side}")
        rotations[:, knee] = rot.exp(np.stack([0.5 + 0.4 * waves[:, knee, 0], *np.zeros((2, FRAMES))], axis=-1))
        rotations[:, elbow] = rot.exp(np.stack([-0.5 + 0.4 * waves[:, elbow, 0], *np.zeros((2, FRAMES))], axis=-1))
    roots = np.stack([0.3 * times[:, 0, 0], -0.5 * times[:, 0, 0], 1 + 0.05 * np.sin(times[:, 0, 0])], axis=-1)
    return Clip(skeleton, 24.0, roots, rotations)


def captured() -> Clip:
    """A captured walk."""
    return read_bvh(WALK).resampled(24.0).cut(0, FRAMES)


MOTIONS = pytest.mark.parametrize("motion", (made_up, pytest.param(captured, marks=needs_clips)))


def motion_for(armature: bpy.types.Object, rig_map: RigMap, motion: Callable[[], Clip] = made_up) -> Clip:
    """The motion on the armature's body."""
    source = motion()
    return retarget(source, calibrate(source.skeleton, body_of(armature, rig_map)))


def bake(
    armature: bpy.types.Object, rig_map: RigMap, limbs: str = "FK", motion: Callable[[], Clip] = made_up
) -> tuple[Clip, ControlTracks, Errors]:
    """Brings the motion to the armature and lets Blender evaluate it."""
    clip = motion_for(armature, rig_map, motion)
    made = solve_control_tracks(armature, rig_map, clip, limbs, in_hips(clip))
    assign(armature, made.tracks, len(clip))
    return clip, made, errors(armature, clip, range(0, len(clip), 6))


def keyed_bones(made: ControlTracks) -> set[str]:
    return {str(bone_of_path(track.path) or track.group) for track in made.tracks}


@MOTIONS
@pytest.mark.parametrize("name", sorted(RIGS))
def test_fk_puts_every_joint_where_the_clip_has_it(
    make_rig: Callable[[str], bpy.types.Object], name: str, motion: Callable[[], Clip]
) -> None:
    armature = make_rig(name)
    rig_map = map_of(armature, name)
    clip, made, off = bake(armature, rig_map, motion=motion)
    assert len(clip.skeleton) >= 20, (name, clip.skeleton.names)
    assert off.place() < NEAR, (name, off.place())
    turned = off.turn("hips", "thigh", "shin", "foot", "toe", "head", "upper_arm", "forearm", "hand")
    assert turned < 0.1, (name, turned)
    assert made.warnings == (), (name, made.warnings)
    wanted = plan_controls(rig_map, clip.skeleton.roles, "FK")
    allowed = {control.bone for control in wanted.all_controls} | {setting.bone for setting in wanted.ik_settings}
    assert keyed_bones(made) <= allowed, (name, keyed_bones(made) - allowed)


@MOTIONS
@pytest.mark.parametrize("name", ("auto_rig_pro", "rigify"))
def test_ik_puts_feet_and_hands_and_bends_in_the_bodys_planes(
    make_rig: Callable[[str], bpy.types.Object], name: str, motion: Callable[[], Clip]
) -> None:
    armature = make_rig(name)
    rig_map = map_of(armature, name)
    clip, made, off = bake(armature, rig_map, "IK", motion)
    assert off.place("hips", "spine", "spine_2", "spine_3", "neck", "head", "thigh", "upper_arm") < NEAR, name
    assert off.place("foot", "hand", "toe") < 5e-4, (name, off.place("foot", "hand", "toe"))
    assert off.turn("foot", "hand", "toe") < 0.1, (name, off.turn("foot", "hand", "toe"))
    assert made.warnings == (), (name, made.warnings)
    assert made.evaluation_count < 40, made.evaluation_count
    keyed = keyed_bones(made)
    chosen = plan_controls(rig_map, clip.skeleton.roles, "IK")
    assert {pole.bone for pole in chosen.poles} <= keyed, name
    assert rig_map.control("thigh.L") not in keyed, name
    switched = [track for track in made.tracks if len(track.values) == 1 and '"]["' in track.path]
    assert len(switched) == len(chosen.ik_settings), [track.path for track in switched]
    assert all(track.interpolation == "CONSTANT" for track in switched)
    goals = ControlTargets(read_rig(armature), clip)
    for pole in chosen.poles:
        bend = measure_bend(goals, pole)
        for frame in range(0, len(clip), 6):
            bpy.context.scene.frame_set(1 + frame)
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
            first, knee = (
                goals.rig.to_world(np.array(posed[goals.bone(role)].head)) for role in (pole.upper, pole.middle)
            )
            aside = (knee - first) @ np.cross(bend.limb_axis[frame], bend.bend_direction[frame])
            assert abs(aside) < 1e-4, (name, pole.bone, frame, aside)


def test_poles_do_not_flip_where_limbs_are_straight() -> None:
    armature = RIGS["auto_rig_pro"]()
    rig_map = map_of(armature, "auto_rig_pro")
    clip = motion_for(armature, rig_map)
    goals = ControlTargets(read_rig(armature), clip)
    knee = clip.skeleton.joint("shin.L")
    straight = clip.rotations.copy()
    # From bent to straight, some degrees beyond, and back.
    straight[:, knee] = rot.exp(np.linspace(1.0, -0.05, len(clip))[:, None] * rot.log(straight[:, knee]))
    clip = Clip(clip.skeleton, clip.rate, clip.root_positions, straight)
    goals = ControlTargets(read_rig(armature), clip)
    pole = next(pole for pole in plan_controls(rig_map, clip.skeleton.roles, "IK").poles if pole.middle == "shin.L")
    out = measure_bend(goals, pole).bend_direction
    assert np.sum(out[1:] * out[:-1], axis=-1).min() > np.cos(np.radians(20))


def test_modes_and_locks_are_respected() -> None:
    armature = RIGS["mixamo"]()
    rig_map = map_of(armature, "mixamo")
    modes = ("XYZ", "ZYX", "AXIS_ANGLE", "YZX", "QUATERNION")
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = modes[number % len(modes)]
    _, made, off = bake(armature, rig_map)
    assert off.place() < NEAR, off.place()

    head, hand = armature.pose.bones["mixamorig:Head"], armature.pose.bones["mixamorig:LeftHand"]
    head.rotation_mode, head.lock_rotation[1] = "XYZ", True
    head.rotation_euler[1] = 0.1
    hand.lock_rotation, hand.rotation_mode = (True, True, True), "QUATERNION"
    _, made, off = bake(armature, rig_map)
    paths = {track.path: track for track in made.tracks}
    columns = [index for index, _ in paths['pose.bones["mixamorig:Head"].rotation_euler'].columns()]
    assert columns == [0, 2], columns
    assert 'pose.bones["mixamorig:LeftHand"].rotation_quaternion' not in paths
    assert off.place() < NEAR, "nothing hangs on them"


def test_hips_that_cannot_travel_are_told_of() -> None:
    armature = RIGS["unreal"]()
    rig_map = map_of(armature, "unreal")
    armature.pose.bones["pelvis"].lock_location = (True, True, True)
    _, made, _ = bake(armature, rig_map)
    assert made.warnings == (
        "The hips cannot move, so the character stays in place: disconnect 'pelvis' from the parent, or map another "
        "bone as Hips",
    ), made.warnings
    assert not any("pelvis" in track.path and "location" in track.path for track in made.tracks)


def test_what_carries_the_whole_character_stays() -> None:
    armature = RIGS["auto_rig_pro"]()
    rig_map = map_of(armature, "auto_rig_pro")
    armature.pose.bones["c_pos"].location = (0.3, 0.0, 0.2)
    _, made, off = bake(armature, rig_map, "IK")
    assert made.warnings == () and "c_pos" not in keyed_bones(made), (made.warnings, keyed_bones(made))
    assert off.place("hips", "head", "foot", "hand") < 5e-4
    armature.animation_data.action = None
    for frame, at in ((1, 0.0), (20, 1.0)):
        armature.pose.bones["c_pos"].location[0] = at
        armature.pose.bones["c_pos"].keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(5)
    place = armature.pose.bones["c_pos"].location[0]
    made = solve_control_tracks(
        armature, rig_map, motion_for(armature, rig_map), "IK", in_hips(motion_for(armature, rig_map))
    )
    held = next(track for track in made.tracks if track.group == "c_pos")
    assert held.values.shape == (1, 3) and abs(held.values[0, 0] - place) < 1e-6 and made.warnings == ()


def test_limbs_without_poles_are_told_of() -> None:
    armature = RIGS["auto_rig_pro"]()
    rig_map = map_of(armature, "auto_rig_pro")
    limbs = {role: replace(limb, pole=None) if "foot" in role else limb for role, limb in rig_map.ik.items()}
    _, made, off = bake(armature, replace(rig_map, ik=limbs), "IK")
    said = "These IK controls have no pole in the bone map, so the rig decides"
    assert len(made.warnings) == 1 and made.warnings[0].startswith(said), made.warnings
    assert off.place("foot", "hand") < 5e-4
    _, made, _ = bake(armature, replace(rig_map, ik=limbs), "FK")
    assert made.warnings == (), "by FK no pole is needed"


def test_the_rigs_own_ik_is_off_while_the_bake_plays() -> None:
    """As on models of MikuMikuDance, whose legs hang on IK targets."""
    armature = mmd()
    solvers = [armature.pose.bones[f"{side}ひざ"].constraints["IK"] for side in "左右"]
    _, made, off = bake(armature, rig_map_of(armature))
    assert made.warnings == ("The rig's own IK is switched off during the bake on these bones: '左ひざ', '右ひざ'",)
    assert off.place("foot") < 5e-4
    assert [solver.influence for solver in solvers] == [0.0, 0.0]


def test_constraints_that_fight_are_named_and_left_alone() -> None:
    armature = RIGS["mixamo"]()
    rig_map = map_of(armature, "mixamo")
    limit = armature.pose.bones["mixamorig:Head"].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    limit.owner_space = "LOCAL"
    ik = armature.pose.bones["mixamorig:RightFoot"].constraints.new("IK")
    target = bpy.data.objects.new("Target", None)
    bpy.context.collection.objects.link(target)
    ik.target, ik.chain_count, ik.use_tail = target, 2, False
    _, made, off = bake(armature, rig_map)
    assert (
        "The constraint 'Limit Rotation' of bone 'mixamorig:Head' keeps these bones away from the baked motion: "
        "'mixamorig:Head'"
    ) in made.warnings
    said = next(warning for warning in made.warnings if "'IK'" in warning)
    assert said.startswith("The constraint 'IK' of bone 'mixamorig:RightFoot' keeps these bones away "), made.warnings
    assert "RightUpLeg" in said and "RightLeg" in said and len(made.warnings) == 2, made.warnings
    assert made.evaluation_count < FRAMES, "nothing is stepped through for that"
    assert not limit.mute and limit.influence == 1.0 and not ik.mute
    assert off.places[:, off.roles["foot.L"]].max() < NEAR


def test_what_cannot_be_told_apart_is_stepped_through() -> None:
    armature = RIGS["unreal"]()
    bpy.ops.object.mode_set(mode="EDIT")
    made = armature.data.edit_bones
    mixed = made.new("mixed")
    mixed.head, mixed.tail = made["neck_01"].head, made["neck_01"].tail
    mixed.parent, made["neck_01"].parent = made["spine_03"], mixed
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone, share in (("pelvis", 0.4), ("thigh_l", 0.3), ("upperarm_r", 0.2)):
        copy = armature.pose.bones["mixed"].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget, copy.influence = armature, bone, share
        copy.owner_space = copy.target_space = "LOCAL"
        copy.mix_mode = "AFTER"
    rig_map = map_of(armature, "unreal")
    _, tracks, off = bake(armature, rig_map)
    assert tracks.evaluation_count > FRAMES, "every frame is posed"
    assert off.place() < NEAR and off.turn() < 0.1, (off.place(), off.turn())
    assert tracks.warnings == (), tracks.warnings


@pytest.mark.parametrize("target", ("ROOT_BONE", "OBJECT"))
def test_a_root_bone_and_the_object_carry(target: str) -> None:
    armature = RIGS["unreal"]()
    armature.location, armature.rotation_euler = (0.5, -1.0, 0.0), (0.0, 0.0, 0.7)
    bpy.context.view_layer.update()
    rig_map = map_of(armature, "unreal")
    clip = motion_for(armature, rig_map)
    root = root_motion.root_motion(rig_map.bones["root"], clip, target, RootAxes(), 0.0)
    made = solve_control_tracks(armature, rig_map, root_motion.remove_object_motion(armature, clip, root), "FK", root)
    assert "root" not in keyed_bones(made), target
    assign(armature, [*made.tracks, *root_motion.root_tracks(armature, root)], len(clip))
    seen: list[float] = []
    for frame in range(0, len(clip), 6):
        bpy.context.scene.frame_set(1 + frame)
        evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        heads = [evaluated.matrix_world @ evaluated.pose.bones[name].head for name in clip.skeleton.names]
        seen.append(float(np.linalg.norm(np.array(heads) - clip.positions[frame], axis=-1).max()))
    assert max(seen) < 2 * NEAR, (target, max(seen))


def test_nothing_is_left_behind() -> None:
    armature = RIGS["auto_rig_pro"]()
    rig_map = map_of(armature, "auto_rig_pro")
    clip = motion_for(armature, rig_map)
    kinds = ("objects", "armatures", "scenes", "actions", "collections", "worlds", "texts")
    armature.data.pose_position = "REST"
    before = [len(getattr(bpy.data, kind)) for kind in kinds]
    pose = [np.array(bone.matrix_basis) for bone in armature.pose.bones]
    switches = [bone["ik_fk_switch"] for bone in armature.pose.bones if "ik_fk_switch" in bone]
    solve_control_tracks(armature, rig_map, clip, "IK", in_hips(clip))
    assert [len(getattr(bpy.data, kind)) for kind in kinds] == before
    assert all(
        np.array_equal(np.array(bone.matrix_basis), old) for bone, old in zip(armature.pose.bones, pose, strict=True)
    )
    assert [bone["ik_fk_switch"] for bone in armature.pose.bones if "ik_fk_switch" in bone] == switches
    assert armature.data.pose_position == "REST"
    assert armature.animation_data is None or armature.animation_data.action is None


def refusal(armature: bpy.types.Object, rig_map: RigMap, clip: Clip, limbs: str = "IK") -> str:
    return refused(solve_control_tracks, armature, rig_map, clip, limbs, in_hips(clip))


def test_what_is_missing_is_said_in_one_sentence() -> None:
    armature = RIGS["auto_rig_pro"]()
    rig_map = map_of(armature, "auto_rig_pro")
    clip = motion_for(armature, rig_map)
    del armature.pose.bones["c_foot_ik.l"]["ik_fk_switch"]
    said = refusal(armature, rig_map, clip)
    assert "'c_foot_ik.l'" in said and "'ik_fk_switch'" in said and said.count(". ") == 0, said
    armature.data.bones["c_leg_pole.r"].name = "other"
    said = refusal(armature, rig_map, clip)
    assert "'c_leg_pole.r'" in said and said.count(". ") == 0, said


def test_linked_rigs_are_refused_and_overridden_ones_work(tmp_path: Path) -> None:
    armature = RIGS["mixamo"]()
    name = armature.name
    path = str(tmp_path / "rig.blend")
    bpy.data.libraries.write(path, {armature})
    empty_blender()
    with bpy.data.libraries.load(path, link=True) as (_, into):
        into.objects = [name]
    linked = into.objects[0]
    bpy.context.collection.objects.link(linked)
    rig_map = map_of(linked, "mixamo")
    clip = motion_for(linked, rig_map)
    assert "linked from another file" in refusal(linked, rig_map, clip)
    own = linked.override_create(remap_local_usages=True)
    clip, made, off = bake(own, map_of(own, "mixamo"))
    assert off.place() < NEAR, off.place()
    assert made.warnings == ()
