"""Tags of clips: performer, style and variants, given after a path in a list of clips."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..errors import FootfallError

TAG_PATTERN: Final = re.compile(r"\s+(?P<name>performer|style|paces|bends|backward|upright|slants)=(?P<value>\S+)$")
NAME_PATTERN: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
FACTOR_RANGE: Final = (0.25, 2.0)
"""Smallest and largest factor of a walk's pace."""
CURVATURE_RANGE: Final = (-2.0, 2.0)
"""Smallest and largest curvature, 1/m, of a bent clip."""
SLANT_RANGE: Final = (-1.5, 1.5)
"""Smallest and largest way to the right for each meter ahead of a slanted copy."""


@dataclass(frozen=True, slots=True)
class ClipTags:
    """The tags of a clip in a list of clips.

    Attributes:
        performer: person that performs the motion; empty for the performer with the most minutes.
        style: gait given to all frames in addition to the labeled gaits; empty for none.
        paces: speed factors; each adds a copy of the clip with longer or shorter, quicker or slower steps.
        bends: path curvatures, 1/m, of additional bent copies; empty for those in the training settings.
        backward: speed factors of copies in reversed time, in which steps ahead become steps backward.
        upright: speed factors of copies whose crouched frames stand up.
        slants: ways to the right, meters for each meter ahead, of copies of the plain paces and the backward copies.
    """

    performer: str = ""
    style: str = ""
    paces: tuple[float, ...] = ()
    bends: tuple[float, ...] = ()
    backward: tuple[float, ...] = ()
    upright: tuple[float, ...] = ()
    slants: tuple[float, ...] = ()

    @staticmethod
    def from_mapping(values: Mapping[str, Any]) -> "ClipTags":
        """Parse tags from a mapping of tag name to text.

        Raises:
            FootfallError: a value is wrong.
        """
        performer, style = str(values.get("performer", "")), str(values.get("style", ""))
        for name, value in (("performer", performer), ("style", style)):
            if value and not NAME_PATTERN.fullmatch(value):
                raise FootfallError(
                    "The value '{value}' of the tag '{name}' is not valid: use up to 32 small letters, digits, "
                    "'-' and '_'",
                    value=value,
                    name=name,
                )
        return ClipTags(
            performer,
            style,
            _numbers("paces", values.get("paces", ""), FACTOR_RANGE),
            _numbers("bends", values.get("bends", ""), CURVATURE_RANGE),
            _numbers("backward", values.get("backward", ""), FACTOR_RANGE),
            _numbers("upright", values.get("upright", ""), FACTOR_RANGE),
            _numbers("slants", values.get("slants", ""), SLANT_RANGE),
        )

    def to_mapping(self) -> dict[str, str]:
        """Return the tags that are set, as a mapping of tag name to text; the inverse of :meth:`from_mapping`."""
        numbers = ("paces", "bends", "backward", "upright", "slants")
        values = {
            "performer": self.performer,
            "style": self.style,
            **{name: ",".join(f"{one:g}" for one in getattr(self, name)) for name in numbers},
        }
        return {name: value for name, value in values.items() if value}


def split_tags(line: str) -> tuple[str, ClipTags]:
    """Split a line such as ``walks/02.bvh performer=anna paces=0.5`` into the path and the tags.

    Raises:
        FootfallError: the value of a tag is wrong.
    """
    values: dict[str, str] = {}
    while match := TAG_PATTERN.search(line):
        values[match["name"]] = match["value"]
        line = line[: match.start()]
    return line.strip(), ClipTags.from_mapping(values)


def performers_by_minutes(tags: Iterable[ClipTags], minutes: Iterable[float]) -> tuple[str, ...]:
    """Return the performers' names, by total minutes of their clips, the most first; empty for fewer than two."""
    total: dict[str, float] = {}
    for tag, length in zip(tags, minutes, strict=True):
        if tag.performer:
            total[tag.performer] = total.get(tag.performer, 0.0) + length
    return tuple(sorted(total, key=lambda name: (-total[name], name))) if len(total) > 1 else ()


def _numbers(name: str, text: object, limits: tuple[float, float]) -> tuple[float, ...]:
    """Parse the numbers of a tag such as ``0.5,0.7``."""
    try:
        numbers = tuple(float(one) for one in str(text).split(",")) if text else ()
    except ValueError:
        numbers = (float("nan"),)
    if not all(limits[0] <= one <= limits[1] for one in numbers):
        raise FootfallError(
            "The tag '{name}' of a clip is '{text}': give numbers from {low} to {high}, separated by commas",
            name=name,
            text=text,
            low=f"{limits[0]:g}",
            high=f"{limits[1]:g}",
        )
    return numbers
