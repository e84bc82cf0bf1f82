"""Standing, made by the locomotion controller, of a body that comes to rest or is at rest already."""

from dataclasses import replace
from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.proportions import scale_between
from ...motion.root_frame import facing_direction
from ...motion.rotations import IDENTITY, Array
from ...retarget.calibration import Calibration
from ..pair.fitted_dance import fit_walk
from ..path.path import Path
from ..path.path_events import Cues, Wait
from ..runtime.body_state import BodyState
from ..walk.path_walk import WalkRollout, begin_walk
from ..walk.plan import WalkRequest

AHEAD_M: Final = 0.1
"""Length of the path that a standing body is given, meters, since a path cannot be empty."""


class Standing:
    """A body that stands on level ground; all lengths are in meters at its controller's scale.

    Args:
        walks: the locomotion controller.
        place: (3) root on the ground, meters, world.
        yaw: yaw of the root, radians.
        seconds: longest time for which it stands.
        begin: state of a moving body that comes to rest there; ``None`` for a body at rest.
        seed: selects the random variation.
    """

    def __init__(
        self,
        walks: ControllerModel,
        place: Array,
        yaw: float,
        seconds: float,
        begin: BodyState | None = None,
        seed: int = 0,
    ) -> None:
        self._level = float(place[2])
        path = Path(np.stack([place[:2], place[:2] + AHEAD_M * facing_direction(np.array(yaw))]))
        waits = Cues(waits=(Wait(0.0, seconds),))
        request = WalkRequest(path, start_level=self._level, seed=seed, cues=waits, begin=begin)
        self._rollout: WalkRollout = begin_walk(walks, request)

    @property
    def frames_done(self) -> int:
        """Number of frames made so far."""
        return self._rollout.frames_done

    @property
    def root(self) -> tuple[Array, float]:
        """Root (2) at the last frame, meters at the controller's scale, world, and yaw, radians."""
        frames = self._rollout.trace_from(self.frames_done - 1).frames
        return frames.position[-1], float(frames.yaw[-1])

    def advance(self, frames: int) -> None:
        """Make `frames` more frames."""
        self._rollout.advance(frames)

    def body_state(self) -> BodyState:
        """Return the state of the body at the last frame."""
        return self._rollout.body_state()

    def clip(self) -> Clip:
        """Return the motion so far, with locked feet, moved vertically so that the ground is at z = 0."""
        return self._rollout.finish().clip.transformed(IDENTITY, np.array([0.0, 0.0, -self._level]))

    def fitted(self, target: Calibration | None) -> Clip:
        """Return the motion so far, over ground at z = 0, retargeted by a calibration unless it is ``None``."""
        clip = self.clip()
        if target is None:
            return clip
        walk = replace(self._rollout.finish(), clip=clip)
        return fit_walk(walk, target, scale_between(clip.skeleton, target.target), 0.0).clip
