"""The plan of one character that follows its path."""

from dataclasses import dataclass, replace
from typing import Self

from ...terrain.ground import Scene
from ..path.path import Path
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing
from ..runtime.control_variation import ControlVariation
from .dribble import DribblePlan


@dataclass(frozen=True, slots=True, eq=False)
class FollowerPlan:
    """The plan of one character, in meters of its controller.

    Attributes:
        path: where to walk.
        profile: terrain along the path.
        timing: where to be when.
        speed: slowest commanded speed, m/s.
        ground: ground to walk on.
        seed: chooses the phase of the first frame; 0 is the controller's.
        performer: shares of the controller's performers (K); empty for the first, or where it tells none apart.
        variation: how its control series is varied; `None` leaves it as it is.
        responsiveness: from 0 to 1, see :meth:`ResponseBias.of_responsiveness`.
        dribble: the ball that is dribbled; `None` without one.
    """

    path: Path
    profile: TerrainProfile
    timing: Timing
    speed: float
    ground: Scene
    seed: int
    performer: tuple[float, ...]
    variation: ControlVariation | None
    responsiveness: float
    dribble: DribblePlan | None

    def with_timing(self, timing: Timing) -> Self:
        """Return the plan by another timing."""
        dribble = self.dribble and self.dribble.retimed(self.timing, timing)
        return replace(self, timing=timing, dribble=dribble)

    def starts_like(self, other: "FollowerPlan") -> bool:
        """Return whether another plan has the same seed, performer, variation, responsiveness and dribble."""
        if self.dribble is None or other.dribble is None:
            dribbles_alike = self.dribble is other.dribble
        else:
            dribbles_alike = self.dribble.is_like(other.dribble)
        return dribbles_alike and (self.seed, self.performer, self.variation, self.responsiveness) == (
            other.seed,
            other.performer,
            other.variation,
            other.responsiveness,
        )
