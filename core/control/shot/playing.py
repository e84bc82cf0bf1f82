"""Ball actions of a shot: a standing character picks a ball up, puts it down or shoots it."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, length, wrap_angle
from ...tuning import Tuning, tuned
from ..ball.accompaniment import ball_of
from ..ball.ball_plan import TUNING as BALL_PLAN
from ..path.path import Path
from ..path.path_events import BallCue, Cues, Wait
from ..path.velocity_profile import STAND_AFTER_S
from ..walk.path_walk import WalkRollout, begin_walk
from ..walk.plan import WalkRequest
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage
from .ball_activity import BallActivity
from .balls import BallState, require_ball
from .beats import BallBeat
from .draft import Draft, walk_draft
from .outcome import BeatResult
from .parts import BallPart, MeetingPart
from .walk_timing import standing_until
from .walking import walk_request, walked_part


@dataclass(frozen=True, slots=True)
class PlayingTuning(Tuning):
    """Tuned numbers of actions with a ball."""

    stop: float = tuned(0.6, "m", 0.1, 2.0)
    """Distance within which a moving adult comes to rest before an action."""
    moving_speed: float = tuned(0.3, "m/s", 0.0, 1.0)
    """Speed from which a body counts as moving, so that it comes to rest before an action."""
    reach_slack: float = tuned(0.2, "m", 0.0, 0.3)
    """Largest deviation of an adult's distance from a ball on the ground from the captured one."""
    same_place: float = tuned(0.25, "m", 0.05, 1.0)
    """Distance from the place set for the action up to which the character does not walk there."""
    turn: float = tuned(0.6, "rad", 0.1, np.pi)
    """Largest angle between facing and the ball or target at which the character need not walk a curve to face it."""
    curve: float = tuned(0.9, "m", 0.3, 2.0)
    """Length of a curve that the character walks to face its target."""
    shortest: float = tuned(0.5, "m", 0.1, 1.0)
    """Shortest walk on which an adult turns to a ball on the ground."""
    sides: int = tuned(6, "1", 2, 60)
    """Number of positions, on either side of a ball, from which to try to pick it up."""
    step: float = tuned(0.1, "m", 0.02, 0.3)
    """Length of the path that a standing character is given, since a path needs some length."""


PLAYING: Final = PlayingTuning()


