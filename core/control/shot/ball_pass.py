"""Passes of a ball between two partners: both stand apart and face each other, one throws, the other one catches."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...jobs.steps import mapped
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import yaw_of
from ...motion.rotations import UP, Array, length, wrap_angle
from ...tuning import Tuning, tuned
from ..ball.ball_meetings import TUNING as MEETINGS
from ..ball.ball_plan import RELEASE_RATIO
from ..path.path import Path
from ..path.path_events import BallCue
from ..walk.path_walk import WalkRollout
from .activity import STEP_FRAMES, TUNING, Activity, MadePart, Making, Situation
from .balls import require_ball
from .beats import PassBeat
from .encounter import MEETING, Arrival, Script, Stand, facing_stands, require_limbs, root_of
from .meeting import Meeting
from .outcome import BeatResult
from .passed_balls import thrower_of
from .playing import PLAYING, action_request, moment_of, roll_out_action
from .walking import walked_part


@dataclass(frozen=True, slots=True)
class BallPassTuning(Tuning):
    """Tuned numbers of passes of a ball between two partners."""

    distances: tuple[float, float] = tuned((1.5, 8.0), "m", 0.5, 20.0)
    """Smallest and largest distance between both partners."""


BALL_PASS: Final = BallPassTuning()


@dataclass(frozen=True, slots=True, eq=False)
class PassMotion:
    """The joint motion of two partners in a pass.

    Attributes:
        rollouts: the roll-out of each partner, from its own arrival on, in the order of the pairing.
        caught: frame of the shot at which the ball is caught.
        late: delay of the release after the time set for it, seconds.
    """

    rollouts: tuple[WalkRollout, WalkRollout]
    caught: int
    late: float


class PassScript(Script[PassMotion]):
    """The content of a pass of a ball."""

    @property
    def thrower(self) -> int:
        """Index of the character that throws, 0 or 1."""
        return thrower_of(self.pairing)

    @property
    def _beat(self) -> PassBeat:
        """The beat of the character that throws."""
        beat = self.pairing.parts[self.thrower].beats[0][1]
        assert isinstance(beat, PassBeat)
        return beat

    def planned_stands(self) -> tuple[Stand, Stand]:
        """Return each character's position and facing before it takes the short step that an action begins with."""
        way, steps = self.pairing.origins[1] - self.pairing.origins[0], sum(map(self._step, (0, 1)))
        return facing_stands(self.pairing.middle, way, self._beat.distance + steps)

    def require(self) -> None:
        """Raise :class:`FootfallError` if the pass is impossible wherever the characters stand."""
        require_limbs(self.pairing.names, self.stages)
        least, most = BALL_PASS.distances
        if not least <= self._beat.distance <= most:
            raise FootfallError(
                "A pass over {distance} m is not possible: choose a distance from {least} to {most} m",
                distance=f"{self._beat.distance:g}",
                least=f"{least:g}",
                most=f"{most:g}",
            )

    def perform(self, frame: int, arrivals: tuple[Arrival, Arrival]) -> Generator[float, None, PassMotion]:
        """Make the pass of two characters that have arrived, from a frame of the shot; yield the share done.

        The thrower is made first, then the catcher for the thrower's release, then the thrower for the catcher's hands.
        """
        throws, catches = self.thrower, 1 - self.thrower
        starts, rate = [one.situation.frame for one in arrivals], arrivals[0].stage.walks.rate
        ends = next((one.time.end for one in self.pairing.beats if isinstance(one, PassBeat) and one.time.end), None)
        later, idle = starts[catches] - starts[throws], (frame - starts[throws]) / rate
        chest = self._chest(arrivals, catches)[None]
        first = yield from self._rolled(arrivals, throws, BallCue("pass", 0.0, target=chest, idle=idle), 0.0)
        early = 0.0 if ends is None else ends - (starts[throws] + moment_of(first)) / rate
        if early > TUNING.punctual:
            cue = BallCue("pass", 0.0, target=chest, idle=idle + early)
            first = yield from self._rolled(arrivals, throws, cue, 0.1)
        released, given = moment_of(first), (yield from self._places(first, throws))
        last = max(released - later, 0)
        cue = BallCue("catch", 0.0, target=given[np.clip(np.arange(last + 1) + later, 0, released)])
        cue = replace(cue, with_other=True, meetings=((released - later) / rate,))
        second = yield from self._rolled(arrivals, catches, cue, 0.4)
        caught, taken = moment_of(second), (yield from self._places(second, catches))
        hands = taken[np.clip(np.arange(len(taken) + later) - later, caught, len(taken) - 1)]
        cue = BallCue("pass", 0.0, target=hands, with_other=True, meetings=((caught + later) / rate,))
        third = yield from self._rolled(arrivals, throws, cue, 0.7)
        late = max(-early, 0.0)
        return PassMotion((third, second) if throws == 0 else (second, third), starts[catches] + caught, late)

    def _rolled(
        self, arrivals: tuple[Arrival, Arrival], side: int, cue: BallCue, share: float
    ) -> Generator[float, None, WalkRollout]:
        """Return the roll-out of a character's action toward its partner; yield the share done."""
        one, (here, _) = arrivals[side], self._root(arrivals[side])
        way = self._root(arrivals[1 - side])[0] - here
        path = Path(np.stack([here, here + self._step(side) * way / max(float(length(way)), 1e-6)]))
        situation, ball = one.situation, self.ball_of(side, one.situation)
        request = action_request(
            one.stage, self.pairing.parts[side], situation, path, replace(cue, start=path.length), ball
        )
        rolling = roll_out_action(one.stage, situation, request, goes_on=True)
        return (yield from mapped(rolling, lambda _: share))

    def _places(self, rollout: WalkRollout, side: int) -> Generator[float, None, Array]:
        """Return the centers (F, 3) of the ball in a character's action, meters, world; yield between steps."""
        walk = yield from mapped(rollout.finish_in_steps(), lambda _: 0.5)
        assert walk.ball is not None
        return walk.ball.track.positions + self.stages[side].request.rise * UP

    def ball_of(self, side: int, situation: Situation) -> int:
        """Return the index of the passed ball among the balls of a character in a situation."""
        if side == self.thrower:
            return self._beat.ball
        name = self.stages[self.thrower].request.balls[self._beat.ball].name
        return next(index for index, one in enumerate(situation.balls) if one.name == name)

    def _root(self, arrival: Arrival) -> tuple[Array, float]:
        """Return a character's root (2), meters, world, and its yaw, radians, at its arrival."""
        return arrival.stage.root(arrival.situation)

    def _body(self, side: int) -> float:
        """Return the size of a character's body, 1 for an adult."""
        stage = self.stages[side]
        return stage.scale * stage.walks.skeleton.leg_length / ADULT_LEG_LENGTH_M

    def _step(self, side: int) -> float:
        """Return the length of the step with which a character's action begins, meters."""
        return PLAYING.step * self._body(side)

    def _chest(self, arrivals: tuple[Arrival, Arrival], side: int) -> Array:
        """Return about where (3) a character catches a ball, meters, world."""
        (here, _), there, body = self._root(arrivals[side]), self._root(arrivals[1 - side])[0], self._body(side)
        ahead = (there - here) / max(float(length(there - here)), 1e-6)
        height = float(arrivals[side].situation.place[2]) + RELEASE_RATIO["catch"] * ADULT_LEG_LENGTH_M * body
        return np.append(here + MEETINGS.hands_ahead * body * ahead, height)


