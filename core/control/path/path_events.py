"""What is told of a walk along its path besides where it goes: speeds, styles, where to face, and waits."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ...motion.rotations import Array

CueUnit = Literal["metres", "seconds"]
"""Metres along the path, or seconds since the walk's first frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Facing:
    """Which way somebody faces who goes along a path.

    Attributes:
        turn: radians to the left of the way ahead: a quarter turn is a side step, half a turn walks backwards.
        target: (T, 2) what is looked at instead, metres, world, at each of the walk's frames; (1, 2) where it stands
            still.
    """

    yaw_offset: float = 0.0
    target: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CueSpan:
    """Something that holds from ``start`` to ``end``. Where stretches overlap, the later one of a list counts.

    Attributes:
        start, end: metres along the path or seconds.
        unit: which of both.
        speed: m/s.
        style: a style of the controller; empty is plain walking and running.
        facing: which way to face.
    """

    start: float
    end: float
    unit: CueUnit = "metres"
    speed: float | None = None
    style: str | None = None
    facing: Facing | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Somebody stops and stands for so many seconds, at a place or at a time (when they have come to stand)."""

    start: float
    duration: float
    unit: CueUnit = "metres"


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """All that is told of a walk.

    Attributes:
        spans: what holds where.
        waits: where one stops.
        paces: (N, 2) arc lengths, metres, and by what the speed is multiplied there; none where not given.
    """

    spans: tuple[CueSpan, ...] = ()
    waits: tuple[Wait, ...] = ()
    speed_factors: Array | None = None

    def all_speeds(self, base_speed: float) -> Array:
        """All speeds that are told, m/s, of somebody who is commanded one."""
        told = np.array([base_speed, *(one.speed for one in self.spans if one.speed is not None)])
        return told if self.speed_factors is None else told * float(self.speed_factors[:, 1].min())

    def scaled(self, factor: float) -> "Cues":
        """The same with speeds and targets, but not places on the path, multiplied by ``factor``: for another body."""
        stretches: list[CueSpan] = []
        for one in self.spans:
            speed = None if one.speed is None else one.speed * factor
            facing = one.facing
            if facing is not None and facing.target is not None:
                facing = replace(facing, target=facing.target * factor)
            stretches.append(replace(one, speed=speed, facing=facing))
        return replace(self, spans=tuple(stretches))

    def remapped(
        self, map_arc_length: Callable[[float], float], arc_length_at: Callable[[float], float] | None = None
    ) -> "Cues":
        """The same with other metres: ``map_arc_length`` of those along the path; and with times in metres, by ``arc_length_at``."""

        def metres(value: float, unit: CueUnit) -> tuple[float, CueUnit]:
            if unit == "metres":
                return map_arc_length(value), unit
            return (value, unit) if arc_length_at is None else (arc_length_at(value), "metres")

        stretches: list[CueSpan] = []
        for one in self.spans:
            start, unit = metres(one.start, one.unit)
            stretches.append(replace(one, start=start, end=metres(one.end, one.unit)[0], unit=unit))
        waits: list[Wait] = []
        for wait in self.waits:
            at, unit = metres(wait.start, wait.unit)
            waits.append(replace(wait, start=at, unit=unit))
        paces = self.speed_factors
        if paces is not None:
            paces = paces.copy()
            paces[:, 0] = [map_arc_length(float(value)) for value in paces[:, 0]]
        return Cues(tuple(stretches), tuple(waits), paces)
