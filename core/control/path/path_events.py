"""Path events: speeds, styles, facing directions, waits, jumps, and actions with a ball along a walk's path."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from ...motion.rotations import Array

CueUnit = Literal["meters", "seconds"]
"""Unit of a time or place of a path event: meters along the path, or seconds since the walk's first frame."""

RIM_RADIUS_M: Final = 0.2286
"""Inner radius of the rim of a basketball hoop, 18 inches across."""


@dataclass(frozen=True, slots=True, eq=False)
class Facing:
    """A facing direction during a walk.

    Attributes:
        yaw_offset: angle from the direction of travel, radians, positive to the left: a quarter turn is a side step,
            half a turn walks backward.
        target: (T, 2) point to face instead, meters, world, at each frame of the walk; (1, 2) for a fixed point.
    """

    yaw_offset: float = 0.0
    target: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CueSpan:
    """Settings of a walk from `start` to `end`; where spans of a list overlap, the later one applies.

    Attributes:
        start: start of the span, meters along the path or seconds.
        end: end of the span, in the same unit.
        unit: unit of `start` and `end`.
        speed: commanded speed, m/s; unchanged if `None`.
        style: a style of the controller; empty for plain walking and running, unchanged if `None`.
        facing: facing direction; unchanged if `None`.
        hand: dribbling hand, ``"left"`` or ``"right"``; unchanged if `None`.
        gaze: (T, 3) point to look at, meters, world, at each frame of the walk; (1, 3) for a fixed point; unchanged if
            `None`.
    """

    start: float
    end: float
    unit: CueUnit = "meters"
    speed: float | None = None
    style: str | None = None
    facing: Facing | None = None
    hand: str | None = None
    gaze: Array | None = None

    def after(self, frames: int, seconds: float) -> "CueSpan":
        """Return the span as seen from a walk that starts `frames` frames, equal to `seconds` seconds, later."""
        facing, gaze = self.facing, self.gaze
        if facing is not None and facing.target is not None:
            facing = replace(facing, target=_after(facing.target, frames))
        gaze = None if gaze is None else _after(gaze, frames)
        if self.unit == "meters":
            return replace(self, facing=facing, gaze=gaze)
        return replace(self, start=max(self.start - seconds, 0.0), end=self.end - seconds, facing=facing, gaze=gaze)


def _after(targets: Array, frames: int) -> Array:
    """Return targets (T, n) at frames without the first ones; the last target stays."""
    return targets[min(frames, len(targets) - 1) :]


