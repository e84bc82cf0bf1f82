"""The channels of all keyed bones: in numpy for known carriers, else frame by frame on the stage."""

from collections.abc import Mapping, Sequence
from typing import Final

import bpy
import numpy as np

from ....core.motion.rotations import IDENTITY, Array
from .channels import ControlChannels, solve_control_channels
from .control import Control
from .control_response import ControlHierarchy
from .control_spaces import FIXED_CARRIER, ControlSpace, pose_difference
from .rig_sandbox import RigSandbox

MAX_ITERATIONS: Final = 8
"""Largest number of iterations per frame in which interdependent bones reach their targets."""
CONVERGENCE_TOLERANCE: Final = 1e-5

PoseBones = Mapping[str, bpy.types.PoseBone]


def solve_channels(
    pose_bones: PoseBones, hierarchy: ControlHierarchy, controls: Sequence[Control], target_poses: Mapping[str, Array]
) -> dict[str, ControlChannels]:
    """Return the channels of controls with known carriers over all frames, by bone.

    Args:
        pose_bones: the armature's pose bones, with their locks and modes.
        hierarchy: dependencies of the bones.
        controls: controls to key.
        target_poses: pose matrices (F, 4, 4) by bone.
    """
    made: dict[str, ControlChannels] = {}
    motions = carrier_motions(hierarchy, {}, next(iter(target_poses.values())))
    for control in sort_carriers_first(hierarchy, controls):
        carried = hierarchy.dependencies[control.bone]
        if (
            carried is None
            or not carried.carriers <= motions.keys()
            or (control.keys_location and carried.origin_carrier is None)
        ):
            continue
        goal = target_poses[control.bone]
        space = carried.predicted_space(motions, goal[:, :3, 3])
        done = solve_control_channels(
            pose_bones[control.bone], space, goal, control.keys_location, control.keys_rotation
        )
        made[control.bone] = done
        motions[hierarchy.carrier_index(control.bone)] = hierarchy.displacement(control.bone, done.pose)
    return made


def carrier_motions(hierarchy: ControlHierarchy, poses: Mapping[str, Array], shape_like: Array) -> dict[int, Array]:
    """Return the displacements (F, 4, 4) of the carriers with given poses and of the fixed carrier, by index."""
    still = np.broadcast_to(np.eye(4), shape_like.shape)
    return {FIXED_CARRIER: still} | {
        hierarchy.carrier_index(bone): hierarchy.displacement(bone, pose) for bone, pose in poses.items()
    }


def sort_carriers_first(hierarchy: ControlHierarchy, controls: Sequence[Control]) -> list[Control]:
    """Return the controls sorted so that carriers come first."""
    by_bone = {control.bone: control for control in controls}
    result: dict[str, Control] = {}

    def add(bone: str, below: frozenset[str]) -> None:
        if bone in by_bone and bone not in below and bone not in result:
            for carrier in hierarchy.carrier_bones(bone):
                add(carrier, below | {bone})
            result[bone] = by_bone[bone]

    for control in controls:
        add(control.bone, frozenset())
    return list(result.values())


def pose_frame(stage: RigSandbox, solved: Mapping[str, ControlChannels], frame: int) -> None:
    """Set the stage's bones to the solved pose of a frame, without updating the scene."""
    for bone, channels in solved.items():
        stage.set_pose(bone, channels.location[frame], channels.rotation[frame])


def solve_frame_by_frame(
    stage: RigSandbox,
    pose_bones: PoseBones,
    hierarchy: ControlHierarchy,
    solved: Mapping[str, ControlChannels],
    controls: Sequence[Control],
    target_poses: Mapping[str, Array],
    frames: Sequence[int],
) -> dict[str, ControlChannels]:
    """Return channels, by bone, of controls whose spaces only Blender can evaluate, for selected frames.

    Args:
        stage: sandbox in which each frame is posed.
        pose_bones: the armature's pose bones.
        hierarchy: dependencies of the controls.
        solved: the channels of the other controls over all frames.
        controls: controls to solve, carriers first.
        target_poses: pose matrices (F, 4, 4) by bone, over all frames.
        frames: frames to solve.
    """
    ways = {control.bone: hierarchy.inheritance[control.bone] for control in controls}
    seen: dict[str, list[ControlSpace]] = {bone: [] for bone in ways}
    at_rest = np.zeros(3), IDENTITY
    for frame in frames:
        pose_frame(stage, solved, frame)
        channels = dict.fromkeys(ways, at_rest)
        for bone in ways:
            stage.set_pose(bone, *at_rest)
        spaces: dict[str, ControlSpace] = {}
        for _ in range(MAX_ITERATIONS):
            stage.evaluate()
            plain, poses = stage.spaces(ways), stage.matrices(ways)
            change = 0.0
            for control in controls:
                bone = control.bone
                spaces[bone] = hierarchy.measured_space(bone, plain[bone], *channels[bone], poses[bone])
                goal = target_poses[bone][frame][None]
                one = solve_control_channels(
                    pose_bones[bone], spaces[bone], goal, control.keys_location, control.keys_rotation
                )
                before = spaces[bone].pose_matrices(*channels[bone])
                channels[bone] = one.location[0], one.rotation[0]
                change = max(change, *pose_difference(before, one.pose[0]))
                stage.set_pose(bone, *channels[bone])
            if change < CONVERGENCE_TOLERANCE:
                break
        for bone, space in spaces.items():
            seen[bone].append(space)
    return {
        control.bone: solve_control_channels(
            pose_bones[control.bone],
            _stack_spaces(seen[control.bone]),
            target_poses[control.bone][list(frames)],
            control.keys_location,
            control.keys_rotation,
        )
        for control in controls
    }


def _stack_spaces(spaces: Sequence[ControlSpace]) -> ControlSpace:
    """Return the spaces of single frames stacked into one space (F)."""
    return ControlSpace(
        np.array([space.origin for space in spaces]),
        np.array([space.orientation for space in spaces]),
        np.array([space.location_axes for space in spaces]),
    )
