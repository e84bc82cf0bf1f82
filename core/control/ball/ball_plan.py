"""The plan of ball play along a path: where the character stops and faces, and when each take starts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...ball.ball_track import BASKETBALL_RADIUS_M
from ...ball.free_motion import BallPhysics
from ...ball.hands import GRAVITY_M_S2
from ...ball.takes import BallTake, BallTakes
from ...ball.throws import pass_seconds, require_reachable_hoop
from ...errors import FootfallError
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import Mask, runs_of
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..path.path_events import BallCue, Cues, CueSpan, Facing, Wait
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import STAND_BEFORE_S, Timing


@dataclass(frozen=True, slots=True)
class BallPlanTuning(Tuning):
    lead: float = tuned(0.35, "s", 0.0, 5.0)
    """Standing time before the take of a ball action begins."""
    turn: float = tuned(1.0, "m", 0.0, 10.0)
    """Length of path before a stop along which an adult turns to the action's target."""
    watch: float = tuned(1.5, "s", 0.0, 10.0)
    """Time for which a shooter stays and watches the ball after a shot."""
    same_place: float = tuned(0.01, "m", 0.0, 0.5)
    """Largest distance along the path between two stops that count as one."""
    stop_tolerance: float = tuned(0.004, "m", 0.0, 0.1)
    """Arc length before a stop from which the stop counts as reached."""
    pick_up_reach: float = tuned(0.6, "m", 0.1, 1.5)
    """Captured distance from the midpoint of an adult's ankles to a ball that it picks up."""
    pick_up_slack: float = tuned(0.3, "m", 0.0, 1.5)
    """Largest difference, for an adult, between a ball's distance and ``pick_up_reach``."""
    on_ground: float = tuned(0.15, "m", 0.0, 1.0)
    """Largest gap between a ball and the ground at which the ball can be picked up."""
    shortest_dribble: float = tuned(1.2, "s", 0.0, 10.0)
    """Duration below which a dribble between two holds is omitted, so the ball stays in both hands."""


TUNING: Final = BallPlanTuning()

RELEASE_RATIO: Final = {"pass": 1.5, "catch": 1.5, "shoot": 2.2}
"""Height of the ball at its release or catch, in leg lengths, by action."""
GAINS: Final = ("pick_up", "catch")
"""Actions with which a character gains the ball."""
ON_GROUND: Final = ("pick_up", "put_down")
"""Actions at the beginning or end of which the ball is on the ground."""


@dataclass(frozen=True, slots=True, eq=False)
class BallKit:
    """The captured takes of ball play, and the size of the ball.

    Attributes:
        takes: captured actions with a ball.
        radius: radius of the ball, world meters.
    """

    takes: BallTakes
    radius: float = BASKETBALL_RADIUS_M

    def resampled(self, rate: float) -> "BallKit":
        """Return the kit with its takes resampled to `rate`, Hz."""
        return replace(self, takes=self.takes.resampled(rate))


@dataclass(frozen=True, slots=True, eq=False)
class PlannedAction:
    """One planned action with the ball.

    Attributes:
        cue: the action, with arc lengths along the planned path, meters at the controller's scale.
        take: the motion of the action.
        delay: time from the stop to the take's first frame, seconds.
    """

    cue: BallCue
    take: BallTake
    delay: float


@dataclass(frozen=True, slots=True, eq=False)
class BallTimeline:
    """The frames of a walk in which the ball is played, held and dribbled.

    Attributes:
        starts: first frame of each action's take.
        contacts: frame of each take at which the ball reaches the hands or, for a throw, the last one before its
            release.
        ends: first frame after each take.
        held: (F) whether both hands hold the ball.
        dribbled: (F) whether the ball is dribbled.
    """

    starts: tuple[int, ...]
    contacts: tuple[int, ...]
    ends: tuple[int, ...]
    held: Mask
    dribbled: Mask


