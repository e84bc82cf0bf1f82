"""The frames of a walk so far: poses to show, and footprints."""

import numpy as np
from numpy.typing import NDArray

from .....core.ball.dribbled_ball import DribbledBall
from .....core.control.passes.gaze import TRUNK_SHARES, gaze_targets, look_at
from .....core.control.runtime.pose_decoder import decode_poses
from .....core.control.walk.path_walk import WalkRollout
from .....core.control.walk.rollout_trace import RolloutTrace
from .....core.features.locomotion import pose_rotations
from .....core.motion import Clip
from .....core.motion.contacts import FootContacts
from .....core.motion.root_frame import out_of_frame
from .....core.motion.rotations import Array
from .ball_ghost import ball_place, played_walk


class PartialWalk:
    """The frames of a walk generated so far.

    Args:
        walk: the walk, whose frames are in meters at its controller's scale; those here are in world meters.
        before: the frames of a previous walk, of which the first ``kept`` are reused.
    """

    def __init__(self, walk: WalkRollout, previous: "PartialWalk | None" = None, reused_frames: int = 0) -> None:
        self.walk = walk
        self.trace: RolloutTrace | None = (
            previous.trace.before_frame(reused_frames) if previous and previous.trace and reused_frames else None
        )
        self._count = reused_frames
        self._played: tuple[Clip, DribbledBall] | None = None

    def __len__(self) -> int:
        return self._count

    def advance(self, frames: int) -> bool:
        """Generate some frames; return false once all frames, and the ball play, are done.

        Raises:
            FootfallError: a ball's target is out of reach.
        """
        going = self.walk.advance(frames)
        if self.walk.frames_done < self._count:  # it has gone back to meet its waypoints
            self._count = self.walk.frames_reused
            self.trace = self.trace.before_frame(self._count) if self.trace else None
        if self.walk.frames_done > self._count:
            new = self.walk.trace_from(self._count)
            self.trace = self.trace.concat(new) if self.trace and self._count else new
            self._count = self.walk.frames_done
        self._played = None if going else played_walk(self.walk)
        return going

    @property
    def _computed_frames(self) -> RolloutTrace:
        assert self.trace is not None, "there are frames"
        return self.trace

    def pose(self, frame: int) -> Clip:
        """Return the pose at a frame as a clip of one frame, in controller meters."""
        pose = self._pose_without_gaze(frame)
        gazes = self.walk.plan.gazes
        if not gazes:
            return pose
        targets, is_looking = gaze_targets(gazes, self._computed_frames.planned_lengths, self.walk.model.rate)
        here = slice(frame, frame + 1)
        return look_at(pose, targets[here], is_looking[here], TRUNK_SHARES)

    def _pose_without_gaze(self, frame: int) -> Clip:
        if self._played is not None:
            return self._played[0].cut(frame, frame + 1)
        model = self.walk.model
        steps = self._computed_frames.from_frame(frame).before_frame(1).frames
        output = steps.output.astype(float)
        turned = pose_rotations(output, model.output_layout, model.reference_rotations)
        places = model.output_layout.view(output, "pose.position")
        return decode_poses(model, turned, places, np.column_stack([steps.position, steps.height]), steps.yaw)

    def ball(self, frame: int) -> Array | None:
        """Return the center (3) of the ball at a frame, controller meters; `None` without a ball."""
        if self._played is not None:
            return self._played[1].track.positions[frame]
        return ball_place(self.walk, self._computed_frames, frame)

    def footprints(self) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Return positions (N, 3) of planted ankles and balls of feet, world meters, and a mask (N) of left feet."""
        model, steps = self.walk.model, self._computed_frames.frames
        layout, order = model.output_layout, {name: index for index, name in enumerate(model.joints)}
        output = steps.output.astype(float)
        places = layout.view(output, "pose.position")
        ankles: list[Array] = []
        balls: list[Array] = []
        left: list[bool] = []
        for side in "LR":
            runs = FootContacts(steps.contacts).runs(side)
            middles = np.array([(start + stop) // 2 for start, stop in runs], dtype=int)
            for part, found in (("foot", ankles), ("toe", balls)):
                joint = order[model.skeleton.names[model.skeleton.joint(f"{part}.{side}")]]
                own = out_of_frame(places[middles, joint], steps.yaw[middles])
                own[:, :2] += steps.position[middles]
                own[:, 2] += steps.height[middles]
                found.append(own * self.walk.scale)
            left += [side == "L"] * len(runs)
        return np.concatenate(ankles), np.concatenate(balls), np.array(left, dtype=bool)
