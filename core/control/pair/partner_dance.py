"""Two characters that dance with each other along a path: their roll-out, and the finished motions."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...features.locomotion import future_offsets
from ...jobs.steps import finished
from ...models.model_file import ControllerModel
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from ..runtime.locomotion_runtime import LocomotionCommand
from ..runtime.response_bias import ResponseBias
from ..walk.finished_frames import finish_frames
from ..walk.finished_walk import Walk
from ..walk.frame_history import FrameHistory, FrameRecord
from .choreography import Choreography
from .dance_figures import ROLES, DanceFigures
from .pair_runtime import PairRuntime


@dataclass(frozen=True, slots=True)
class PartnerDanceTuning(Tuning):
    position_correction: float = tuned(0.5, "s", 0.05, 5.0)
    """Time constant of the correction that draws roots to the choreography."""
    max_correction: float = tuned(0.15, "m/s", 0.0, 2.0)
    """Largest speed of the correction of positions; the rest of the deviation is left to the network's own dancing."""
    yaw_correction: float = tuned(0.2, "s", 0.05, 5.0)
    """Time constant of the correction that turns roots to the choreography."""
    max_yaw_correction: float = tuned(2.0, "rad/s", 0.0, 10.0)
    """Largest speed of the correction of yaws."""
    position_bias: float = tuned(6.0, "1", 0.0, 100.0)
    """Response bias of positions, prompt since captured figures look natural when followed closely."""
    direction_bias: float = tuned(15.0, "1", 0.0, 100.0)
    """Response bias of directions, prompt for the same reason."""


TUNING: Final = PartnerDanceTuning()


@dataclass(frozen=True, slots=True, eq=False)
class DanceSource:
    """The source of dances: a controller and captured figures of one dance.

    Attributes:
        model: a controller with inputs for a partner.
        figures: captured figures.
    """

    model: ControllerModel
    figures: DanceFigures


@dataclass(frozen=True, slots=True, eq=False)
class Dance:
    """A finished dance.

    Attributes:
        leader: motion and contacts of the leading character.
        follower: motion and contacts of the following character.
        holds: (F, 4) whether the hands of each of ``hand_holds.HAND_PAIRS`` hold each other in the choreography.
        centers: (F, 2) target positions of the pair's midpoint, meters, world.
    """

    leader: Walk
    follower: Walk
    holds: NDArray[np.bool_]
    centers: Array


class PartnerDance:
    """A dance in progress: each character follows its part of the choreography, with the other as input.

    Args:
        model: a controller with inputs for a partner.
        choreography: the control of both characters, at the controller's rate and in its meters.
        seed: seed of the characters' initial idle motion and phase.

    Raises:
        FootfallError: the controller has no inputs for a partner, or lacks a gait of the choreography.
    """

    def __init__(self, model: ControllerModel, choreography: Choreography, seed: int = 0) -> None:
        figure = choreography.figure
        self.model, self.choreography = model, choreography
        bias = ResponseBias(position=TUNING.position_bias, direction=TUNING.direction_bias)
        self._runtime = PairRuntime(model, figure.positions[0], figure.yaws[0], bias)
        if figure.gaits.shape[-1] != len(model.gaits):
            raise FootfallError(
                "The dance figures have {count} gaits, but the controller has {known}: make dance figures for "
                "this controller",
                count=figure.gaits.shape[-1],
                known=len(model.gaits),
            )
        for row, role in enumerate(ROLES):
            if role in model.performers:
                self._runtime.perform_as(row, [float(name == role) for name in model.performers])
            if seed:
                self._runtime.vary(row, 2 * seed + row)
        self._offsets = np.array([0, *future_offsets(model.input_layout)])
        self._shares = np.arange(1, len(self._offsets)) / (len(self._offsets) - 1)
        self._history = FrameHistory()
        self._rows = np.arange(2)

    @property
    def frames_done(self) -> int:
        """Number of frames made so far."""
        return len(self._history)

    @property
    def total_frames(self) -> int:
        """Number of frames of the whole dance."""
        return len(self.choreography)

    def advance(self, frames: int) -> bool:
        """Make up to `frames` more frames, and return whether any frames remain."""
        for _ in range(min(frames, self.total_frames - self.frames_done)):
            self._advance_frame()
        return self.frames_done < self.total_frames

    def _advance_frame(self) -> None:
        """Make one frame of both characters."""
        runtime, figure = self._runtime, self.choreography.figure
        frames = np.minimum(self.frames_done + self._offsets, self.total_frames - 1)
        positions, yaws, gaits = (
            np.swapaxes(array[frames], 0, 1) for array in (figure.positions, figure.yaws, figure.gaits)
        )
        fading = ((1 - self._shares) ** 2)[None]
        ahead = positions[:, 1:] + (runtime.position - positions[:, 0])[:, None] * fading[..., None]
        looking = yaws[:, 1:] + wrap_angle(runtime.yaw - yaws[:, 0])[:, None] * fading
        command = LocomotionCommand(ahead, looking, gaits[:, 1:], np.zeros((2, len(self._offsets))))
        made = runtime.step(command, gaits[:, 0])
        self._history.append(FrameRecord(self._rows, made, gaits[:, 0], np.zeros(2)))
        self._correct(min(self.frames_done, self.total_frames - 1))

    def _correct(self, frame: int) -> None:
        """Move and turn both roots toward the choreography at a frame, at limited speeds."""
        runtime, figure, dt = self._runtime, self.choreography.figure, 1 / self.model.rate
        gaps = figure.positions[frame] - runtime.position
        shifts = gaps * dt / TUNING.position_correction
        sizes = np.linalg.norm(shifts, axis=-1, keepdims=True)
        runtime.shift_roots(shifts * np.minimum(1.0, TUNING.max_correction * dt / np.maximum(sizes, 1e-12)))
        turns = wrap_angle(figure.yaws[frame] - runtime.yaw) * dt / TUNING.yaw_correction
        limit = TUNING.max_yaw_correction * dt
        runtime.state.yaw = runtime.yaw + np.clip(turns, -limit, limit)

    def finish(self) -> Dance:
        """Return the dance so far, with locked feet."""
        return finished(self.finish_in_steps())

    def finish_in_steps(self) -> Generator[None, None, Dance]:
        """Do the work of :meth:`finish`, and yield after each piece of it."""
        leader = yield from self._finish_dancer(0)
        follower = yield from self._finish_dancer(1)
        done = self.frames_done
        return Dance(leader, follower, self.choreography.figure.holds[:done] > 0.5, self.choreography.centers[:done])

    def _finish_dancer(self, row: int) -> Generator[None, None, Walk]:
        """Return the finished motion of one of the two characters."""
        trace = self._history.trace(row, 0, self.frames_done)
        return finish_frames.steps(self.model, trace.frames, trace.gaits)
