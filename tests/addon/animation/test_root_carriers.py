"""Root motion done by the object or by a root bone."""

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action, read_rig
from footfall.blender_addon.animation.fcurve_io.curves import bone_path
from footfall.blender_addon.animation.fcurve_io.rotation_modes import (
    rotation_channel,
    rotation_interpolation,
    rotation_values,
)
from footfall.blender_addon.animation.fcurve_io.tracks import PropertyTrack
from footfall.blender_addon.animation.layers import Destination, root_motion, write
from footfall.core.motion import Clip
from footfall.core.motion import rotations as rot
from footfall.core.retarget.root_motion import RootAxes
from footfall.tests.addon.support.armatures import make_armature, posed_heads
from footfall.tests.addon.support.refusals import refused

pytestmark = pytest.mark.every_blender

START = 11


def walk(armature: bpy.types.Object, frames: int = 30, seed: int = 0) -> Clip:
    """A body that goes round, sways and turns its joints."""
    rig = read_rig(armature)
    skeleton = rig.skeleton(list(rig.body_bones))
    random, time = np.random.default_rng(seed), np.linspace(0, 1, frames)
    wobble = rot.exp(0.5 * np.sin(6 * time[:, None, None] + random.normal(size=(1, len(skeleton), 3))))
    turned = rot.multiply(rot.rotation_about_up(2 + 5 * time), wobble[:, 0])
    wobble[:, 0] = turned
    roots = np.stack([3 * np.cos(4 * time), 2 * np.sin(4 * time) + time, 1 + 0.1 * np.sin(9 * time)], axis=-1)
    return Clip(skeleton, 24.0, roots, wobble)


def fk_tracks(armature: bpy.types.Object, clip: Clip, above: np.ndarray | None = None) -> list[PropertyTrack]:
    """The bones' own channels, for the object as it stands; ``above`` are the poses of the hips' parent."""
    rig = read_rig(armature)
    bones = [rig.index[name] for name in clip.skeleton.names]
    rest = rig.rest_rotations[bones]
    basis = rot.multiply(rot.multiply(rot.inverse(rest), clip.rotations), rest)
    hips = rig.rest_matrices[bones[0]]
    base = np.tile(hips, (len(clip), 1, 1))
    if above is not None:
        base = above @ np.linalg.inv(rig.rest_matrices[rig.parents[bones[0]]]) @ hips
        local = rot.multiply(rot.inverse(rig.rotation), rot.multiply(clip.rotations[:, 0], rest[0]))
        basis[:, 0] = rot.multiply(rot.inverse(rot.from_matrix(base[:, :3, :3])), local)
    apart = rig.to_armature(clip.root_positions) - base[:, :3, 3]
    places = (np.swapaxes(base[:, :3, :3], 1, 2) @ apart[..., None])[..., 0]
    result = [PropertyTrack(bone_path("hips", "location"), "hips", places, "BEZIER")]
    for joint, name in enumerate(clip.skeleton.names):
        mode = armature.pose.bones[name].rotation_mode
        values = rotation_values(basis[:, joint], mode)
        result.append(
            PropertyTrack(bone_path(name, rotation_channel(mode)), name, values, rotation_interpolation(mode))
        )
    return result


def largest_distance(armature: bpy.types.Object, clip: Clip) -> float:
    names = list(clip.skeleton.names)
    return max(
        np.abs(clip.positions[frame] - posed_heads(armature, names, START + frame)).max()
        for frame in range(0, len(clip), 4)
    )


def placed(armature: bpy.types.Object, frame: int) -> np.ndarray:
    bpy.context.scene.frame_set(frame)
    return np.array(armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)


def bake(armature: bpy.types.Object, target: str, axes: RootAxes, bone: str | None = None) -> root_motion.RootMotion:
    """Bakes the walk and checks that the body is where the clip has it, whoever carries it."""
    clip = walk(armature)
    root = root_motion.root_motion(bone, clip, target, axes, 0.25)
    above = root.poses(read_rig(armature)) if target == "ROOT_BONE" else None
    tracks = [
        *fk_tracks(armature, root_motion.remove_object_motion(armature, clip, root), above),
        *root_motion.root_tracks(armature, root, bone),
    ]
    write(armature, tracks, START, Destination(), "Walk")
    assert largest_distance(armature, clip) < 2e-4, largest_distance(armature, clip)
    return root


@pytest.mark.parametrize("axes", (RootAxes(), RootAxes(True, False, True, False)))
@pytest.mark.parametrize("mode", ("XYZ", "QUATERNION", "AXIS_ANGLE", "ZXY"))
def test_the_object_carries(mode: str, axes: RootAxes) -> None:
    armature = make_armature()
    armature.rotation_mode = mode
    root = bake(armature, "OBJECT", axes)
    assert np.allclose(root.positions[0, 2], 0.25) and root.bone is None
    for frame in (0, 9, 29):
        world = placed(armature, START + frame)
        assert np.allclose(world[:3, 3], root.positions[frame], atol=1e-5)
    clip, _ = read_action(armature, armature.animation_data.action, bpy.context.scene)
    assert len(clip) == 30


