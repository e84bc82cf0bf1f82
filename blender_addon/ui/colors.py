"""The strip's colors on dark and on light editors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.actions import ACTION_TABLE, Color


@dataclass(frozen=True)
class Palette:
    """All colors of a strip.

    Attributes:
        background: behind the rows; slightly transparent.
        row: behind one row.
        text: text of names and titles.
        left: contacts of left joints.
        right: contacts of right joints.
        middle: contacts of other joints.
        phase: ramp of the phase.
        outline: outline of the user's items.
        issue: review spots.
        hover: over the item under the mouse.
        label_colors: gaits and actions, by name.
        other: gaits and actions that are not in ``label_colors``.
    """

    background: Color
    row: Color
    text: Color
    left: Color
    right: Color
    middle: Color
    phase: Color
    outline: Color
    issue: Color
    hover: Color
    label_colors: Mapping[str, Color]
    other: Color

    def side_color(self, side: str) -> Color:
        """Return the color of a side such as L, R or FL."""
        return {"L": self.left, "R": self.right}.get(side[-1:], self.middle)

    def label_color(self, name: str) -> Color:
        """Return the color of a gait or an action."""
        return self.label_colors.get(name, self.other)


DARK: Final = Palette(
    background=(0.11, 0.11, 0.11, 0.92),
    row=(1.0, 1.0, 1.0, 0.035),
    text=(0.92, 0.92, 0.92, 1.0),
    left=(0.33, 0.60, 0.95, 1.0),
    right=(0.95, 0.50, 0.32, 1.0),
    middle=(0.42, 0.72, 0.66, 1.0),
    phase=(0.82, 0.82, 0.86, 1.0),
    outline=(1.0, 1.0, 1.0, 0.95),
    issue=(1.0, 0.80, 0.20, 1.0),
    hover=(1.0, 1.0, 1.0, 0.45),
    label_colors={
        "stand": (0.38, 0.39, 0.42, 1.0),
        "idle": (0.38, 0.39, 0.42, 1.0),
        "walk": (0.25, 0.50, 0.32, 1.0),
        "jog": (0.52, 0.50, 0.18, 1.0),
        "run": (0.68, 0.41, 0.12, 1.0),
        "crouch": (0.42, 0.31, 0.58, 1.0),
        "jump": (0.66, 0.24, 0.36, 1.0),
        **{name: one.colors[0] for name, one in ACTION_TABLE.items() if one.colors},
    },
    other=(0.32, 0.42, 0.48, 1.0),
)
LIGHT: Final = Palette(
    background=(0.86, 0.86, 0.86, 0.94),
    row=(0.0, 0.0, 0.0, 0.05),
    text=(0.06, 0.06, 0.06, 1.0),
    left=(0.12, 0.38, 0.80, 1.0),
    right=(0.84, 0.32, 0.12, 1.0),
    middle=(0.10, 0.48, 0.42, 1.0),
    phase=(0.20, 0.20, 0.24, 1.0),
    outline=(0.0, 0.0, 0.0, 0.95),
    issue=(0.78, 0.48, 0.0, 1.0),
    hover=(0.0, 0.0, 0.0, 0.3),
    label_colors={
        "stand": (0.68, 0.68, 0.70, 1.0),
        "idle": (0.68, 0.68, 0.70, 1.0),
        "walk": (0.55, 0.78, 0.58, 1.0),
        "jog": (0.82, 0.79, 0.42, 1.0),
        "run": (0.93, 0.70, 0.40, 1.0),
        "crouch": (0.74, 0.64, 0.88, 1.0),
        "jump": (0.92, 0.58, 0.66, 1.0),
        **{name: one.colors[1] for name, one in ACTION_TABLE.items() if one.colors},
    },
    other=(0.64, 0.74, 0.80, 1.0),
)


def palette_for(background: Sequence[float]) -> Palette:
    """Return the palette to use in an editor with the given background color."""
    red, green, blue = background[:3]
    return LIGHT if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 else DARK


def with_opacity(color: Color, strength: float) -> Color:
    """Return the color with its opacity multiplied by ``strength``."""
    return (*color[:3], color[3] * strength)
