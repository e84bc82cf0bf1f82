"""Accompaniment of a walk: the interface between a walk and objects that accompany it, such as a ball."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...retarget.calibration import Calibration
from ..path.path import Path
from ..path.path_events import Cues
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing
from ..runtime.beside import Beside
from ..runtime.locomotion_runtime import LocomotionRuntime
from .finished_walk import Walk
from .rollout_trace import RolloutTrace


class BatchAccompaniment(Protocol):
    """The accompaniment of a batch of characters in a roll-out, frame by frame."""

    def begin(self, count: int) -> Beside:
        """Return the state of the objects beside `count` characters at the first frame."""
        ...

    def command(
        self, runtime: LocomotionRuntime, characters: NDArray[np.intp], frames: NDArray[np.intp]
    ) -> Mapping[str, Array]:
        """Return the values (B, ...) of additional input groups at the next frame, by name of the group.

        Args:
            runtime: runtime of the B characters; the state of the objects beside them is modified in place.
            characters: (B) indices of the characters.
            frames: (B) current frame of each character's timing.
        """
        ...


class AccompanimentPlan(Protocol):
    """The accompaniment of a planned walk."""

    def retimed(self, before: Timing, after: Timing) -> Self:
        """Return the plan adapted to another timing, with all events at the same places along the path.

        Args:
            before: the timing that this plan is for.
            after: the other timing.
        """
        ...

    def is_like(self, other: "AccompanimentPlan | None") -> bool:
        """Return whether another plan, or ``None``, would give the network the same commands in a roll-out."""
        ...

    def batch(self, model: ControllerModel, plans: Sequence["AccompanimentPlan | None"]) -> BatchAccompaniment | None:
        """Return the accompaniment of a batch of characters; ``None`` if the controller's network has no inputs for it.

        Args:
            model: the controller.
            plans: plan of each character, including this one; ``None`` for a character without accompaniment.

        Raises:
            FootfallError: the controller lacks the required inputs or outputs.
        """
        ...

    def finished(
        self, walk: Walk, trace: RolloutTrace, timing: Timing, model: ControllerModel, calibration: Calibration | None
    ) -> Walk:
        """Return the walk with the character's part in the accompaniment added, such as hands that hold the ball.

        Args:
            walk: the walk, with locked feet.
            trace: the recorded roll-out of the walk.
            timing: the timing of the walk.
            model: the controller.
            calibration: calibration to the target skeleton; ``None`` for the controller's own skeleton.

        Raises:
            FootfallError: the accompaniment is impossible from the character's position.
        """
        ...


class Accompaniment(Protocol):
    """The accompaniment of a walk that is not planned yet."""

    def require(self, model: ControllerModel) -> None:
        """Raise :class:`FootfallError` unless a controller can walk with the accompaniment."""
        ...

    def resampled(self, rate: float) -> Self:
        """Return the accompaniment resampled to a rate, Hz."""
        ...

    def placed(
        self, cues: Cues, path: Path, profile: TerrainProfile, scale: float, rate: float, time: Callable[[Cues], Timing]
    ) -> Cues:
        """Return the walk's path events with the stops and turns added that the accompaniment requires.

        Args:
            cues: path events of the walk, at arc lengths of the planned path, in meters at the controller's scale.
            path: the planned path.
            profile: terrain along the path.
            scale: world meters per meter at the controller's scale.
            rate: frames per second.
            time: function that plans the walk's timing from path events.

        Raises:
            FootfallError: the accompaniment is impossible on this ground, or at these places or times.
        """
        ...

    def planned(
        self, cues: Cues, timing: Timing, profile: TerrainProfile, scale: float, rate: float
    ) -> AccompanimentPlan | None:
        """Return the plan of the accompaniment; ``None`` if it has no events in the walk.

        Args:
            cues: path events as :meth:`placed` returns them.
            timing: the timing of the walk.
            profile: terrain along the path.
            scale: world meters per meter at the controller's scale.
            rate: frames per second.
        """
        ...
