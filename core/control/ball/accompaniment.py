"""A ball that accompanies a walk: it is dribbled along the path, and played at path events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...ball.dribbled_ball import join_ball
from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...retarget.calibration import Calibration
from ..path.path import Path
from ..path.path_events import Cues
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import STAND_BEFORE_S, Timing
from ..walk.accompaniment import AccompanimentPlan
from ..walk.finished_walk import Walk
from ..walk.follower_plan import FollowerPlan
from ..walk.rollout_trace import RolloutTrace
from .ball_meetings import wait_for_others
from .ball_plan import BallKit, BallPlan, place_ball_cues, plan_ball
from .ball_play import play_ball
from .dribble import BallPivots, Dribble, DribblePlan, plan_dribble, plays_ball, require_level
from .told_ball import told_ball


@dataclass(frozen=True, slots=True, eq=False)
class PlannedBall:
    """The planned ball of one walk.

    Attributes:
        dribble: the planned dribble; `None` if the ball is not dribbled.
        play: all other planned actions with the ball; `None` if there are none.
        scale: world meters per meter at the controller's scale.
        floor: height of the level ground, meters, world.
    """

    dribble: DribblePlan | None
    play: BallPlan | None
    scale: float
    floor: float

    @property
    def radius(self) -> float:
        """Radius of the ball, world meters."""
        if self.play is not None:
            return self.play.kit.radius
        return 0.0 if self.dribble is None else self.scale * self.dribble.radius

    def retimed(self, before: Timing, after: Timing) -> "PlannedBall":
        """Return the plan adapted to a changed timing of the walk.

        Args:
            before: the timing that this plan is for.
            after: the changed timing.
        """
        return replace(self, dribble=self.dribble and self.dribble.retimed(before, after))

    def is_like(self, other: AccompanimentPlan | None) -> bool:
        """Return whether another plan has an equal dribble, so that a roll-out of this plan is also one of the other.

        Captured takes may differ, since they are added after the roll-out.
        """
        dribble = _dribble_of(other)
        return dribble is None if self.dribble is None else self.dribble.is_like(dribble)

    def batch(self, model: ControllerModel, plans: Sequence[AccompanimentPlan | None]) -> BallPivots | None:
        dribbles = [_dribble_of(plan) for plan in plans]
        return BallPivots(model, dribbles) if any(dribble is not None for dribble in dribbles) else None

    def finished(
        self, walk: Walk, trace: RolloutTrace, timing: Timing, model: ControllerModel, calibration: Calibration | None
    ) -> Walk:
        told = self.dribble and told_ball(model, self.dribble, timing, trace, self.scale)
        if self.play is not None:
            body = calibration or model.skeleton
            played = play_ball(walk.clip, self.play, trace.planned_lengths, told, body, self.scale, self.floor)
            return replace(walk, clip=played[0], ball=played[1])
        assert told is not None
        return replace(walk, ball=join_ball(walk.clip, told, self.radius, self.floor))


@dataclass(frozen=True, slots=True, eq=False)
class BallAccompaniment:
    """The request for a ball along a walk, before the walk is planned.

    Attributes:
        dribble: the dribble along the path; `None` if the ball is not dribbled.
        kit: captured takes and the ball, needed only for path events with the ball.
        rise: height by which the finished body will be raised onto its own soles, world meters.
        continues: whether the walk continues a motion, so that the character does not stand before it.
    """

    dribble: Dribble | None = None
    kit: BallKit | None = None
    rise: float = 0.0
    continues: bool = False

    def require(self, model: ControllerModel) -> None:
        if self.dribble is not None and not plays_ball(model):
            raise FootfallError(
                "This controller does not play with a ball: choose one that does, or set Ball to No Ball"
            )

    def resampled(self, rate: float) -> "BallAccompaniment":
        return replace(self, kit=self.kit and self.kit.resampled(rate))

    def placed(
        self, cues: Cues, path: Path, profile: TerrainProfile, scale: float, rate: float, time: Callable[[Cues], Timing]
    ) -> Cues:
        if self.dribble is not None or any(cue.action != "hold" for cue in cues.balls):
            require_level(profile, scale)
        stands = 0.0 if self.continues else STAND_BEFORE_S
        cues = wait_for_others(cues, self.kit, path, profile, scale, rate, time, stands)
        return place_ball_cues(cues, self.kit, path, profile, scale)

    def planned(
        self, cues: Cues, timing: Timing, profile: TerrainProfile, scale: float, rate: float
    ) -> PlannedBall | None:
        play = plan_ball(cues, self.kit, timing, rate, self.dribble is not None)
        dribble = self.dribble and plan_dribble(self.dribble, cues.spans, timing, scale, rate)
        if play is None and dribble is None:
            return None
        if play is not None and dribble is not None:
            dribble = replace(dribble, shares=play.ball_shares(timing, rate))
        level = profile.heights.mean() if profile.is_level else profile.heights.min()
        return PlannedBall(dribble, play, scale, float(level) * scale - self.rise)


def ball_of(plan: FollowerPlan) -> PlannedBall | None:
    """Return the planned ball of a walk; `None` if it has none."""
    return plan.accompaniment if isinstance(plan.accompaniment, PlannedBall) else None


def _dribble_of(plan: AccompanimentPlan | None) -> DribblePlan | None:
    """Return the dribble of an accompaniment's plan; `None` if it has none."""
    return plan.dribble if isinstance(plan, PlannedBall) else None
