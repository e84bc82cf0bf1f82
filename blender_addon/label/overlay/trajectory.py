"""The root's trajectory over the ground, with arrows in its facing direction."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ....core.motion import Clip
from ....core.motion.root_frame import facing_direction, root_track
from ....core.motion.rotations import Array

ARROW_INTERVAL_S: Final = 0.5
"""Seconds between arrows."""
MIN_ARROW_SPACING_RATIO: Final = 0.3
"""Smallest distance between arrows, in leg lengths."""
MIN_ARROW_TURN_RAD: Final = 0.6
"""Turn, radians, after which another arrow is drawn regardless of the distance."""
ARROW_SHAPE: Final = np.array([(-0.05, 0.0), (0.0, 0.14), (0.05, 0.0)])
"""Points to the right and ahead, in leg lengths."""
GROUND_WINDOW_S: Final = 1.0
"""Seconds that include at least one touchdown of a foot."""
LIFT_RATIO: Final = 0.004
"""Height over the ground, in leg lengths, so that a floor does not hide it."""


@dataclass(frozen=True, eq=False)
class RootTrajectory:
    """The root on the ground.

    Attributes:
        points: (F, 3) world, meters.
        yaws: (F) yaws, radians, counter-clockwise from the world's +Y.
        leg_length: length of a leg, meters.
        rate: frames per second.
    """

    points: Array
    yaws: Array
    leg_length: float
    rate: float

    def line_segments(self) -> Array:
        """Return the trajectory as line segments (M, 2, 3), each a tenth of a second long."""
        step = max(round(self.rate / 10), 1)
        points = self.points[np.append(np.arange(0, len(self.points) - 1, step), len(self.points) - 1)]
        return np.stack([points[:-1], points[1:]], axis=1)

    def arrows(self) -> Array:
        """Return arrow heads (N, 3, 3), two per second; while standing, only where the root turns."""
        kept: list[int] = []
        for frame in range(0, len(self.points), max(round(ARROW_INTERVAL_S * self.rate), 1)):
            if not kept or self._needs_arrow(kept[-1], frame):
                kept.append(frame)
        return self.arrows_at(np.array(kept))

    def _needs_arrow(self, one: int, other: int) -> bool:
        apart = np.hypot(*(self.points[other, :2] - self.points[one, :2]))
        return bool(
            apart > MIN_ARROW_SPACING_RATIO * self.leg_length
            or abs(self.yaws[other] - self.yaws[one]) > MIN_ARROW_TURN_RAD
        )

    def arrows_at(self, frames: NDArray[np.intp], size: float = 1.0) -> Array:
        """Return arrow heads (N, 3, 3) at frames counted from the clip's first."""
        ahead = facing_direction(self.yaws[frames])
        right = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
        shape = ARROW_SHAPE * self.leg_length * size
        flat = self.points[frames, None, :2] + shape[:, :1] * right[:, None] + shape[:, 1:] * ahead[:, None]
        height = np.broadcast_to(self.points[frames, None, 2:], (*flat.shape[:2], 1))
        return np.concatenate([flat, height], axis=2)


def compute_root_trajectory(clip: Clip) -> RootTrajectory:
    """Return the trajectory of a clip's root, at the smoothed height of its lowest joint.

    The lowest joint is taken over a second, so that stairs become ramps.

    Raises:
        FootfallError: the skeleton has no hips or thighs.
    """
    track = root_track(clip)
    leg = clip.skeleton.leg_length
    window = max(round(GROUND_WINDOW_S * clip.rate), 1)
    lowest = scipy.ndimage.minimum_filter1d(clip.positions[:, :, 2].min(axis=1), window, mode="nearest")
    height = scipy.ndimage.gaussian_filter1d(lowest, window / 4, mode="nearest") + LIFT_RATIO * leg
    return RootTrajectory(np.column_stack([track.positions, height]), track.yaws, leg, clip.rate)
