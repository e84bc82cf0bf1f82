"""Trial poses on the stage: wrong predictions, and the actual bend of limbs solved by Blender."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion.rotations import Array
from .channels import ControlChannels
from .constraint_conflicts import find_conflicting_constraint
from .control import Control
from .control_response import ControlHierarchy
from .control_spaces import POSITION_TOLERANCE_RATIO, ROTATION_TOLERANCE_RAD, pose_difference, without_scale
from .poles import LimbBend
from .rig_sandbox import RigSandbox
from .solving import pose_frame, sort_carriers_first

SAMPLE_COUNT: Final = 6


@dataclass(frozen=True, eq=False)
class PoseTrial:
    """The result of posing some frames in Blender.

    Attributes:
        frames: (S) posed frames.
        heads: (S, 3) positions of the tracked bones, armature space, by bone.
        mispredicted_bones: keyed bones whose space differs from the prediction.
        constraint_conflicts: the keyed bones that are away from the pose of their keys; for each the bone and the
            constraint that moves it, if they are known.
    """

    frames: tuple[int, ...]
    heads: Mapping[str, Array]
    mispredicted_bones: frozenset[str]
    constraint_conflicts: Mapping[str, tuple[str, str] | None]


def sample_frames(frame_count: int, bends: Sequence[LimbBend]) -> tuple[int, ...]:
    """Return frames that represent a motion well: evenly spaced ones, and those with the strongest bends."""
    spread = np.linspace(0, frame_count - 1, min(SAMPLE_COUNT, frame_count)).round().astype(int)
    return tuple(sorted({*map(int, spread), *(int(np.argmax(bend.bend_ratio)) for bend in bends)}))


def run_pose_trial(
    stage: RigSandbox,
    hierarchy: ControlHierarchy,
    controls: Sequence[Control],
    solved: Mapping[str, ControlChannels],
    frames: Sequence[int],
    tracked_bones: Sequence[str],
    armature_size: float,
) -> PoseTrial:
    """Pose the solved controls in some frames, and return the measurements.

    Args:
        stage: sandbox for the poses.
        hierarchy: dependencies of the controls.
        controls: the keyed bones.
        solved: channels of the controls over all frames.
        frames: frames to pose.
        tracked_bones: bones whose heads are recorded.
        armature_size: size of the armature in its own units.
    """
    tried = [control for control in sort_carriers_first(hierarchy, controls) if control.bone in solved]
    ways = {control.bone: hierarchy.inheritance[control.bone] for control in tried}
    heads: dict[str, list[Array]] = {bone: [] for bone in tracked_bones}
    unlike: set[str] = set()
    fights: dict[str, tuple[str, str] | None] = {}
    elsewhere: set[str] = set()
    for frame in frames:
        pose_frame(stage, solved, frame)
        stage.evaluate()
        spaces, poses = stage.spaces(ways), stage.matrices({*ways, *tracked_bones})
        for control in tried:
            bone = control.bone
            channels = solved[bone].location[frame], solved[bone].rotation[frame]
            posed = hierarchy.measured_space(bone, spaces[bone], *channels, poses[bone]).pose_matrices(*channels)
            # Children of a displaced bone are displaced with it.
            if any(other in elsewhere for other in hierarchy.carrier_bones(bone)):
                elsewhere.add(bone)
            elif _poses_differ(posed, solved[bone].pose[frame], armature_size, control):
                unlike.add(bone)
                elsewhere.add(bone)
                continue
            if _poses_differ(without_scale(poses[bone]), posed, armature_size, control):
                elsewhere.add(bone)
                fights.setdefault(bone, find_conflicting_constraint(stage.evaluated_bones, bone))
        for bone in tracked_bones:
            heads[bone].append(poses[bone][:3, 3])
    return PoseTrial(tuple(frames), {bone: np.array(at) for bone, at in heads.items()}, frozenset(unlike), fights)


def _poses_differ(first: Array, second: Array, armature_size: float, control: Control) -> bool:
    """Return whether two poses (4, 4) of a control differ in the channels that are keyed."""
    turned, moved = pose_difference(first, second)
    return (control.keys_rotation and turned > ROTATION_TOLERANCE_RAD) or (
        control.keys_location and moved > POSITION_TOLERANCE_RATIO * armature_size
    )