class BallPass(Meeting):
    """A pass of a ball as a part of a shot: the character throws it to its partner, or catches it from there."""

    @property
    def _script(self) -> PassScript:
        script = self.encounter.script
        assert isinstance(script, PassScript)
        return script

    @property
    def _throws(self) -> bool:
        """True if this character throws the ball."""
        return self._script.thrower == self._side

    @property
    def ball(self) -> int:
        """Index of the thrown ball, which both hands hold at the start; -1, free hands, to catch it."""
        beat = self.part.beats[0][1]
        return beat.ball if isinstance(beat, PassBeat) else -1

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the motion: those of the meeting, and the ball."""
        index = self._script.ball_of(self._side, situation)
        return super().inputs(situation), situation.frame, situation.balls[index]

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if the meeting is impossible, or another character has the ball."""
        super().check(situation)
        if self._throws:
            require_ball(situation.balls, self.ball)

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first come to rest, walk to its position, or turn to its partner."""
        (position, yaw), stand, partner = root_of(situation, self.stage), self._stand, self._partner_stand
        away = float(length(self.stage.scale * position - stand.place))
        turn = float(wrap_angle(yaw_of(partner.place - stand.place) - yaw))
        is_moving = situation.speed > PLAYING.moving_speed
        return is_moving or away > MEETING.near * self.stage.scale or abs(turn) > PLAYING.turn

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make this character's share of the pass; call :meth:`gather` first, which waits for the partner."""
        motion = yield from self.encounter.perform()
        rollout, index = motion.rollouts[self._side], self._script.ball_of(self._side, situation)
        while after is None and rollout.advance(STEP_FRAMES):
            yield rollout.frames_done
        balls = list(situation.balls)
        if not self._throws:
            balls[index] = balls[index].away
        result = BeatResult(0, 0, "done", late=motion.late, caught=motion.caught - situation.frame)
        begins = replace(situation, balls=tuple(balls))
        made = yield from walked_part(self.stage, rollout, begins, after, {self.numbers[0]: result}, index)
        ends = list(made.end.balls)
        ends[index] = replace(ends[index], is_away=self._throws)
        return replace(made, end=replace(made.end, balls=tuple(ends)))
