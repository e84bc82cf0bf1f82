"""Dribbles of a shot: walks with a dribbled ball, from standing to standing, by the controller that plays balls."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array, length
from ...retarget.calibration import Calibration
from ...tuning import Tuning, tuned
from ..ball.accompaniment import BallAccompaniment
from ..ball.dribble import Dribble, plays_ball
from ..path.path import Path
from ..path.path_events import BallCue, CueSpan, Wait
from ..performance.seam import TUNING as SEAM
from ..runtime.controller_body import calibrate_controller
from ..walk.path_walk import WalkRollout, begin_walk
from ..walk.plan import WalkRequest
from ..walk.walk_performance import walk_performance
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation
from .ball_activity import BallActivity
from .balls import require_ball, with_ball
from .beats import DribbleBeat
from .furniture import around_furniture
from .nearby import near_way
from .outcome import BeatResult
from .standing import Standing
from .walk_timing import arriving_after, standing_until
from .walking import lowered


@dataclass(frozen=True, slots=True)
class DribblingTuning(Tuning):
    """Tuned numbers of dribbles of a shot."""

    stop: float = tuned(0.6, "m", 0.1, 2.0)
    """Distance within which a moving body comes to rest before a dribble."""
    moving_speed: float = tuned(0.3, "m/s", 0.0, 1.0)
    """Speed from which a body counts as moving, so that it comes to rest before a dribble."""
    near: float = tuned(0.5, "m", 0.1, 2.0)
    """Distance from the first point of its path up to which a dribble begins where the character stands."""
    hold: float = tuned(0.4, "m", 0.1, 1.0)
    """Length of path at each end on which both hands hold the ball."""
    settle: float = tuned(0.5, "s", 0.0, 1.0)
    """Standing time at the end, before the next activity begins."""


DRIBBLING: Final = DribblingTuning()


class Dribbling(BallActivity):
    """A dribble as a part of a shot: a walk with a dribbled ball, from standing to standing."""

    @property
    def beat(self) -> DribbleBeat:
        """The dribble's beat."""
        assert isinstance(self.part.beat, DribbleBeat)
        return self.part.beat

    @property
    def ball(self) -> int:
        """Index of the dribbled ball, which both hands hold at the start."""
        return self.part.ball

    @property
    def model(self) -> ControllerModel:
        """The controller that dribbles.

        Raises:
            FootfallError: the stage has no controller that dribbles.
        """
        if self.stage.dribbles is None or not plays_ball(self.stage.dribbles):
            raise FootfallError("No controller for dribbling is chosen: choose one")
        return self.stage.dribbles

    @cached_property
    def calibration(self) -> Calibration:
        """Calibration between the skeleton of the controller that dribbles and the animated body."""
        request, walks = self.stage.request, self.stage.walks
        target = request.target
        return request.dribble_target or calibrate_controller(
            self.model, walks.skeleton if target is None else target.target
        )

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return the indices of the objects near the dribble's path."""
        return near_way(situation.objects, self._points(situation) / self.stage.scale, TUNING.sight)

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if the ball or a controller is missing; planning checks the path later."""
        self.stage.require_walker()
        require_ball(situation.balls, self.ball)
        assert self.model is not None

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first come to rest, or walk to the start of the dribble's path."""
        if situation.speed > DRIBBLING.moving_speed:
            return True
        points, here = self.beat.walk.points, self.stage.root(situation)[0]
        return len(points) > 1 and float(length(points[0, :2] - here)) > DRIBBLING.near * self.stage.scale

    def destination(self, situation: Situation) -> Destination:
        """Return the start of the dribble's path, to be faced along it; of a one-point path, a place to stop ahead."""
        (here, yaw), points, level = self.stage.root(situation), self.beat.walk.points[:, :2], float(situation.place[2])
        stand = points[0]
        if len(points) == 1:
            stand = here + DRIBBLING.stop * self.stage.scale * facing_direction(np.array(yaw))
        ground = self.stage.ground_below(np.append(stand, level + TUNING.same_level), level)
        return Destination(stand, ground, faced=points[min(len(points) - 1, 1)], is_exact=True)

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the first point (2), meters, world, of the dribble's path."""
        return self.beat.walk.points[0]

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the dribble; if it misses the time set for its end, plan it again at another speed."""
        ends, rate = self.beat.time.end, self.stage.walks.rate
        rollout = begin_walk(self.model, self._request(situation, after, ends))
        there = yield from self._roll_out(rollout, after)
        late = 0.0 if ends is None else (situation.frame + there) / rate - ends
        aim = ends or 0.0
        for _ in range(TUNING.tries):
            if ends is None or abs(late) < TUNING.punctual:
                break
            aim -= late
            rollout = begin_walk(self.model, self._request(situation, after, aim))
            there = yield from self._roll_out(rollout, after)
            late = (situation.frame + there) / rate - ends
        return (yield from self._made(rollout, situation, after, max(late, 0.0)))

    def _roll_out(self, rollout: WalkRollout, after: Activity | None) -> Generator[int, None, int]:
        """Dribble until the next activity begins; yield the finished frames, and return the frame of the arrival."""
        there, settle = 0, round(DRIBBLING.settle * rollout.model.rate)
        while rollout.advance(STEP_FRAMES):
            yield rollout.frames_done
            there = there if rollout.way_left < TUNING.there * rollout.scale else rollout.frames_done
            if after is not None and rollout.total_frames - rollout.frames_done < settle:
                break
        return there

    def _made(self, rollout: WalkRollout, situation: Situation, after: Activity | None, late: float) -> Making:
        """Return the finished dribble, with a few more frames to overlap the next activity."""
        stage, model, level = self.stage, self.model, float(situation.place[2])
        done, root = rollout.frames_done, rollout.trace_from(rollout.frames_done - 1).frames
        place, yaw = np.append(rollout.scale * root.position[-1], level), float(root.yaw[-1])
        state = None
        if after is not None:
            rests = Standing(stage.walks, place / stage.scale, yaw, SEAM.overlap, seed=stage.request.seed)
            rests.advance(STEP_FRAMES)
            state = rests.body_state()
            rollout.advance(round(SEAM.overlap * model.rate))
        walk = yield from rollout.finish_in_steps()
        balls = [one.later(done) for one in situation.balls]
        made = walk_performance(walk, model.gaits, level)
        made, balls[self.ball] = with_ball(made, situation.balls[self.ball], done, stage.request.rise)
        return MadePart(
            made,
            Situation(state, place, yaw, situation.objects, frame=situation.frame + done, balls=tuple(balls)),
            {self.part.number: BeatResult(0, done - 1, "done", late=late)},
            rollout.frames_done - done,
        )

    def _request(self, situation: Situation, after: Activity | None, ends: float | None) -> WalkRequest:
        """Return the request of the dribble, which arrives at a time, seconds, if one is given."""
        stage, part, walk, rate = self.stage, self.part, self.beat.walk, self.stage.walks.rate
        path = Path(self._points(situation))
        begins = (
            float(path.arc_lengths[np.argmin(length(path.points - walk.points[0, :2]))])
            if len(walk.points) > 1
            else 0.0
        )
        cues = lowered(walk.cues.later(begins, situation.frame, rate), stage.request.rise)
        own = CueSpan(0.0, np.inf, speed=walk.speed, style=walk.style)
        hold = DRIBBLING.hold * stage.scale
        holds = [
            BallCue("hold", *span)
            for span, is_joined in (
                ((-1.0, hold), situation.frame > 0),
                ((path.length - hold, np.inf), after is not None),
            )
            if is_joined
        ]
        waits = (Wait(path.length, part.wait),) if part.wait else ()
        cues = replace(cues, spans=(own, *cues.spans), balls=(*cues.balls, *holds), waits=(*cues.waits, *waits))
        state = situation.balls[self.ball]
        solid = [situation.objects[one] for one in self.near(situation, after) if one != situation.used]
        request = WalkRequest(
            path,
            walk.speed,
            around_furniture(stage.scene, solid, stage.scale),
            float(situation.place[2]),
            self.calibration,
            stage.request.seed,
            cues=cues,
            responsiveness=stage.request.manner.responsiveness,
            accompaniment=BallAccompaniment(Dribble(self.beat.hand, state.radius), state.kit, stage.request.rise),
        )
        now = situation.frame / rate
        if ends is not None:
            request = arriving_after(request, self.model, ends - now)
        return request if part.until is None else standing_until(request, self.model, part.until - now)

    def _points(self, situation: Situation) -> Array:
        """Return the points (N, 2), meters, of the path from the character on, straight ahead at first."""
        here, yaw = self.stage.root(situation)
        points = [here]
        points += [one for one in self.beat.walk.points[:, :2] if float(length(one - points[-1])) > 1e-3]
        if situation.frame > 0 and len(points) > 1:
            lead = min(TUNING.lead * self.stage.scale, TUNING.lead_share * float(length(points[1] - points[0])))
            points.insert(1, here + lead * facing_direction(np.array(yaw)))
        return np.array(points)