@dataclass(frozen=True, slots=True, eq=False)
class BallPlan:
    """Ball play along a planned path.

    Attributes:
        actions: actions in the order of their times.
        holds: arc lengths, meters at the controller's scale, of the start and end of each range with the ball in both
            hands.
        dribbles: whether the character dribbles the ball while it has the ball but does not hold it.
        kit: the captured takes and the ball.
    """

    actions: tuple[PlannedAction, ...]
    holds: tuple[tuple[float, float], ...]
    dribbles: bool
    kit: BallKit

    def timeline(self, lengths: Array, rate: float) -> BallTimeline:
        """Return the frames of a walk in which the ball is played, held and dribbled.

        Args:
            lengths: (F) planned arc length at each frame of the walk, meters at the controller's scale.
            rate: frames per second.
        """
        starts = tuple(
            int(np.searchsorted(lengths, action.cue.start - TUNING.stop_tolerance)) + round(action.delay * rate)
            for action in self.actions
        )
        contacts = tuple(start + action.take.contact for start, action in zip(starts, self.actions, strict=True))
        ends = tuple(start + len(action.take.clip) for start, action in zip(starts, self.actions, strict=True))
        frames = np.arange(len(lengths))
        has = np.full(len(lengths), not self.actions or self.actions[0].cue.action not in GAINS)
        free = has.copy()
        for action, start, contact, end in zip(self.actions, starts, contacts, ends, strict=True):
            gains = action.cue.action in GAINS
            has[frames >= contact + (not gains)] = gains
            free[frames >= (end if gains else start)] = gains
        for first, last in self.holds:
            free[(lengths >= first) & (lengths <= last)] = False
        dribbled = free & has & self.dribbles
        for start, stop in runs_of(dribbled):
            dribbled[start:stop] = stop - start >= TUNING.shortest_dribble * rate
        return BallTimeline(starts, contacts, ends, has & ~dribbled, dribbled)

    def ball_shares(self, timing: Timing, rate: float) -> Array:
        """Return whether the character has the ball at each frame of a timing (T): 1 if it does, else 0.

        A held ball counts as well, so that the network keeps the body dribbling through a take, ready to go on.
        """
        before = round(STAND_BEFORE_S * rate)
        timeline = self.timeline(np.concatenate([np.zeros(before), timing.distances]), rate)
        return (timeline.held | timeline.dribbled)[before:].astype(float)


def place_ball_cues(cues: Cues, kit: BallKit | None, path: Path, profile: TerrainProfile, scale: float) -> Cues:
    """Return path events with a stop and a facing added at each action with the ball.

    Args:
        cues: path events of the walk, with arc lengths along the planned path, meters at the controller's scale.
        kit: captured takes and the ball.
        path: the planned path.
        profile: terrain along the path.
        scale: world meters per meter at the controller's scale.

    Raises:
        FootfallError: an action is impossible at its place, or out of order.
    """
    if not cues.balls:
        return cues
    assert kit is not None
    body, physics = profile.scale, BallPhysics(GRAVITY_M_S2 / scale, kit.radius / scale)
    floor = float(profile.heights.mean())
    lying = floor + physics.radius
    balls = [_at_sample(_at_ball(cue, path, lying, body, scale), path) for cue in cues.balls]
    _require_order(in_order(balls))
    spans, waits = list(cues.spans), list(cues.waits)
    for cue in balls:
        if cue.action == "hold":
            continue
        if cue.unit == "meters":
            _require_possible(cue, hands_at(cue, path, profile), physics, body)
        take = kit.takes.of(cue.action).clip
        seconds = TUNING.lead + cue.idle + len(take) / take.rate + TUNING.watch * (cue.action == "shoot")
        waits.append(Wait(cue.start, seconds, cue.unit))
        if cue.target is not None:
            turn = TUNING.turn * body if cue.unit == "meters" else 1.0
            end = cue.start + (TUNING.same_place if cue.unit == "meters" else seconds)
            facing = Facing(target=cue.target[:, :2])
            spans.append(CueSpan(cue.start - turn, end, cue.unit, facing=facing))
    return replace(cues, spans=tuple(spans), waits=tuple(waits), balls=tuple(balls))


def plan_ball(cues: Cues, kit: BallKit | None, timing: Timing, rate: float, dribbles: bool) -> BallPlan | None:
    """Return the plan of a walk's actions with the ball; `None` if there are none.

    Args:
        cues: path events as :func:`place_ball_cues` returns them.
        kit: captured takes and the ball.
        timing: the timing of the walk.
        rate: frames per second.
        dribbles: whether the ball is dribbled where it is not held.
    """
    if not cues.balls:
        return None
    assert kit is not None
    placed = [by_length(cue, timing, rate) for cue in cues.balls]
    actions: list[PlannedAction] = []
    for cue in in_order(placed):
        delay, last = TUNING.lead + cue.idle, actions[-1] if actions else None
        if last is not None and cue.start - last.cue.start < TUNING.same_place:
            delay += last.delay + len(last.take.clip) / last.take.clip.rate
        actions.append(PlannedAction(cue, kit.takes.of(cue.action), delay))
    holds = tuple((cue.start, cue.end) for cue in placed if cue.action == "hold")
    return BallPlan(tuple(actions), holds, dribbles, kit)


