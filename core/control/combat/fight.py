"""A fight of one character: it walks up, strikes, and walks away, in one motion without a seam."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...features.strikes import EFFECTORS
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, wrap_angle
from ..path.path import Path
from ..path.path_events import Cues, Wait
from ..runtime.strike_goal import reaches
from ..walk.path_walk import PathWalk
from .exact_strike import ExactStrike, solve_strikes
from .guard_steps import TRANSITION_S, step_over
from .strike_order import StrikeOrder, require_orders
from .strike_rollout import USUAL_SWING_FRAMES, StrikeMotion, roll_out

WALKING_SPEED_M_S: Final = 1.2
"""Speed of approach and retreat."""
STANCE_TOLERANCE_M: Final = 0.35
"""Largest distance from the place where a target is reached at which the character strikes from where it stands."""
STANCE_TOLERANCE_RAD: Final = np.radians(75.0)
"""Largest angle of a target beside the character at which it strikes from where it stands."""
MIN_WALK_M: Final = 0.5
"""Distance from where its first target is reached up to which the character begins in its guard, without a walk."""
SHORTEST_WAY_M: Final = 0.1
"""Distance from a place up to which the way to it has no direction of its own."""
LEAVING_ANGLE_RAD: Final = np.radians(75.0)
"""Largest angle between the guard's facing and the beginning of a walk: more is walked as a curve."""
CURVE_M: Final = 0.6
"""Length of the tangents at both ends of such a curve."""
CURVE_POINTS: Final = 24
"""Points of a path."""
PAUSE_S: Final = TRANSITION_S
"""Time for which a walk stands at its beginning, while the character comes out of its guard."""
ADVANCE_FRAMES: Final = 600
"""Frames of a walk that are made at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Fight:
    """A finished fight.

    Attributes:
        clip: on the controllers' skeleton, from frame 0.
        strikes: how each order was solved, in time.
        walks: number of walks between them.
    """

    clip: Clip
    strikes: tuple[ExactStrike, ...]
    walks: int


@dataclass(frozen=True, slots=True, eq=False)
class Fighter:
    """A character's two controllers, of one skeleton and rate.

    Attributes:
        strikes: the controller that attacks.
        walks: the controller that walks.
    """

    strikes: ControllerModel
    walks: ControllerModel

    def __post_init__(self) -> None:
        own, other = self.strikes.skeleton, self.walks.skeleton
        if (own.names, own.parents, self.strikes.rate) != (other.names, other.parents, self.walks.rate) or not (
            np.allclose(own.offsets, other.offsets, atol=1e-4)
        ):
            raise FootfallError(
                "The controller that attacks and the one that walks have different bodies: train attacks with this "
                "Footfall, whose controller for walking gives them its body."
            )

    def fight(self, orders: Sequence[StrikeOrder], start: Array, end: Array | None = None, exact: bool = True) -> Fight:
        """Return the fight from standing at a place, through all orders, to standing at another.

        Where the first target is reached from that place, it begins in its guard.

        Args:
            orders: in time; frames at the controllers' rate.
            start: (2) where the character stands at the first frame, meters, world.
            end: (2) where it walks to at last; it stays in its guard if not given.
            exact: whether strikes are solved to be on their frames and at their targets; else they are the network's.

        Raises:
            FootfallError: an order cannot be met, with by how much.
        """
        require_orders(orders)
        made, position, yaw = None, np.asarray(start, dtype=float), None
        solved: list[ExactStrike] = []
        left, walks = list(orders), 0
        while left:
            place = self._stance(position, left[0])
            if yaw is None and np.linalg.norm(place - position) < MIN_WALK_M:
                yaw = float(yaw_of(left[0].target_at(0)[:2] - position))
            elif yaw is None or not self._in_stance(position, yaw, left[0]):
                made, position, yaw = self._approach(made, position, yaw, place, left[0])
                walks += 1
            group = self._group(position, yaw, left)
            made, motion, exacts = self._strikes(made, position, yaw, group, exact)
            position, yaw, left = motion.position, motion.yaw, left[len(group) :]
            solved += exacts
        assert made is not None and yaw is not None
        if end is not None:
            clip, _, _ = self._walk_along(_curve(position, yaw, np.asarray(end, dtype=float), None), PAUSE_S)
            made, walks = step_over(made, clip), walks + 1
        return Fight(replace(made, name="fight"), tuple(solved), walks)

    def _stance(self, position: Array, order: StrikeOrder) -> Array:
        """Return where (2) an order's target is reached from, on the straight way to it."""
        target = order.target_at(order.frame)[:2]
        away = position - target
        distance = float(np.linalg.norm(away))
        way = away / distance if distance > 1e-3 else np.array([0.0, -1.0])
        return target + self._reach(order) * way

    def _reach(self, order: StrikeOrder) -> float:
        """Return the distance from which an order's end effector reaches, meters."""
        scale = self.strikes.skeleton.leg_length / ADULT_LEG_LENGTH_M
        return float(reaches(np.array([EFFECTORS.index(order.effector)]), scale)[0])

    def _in_stance(self, position: Array, yaw: float, order: StrikeOrder) -> bool:
        """Return whether an order can be met by the attack alone, from where the character stands in its guard."""
        away = order.target_at(order.frame)[:2] - position
        beside = abs(float(wrap_angle(yaw_of(away) - yaw)))
        far = abs(float(np.linalg.norm(away)) - self._reach(order))
        return far <= STANCE_TOLERANCE_M and beside <= STANCE_TOLERANCE_RAD

    def _group(self, position: Array, yaw: float, orders: Sequence[StrikeOrder]) -> list[StrikeOrder]:
        """Return the first orders, as many as are met without a walk."""
        group = [orders[0]]
        for order in orders[1:]:
            before = group[-1].target_at(group[-1].frame)[:2] - position
            if not self._in_stance(position, float(yaw_of(before)), order):
                break
            group.append(order)
        return group

    def _approach(
        self, made: Clip | None, position: Array, yaw: float | None, place: Array, order: StrikeOrder
    ) -> tuple[Clip, Array, float]:
        """Return the motion so far with a walk to a stance, begun so that it ends in time, and the root there."""
        rate = self.walks.rate
        path = _curve(position, yaw, place, order.target_at(order.frame)[:2])
        pause = PAUSE_S if made is not None else 0.0
        needed = round(TRANSITION_S * rate) + USUAL_SWING_FRAMES
        clip, end, facing = self._walk_along(path, pause)
        done = 0 if made is None else len(made)
        spare = order.frame - needed - done - len(clip)
        if spare < 0:
            raise FootfallError(
                "The strike of {effector} at frame {frame} comes {count} frames too early for the walk to its target: "
                "move it to a later frame, or the target nearer.",
                effector=order.effector,
                frame=order.frame,
                count=-spare,
            )
        if spare > 1:
            clip, end, facing = self._walk_along(path, pause + spare / rate)
        return clip if made is None else step_over(made, clip), end, facing

    def _walk_along(self, path: Path, pause: float) -> tuple[Clip, Array, float]:
        """Return a walk along a path that stands for some seconds first, and the root (2) and yaw at its end."""
        waits = (Wait(0.0, pause),) if pause > 0.0 else ()
        walk = PathWalk(self.walks, path, WALKING_SPEED_M_S, cues=Cues(waits=waits))
        while walk.advance(ADVANCE_FRAMES):
            pass
        frames = walk.trace.frames
        return walk.finish().clip, frames.position[-1], float(frames.yaw[-1])

    def _strikes(
        self, made: Clip | None, position: Array, yaw: float, orders: Sequence[StrikeOrder], exact: bool
    ) -> tuple[Clip, StrikeMotion, list[ExactStrike]]:
        """Return the motion so far with the attacks of some orders, their motion, and how they were solved."""
        begun = 0 if made is None else len(made)
        shifted = [replace(one, frame=one.frame - begun, target=_from_frame(one.target, begun)) for one in orders]
        motion = roll_out(self.strikes, position, yaw, shifted)
        clip, solved = solve_strikes(motion)
        if exact:
            for one in solved:
                problem = replace(one, attack=replace(one.attack, order=_later(one.attack.order, begun))).problem()
                if problem is not None:
                    raise problem
        clip = clip if exact else motion.clip
        return clip if made is None else step_over(made, clip), motion, list(solved)


