"""What the last bake is like, kept with its character: measure by measure, with the frame at which it is worst."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

import bpy

from ...core.evaluation.quality import LIMITS, Trace, Verdict, qualities
from .output import destination_of

TITLES: Final = {
    "path": ("Off the path", "{:.1f} cm"),
    "slide": ("Feet slide", "{:.0f} cm/s"),
    "depth": ("Soles in the ground", "{:.0f} mm"),
    "float": ("Feet float", "{:.0f} mm"),
    "jolt": ("Jolts", "{:.1f} x real"),
    "knee": ("Knees bend back", "{:.0f}°"),
}
"""What each measure is called, and how its worst value is written."""
HAPPENS: Final = {
    "path": "the hips are farthest from the path",
    "slide": "the {} slides most",
    "depth": "the {} is deepest in the ground",
    "float": "the {} is highest over the ground while it should stand on it",
    "jolt": "the {} moves least smoothly",
    "knee": "the {} is bent back most, or straightest",
}
"""What is the worst of each, by the part of the body."""
PARTS: Final = {
    "hips": "hips",
    "spine": "waist",
    "chest": "chest",
    "neck": "neck",
    "head": "head",
    "shoulder": "collarbone",
    "upper_arm": "shoulder",
    "forearm": "elbow",
    "hand": "wrist",
    "thigh": "hip",
    "shin": "knee",
    "foot": "ankle",
    "toe": "ball of the foot",
}
"""What a joint is called that plays a role, without its side."""
HEELS: Final = ("slide", "depth", "float")
"""Measures whose ``foot`` is the heel and no ankle."""
SIDES: Final = {"L": "left ", "R": "right "}


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of a bake; see :class:`core.evaluation.quality.Quality`.

    Attributes:
        measure: one of :data:`TITLES`.
        mean, p95, worst: in the unit of :data:`core.evaluation.quality.LIMITS`.
        usual: what half of the real walks do not exceed, of a body of this size.
        frame: the scene's, as it was baked.
        part: of the body, where it is worst.
        verdict: whether that is a fault.
    """

    measure: str
    mean: float
    p95: float
    worst: float
    usual: float
    frame: int
    part: str
    verdict: Verdict

    @property
    def title(self) -> str:
        """What the measure is called."""
        return TITLES[self.measure][0]

    @property
    def value(self) -> str:
        """The worst value with its unit; of jolts, which nobody has a feeling for, in times of real walks'."""
        return self._written(self.worst)

    @property
    def happens(self) -> str:
        """What is worst, in a few words."""
        return HAPPENS[self.measure].format(self.part)

    @property
    def details(self) -> str:
        """All else that there is to say."""
        said = f"Mean {self._written(self.mean)}, 19 of 20 below {self._written(self.p95)}"
        return said if self.measure == "knee" else f"{said}. Real walks, at their worst: {self._written(self.usual)}"

    def _written(self, value: float) -> str:
        return TITLES[self.measure][1].format(value / self.usual if self.measure == "jolt" else value)


def remember(
    armature: bpy.types.Object, traces: Iterable[Trace], rate: float, start: int, count: int, scene_rate: float
) -> tuple[Row, ...]:
    """Keeps with a character what its bake is like.

    Args:
        armature: the character.
        traces: the measures, ...
        rate: ... and how many of their frames are a second.
        start: the scene's frame of the first of them.
        count: how many of the scene's frames were made; those that the bake's destination has no room for are not
            looked at.
        scene_rate: frames a second of the scene.
    """
    every, step = list(traces), scene_rate / rate
    _, last = destination_of(armature.footfall.output, start, count).frames(start, count)
    kept = last - start + 1
    limits = {trace.measure: trace.limits for trace in every}
    rows = tuple(
        Row(
            *(one.measure, one.mean, one.p95, one.worst, limits[one.measure].usual),
            *(start + min(round(one.frame * step), kept - 1), part_of(one.measure, one.joint), one.verdict),
        )
        for one in qualities(every, int((kept - 1) / step) + 1)
    )
    armature.footfall.report = json.dumps([asdict(row) for row in rows])
    return rows


def rows_of(armature: bpy.types.Object) -> tuple[Row, ...]:
    """What the last bake of an armature is like; nothing where there is none."""
    settings = armature.footfall
    return _read(settings.report) if settings.baked is not None and settings.report else ()


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Row, ...]:
    """The rows that a file keeps; none where they cannot be read, as those of another version may."""
    try:
        rows = tuple(Row(**row) for row in json.loads(text))
        return rows if all(row.measure in LIMITS and row.value and row.details for row in rows) else ()
    except (ValueError, TypeError, KeyError):
        return ()


def part_of(measure: str, role: str) -> str:
    """What the joint of a measure is called."""
    part, _, side = role.partition(".")
    name = "heel" if part == "foot" and measure in HEELS else PARTS.get(part, part.replace("_", " "))
    return f"{SIDES.get(side, '')}{name}"