def by_length(cue: BallCue, timing: Timing, rate: float) -> BallCue:
    """Return an action whose times, seconds, are replaced by arc lengths, meters; `rate` is the timing's, Hz."""
    if cue.unit == "meters":
        return cue
    start, end = (timing.distance_at_time(time, rate) for time in (cue.start, cue.end))
    return replace(cue, start=start, end=end, unit="meters")


def in_order(cues: Sequence[BallCue]) -> list[BallCue]:
    """Return all actions except holds, in the order of their starts."""
    return sorted((cue for cue in cues if cue.action != "hold"), key=lambda cue: cue.start)


def hands_at(cue: BallCue, path: Path, profile: TerrainProfile) -> Array:
    """Return the approximate center (3) of the ball at a release or catch, meters at the controller's scale, world."""
    height = RELEASE_RATIO.get(cue.action, 0.0) * ADULT_LEG_LENGTH_M * profile.scale
    return np.array([*path.position_at(cue.start), float(profile.heights.mean()) + height])


def _at_ball(cue: BallCue, path: Path, lying: float, body: float, scale: float) -> BallCue:
    """Return a cue; one that picks up a ball is moved to where, on the path, the hands reach the ball.

    Args:
        cue: the cue.
        path: the planned path.
        lying: height of a ball on the ground, meters.
        body: size of the controller's body.
        scale: meters of the world per meter of the controller.

    Raises:
        FootfallError: the ball is not on the ground, or too far from the path.
    """
    if cue.action not in ON_GROUND or cue.target is None:
        return cue
    ball = cue.target[0]
    rise = float(ball[2]) - lying
    if rise > TUNING.on_ground * body:
        raise FootfallError(
            "The ball is {distance} cm above the ground, but can only be picked up from the ground: lower the ball",
            distance=f"{100 * rise * scale:.0f}",
        )
    away = np.linalg.norm(path.points - ball[:2], axis=1) - TUNING.pick_up_reach * body
    best: int = int(np.argmin(np.abs(away) + 0.01 * path.arc_lengths))
    if abs(away[best]) > TUNING.pick_up_slack * body:
        raise FootfallError(
            "The ball is out of reach, because the path stays at least {distance} m away from it: draw the "
            "path to the ball",
            distance=f"{(away[best] + TUNING.pick_up_reach * body) * scale:.1f}",
        )
    return replace(cue, start=float(path.arc_lengths[best]), unit="meters")


def _at_sample(cue: BallCue, path: Path) -> BallCue:
    """Return an action's cue moved to the sample of the path at which the walk stops for it."""
    if cue.action == "hold" or cue.unit != "meters":
        return cue
    index = min(int(np.searchsorted(path.arc_lengths, cue.start)), len(path.arc_lengths) - 1)
    return replace(cue, start=float(path.arc_lengths[index]))


def _require_possible(cue: BallCue, here: NDArray[np.floating], physics: BallPhysics, body: float) -> None:
    """Raise :class:`FootfallError` unless an action can reach its target.

    Args:
        cue: the cue, in meters of the controller.
        here: (3) approximate position of the ball when it is released or caught.
        physics: physics of the ball, in the same meters.
        body: size of the controller's body.
    """
    if cue.target is None:
        return
    if cue.action == "shoot":
        require_reachable_hoop(here, cue.target[0], cue.rim_radius, physics, body)
    elif cue.action in ("pass", "catch"):
        pass_seconds(here, cue.target[0], body)


def _require_order(cues: Sequence[BallCue]) -> None:
    """Raise :class:`FootfallError` unless a character has the ball before each throw, and none before it takes one."""
    for before, cue in zip([None, *cues], cues, strict=False):
        if before is None:
            continue
        if before.action in GAINS and cue.action in GAINS:
            raise FootfallError(
                "The character still has a ball when it picks up or catches another one: pass or shoot the "
                "first ball earlier, or remove the event"
            )
        if before.action not in GAINS and cue.action not in GAINS:
            raise FootfallError(
                "The character has no ball to pass or shoot: let it pick up or catch one in an earlier event"
            )
        if cue.action in GAINS and not (before.with_other and cue.action == "catch"):
            raise FootfallError(
                "The character has no ball after a shot, or a pass to a point: make this the last ball event, "
                "or pass to another character and catch the ball from there"
            )