@dataclass(frozen=True, slots=True)
class Wait:
    """A stop for a number of seconds, at a point of the path or at a time.

    Attributes:
        start: position of the stop, meters along the path, or its time, seconds since the first frame.
        duration: standing time, seconds.
        unit: unit of `start`.
    """

    start: float
    duration: float
    unit: CueUnit = "meters"


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump at a point of the path, or at a time.

    Attributes:
        start: highest point of the jump: position, meters along the path, or time, seconds since the first frame.
        unit: unit of `start`.
    """

    start: float
    unit: CueUnit = "meters"


BallActionName = Literal["hold", "pick_up", "put_down", "pass", "catch", "shoot"]
"""Actions with a ball; in all except *hold*, the character stands while the take plays."""


@dataclass(frozen=True, slots=True, eq=False)
class BallCue:
    """An action with a ball at a point of the path, or a hold over a stretch of it.

    Attributes:
        action: the action.
        start: stop at which the action takes place, or start of a hold, meters along the path or seconds.
        end: end of a hold, in the same unit; ignored for other actions.
        unit: unit of `start` and `end`.
        target: (T, 3) target, meters, world, at each frame of the walk, or (1, 3) for a fixed target: the ball on the
            ground, the receiver or thrower of a pass, or the center of the rim. With `None`, a ball is picked up in
            front of the feet.
        rim_radius: rim radius of the targeted hoop, meters.
        with_other: whether the target is another character, the receiver of a pass or the thrower of a catch, whose
            hands or ball `target` follows.
        meetings: times since the first frame of the walk, seconds, at which the other character's hands catch the ball
            of a pass, or release the ball of a catch.
        idle: time to wait before the action until the other character's hands are ready, seconds.
    """

    action: BallActionName
    start: float
    end: float = 0.0
    unit: CueUnit = "meters"
    target: Array | None = None
    rim_radius: float = RIM_RADIUS_M
    with_other: bool = False
    meetings: tuple[float, ...] = ()
    idle: float = 0.0

    def after(self, frames: int, seconds: float) -> "BallCue":
        """Return the action as seen from a walk that starts `frames` frames, equal to `seconds` seconds, later."""
        target = None if self.target is None else _after(self.target, frames)
        meetings = tuple(time - seconds for time in self.meetings)
        if self.unit == "meters":
            return replace(self, target=target, meetings=meetings)
        start = max(self.start - seconds, 0.0)
        return replace(self, start=start, end=self.end - seconds, target=target, meetings=meetings)


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """All path events of a walk.

    Attributes:
        spans: speeds, styles, facing directions and dribbling hands.
        waits: stops.
        speed_factors: (N, 2) arc lengths, meters, and speed at each as a multiple of the commanded one; `None` for 1
            everywhere.
        balls: actions with a ball.
        jumps: jumps.
    """

    spans: tuple[CueSpan, ...] = ()
    waits: tuple[Wait, ...] = ()
    speed_factors: Array | None = None
    balls: tuple[BallCue, ...] = ()
    jumps: tuple[Jump, ...] = ()

    def all_speeds(self, base_speed: float) -> Array:
        """Return the speeds (N), m/s, commanded by these path events in a walk at usually `base_speed`, m/s."""
        speeds = np.array([base_speed, *(span.speed for span in self.spans if span.speed is not None)])
        return speeds if self.speed_factors is None else speeds * float(self.speed_factors[:, 1].min())

    def scaled(self, factor: float) -> "Cues":
        """Return the path events with speeds and targets, but not arc lengths, multiplied by `factor`."""
        spans: list[CueSpan] = []
        for span in self.spans:
            speed = None if span.speed is None else span.speed * factor
            facing = span.facing
            if facing is not None and facing.target is not None:
                facing = replace(facing, target=facing.target * factor)
            gaze = None if span.gaze is None else span.gaze * factor
            spans.append(replace(span, speed=speed, facing=facing, gaze=gaze))
        balls = [
            replace(
                ball, target=None if ball.target is None else ball.target * factor, rim_radius=ball.rim_radius * factor
            )
            for ball in self.balls
        ]
        return replace(self, spans=tuple(spans), balls=tuple(balls))

    def later(self, meters: float, frames: int, rate: float) -> "Cues":
        """Return the path events for a walk that starts later, on a path extended at its start, without past events.

        Args:
            meters: length added at the start of the path.
            frames: number of frames by which the new walk starts later than the walk that has these path events.
            rate: frames per second.
        """
        moved, seconds = self.remapped(lambda value: meters + value), frames / rate
        spans = [one.after(frames, seconds) for one in moved.spans if one.unit == "meters" or one.end > seconds]
        waits, jumps = (
            tuple(
                replace(one, start=one.start - seconds) if one.unit == "seconds" else one
                for one in many
                if one.unit == "meters" or one.start >= seconds
            )
            for many in (moved.waits, moved.jumps)
        )
        balls = [
            one.after(frames, seconds)
            for one in moved.balls
            if one.unit == "meters" or max(one.start, one.end) > seconds
        ]
        return replace(moved, spans=tuple(spans), waits=waits, jumps=jumps, balls=tuple(balls))

    def remapped(
        self, map_arc_length: Callable[[float], float], arc_length_at: Callable[[float], float] | None = None
    ) -> "Cues":
        """Return the path events moved to other arc lengths.

        Args:
            map_arc_length: function that returns the new arc length for an arc length, both in meters.
            arc_length_at: function that returns the arc length, meters, at a time of the walk, seconds; by default,
                times are kept.
        """

        def to_arc_length(value: float, unit: CueUnit) -> tuple[float, CueUnit]:
            if unit == "meters":
                return map_arc_length(value), unit
            return (value, unit) if arc_length_at is None else (arc_length_at(value), "meters")

        spans: list[CueSpan] = []
        for span in self.spans:
            start, unit = to_arc_length(span.start, span.unit)
            spans.append(replace(span, start=start, end=to_arc_length(span.end, span.unit)[0], unit=unit))
        waits: list[Wait] = []
        for wait in self.waits:
            start, unit = to_arc_length(wait.start, wait.unit)
            waits.append(replace(wait, start=start, unit=unit))
        jumps: list[Jump] = []
        for jump in self.jumps:
            start, unit = to_arc_length(jump.start, jump.unit)
            jumps.append(replace(jump, start=start, unit=unit))
        balls: list[BallCue] = []
        for ball in self.balls:
            start, unit = to_arc_length(ball.start, ball.unit)
            balls.append(replace(ball, start=start, end=to_arc_length(ball.end, ball.unit)[0], unit=unit))
        factors = self.speed_factors
        if factors is not None:
            factors = factors.copy()
            factors[:, 0] = [map_arc_length(float(value)) for value in factors[:, 0]]
        return Cues(tuple(spans), tuple(waits), factors, tuple(balls), tuple(jumps))
