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
from ...motion.fingers import bare_handed, with_hands_of
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import IDENTITY, Array, length
from ...retarget.retarget import retarget
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..runtime.body_state import BodyState
from ..runtime.pose_decoder import standing_clip
from ..strike import guard_steps, strike_rollout
from ..strike.exact_strike import ExactStrike
from ..strike.fight import Fight, Fighter
from ..strike.guard_steps import settle_into
from ..strike.rig_fight import ROOT_HEIGHTS_M, RigBody, fit_fight, strike_spans, with_strikes
from ..strike.rig_strike import RigStrike
from ..strike.strike_error import StrikeError, by_frames
from ..strike.strike_order import StrikeOrder, require_orders
from ..strike.strike_rollout import StrikeMotion
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage
from .furniture import around_furniture
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
    near_target: float = tuned(0.15, "m", 0.0, 0.5)
    """Distance from the target within which an obstacle counts as what is struck, not as being in the way."""


STRIKING: Final = StrikingTuning()
READY_S: Final = guard_steps.TUNING.transition
"""Duration of the transition from standing into guard, and back, seconds."""


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


@dataclass(frozen=True, eq=False)
class Striking:
    """A strike as a part of a shot, with the strikes directly after it that can be made from the same place.

    Attributes:
        stage: the shot's stage.
        part: the strike.
        following: the strike directly after this one, if there is one.
    """

    stage: Stage
    part: StrikePart
    following: "Striking | None" = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """Index of the strike's beat."""
        return (self.part.number,)

    @property
    def ball(self) -> int:
        """-1: a character strikes with free hands."""
        return -1

    @cached_property
    def fighter(self) -> Fighter:
        """The controllers that strike and walk.

        Raises:
            FootfallError: no controller strikes, or it has another body.
        """
        if self.stage.strikes is None:
            raise FootfallError("There is no controller that strikes: choose one")
        return Fighter(self.stage.strikes, self.stage.walks)

    def inputs(self, situation: Situation) -> object:
        """Return the strike, its first frame, since strikes may have set times, and the strike after it."""
        return self.part, situation.frame, None if self.following is None else self.following.inputs(situation)

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return no objects: a strike senses none."""
        return ()

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if the controllers or the rig cannot make the strike, or it is blocked."""
        self.stage.require_walker()
        strike, order = self.part.strike, self.order(0, float(situation.place[2]))
        require_orders([order])
        calibration = self.stage.request.target
        roles = (self.stage.walks.skeleton if calibration is None else calibration.target).roles
        if not all(role in roles for role in (strike.effector, *LIMBS[strike.effector])):
            raise FootfallError(
                "The rig has no bones that strike with {effector}: map them, or choose another end effector",
                effector=strike.effector,
            )
        if self._is_blocked(situation):
            raise FootfallError(
                "An obstacle stands between the character and the target of its strike: move one of them"
            )

    def is_far(self, situation: Situation) -> bool:
        """Return whether the target is out of reach of the character, in guard, from where it stands."""
        return not self.fighter.in_stance(*self._root(situation), self.order(0, float(situation.place[2])))

    def destination(self, situation: Situation) -> Destination:
        """Return where the character stands to strike, facing the target."""
        stand = self._stand(situation)
        return Destination(stand[:2], float(stand[2]), faced=self.part.strike.target[:2])

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the target (3) of the strike, meters, world."""
        return self.part.strike.target

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the strike, and the strikes directly after it that are in reach."""
        rate, level = self.stage.walks.rate, float(situation.place[2])
        frames = self._frames_before(situation)
        stands = self._standing(*self._root(situation), level, frames, situation.state)
        while stands.frames_done < frames:
            stands.advance(min(STEP_FRAMES, frames - stands.frames_done))
            yield stands.frames_done
        struck = yield from self._struck(situation, stands)
        last = struck.parts[-1].part
        recovers = self._frames_after(struck) + round(last.wait * rate)
        overlap = 0 if after is None else round(SEAM.overlap * rate)
        rests = self._standing(struck.motion.position, struck.motion.yaw, level, recovers + overlap)
        rests.advance(recovers)
        state, (position, yaw) = None if after is None else rests.body_state(), rests.root
        rests.advance(overlap)
        fight = Fight(settle_into(struck.clip, self._in_hand(rests.clip()), READY_S), tuple(struck.solved), 0)
        yield len(fight.clip)
        done = len(fight.clip) - overlap
        place = np.append(self.stage.scale * position, level)
        return MadePart(
            self._performance(fight, struck, level),
            Situation(
                state,
                place,
                yaw,
                situation.objects,
                frame=situation.frame + done,
                balls=tuple(one.later(done) for one in situation.balls),
            ),
            dict(_results(struck, strike_spans(fight, struck.orders), done)),
            overlap,
            {last.number: done},
        )

    def order(self, frame: int, level: float) -> StrikeOrder:
        """Return the controllers' order for the strike at a frame, with the ground at `level`, meters, as z = 0.

        The target is lowered by the height by which the body will be raised to its own soles.
        """
        target = np.asarray(self.part.strike.target, dtype=float) - [0.0, 0.0, level + self.stage.request.rise]
        return StrikeOrder(frame, target / self.stage.scale, self.part.strike.effector)

    def _root(self, situation: Situation) -> tuple[Array, float]:
        """Return the character's root (2), meters of the controllers, and its yaw, radians."""
        state = situation.state
        return (situation.place[:2] / self.stage.scale, situation.yaw) if state is None else (state.position, state.yaw)

    def _stand(self, situation: Situation) -> Array:
        """Return the position (3), meters, world, on the line to the target, from which the target is in reach."""
        level = float(situation.place[2])
        stand = self.stage.scale * self.fighter.stance(self._root(situation)[0], self.order(0, level))
        return np.append(stand, self.stage.ground_below(np.append(stand, level + TUNING.same_level), level))

    def _is_blocked(self, situation: Situation) -> bool:
        """Return whether an object is between the target and the position where the character will stand."""
        stage, target = self.stage, self.part.strike.target
        here = self._stand(situation) if self.is_far(situation) else situation.place
        size = stage.scale * stage.walks.skeleton.leg_length / ADULT_LEG_LENGTH_M
        start = here + np.array([0.0, 0.0, ROOT_HEIGHTS_M[self.part.strike.effector.partition(".")[0]] * size])
        way = float(length(target - start))
        end = start + max(1.0 - STRIKING.near_target * size / max(way, 1e-6), 0.0) * (target - start)
        others = [
            one
            for at, one in enumerate(situation.objects)
            if at != situation.used and not _holds(one, target / stage.scale)
        ]
        scene = around_furniture(stage.scene, others, stage.scale)
        things = [one for one in (scene.ground, scene.obstacles) if one is not None]
        return any(bool(one.blocked(start[None], end[None])[0]) for one in things)

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
                "The character cannot reach the target by frame {frame}. Move the strike of {effector} {frames} "
                "later, or bring the target closer",
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

    def _struck(self, situation: Situation, stands: Standing) -> Generator[int, None, _Struck]:
        """Make as many of the strikes as can be made from one standing position, and return them.

        Raises:
            StrikeError: not even the first strike can be made.
        """
        (position, yaw), before = stands.root, self._in_hand(stands.clip())
        parts = self._in_reach(position, yaw, float(situation.place[2]))
        while True:
            orders = list(_orders(parts, situation, len(before) + self._swing))
            try:
                made, motion, solved = yield from self.fighter.strike_from(before, position, yaw, orders)
                return _Struck(parts, orders, made, motion, solved)
            except StrikeError as error:
                if len(parts) == 1:
                    raise error.retold(frame=situation.frame + error.fields["frame"]) from error
                parts = parts[:-1]

    def _in_reach(self, position: Array, yaw: float, level: float) -> list["Striking"]:
        """Return this strike and those of the following strikes that are in reach from the same root."""
        parts: list[Striking] = [self]
        while (after := parts[-1].following) is not None:
            parts.append(after)
        return parts[: len(self.fighter.group(position, yaw, [one.order(0, level) for one in parts]))]

    def _performance(self, fight: Fight, struck: _Struck, level: float) -> Performance:
        """Return the performance of a fight on the animated body, with the ground at a height, meters."""
        target, rate = self.stage.request.target, self.stage.walks.rate
        bare, standing = replace(fight, clip=bare_handed(fight.clip)), standing_clip(self.stage.walks)
        if target is None:
            clip = bare.clip.transformed(IDENTITY, np.array([0.0, 0.0, level]))
            labels = with_strikes(label_clip(bare.clip), strike_spans(fight, struck.orders), level)
            return Performance(clip, labels, standing)
        strikes = [one.rig_strike(order.frame) for one, order in zip(struck.parts, struck.orders, strict=True)]
        fitted = fit_fight(bare, struck.orders, RigBody(target, 0.0, level), strikes, rate)
        return Performance(fitted.clip, fitted.labels, standing and retarget(standing, target))

    def rig_strike(self, frame: int) -> RigStrike:
        """Return the strike for the animated body, before the body is raised to its own soles."""
        target = np.asarray(self.part.strike.target, dtype=float) - [0.0, 0.0, self.stage.request.rise]
        return RigStrike(frame, target, self.part.strike.effector, np.zeros(3))


