"""From an armature's action to a clip of its mapped body, including constraints and drivers."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.jobs.steps import finished
from ....core.motion import Clip, Skeleton
from ....core.motion import rotations as rot
from ....core.motion.kinematics import local_rotations
from ....core.motion.rotations import Array
from ....core.rig.rig_map import RigMap, body_skeleton
from ...units import world_matrix
from .curves import curves_of
from .reader import action_frames, object_matrices, orthonormal, pose_matrices, scene_rate
from .rig import Rig, read_rig
from .slots import slot_for

SLICE_FRAMES: Final = 8

ClipReading = Generator[float, None, tuple[Clip, int]]
"""Generator of the read share, 0 to 1; it returns the clip, at the scene's rate, and its first frame in the scene."""


def read_body(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene, rig_map: RigMap
) -> ClipReading:
    """Return the world motion of an armature's body when it plays an action.

    Plain armatures are read from the keys. With constraints or drivers, a copy of the armature plays the action in a
    separate scene, frame by frame.

    Raises:
        FootfallError: the action does not move this armature, or for less than two frames, or the map does not fit.
    """
    rig = read_rig(armature)
    skeleton = body_skeleton(rig_map, rig.names, rig.heads, rig.to_world(rig.tails))
    bones = [rig.index[name] for name in skeleton.names]
    first, last = action_frames(armature, action)
    frames = np.arange(first, last + 1, dtype=float)
    if len(frames) < 2:
        raise FootfallError(
            "Action '{name}' is one frame long: choose an action with at least two frames", name=action.name
        )
    if is_posed_by_keys_only(armature):
        world = _read_keys(armature, action, rig, bones, frames)
    else:
        world = yield from _read_evaluated(armature, action, skeleton.names, frames)
    rotations = _body_rotations(rig, skeleton, world)
    return Clip(skeleton, scene_rate(scene), world[:, 0, :3, 3], rotations, action.name), first


def read_shown_body(
    armature: bpy.types.Object, action: bpy.types.Action, rig_map: RigMap, frames: Array
) -> tuple[Skeleton, Array, Array]:
    """Return an armature's body at scene frames (N), as all its animation shows it.

    Args:
        armature: the armature object.
        action: action to read from its keys if nothing else moves the armature.
        rig_map: the armature's map.
        frames: (N) integer frames.

    Returns:
        The skeleton of the mapped bones at rest, and at each frame the joints' world positions (N, J, 3), meters, and
            world rotations from rest (N, J, 4). A rig may separate connected bones, so that no clip can represent these
            positions.

    Raises:
        FootfallError: the map does not fit.
    """
    rig = read_rig(armature)
    skeleton = body_skeleton(rig_map, rig.names, rig.heads, rig.to_world(rig.tails))
    if is_posed_by_keys_only(armature) and _is_moved_only_by(armature, action):
        world = _read_keys(armature, action, rig, [rig.index[name] for name in skeleton.names], frames)
    else:
        world = finished(_read_evaluated(armature, None, skeleton.names, frames))
    return skeleton, world[..., :3, 3], _turns_from_rest(rig, skeleton, world)