def _later(order: StrikeOrder, frames: int) -> StrikeOrder:
    return replace(order, frame=order.frame + frames)


def _from_frame(target: Array, frame: int) -> Array:
    """Return a target (3), or one that moves (F, 3), as it is from a frame on."""
    return target if target.ndim == 1 else target[min(frame, len(target) - 1) :]


def _curve(position: Array, yaw: float | None, end: Array, target: Array | None) -> Path:
    """Return a path to a place that begins as the character faces, as far as it can, and ends facing a target.

    Args:
        position: (2) where it begins, meters, world.
        yaw: of the character there; it begins straight if not given.
        end: (2) where it ends.
        target: (2) what is faced there; the path's own end if not given.
    """
    way = end - position
    if np.linalg.norm(way) < SHORTEST_WAY_M:
        way = (target if target is not None else end + facing_direction(np.array(yaw or 0.0))) - position
    straight = float(yaw_of(way))
    first = straight
    if yaw is not None:
        first = yaw + float(np.clip(wrap_angle(straight - yaw), -LEAVING_ANGLE_RAD, LEAVING_ANGLE_RAD))
    last = straight if target is None else float(yaw_of(target - end))
    turns = max(abs(float(wrap_angle(one - straight))) for one in (first, last))
    length = max(CURVE_M * min(turns, 1.0), np.linalg.norm(way) / 3)
    begins, ends = (length * facing_direction(np.array(one)) for one in (first, last))
    share = np.linspace(0.0, 1.0, CURVE_POINTS)[:, None]
    points = (position, position + begins, end - ends, end)
    weights = np.hstack([(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3])
    return Path(weights @ np.stack(points))