def _holds(one: InteractionObject, target: Array) -> bool:
    """Return whether a target (3), meters of the controllers, is within an object's bounds, and so is struck."""
    lower, upper = one.collider.bounds
    place, margin = one.posed_collider.to_local(target), STRIKING.near_target
    return bool(np.all(place > lower - margin) and np.all(place < upper + margin))


def _orders(parts: list[Striking], situation: Situation, frame: int) -> Iterator[StrikeOrder]:
    """Yield the orders of strikes, the first one at a frame; a strike without a set time soon follows the last one."""
    for number, one in enumerate(parts):
        rate, seconds = one.stage.walks.rate, one.part.strike.time
        if number:
            frame = (
                frame + round(STRIKING.between * rate) if seconds is None else round(seconds * rate) - situation.frame
            )
        yield one.order(frame, float(situation.place[2]))


def _results(struck: _Struck, spans: list[tuple[int, int]], frames: int) -> Iterator[tuple[int, BeatResult]]:
    """Yield the number and outcome of each strike, which lasts until the next strike begins."""
    starts = [0, *(first for first, _ in spans[1:]), frames]
    for number, (part, order) in enumerate(zip(struck.parts, struck.orders, strict=True)):
        yield part.part.number, BeatResult(starts[number], starts[number + 1] - 1, "done", blow=order.frame)
