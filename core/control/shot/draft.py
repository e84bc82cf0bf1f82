"""The draft of a part that is being made: the network's own motion, before contacts and collisions are cleaned up."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...retarget.calibration import Calibration
from ...retarget.retarget import retarget
from ..interaction.recording import InteractionRecording
from ..refine.interaction_refinement import decode_interaction
from ..runtime.pose_decoder import standing_clip
from ..walk.path_walk import WalkRollout


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The draft of a part.

    Attributes:
        first: frame of the shot at which the part begins.
        count: number of frames so far.
        pose: function that returns the body's pose, world, at a frame of the part, as a clip of one frame.
    """

    first: int
    count: int
    pose: Callable[[int], Clip]


def walk_draft(rollout: WalkRollout, first: int) -> Draft:
    """Return the draft of a walk; `first` is the frame of the shot at which the walk begins."""

    def pose(frame: int) -> Clip:
        return _on_body(rollout.model, rollout.plan.calibration, rollout.decode_walk(frame, frame + 1))

    return Draft(first, rollout.frames_done, pose)


def task_draft(recording: InteractionRecording, target: Calibration | None, level: float, first: int) -> Draft:
    """Return the draft of an interaction task.

    Args:
        recording: the task so far.
        target: calibration of the body that moves; ``None`` for the controller's own.
        level: height of the ground, meters, world.
        first: frame of the shot at which the task begins.
    """

    def pose(frame: int) -> Clip:
        clip = decode_interaction(replace(recording, frames=recording.frames[frame : frame + 1]))
        made = _on_body(recording.model, target, clip)
        return replace(made, root_positions=made.root_positions + np.array([0.0, 0.0, level]))

    return Draft(first, len(recording), pose)


def _on_body(model: ControllerModel, target: Calibration | None, clip: Clip) -> Clip:
    """Return a controller's motion on a body."""
    return clip if target is None else retarget(clip, target, example=standing_clip(model))