@pytest.mark.parametrize("mode", ("XYZ", "QUATERNION"))
def test_an_object_with_a_parent_and_deltas_carries(mode: str) -> None:
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.collection.objects.link(parent)
    parent.location, parent.rotation_euler, parent.scale = (1.0, 2.0, 3.0), (0.4, 0.5, 0.6), (2.0,) * 3
    armature = make_armature()
    armature.rotation_mode = mode
    armature.parent = parent
    armature.delta_location = (0.5, 0.6, 0.7)
    armature.delta_rotation_euler = (0.3, 0.2, 0.1)
    armature.delta_rotation_quaternion = rot.exp(np.array([0.1, 0.2, 0.3]))
    bpy.context.view_layer.update()
    root = bake(armature, "OBJECT", RootAxes(z=True))
    assert np.allclose(placed(armature, START + 20)[:3, 3], root.positions[20], atol=1e-5)


@pytest.mark.parametrize(
    ("mode", "is_local", "turns"), (("XYZ", True, True), ("QUATERNION", False, True), ("AXIS_ANGLE", True, False))
)
def test_a_root_bone_carries(mode: str, is_local: bool, turns: bool) -> None:
    armature = make_armature(below="root")
    armature.pose.bones["root"].rotation_mode = mode
    armature.data.bones["root"].use_local_location = is_local
    root = bake(armature, "ROOT_BONE", RootAxes(yaw=turns), "root")
    assert np.allclose(posed_heads(armature, ["root"], START + 13)[0], root.positions[13], atol=1e-5)
    before = placed(armature, START)
    assert np.array_equal(before, placed(armature, START + 20)), "the object stands still"


def test_a_root_bone_under_a_posed_bone_carries() -> None:
    armature = make_armature(below="root")
    bpy.ops.object.mode_set(mode="EDIT")
    world = armature.data.edit_bones.new("world")
    world.head, world.tail = (0.0, 0.0, 0.0), (0.0, 1.0, 0.5)
    armature.data.edit_bones["root"].parent = world
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones["world"].rotation_mode = "XYZ"
    armature.pose.bones["world"].rotation_euler, armature.pose.bones["world"].location = (0.3, 0.5, 0.1), (1, 2, 3)
    bpy.context.view_layer.update()
    bake(armature, "ROOT_BONE", RootAxes(), "root")


def test_what_carried_before_stands_still_where_another_carries() -> None:
    armature = make_armature(below="root")
    bake(armature, "OBJECT", RootAxes())
    bpy.context.scene.frame_set(START + 9)
    clip = walk(armature, seed=2)
    root = root_motion.root_motion("root", clip, "HIPS", RootAxes())
    assert root_motion.remove_object_motion(armature, clip, root) is clip
    held = root_motion.root_tracks(armature, root, "root")
    assert {track.path for track in held} == {"location", "rotation_euler"} and len(held[0].values) == 1
    write(armature, [*fk_tracks(armature, clip), *held], START, Destination("RANGE"), "Walk")
    assert largest_distance(armature, clip) < 2e-4


def test_who_cannot_carry_says_so() -> None:
    armature = make_armature(below="root")
    clip = walk(armature)
    assert "no root bone" in refused(lambda: root_motion.root_motion(None, clip, "ROOT_BONE", RootAxes()))
    on_bone = root_motion.root_motion("root", clip, "ROOT_BONE", RootAxes())
    on_object = root_motion.root_motion(None, clip, "OBJECT", RootAxes())
    armature.pose.bones["root"].lock_location[0] = True
    assert "'root' is locked" in refused(lambda: root_motion.root_tracks(armature, on_bone))
    armature.lock_rotation[2] = True
    assert "'Rig' is locked" in refused(lambda: root_motion.root_tracks(armature, on_object))
    armature.lock_rotation[2] = False
    constraint = armature.constraints.new("LIMIT_LOCATION")
    assert f"its constraint '{constraint.name}'" in refused(lambda: root_motion.root_tracks(armature, on_object))
    constraint.mute = True
    assert len(root_motion.root_tracks(armature, on_object)) == 2
    gone = root_motion.root_motion("gone", clip, "ROOT_BONE", RootAxes())
    assert "no root bone 'gone'" in refused(lambda: root_motion.root_tracks(armature, gone))


def test_locks_that_do_not_matter_are_respected() -> None:
    armature = make_armature()
    armature.rotation_euler = (0.0, 0.0, 0.4)
    armature.location.z = 0.25
    armature.lock_location[2] = armature.lock_rotation[0] = armature.lock_rotation[1] = True
    bpy.context.view_layer.update()
    bake(armature, "OBJECT", RootAxes())
    data = armature.animation_data
    channels = {
        (c.data_path, c.array_index) for c in data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
    }
    assert ("location", 1) in channels and ("rotation_euler", 2) in channels
    assert not {("location", 2), ("rotation_euler", 0), ("rotation_euler", 1)} & channels
