"""A fight of one character: it walks up, strikes, and walks away, in one seamless motion."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np

from ...errors import FootfallError
from ...features.strikes import EFFECTORS
from ...jobs.steps import finished, mapped
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.fingers import with_hands_of, without_hand_bones
from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..runtime.pose_decoder import standing_clip
from . import guard_steps, strike_rollout
from .approach import curved_path, walk_in_steps
from .exact_strike import ExactStrike, solve_strikes
from .guard_steps import step_over
from .strike_error import StrikeError, by_frames
from .strike_goal import reaches
from .strike_order import StrikeOrder, require_orders
from .strike_rollout import Attack, StrikeMotion, roll_out


@dataclass(frozen=True, slots=True)
class FightTuning(Tuning):
    stance_tolerance: float = tuned(0.35, "m", 0.0, 1.0)
    """Largest distance from the position for striking at which the character strikes without walking first."""
    stance_angle_tolerance: float = tuned(np.radians(75.0), "rad", 0.0, np.pi)
    """Largest angle between facing and target at which the character strikes without walking first."""
    min_walk: float = tuned(0.5, "m", 0.0, 2.0)
    """Distance from the first position for striking up to which a fight begins in guard, without a walk."""
    pause: float = tuned(guard_steps.TUNING.transition, "s", 0.0, 3.0)
    """Standing time at the beginning of a walk, in which the character leaves its guard."""


TUNING: Final = FightTuning()

USUAL_RETREAT_FRAMES: Final = 240
"""Assumed number of frames of the final walk, used to estimate progress."""
MAX_SHARE: Final = 0.99
"""Largest progress that is reported before the fight is finished."""

Made = TypeVar("Made")
Making = Generator[int, None, Made]
"""Generator that yields the approximate number of finished frames and returns the result."""


@dataclass(frozen=True, slots=True, eq=False)
class Fight:
    """A finished fight.

    Attributes:
        clip: the motion, on the controllers' skeleton, from frame 0.
        strikes: the solved strike of each order, in order of time.
        walks: number of walks before, between and after the strikes.
    """

    clip: Clip
    strikes: tuple[ExactStrike, ...]
    walks: int


@dataclass(frozen=True, slots=True, eq=False)
class Fighter:
    """The controllers that make a character strike and walk.

    Both have the same rate and, except for fingers and weapons, the same skeleton.

    Attributes:
        strikes: the controller that attacks.
        walks: the controller that walks.
        outstretched: whether limbs are to be stretched as they hit, if that can be solved.
    """

    strikes: ControllerModel
    walks: ControllerModel
    outstretched: bool = True

    def __post_init__(self) -> None:
        own, other = without_hand_bones(self.strikes.skeleton), self.walks.skeleton
        if (own.names, own.parents, self.strikes.rate) != (other.names, other.parents, self.walks.rate) or not (
            np.allclose(own.offsets, other.offsets, atol=1e-4)
        ):
            raise FootfallError(
                "The controllers for attacks and for walking were trained for different bodies: train the "
                "attacks again with this version of Footfall"
            )

    def fight(self, orders: Sequence[StrikeOrder], start: Array, end: Array | None = None, exact: bool = True) -> Fight:
        """Return a fight that starts standing at `start`, carries out all orders and ends standing.

        If the first target is within reach of `start`, the fight begins in guard instead.

        Args:
            orders: the strike orders, in order of time; frames at the controllers' rate.
            start: (2) position of the character at the first frame, meters, world.
            end: (2) destination of the last walk, meters, world; by default the character stays in guard.
            exact: whether strikes are solved to hit their targets at their frames; otherwise they stay as the network
                made them.

        Raises:
            FootfallError: an order cannot be carried out; the message gives the error.
        """
        return finished(self.fight_in_steps(orders, start, end, exact))

    def fight_in_steps(
        self, orders: Sequence[StrikeOrder], start: Array, end: Array | None = None, exact: bool = True
    ) -> Generator[float, None, Fight]:
        """Make a fight as :meth:`fight` does, in steps; yield the approximate finished share of the work, 0 to 1."""
        require_orders(orders)
        usual = orders[-1].frame + strike_rollout.TUNING.recovery + (0 if end is None else USUAL_RETREAT_FRAMES)
        making = self._make(orders, np.asarray(start, dtype=float), end, exact)
        return (yield from mapped(making, lambda frames: min(frames / usual, MAX_SHARE)))

    def _make(self, orders: Sequence[StrikeOrder], position: Array, end: Array | None, exact: bool) -> Making[Fight]:
        """Make a fight; yield the approximate number of finished frames; `end` is ``None`` to stay in guard."""
        made, yaw = None, None
        solved: list[ExactStrike] = []
        left, walks = list(orders), 0
        while left:
            place = self.stance(position, left[0])
            if yaw is None and np.linalg.norm(place - position) < TUNING.min_walk:
                yaw = float(yaw_of(left[0].target_at(0)[:2] - position))
            elif yaw is None or not self.in_stance(position, yaw, left[0]):
                made, position, yaw = yield from self._approach(made, position, yaw, place, left[0])
                walks += 1
            group = self.group(position, yaw, left)
            made, motion, exacts = yield from self.strike_from(made, position, yaw, group, exact)
            position, yaw, left = motion.position, motion.yaw, left[len(group) :]
            solved += exacts
        assert made is not None and yaw is not None
        if end is not None:
            path = curved_path(position, yaw, np.asarray(end, dtype=float), None)
            clip, _, _ = yield from self._walk(path, TUNING.pause, len(made))
            made, walks = step_over(made, clip), walks + 1
        return Fight(replace(made, name="fight"), tuple(solved), walks)

    def stance(self, position: Array, order: StrikeOrder) -> Array:
        """Return the place (2), meters, world, from which to strike, on the line from `position` (2) to the target."""
        target = order.target_at(order.frame)[:2]
        away = position - target
        distance = float(np.linalg.norm(away))
        way = away / distance if distance > 1e-3 else np.array([0.0, -1.0])
        return target + self._reach(order) * way

    def _reach(self, order: StrikeOrder) -> float:
        """Return the distance from the target, meters, at which a character can carry out an order."""
        return float(reaches(np.array([EFFECTORS.index(order.effector)]), self.strikes.skeleton)[0])

    def in_stance(self, position: Array, yaw: float, order: StrikeOrder) -> bool:
        """Return whether a character in guard at `position` (2), meters, can carry out an order without walking."""
        away = order.target_at(order.frame)[:2] - position
        beside = abs(float(wrap_angle(yaw_of(away) - yaw)))
        far = abs(float(np.linalg.norm(away)) - self._reach(order))
        return far <= TUNING.stance_tolerance and beside <= TUNING.stance_angle_tolerance

    def group(self, position: Array, yaw: float, orders: Sequence[StrikeOrder]) -> list[StrikeOrder]:
        """Return the first of the orders, as many as a character at `position` (2) can carry out without walking."""
        group = [orders[0]]
        for order in orders[1:]:
            before = group[-1].target_at(group[-1].frame)[:2] - position
            if not self.in_stance(position, float(yaw_of(before)), order):
                break
            group.append(order)
        return group

    def _approach(
        self, made: Clip | None, position: Array, yaw: float | None, place: Array, order: StrikeOrder
    ) -> Making[tuple[Clip, Array, float]]:
        """Append a walk that arrives at a stance in time for an order.

        Return the motion, and the root (2) and yaw at its end.
        """
        rate = self.walks.rate
        path = curved_path(position, yaw, place, order.target_at(order.frame)[:2])
        pause = TUNING.pause if made is not None else 0.0
        needed = round(guard_steps.TUNING.transition * rate) + strike_rollout.TUNING.usual_swing
        done = 0 if made is None else len(made)
        clip, end, facing = yield from self._walk(path, pause, done)
        spare = order.frame - needed - done - len(clip)
        if spare < 0:
            raise StrikeError(
                "The character cannot reach the target by frame {frame}: move the strike with {effector} "
                "{frames} later, or bring the target closer",
                effector=order.effector,
                frame=order.frame,
                **by_frames(-spare),
            )
        if spare > 1:
            clip, end, facing = yield from self._walk(path, pause + spare / rate, done)
        return clip if made is None else step_over(made, clip), end, facing

    def _walk(self, path: Path, pause: float, done: int) -> Making[tuple[Clip, Array, float]]:
        """Make a walk as :func:`.walk_in_steps` does, with fingers and weapons held as in the guard."""
        clip, end, facing = yield from walk_in_steps(self.walks, path, pause, done)
        guard = standing_clip(self.strikes)
        return clip if guard is None else with_hands_of(clip, guard), end, facing

    def strike_from(
        self, made: Clip | None, position: Array, yaw: float, orders: Sequence[StrikeOrder], exact: bool = True
    ) -> Making[tuple[Clip, StrikeMotion, list[ExactStrike]]]:
        """Carry out strike orders without walking, in steps.

        Return the motion so far with the attacks appended, the attacks as the network made them, and the solved
        strikes.

        Args:
            made: the motion so far, which ends on both feet and from which the character steps into guard; ``None`` to
                begin in guard.
            position: (2) root at the end of the motion so far, meters, world.
            yaw: yaw of the root at the end of the motion so far, radians.
            orders: orders that need no walk, in order of time; their frames count from the start of the whole motion.
            exact: whether strikes are solved to hit their targets at their frames.

        Raises:
            StrikeError: an order cannot be carried out; the message gives the error.
        """
        begun = 0 if made is None else len(made)
        shifted = [replace(one, frame=one.frame - begun, target=_from_frame(one.target, begun)) for one in orders]

        def solution(outstretched: bool) -> Making[tuple[StrikeMotion, Clip, tuple[ExactStrike, ...]]]:
            try:
                motion = yield from roll_out(self.strikes, position, yaw, shifted, begun, outstretched)
            except StrikeError as error:
                raise error.retold(frame=error.fields["frame"] + begun) from error
            clip, solved = solve_strikes(motion)
            problems = (replace(one, attack=_later(one.attack, begun)).problem() for one in solved)
            if exact and (problem := next((one for one in problems if one is not None), None)) is not None:
                raise problem
            return motion, clip, solved

        try:
            motion, clip, solved = yield from solution(self.outstretched)
        except StrikeError:
            if not self.outstretched:
                raise
            motion, clip, solved = yield from solution(False)
        clip = clip if exact else motion.clip
        return clip if made is None else step_over(made, clip), motion, list(solved)


def _later(attack: Attack, frames: int) -> Attack:
    """Return an attack moved later by a number of frames."""
    blow, order = attack.blow, attack.order
    later = replace(blow, start=blow.start + frames, apex=blow.apex + frames, stop=blow.stop + frames)
    return replace(attack, order=replace(order, frame=order.frame + frames), blow=later)


def _from_frame(target: Array, frame: int) -> Array:
    """Return a fixed target (3) unchanged, or a moving target (F, 3) from a frame on."""
    return target if target.ndim == 1 else target[min(frame, len(target) - 1) :]
