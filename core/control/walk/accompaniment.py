"""Accompaniment of a walk: the questions that a walk asks of it, whatever it is."""

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
    """The accompaniment of the characters of a batch, frame by frame."""

    def begin(self, count: int) -> Beside:
        """Return the state of things beside the characters at the first frame."""
        ...

    def command(
        self, runtime: LocomotionRuntime, characters: NDArray[np.intp], frames: NDArray[np.intp]
    ) -> Mapping[str, Array]:
        """Return the values (B, ...) of further groups of inputs at the next frame, by the group's name.

        Args:
            runtime: of the characters (B); what it has beside them is changed.
            characters: (B) their indices.
            frames: (B) current frames of their timings.
        """
        ...


class AccompanimentPlan(Protocol):
    """The accompaniment of a planned walk."""

    def retimed(self, before: Timing, after: Timing) -> Self:
        """Return the plan with all at the same places along the path, by another timing."""
        ...

    def is_like(self, other: "AccompanimentPlan | None") -> bool:
        """Return whether a roll-out is commanded the same with another plan, or with none."""
        ...

    def batch(self, model: ControllerModel, plans: Sequence["AccompanimentPlan | None"]) -> BatchAccompaniment | None:
        """Return the accompaniment of a batch; ``None`` where its controller is told of nothing.

        Args:
            model: the controller.
            plans: of each character, with this plan among them; ``None`` for each that walks alone.

        Raises:
            FootfallError: the controller lacks what it needs for it.
        """
        ...

    def finished(
        self, walk: Walk, trace: RolloutTrace, timing: Timing, model: ControllerModel, calibration: Calibration | None
    ) -> Walk:
        """Return a walk that does its part, with what accompanied it beside it.

        Args:
            walk: the walk, with locked feet.
            trace: its frames.
            timing: where it was to be when.
            model: the controller.
            calibration: of the target skeleton; ``None`` for the controller's own skeleton.

        Raises:
            FootfallError: it cannot be done from where the character stands.
        """
        ...


class Accompaniment(Protocol):
    """The accompaniment of a walk that is to be planned."""

    def require(self, model: ControllerModel) -> None:
        """Raise a :class:`FootfallError` unless a controller can do it."""
        ...

    def resampled(self, rate: float) -> Self:
        """Return it at another rate, Hz."""
        ...

    def placed(
        self, cues: Cues, path: Path, profile: TerrainProfile, scale: float, rate: float, time: Callable[[Cues], Timing]
    ) -> Cues:
        """Return cues by which the walk stops and turns for it.

        Args:
            cues: of the walk, lengths along the planned path, in meters of the controller.
            path: the planned path.
            profile: terrain along it.
            scale: meters of the world per meter of the controller.
            rate: frames per second.
            time: plans where to be when by placed cues.

        Raises:
            FootfallError: it cannot be done on this ground, at these places or times.
        """
        ...

    def planned(
        self, cues: Cues, timing: Timing, profile: TerrainProfile, scale: float, rate: float
    ) -> AccompanimentPlan | None:
        """Return its plan; ``None`` where there is nothing to do.

        Args:
            cues: from :meth:`placed`.
            timing: where to be when.
            profile: terrain along the path.
            scale: meters of the world per meter of the controller.
            rate: frames per second.
        """
        ...