def _is_moved_only_by(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Return whether nothing but its assigned action moves an armature."""
    data = armature.animation_data
    if data is None or data.action != action or armature.parent is not None or data.use_tweak_mode:
        return False
    whole = data.action_blend_type == "REPLACE" and data.action_influence == 1.0
    return whole and not (data.use_nla and any(not track.mute and track.strips for track in data.nla_tracks))


def read_present_pose(armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph, rig_map: RigMap) -> Clip:
    """Return the pose of an armature's body as shown now, as a world clip of one frame.

    Raises:
        FootfallError: the map does not fit.
    """
    rig = read_rig(armature)
    skeleton = body_skeleton(rig_map, rig.names, rig.heads, rig.to_world(rig.tails))
    seen = armature.evaluated_get(depsgraph)
    place = world_matrix(seen)
    world = np.array([place @ np.array(seen.pose.bones[name].matrix, dtype=float) for name in skeleton.names])[None]
    return Clip(skeleton, 1.0, world[:, 0, :3, 3], _body_rotations(rig, skeleton, world), armature.name)


def _body_rotations(rig: Rig, skeleton: Skeleton, world: Array) -> Array:
    """Convert world matrices (F, J, 4, 4) of a body's joints to rotations (F, J, 4) relative to their parents."""
    return rot.unroll(rot.normalize(local_rotations(skeleton, _turns_from_rest(rig, skeleton, world))))


def _turns_from_rest(rig: Rig, skeleton: Skeleton, world: Array) -> Array:
    """Convert world matrices (F, J, 4, 4) of a body's joints to world rotations (F, J, 4) from rest."""
    posed = rot.from_matrix(orthonormal(world[..., :3, :3]))
    rest = rig.rest_rotations[[rig.index[name] for name in skeleton.names]]
    return rot.multiply(posed, rot.inverse(rest))


def is_posed_by_keys_only(armature: bpy.types.Object) -> bool:
    """Return whether only keys pose the bones, without constraints or drivers."""
    held = any(not one.mute and one.influence > 0 for bone in armature.pose.bones for one in bone.constraints)
    driven = any(block.animation_data and block.animation_data.drivers for block in (armature, armature.data))
    return not held and not driven and not any(not one.mute for one in armature.constraints)


def _read_keys(
    armature: bpy.types.Object, action: bpy.types.Action, rig: Rig, bones: Sequence[int], frames: Array
) -> Array:
    slot = slot_for(armature, action)
    curves = curves_of(action, slot) if slot else {}
    world = object_matrices(armature, curves, frames) @ pose_matrices(armature, rig, curves, frames)
    return np.broadcast_to(world[:, bones], (len(frames), len(bones), 4, 4))


def _read_evaluated(
    armature: bpy.types.Object, action: bpy.types.Action | None, names: Sequence[str], frames: Array
) -> Generator[float, None, Array]:
    """Evaluate bones in Blender frame by frame, yielding progress; return their world matrices (F, J, 4, 4).

    Without an action, all animation of the armature applies.
    """
    world = np.empty((len(frames), len(names), 4, 4))
    with _isolated_copy(armature, action) as (scene, double):
        layer = scene.view_layers[0]
        for row, frame in enumerate(frames):
            if row % SLICE_FRAMES == 0:
                yield row / len(frames)
            scene.frame_set(int(frame))
            seen = double.evaluated_get(layer.depsgraph)
            place = world_matrix(seen)
            world[row] = [place @ np.array(seen.pose.bones[name].matrix, dtype=float) for name in names]
    return world


@contextmanager
def _isolated_copy(
    armature: bpy.types.Object, action: bpy.types.Action | None
) -> Generator[tuple[bpy.types.Scene, bpy.types.Object]]:
    """Yield a temporary scene with a copy of the armature that plays only the action, or else all its animation."""
    scene, double = bpy.data.scenes.new("Footfall"), armature.copy()
    try:
        scene.collection.objects.link(double)
        double.hide_viewport = False
        _refer_to_itself(double, armature)
        if action is not None:
            data = double.animation_data or double.animation_data_create()
            data.use_tweak_mode = data.use_nla = False
            data.action = action
            data.action_slot = slot_for(armature, action)
        yield scene, double
    finally:
        bpy.data.objects.remove(double)
        bpy.data.scenes.remove(scene)


def _refer_to_itself(double: bpy.types.Object, armature: bpy.types.Object) -> None:
    """Redirect constraints and drivers of a copied armature from the original armature to the copy."""
    held = [*double.constraints, *(one for bone in double.pose.bones for one in bone.constraints)]
    for constraint in held:
        for end in (constraint, *getattr(constraint, "targets", ())):
            for name in ("target", "pole_target"):
                if getattr(end, name, None) == armature:
                    setattr(end, name, double)
    for curve in double.animation_data.drivers if double.animation_data else ():
        for variable in curve.driver.variables:
            for end in variable.targets:
                if end.id == armature:
                    end.id = double