class Playing(BallActivity):
    """An action with a ball in place, as a part of a shot: the character picks it up, puts it down or shoots it."""

    @property
    def beat(self) -> BallBeat:
        """The action's beat."""
        assert isinstance(self.part.beat, BallBeat)
        return self.part.beat

    @property
    def ball(self) -> int:
        """Index of the ball that the character must hold at the start; -1, free hands, to pick a ball up."""
        return -1 if self.beat.action == "pick_up" else self.beat.ball

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return an empty tuple: a ball action avoids no objects."""
        return ()

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if walk controller, ball or target is missing, or the ball is already held."""
        self.stage.require_walker()
        state = require_ball(situation.balls, self.beat.ball)
        if self.beat.action == "pick_up" and state.is_held:
            raise FootfallError(
                "The character already holds '{name}': remove the beat that picks it up", name=state.name
            )
        if self.beat.action == "pick_up" and not len(state.places):
            raise FootfallError("The character has no ball yet: let it pick one up in an earlier beat")
        if self.beat.action == "shoot" and self.beat.target is None:
            raise FootfallError("There is no target to shoot at: choose a hoop, an empty or an object")

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first come to rest, walk to the place of the action, or turn."""
        return situation.speed > PLAYING.moving_speed or self._is_away(situation, self._stand(situation))

    def destination(self, situation: Situation) -> Destination:
        """Return the place of the action, faced toward the ball or the target."""
        faced, stand = self._faced(situation), self._stand(situation)
        level = float(situation.place[2])
        if faced is None:
            faced = 2.0 * stand - self.stage.root(situation)[0]
        ground = self.stage.ground_below(np.append(stand, level + TUNING.same_level), level)
        return Destination(stand, ground, faced=faced, is_exact=True)

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the point (2 or 3), meters, world, that the character faces; without one, the action's place."""
        faced = self._faced(situation)
        return self._stand(situation) if faced is None else faced

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the action, after a wait if a time is set for the moment of pick-up, release or shot."""
        ends, rate = self.beat.time.end, self.stage.walks.rate
        idle = len(situation.balls[self.beat.ball].places) / rate if self.beat.action == "pick_up" else 0.0
        rollout = yield from self._roll_out(situation, after, idle)
        late = 0.0 if ends is None else (situation.frame + moment_of(rollout)) / rate - ends
        if late < -TUNING.punctual:
            rollout = yield from self._roll_out(situation, after, idle - late)
            late = 0.0
        result = BeatResult(0, 0, "done", late=max(late, 0.0))
        results = {self.part.number: result}
        return (yield from walked_part(self.stage, rollout, situation, after, results, self.beat.ball))

    def _roll_out(
        self, situation: Situation, after: Activity | None, idle: float
    ) -> Generator[Draft, None, WalkRollout]:
        """Return the roll-out of the action after a time to wait, seconds; yield its drafts."""
        request = self._request(situation, idle)
        return (yield from roll_out_action(self.stage, situation, request, goes_on=after is not None))

    def _request(self, situation: Situation, idle: float) -> WalkRequest:
        """Return the request to stand and act after a time to wait, seconds."""
        beat, (here, yaw) = self.beat, self.stage.root(situation)
        faced, target = self._faced(situation), beat.target
        ahead = facing_direction(np.array(yaw if faced is None else float(yaw_of(faced - here))))
        if beat.action == "pick_up":
            target = self._state(situation).places[-1]
        elif beat.action == "put_down" and faced is not None:
            target = np.append(faced, situation.place[2] + self._state(situation).radius)
        end = here + PLAYING.step * self._body * ahead
        nearest = (BALL_PLAN.pick_up_reach - PLAYING.reach_slack) * self._body
        if beat.action != "shoot" and faced is not None and length(faced - here) < nearest:
            end = faced - BALL_PLAN.pick_up_reach * self._body * ahead  # a step back, facing the ball
        path = Path(np.stack([here, end]))
        targets = None if target is None else np.asarray(target, dtype=float)[None]
        cue = BallCue(beat.action, path.length, target=targets, rim_radius=beat.rim_radius, idle=idle)
        return action_request(self.stage, self.part, situation, path, cue, beat.ball)

    def _state(self, situation: Situation) -> BallState:
        """Return the state of the ball in a situation."""
        return situation.balls[self.beat.ball]

    @property
    def _body(self) -> float:
        """Size of the body, 1 for an adult."""
        return self.stage.scale * self.stage.walks.skeleton.leg_length / ADULT_LEG_LENGTH_M

    def _faced(self, situation: Situation) -> Array | None:
        """Return the point (2), meters, that the character faces; ``None`` to keep its direction."""
        beat = self.beat
        if beat.action == "shoot":
            return None if beat.target is None else beat.target[:2]
        if beat.action != "pick_up":
            return beat.place
        places = self._state(situation).places
        return places[-1, :2] if len(places) else None  # it is in the hands, or not there yet

    def _stand(self, situation: Situation) -> Array:
        """Return the end (2), meters, of the walk to the action; networks do not turn to a ball on the spot."""
        (here, yaw), faced = self.stage.root(situation), self._faced(situation)
        if self.beat.action == "shoot" or faced is None:
            place, ahead = here, facing_direction(np.array(yaw))
            if self.beat.place is not None:
                place = self.beat.place
            elif situation.speed > PLAYING.moving_speed:
                place = here + PLAYING.stop * self._body * ahead
            if faced is None or self._is_away(situation, place) or self._faces(situation):
                return place
            return place + PLAYING.curve * self._body * (faced - place) / length(faced - place)
        return here if self._is_at_ball(situation, faced) else self._beside(faced, here, yaw)

    def _is_at_ball(self, situation: Situation, ball: Array) -> bool:
        """Return whether the character stands at a ball (2) on the ground, or too near, and faces it."""
        away = float(length(self.stage.root(situation)[0] - ball)) / self._body
        is_near = away < BALL_PLAN.pick_up_reach + PLAYING.reach_slack
        return is_near and situation.speed <= PLAYING.moving_speed and self._faces(situation)

    def _beside(self, ball: Array, here: Array, yaw: float) -> Array:
        """Return the position (2), meters, with a ball on the ground in reach, that takes the least walk and turns.

        Args:
            ball: (2) place of the ball, meters.
            here: (2) root, meters.
            yaw: yaw of the root, radians.
        """
        reach, shortest = BALL_PLAN.pick_up_reach * self._body, PLAYING.shortest * self._body
        toward = float(yaw_of(here - ball)) if length(here - ball) > 1e-3 else yaw
        places = ball + reach * facing_direction(toward + np.linspace(-np.pi, np.pi, 2 * PLAYING.sides + 1))
        ways, last = places - here, yaw_of(ball - places)
        turns = np.abs(wrap_angle(yaw_of(ways) - yaw)) + 2.0 * np.abs(wrap_angle(last - yaw_of(ways)))
        far = length(ways)
        return places[np.argmin(turns + far / self._body + 100.0 * (far < shortest))]

    def _is_away(self, situation: Situation, place: Array) -> bool:
        """Return whether the character is elsewhere than at a position (2), meters."""
        return float(length(place - self.stage.root(situation)[0])) > PLAYING.same_place * self._body

    def _faces(self, situation: Situation) -> bool:
        """Return whether the character faces the ball or the target; true if there is none."""
        (here, yaw), faced = self.stage.root(situation), self._faced(situation)
        return faced is None or abs(float(wrap_angle(yaw_of(faced - here) - yaw))) < PLAYING.turn


def action_request(
    stage: Stage, part: BallPart | MeetingPart, situation: Situation, path: Path, cue: BallCue, ball: int
) -> WalkRequest:
    """Return the request to act with a ball, and to stand afterward as a part of a shot says.

    Args:
        stage: the shot's stage.
        part: the part of the shot.
        situation: the situation in which the action begins.
        path: short path along which the character faces, meters, world.
        cue: the action, at the end of the path.
        ball: index of the ball.
    """
    waits = (Wait(path.length, part.wait),) if part.wait else ()
    request = walk_request(stage, situation, path, TUNING.speed, Cues(waits=waits, balls=(cue,)), ball=ball)
    if part.until is None:
        return request
    return standing_until(request, stage.walks, part.until - situation.frame / stage.walks.rate)


def roll_out_action(
    stage: Stage, situation: Situation, request: WalkRequest, goes_on: bool
) -> Generator[Draft, None, WalkRollout]:
    """Return the roll-out of an action, short of its last standing if the character goes on; yield its drafts."""
    rollout, stands = begin_walk(stage.walks, request), round(STAND_AFTER_S * stage.walks.rate)
    while rollout.advance(STEP_FRAMES):
        yield walk_draft(rollout, situation.frame)
        if goes_on and rollout.total_frames - rollout.frames_done < stands:
            break
    return rollout


def moment_of(rollout: WalkRollout) -> int:
    """Return the frame at which the ball reaches or leaves the hands."""
    ball = ball_of(rollout.plan)
    assert ball is not None and ball.play is not None
    return ball.play.timeline(rollout.trace.planned_lengths, rollout.model.rate).contacts[0]
