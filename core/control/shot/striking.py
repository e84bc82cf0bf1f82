"""Strikes of a shot: the character steps from standing into guard, strikes its targets, and stands again."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling import label_clip
from ...labelling.semantics.blows import LIMBS
from ...motion import Clip
from ...motion.fingers import bare_handed, with_hands_of, with_joints_of, without_hand_bones
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import IDENTITY, Array, length
from ...retarget.calibration import Calibration, calibrate
from ...retarget.retarget import retarget
from ...tuning import Tuning, tuned
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..runtime.body_state import BodyState
from ..runtime.pose_decoder import standing_clip
from ..strike import guard_steps, strike_rollout
from ..strike.exact_strike import ExactStrike
from ..strike.fight import Fight, Fighter
from ..strike.guard_steps import settle_into
from ..strike.rig_fight import ROOT_HEIGHTS_M, RigBody, fit_fight, order_of, strike_spans, with_strikes
from ..strike.rig_fight import TUNING as RIG_FIGHT
from ..strike.rig_strike import RigStrike, require_apart
from ..strike.strike_error import StrikeError, by_frames, retimed
from ..strike.strike_order import StrikeOrder, require_orders
from ..strike.strike_rollout import StrikeMotion
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage, Step
from .line_of_reach import is_blocked
from .outcome import BeatResult
from .parts import StrikePart
from .standing import Standing


@dataclass(frozen=True, slots=True)
class StrikingTuning(Tuning):
    """Tuned numbers of strikes of a shot."""

    stop: float = tuned(0.8, "s", 0.0, 3.0)
    """Time in which a moving body comes to rest before it goes into guard."""
    still: float = tuned(0.2, "s", 0.05, 3.0)
    """Shortest time that a body that is at rest already stands before it goes into guard."""
    moving_speed: float = tuned(0.1, "m/s", 0.0, 1.0)
    """Speed from which a body counts as moving, so that it comes to rest before a strike."""
    between: float = tuned(0.9, "s", 0.2, 3.0)
    """Time between the hits of consecutive strikes for which no times are set."""


STRIKING: Final = StrikingTuning()
READY_S: Final = guard_steps.TUNING.transition
"""Duration of the transition from standing into guard, and of that back, seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class _Struck:
    """Strikes on the controllers' body, over the ground z = 0.

    Attributes:
        parts: the strikes.
        orders: the strikes' orders, at frames of the clip.
        clip: motion from standing to guard.
        motion: motion of the attacks alone.
        solved: the solved strikes.
    """

    parts: list["Striking"]
    orders: list[StrikeOrder]
    clip: Clip
    motion: StrikeMotion
    solved: list[ExactStrike]


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """Strikes on the body that moves.

    Attributes:
        struck: the same strikes on the controllers' body.
        fight: the controllers' fight, which ends standing, and goes on under the next activity.
        performance: the motion on the body that moves.
        state: the body as the next activity begins, if there is one.
        root: its root (2), meters of the controllers, and its yaw, radians.
        hands: the motion with fingers and weapons, if the controller that strikes has any.
        miss: largest distance from a target at its blow, meters.
    """

    struck: _Struck
    fight: Fight
    performance: Performance
    state: BodyState | None
    root: tuple[Array, float]
    hands: Clip | None = None
    miss: float = 0.0


