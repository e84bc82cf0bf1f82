"""Transfer of a clip to a scripted rig, and the resulting joints of the rig in Blender."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...blender_addon import compat
from ...blender_addon.animation.fcurve_io import keep_and_assign, read_rig
from ...blender_addon.animation.fcurve_io.tracks import PropertyTrack
from ...blender_addon.animation.layers.root_motion import RootMotion
from ...blender_addon.animation.layers.track_writer import write_tracks
from ...core.motion import Clip, Skeleton
from ...core.motion import rotations as rot
from ...core.motion.rotations import Array
from ...core.rig.rig_map import RigMap, bind_rig_map, body_skeleton, shipped_rig_maps


def map_of(armature: bpy.types.Object, name: str) -> RigMap:
    """Return a shipped map with the armature's own bone names."""
    return bind_rig_map(shipped_rig_maps()[name], [bone.name for bone in armature.data.bones])


def body_of(armature: bpy.types.Object, rig_map: RigMap) -> Skeleton:
    """Return the body found by a map in an armature."""
    rig = read_rig(armature)
    return body_skeleton(rig_map, rig.names, rig.heads, rig.to_world(rig.tails))


def in_hips(clip: Clip) -> RootMotion:
    """Return the root motion carried only by the hips."""
    return RootMotion("HIPS", None, np.zeros((len(clip), 3)), np.zeros(len(clip)))


def assign(
    armature: bpy.types.Object, tracks: Sequence[PropertyTrack], frames: int, start: int = 1
) -> bpy.types.Action:
    """Return a new action with the keys of the tracks, assigned to the armature."""
    action = bpy.data.actions.new("Baked")
    channelbag = compat.ensure_channelbag(action, compat.ensure_slot(action, armature))
    write_tracks(channelbag, np.arange(start, start + frames, dtype=float), tracks)
    keep_and_assign(armature, action)
    return action


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Distances of Blender's joints from the clip's.

    Attributes:
        names: the joints' bones (J).
        roles: the joints by role.
        places: (S, J) places, meters, of some frames.
        turns: (S, J) turns, degrees.
    """

    names: tuple[str, ...]
    roles: dict[str, int]
    places: Array
    turns: Array

    def place(self, *parts: str) -> float:
        """Return the largest distance, meters, of the roles with these prefixes; of all roles without any."""
        return float(self.places[:, self._columns(parts)].max())

    def turn(self, *parts: str) -> float:
        """Return the largest angle, degrees."""
        return float(self.turns[:, self._columns(parts)].max())

    def _columns(self, parts: Sequence[str]) -> list[int]:
        chosen = [joint for role, joint in self.roles.items() if role.partition(".")[0] in parts]
        return chosen if parts else list(range(len(self.names)))


def errors(armature: bpy.types.Object, clip: Clip, frames: Sequence[int], start: int = 1) -> Errors:
    """Evaluate some frames of the clip in the scene and compare its joints with the bones of the same names."""
    rig, names = read_rig(armature), clip.skeleton.names
    rest = rig.rest_rotations[[rig.index[name] for name in names]]
    positions, rotations = clip.world
    places: list[Array] = []
    turns: list[Array] = []
    for frame in frames:
        bpy.context.scene.frame_set(start + frame)
        evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(evaluated.matrix_world)
        posed = np.array([world @ np.array(evaluated.pose.bones[name].matrix) for name in names])
        places.append(np.linalg.norm(posed[:, :3, 3] - positions[frame], axis=-1))
        seen = rot.from_matrix(posed[:, :3, :3] / np.linalg.norm(posed[:, :3, :3], axis=1, keepdims=True))
        off = rot.multiply(rot.inverse(rot.multiply(rotations[frame], rest)), seen)
        turns.append(np.degrees(np.linalg.norm(rot.log(off), axis=-1)))
    return Errors(names, dict(clip.skeleton.roles), np.array(places), np.array(turns))
