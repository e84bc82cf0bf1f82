"""The plan of a character that follows its path."""

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
    """The plan of one character, in meters at its controller's scale.

    Attributes:
        path: the path.
        profile: terrain along the path.
        timing: the timing.
        speed: lowest commanded speed of the walk, m/s.
        ground: the ground, in meters at the controller's scale.
        seed: seed of the phase at the first frame; 0 for the controller's initial phase.
        performer: shares of the controller's K performers; empty for the first, or for a controller without performers.
        variation: variation of the control series; `None` for no variation.
        responsiveness: how strongly the command determines the trajectory ahead, from 0 to 1.
        accompaniment: the plan of the accompaniment; `None` for a character without accompaniment.
        begin: state of a moving body at the path's start from which the walk continues; `None` to start standing.
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
        """Return the plan with another timing."""
        accompaniment = self.accompaniment and self.accompaniment.retimed(self.timing, timing)
        return replace(self, timing=timing, accompaniment=accompaniment)

    def starts_like(self, other: "FollowerPlan") -> bool:
        """Return whether another plan would begin the same roll-out: with equal body, seed, performer and settings."""
        mine, others = self.accompaniment, other.accompaniment
        are_alike = mine.is_like(others) if mine is not None else others is None or others.is_like(None)
        drawn = (self.seed, self.performer, self.variation, self.responsiveness)
        drawn_there = (other.seed, other.performer, other.variation, other.responsiveness)
        return are_alike and self.begin is other.begin and drawn == drawn_there