@dataclass(frozen=True, eq=False)
class Striking:
    """A strike as a part of a shot, together with directly following strikes that need no step to another place.

    Attributes:
        stage: the shot's stage.
        part: the strike.
        following: the strike directly after this one; ``None`` if there is none.
    """

    stage: Stage
    part: StrikePart
    following: "Striking | None" = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the beats that the activity carries out: only the strike's."""
        return (self.part.number,)

    @property
    def ball(self) -> int:
        """Index of the held ball: always -1, since a character strikes with free hands."""
        return -1

    @cached_property
    def fighter(self) -> Fighter:
        """The controllers that strike and walk.

        Raises:
            FootfallError: no controller strikes, or it has another body than the controller that walks.
        """
        if self.stage.strikes is None:
            raise FootfallError("No controller for attacks is chosen: choose one")
        return Fighter(self.stage.strikes, self.stage.walks)

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the motion: the strike, its first frame, and the next strike's inputs."""
        return self.part, situation.frame, None if self.following is None else self.following.inputs(situation)

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return an empty tuple: a strike avoids no objects."""
        return ()

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if controllers or rig cannot make the strike, or an obstacle blocks it."""
        self.stage.require_walker()
        strike, body = self.part.strike, self._body(situation)
        if strike.effector not in LIMBS:
            require_orders([StrikeOrder(0, np.zeros(3), strike.effector)])
        roles = self.stage.body.roles
        if not all(role in roles for role in (strike.effector, *LIMBS[strike.effector])):
            raise FootfallError(
                "The rig has no bones to strike with {effector}: choose them in the panel Rig, or strike with "
                "another hand or foot",
                effector=strike.effector,
            )
        require_orders([self.order(0, situation)])
        blow = situation.frame if strike.time is None else round(strike.time * self.stage.walks.rate)
        require_apart(situation.place[:2], body.floor, body.size, self.rig_strike(blow))
        if self._is_blocked(situation):
            raise FootfallError(
                "An obstacle stands between the character and the target of its strike: move one of them"
            )

    def is_far(self, situation: Situation) -> bool:
        """Return whether the target is out of reach, in guard, from where the character stands."""
        return not self.fighter.in_stance(*self._root(situation), self.order(0, situation))

    def destination(self, situation: Situation) -> Destination:
        """Return the place from which the character strikes, faced toward the target."""
        stand = self._stand(situation)
        return Destination(stand[:2], float(stand[2]), faced=self.part.strike.target[:2])

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the target (3) of the strike, meters, world."""
        return self.part.strike.target

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the strike, and the directly following strikes whose targets are in reach from the same place."""
        level = float(situation.place[2])
        frames = self._frames_before(situation)
        stands = self._standing(*self._root(situation), level, frames, situation.state)
        while stands.frames_done < frames:
            stands.advance(min(STEP_FRAMES, frames - stands.frames_done))
            yield stands.frames_done
        overlap = 0 if after is None else self._overlap
        try:
            met = yield from self._met(situation, stands, after)
        except StrikeError as error:
            told = retimed(str(error), situation.frame)
            raise StrikeError(told.template, **told.fields) from error
        struck, done, (position, yaw) = met.struck, len(met.performance) - overlap, met.root
        place = np.append(self.stage.scale * position, level)
        return MadePart(
            met.performance,
            Situation(
                met.state,
                place,
                yaw,
                situation.objects,
                frame=situation.frame + done,
                balls=tuple(one.later(done) for one in situation.balls),
            ),
            dict(_results(struck, strike_spans(met.fight, struck.orders), done)),
            overlap,
            {struck.parts[-1].part.number: done},
            hands=met.hands,
        )

    def order(self, frame: int, situation: Situation) -> StrikeOrder:
        """Return the strike as an order to the controllers, to hit at `frame`, over ground at z = 0."""
        return order_of(self.rig_strike(frame), situation.place[:2], self._body(situation))

    def rig_strike(self, frame: int) -> RigStrike:
        """Return the strike on the rig at a frame; its target is lowered, since the finished body will be raised."""
        strike = self.part.strike
        target = np.asarray(strike.target, dtype=float) - [0.0, 0.0, self.stage.request.rise]
        return RigStrike(frame, target, strike.effector, strike.tip, strike.both_hands)

    def _body(self, situation: Situation) -> RigBody:
        """Return the body that moves, on the ground of a situation."""
        return RigBody(self._calibration, 0.0, float(situation.place[2]))

    @cached_property
    def _calibration(self) -> Calibration:
        """Calibration of the body that strikes, with fingers and weapons, to the body that moves."""
        request, skeleton = self.stage.request, self.fighter.strikes.skeleton
        if request.strike_target is not None:
            return request.strike_target
        is_bare = without_hand_bones(skeleton) is skeleton
        return request.target if request.target and is_bare else calibrate(skeleton, self.stage.body)

    def _root(self, situation: Situation) -> tuple[Array, float]:
        """Return the character's root (2), meters of the controllers, and its yaw, radians."""
        state = situation.state
        return (situation.place[:2] / self.stage.scale, situation.yaw) if state is None else (state.position, state.yaw)

    def _stand(self, situation: Situation) -> Array:
        """Return the position (3), meters, world, on the line to the target, from which the target is in reach."""
        level = float(situation.place[2])
        stand = self.stage.scale * self.fighter.stance(self._root(situation)[0], self.order(0, situation))
        return np.append(stand, self.stage.ground_below(np.append(stand, level + TUNING.same_level), level))

    def _is_blocked(self, situation: Situation) -> bool:
        """Return whether an object is between the target and the position where the character will stand."""
        stage, strike = self.stage, self.part.strike
        size = stage.scale * stage.walks.skeleton.leg_length / ADULT_LEG_LENGTH_M
        here = self._stand(situation) if self.is_far(situation) else situation.place
        start = here + np.array([0.0, 0.0, ROOT_HEIGHTS_M[strike.effector.partition(".")[0]] * size])
        return is_blocked(stage, situation, start, np.asarray(strike.target, dtype=float), size)

    def _frames_before(self, situation: Situation) -> int:
        """Return the number of frames for which the character stands before it goes into guard.

        Raises:
            StrikeError: the strike is too early.
        """
        rate, strike, state = self.stage.walks.rate, self.part.strike, situation.state
        moves = state is not None and float(length(state.velocity)) > STRIKING.moving_speed
        least = round((STRIKING.stop if moves else STRIKING.still) * rate)
        if strike.time is None:
            return least
        blow = round(strike.time * rate)
        frames = blow - situation.frame - self._swing
        if frames < least:
            raise StrikeError(
                "The character cannot reach the target by frame {frame}: move the strike with {effector} "
                "{frames} later, or bring the target closer",
                effector=strike.effector,
                frame=blow,
                **by_frames(least - frames),
            )
        return frames

    def _frames_after(self, struck: _Struck) -> int:
        """Return the number of frames from guard to standing.

        There are enough that feet locked again at the seam do not affect the strike.
        """
        rate = self.stage.walks.rate
        locked = struck.orders[-1].frame + round((SEAM.reach + SEAM.fade) * rate) + 1
        return max(round(READY_S * rate), locked - len(struck.clip))

    @property
    def _overlap(self) -> int:
        """Number of frames over which the next activity begins."""
        return round(SEAM.overlap * self.stage.walks.rate)

    @property
    def _swing(self) -> int:
        """Number of frames from standing to the hit."""
        return round(READY_S * self.stage.walks.rate) + strike_rollout.TUNING.usual_swing

    def _standing(
        self, position: Array, yaw: float, level: float, frames: int, begin: BodyState | None = None
    ) -> Standing:
        """Return a body that stands for a number of frames at a root (2), meters of the controllers."""
        place = np.append(position, level / self.stage.scale)
        seconds = frames / self.stage.walks.rate
        return Standing(self.stage.walks, place, yaw, seconds, begin, self.stage.request.seed)

    def _in_hand(self, clip: Clip) -> Clip:
        """Return a motion with fingers and weapons as in the guard."""
        guard = standing_clip(self.fighter.strikes)
        return clip if guard is None else with_hands_of(clip, guard)

    def _met(self, situation: Situation, stands: Standing, after: Activity | None) -> Generator[Step, None, _Met]:
        """Make the strikes on the body that moves.

        Where stretched limbs do not meet the targets, limbs strike at whatever extension brings them nearest.

        Raises:
            StrikeError: not even the first strike can be made.
        """
        reaching = None
        try:
            reaching = yield from self._fitted(self.fighter, situation, stands, after)
            if reaching.miss <= RIG_FIGHT.exact:
                return reaching
        except StrikeError:
            pass
        try:
            return (yield from self._fitted(replace(self.fighter, outstretched=False), situation, stands, after))
        except StrikeError:
            if reaching is None:
                raise
            return reaching

    def _fitted(
        self, fighter: Fighter, situation: Situation, stands: Standing, after: Activity | None
    ) -> Generator[Step, None, _Met]:
        """Make the strikes by a fighter, and fit them to the body that moves; see :meth:`_met`."""
        struck = yield from self._struck(fighter, situation, stands)
        level, motion = float(situation.place[2]), struck.motion
        rate, overlap = self.stage.walks.rate, 0 if after is None else self._overlap
        recovers = self._frames_after(struck) + round(struck.parts[-1].part.wait * rate)
        rests = self._standing(motion.position, motion.yaw, level, recovers + overlap)
        rests.advance(recovers)
        state, root = None if after is None else rests.body_state(), rests.root
        rests.advance(overlap)
        fight = Fight(settle_into(struck.clip, self._in_hand(rests.clip()), READY_S), tuple(struck.solved), 0)
        yield len(fight.clip)
        standing = standing_clip(self.stage.walks)
        if self.stage.request.target is None:
            bare = bare_handed(fight.clip)
            up = np.array([0.0, 0.0, level])
            labels = with_strikes(label_clip(bare), strike_spans(fight, struck.orders), level)
            made, hands, miss = Performance(bare.transformed(IDENTITY, up), labels, standing), fight.clip, 0.0
        else:
            strikes = [one.rig_strike(order.frame) for one, order in zip(struck.parts, struck.orders, strict=True)]
            done = yield from fit_fight.steps(fight, struck.orders, self._body(situation), strikes)
            standing = standing and retarget(standing, self.stage.request.target)
            made = Performance(with_joints_of(done.clip, self.stage.body), done.labels, standing)
            hands, miss = done.clip, max(done.misses)
        is_bare = len(hands.skeleton) == len(self.stage.body)
        return _Met(struck, fight, made, state, root, None if is_bare else hands, miss)

    def _struck(self, fighter: Fighter, situation: Situation, stands: Standing) -> Generator[int, None, _Struck]:
        """Make as many of the strikes as can be made from one standing position, and return them.

        Raises:
            StrikeError: not even the first strike can be made.
        """
        (position, yaw), before = stands.root, self._in_hand(stands.clip())
        parts = self._in_reach(position, yaw, situation)
        while True:
            orders = list(_orders(parts, situation, len(before) + self._swing))
            try:
                made, motion, solved = yield from fighter.strike_from(before, position, yaw, orders)
                return _Struck(parts, orders, made, motion, solved)
            except StrikeError:
                if len(parts) == 1:
                    raise
                parts = parts[:-1]

    def _in_reach(self, position: Array, yaw: float, situation: Situation) -> list["Striking"]:
        """Return this strike and those of the following strikes that are in reach from the same root."""
        parts: list[Striking] = [self]
        while (after := parts[-1].following) is not None:
            parts.append(after)
        return parts[: len(self.fighter.group(position, yaw, [one.order(0, situation) for one in parts]))]


def _orders(parts: list[Striking], situation: Situation, frame: int) -> Iterator[StrikeOrder]:
    """Yield the orders of strikes, the first one at a frame; a strike without a set time soon follows the last one."""
    for number, one in enumerate(parts):
        rate, seconds = one.stage.walks.rate, one.part.strike.time
        if number:
            frame = (
                frame + round(STRIKING.between * rate) if seconds is None else round(seconds * rate) - situation.frame
            )
        yield one.order(frame, situation)


def _results(struck: _Struck, spans: list[tuple[int, int]], frames: int) -> Iterator[tuple[int, BeatResult]]:
    """Yield the number and outcome of each strike, which lasts until the next strike begins."""
    starts = [0, *(first for first, _ in spans[1:]), frames]
    for number, (part, order) in enumerate(zip(struck.parts, struck.orders, strict=True)):
        yield part.part.number, BeatResult(starts[number], starts[number + 1] - 1, "done", blow=order.frame)
