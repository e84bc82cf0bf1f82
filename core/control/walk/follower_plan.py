"""The plan of one character that follows its path."""

from dataclasses import dataclass, field, replace
from typing import Self

from ...terrain.ground import Scene
from ..path.path import Path
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing
from ..runtime.body_state import BodyState
from ..runtime.control_variation import ControlVariation
from .accompaniment import AccompanimentPlan


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
        accompaniment: what accompanies it; `None` if it walks alone.
        begin: the body that walks on; `None` for one that stands at the path's start.
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
    accompaniment: AccompanimentPlan | None
    begin: BodyState | None = field(default=None, kw_only=True)

    def with_timing(self, timing: Timing) -> Self:
        """Return the plan by another timing."""
        accompaniment = self.accompaniment and self.accompaniment.retimed(self.timing, timing)
        return replace(self, timing=timing, accompaniment=accompaniment)

    def starts_like(self, other: "FollowerPlan") -> bool:
        """Return whether another plan has the same body, seed, performer, variation, response and accompaniment."""
        mine, others = self.accompaniment, other.accompaniment
        are_alike = mine.is_like(others) if mine is not None else others is None or others.is_like(None)
        drawn = (self.seed, self.performer, self.variation, self.responsiveness)
        drawn_there = (other.seed, other.performer, other.variation, other.responsiveness)
        return are_alike and self.begin is other.begin and drawn == drawn_there
