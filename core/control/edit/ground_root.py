"""The root of a motion on the ground at each frame, and poses given in the root's frame."""

from dataclasses import dataclass, replace

import numpy as np

from ...motion import Clip
from ...motion.root_frame import into_frame, out_of_frame, root_track
from ...motion.rotations import Array, length, rotation_about_up
from ...terrain.ground import Scene


@dataclass(frozen=True, eq=False)
class GroundRoot:
    """The root of a motion on the ground, at F frames.

    Attributes:
        positions: (F, 3) positions on the ground below the hips, meters, world.
        yaws: (F) yaws of the facing direction, radians.
    """

    positions: Array
    yaws: Array

    def __len__(self) -> int:
        return len(self.positions)

    @classmethod
    def of_motion(cls, motion: Clip, ground: Scene, walk_rate: float) -> "GroundRoot":
        """Return the root of a motion over ground; a gap in the ground gets the height of nearby ground.

        Args:
            motion: F frames.
            ground: the ground.
            walk_rate: frame rate, Hz, at which the motion of the ground is given.
        """
        track = root_track(motion)
        hips = motion.positions[:, motion.skeleton.joint("hips")]
        frames = np.arange(len(motion)) * walk_rate / motion.rate
        if ground.is_static:
            heights = ground.heights(hips)
        else:
            heights = np.array([ground.heights(place, frame) for place, frame in zip(hips, frames, strict=True)])
        known = np.isfinite(heights)
        heights = np.interp(frames, frames[known], heights[known]) if known.any() else np.zeros(len(motion))
        return cls(np.column_stack([track.positions, heights]), track.yaws)

    @property
    def distances(self) -> Array:
        """Distance (F) that the root has traveled up to each frame, meters."""
        return np.concatenate([[0.0], np.cumsum(length(np.diff(self.positions[:, :2], axis=0)))])

    def frame_at(self, distance: float) -> int:
        """Return the first frame at which the root has traveled a distance, meters, or the last frame."""
        return min(int(np.searchsorted(self.distances, distance)), len(self) - 1)

    def pose_from_world(self, pose: Clip, frame: int) -> Clip:
        """Return a pose (one frame) converted from the world to the frame of the root at a frame."""
        yaw = self.yaws[frame]
        moved = replace(pose, root_positions=pose.root_positions - self.positions[frame])
        turned = moved.transformed(rotation_about_up(-yaw), np.zeros(3))
        return replace(turned, root_positions=into_frame(moved.root_positions, yaw))

    def pose_to_world(self, pose: Clip, frame: int) -> Clip:
        """Return a pose (one frame) converted from the frame of the root at a frame to the world."""
        yaw = self.yaws[frame]
        turned = pose.transformed(rotation_about_up(yaw), np.zeros(3))
        return replace(turned, root_positions=out_of_frame(pose.root_positions, yaw) + self.positions[frame])
