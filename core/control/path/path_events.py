"""What is told of a walk along its path besides where it goes: speeds, styles, where to face, and waits."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ...motion.rotations import Array

Unit = Literal["metres", "seconds"]
"""Metres along the path, or seconds since the walk's first frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Facing:
    """Which way somebody faces who goes along a path.

    Attributes:
        turn: radians to the left of the way ahead: a quarter turn is a side step, half a turn walks backwards.
        target: (T, 2) what is looked at instead, metres, world, at each of the walk's frames; (1, 2) where it stands
            still.
    """

    turn: float = 0.0
    target: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
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
    unit: Unit = "metres"
    speed: float | None = None
    style: str | None = None
    facing: Facing | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Somebody stops and stands for so many seconds, at a place or at a time (when they have come to stand)."""

    at: float
    seconds: float
    unit: Unit = "metres"


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """All that is told of a walk.

    Attributes:
        stretches: what holds where.
        waits: where one stops.
        paces: (N, 2) arc lengths, metres, and by what the speed is multiplied there; none where not given.
    """

    stretches: tuple[Stretch, ...] = ()
    waits: tuple[Wait, ...] = ()
    paces: Array | None = None

    def speeds(self, commanded: float) -> Array:
        """All speeds that are told, m/s, of somebody who is commanded one."""
        told = np.array([commanded, *(one.speed for one in self.stretches if one.speed is not None)])
        return told if self.paces is None else told * float(self.paces[:, 1].min())

    def scaled(self, factor: float) -> "Cues":
        """The same with speeds and targets, but not places on the path, multiplied by ``factor``: for another body."""
        stretches: list[Stretch] = []
        for one in self.stretches:
            speed = None if one.speed is None else one.speed * factor
            facing = one.facing
            if facing is not None and facing.target is not None:
                facing = replace(facing, target=facing.target * factor)
            stretches.append(replace(one, speed=speed, facing=facing))
        return replace(self, stretches=tuple(stretches))

    def placed(self, place: Callable[[float], float], seconds: Callable[[float], float] | None = None) -> "Cues":
        """The same with other metres: ``place`` of those along the path; and with times in metres, by ``seconds``."""

        def metres(value: float, unit: Unit) -> tuple[float, Unit]:
            if unit == "metres":
                return place(value), unit
            return (value, unit) if seconds is None else (seconds(value), "metres")

        stretches: list[Stretch] = []
        for one in self.stretches:
            start, unit = metres(one.start, one.unit)
            stretches.append(replace(one, start=start, end=metres(one.end, one.unit)[0], unit=unit))
        waits: list[Wait] = []
        for wait in self.waits:
            at, unit = metres(wait.at, wait.unit)
            waits.append(replace(wait, at=at, unit=unit))
        paces = self.paces
        if paces is not None:
            paces = paces.copy()
            paces[:, 0] = [place(float(value)) for value in paces[:, 0]]
        return Cues(tuple(stretches), tuple(waits), paces)
