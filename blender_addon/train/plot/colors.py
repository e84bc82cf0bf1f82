"""The plot's colors on dark and on light viewports."""

from collections.abc import Mapping, Sequence
from typing import Final

from .layout import ColorRole

Color = tuple[float, float, float, float]

DARK: Final[Mapping[ColorRole, Color]] = {
    "back": (0.09, 0.09, 0.10, 0.95),
    "pane": (1.0, 1.0, 1.0, 0.03),
    "grid": (1.0, 1.0, 1.0, 0.10),
    "stage": (1.0, 1.0, 1.0, 0.30),
    "text": (0.92, 0.92, 0.92, 1.0),
    "faint": (0.62, 0.62, 0.64, 1.0),
    "first": (0.36, 0.65, 1.0, 1.0),
    "second": (1.0, 0.60, 0.25, 1.0),
    "third": (0.45, 0.85, 0.60, 1.0),
}
LIGHT: Final[Mapping[ColorRole, Color]] = {
    "back": (0.95, 0.95, 0.95, 0.96),
    "pane": (0.0, 0.0, 0.0, 0.03),
    "grid": (0.0, 0.0, 0.0, 0.12),
    "stage": (0.0, 0.0, 0.0, 0.35),
    "text": (0.06, 0.06, 0.06, 1.0),
    "faint": (0.38, 0.38, 0.40, 1.0),
    "first": (0.10, 0.36, 0.78, 1.0),
    "second": (0.80, 0.36, 0.0, 1.0),
    "third": (0.05, 0.50, 0.25, 1.0),
}


def colors_on(background: Sequence[float]) -> Mapping[ColorRole, Color]:
    """Return the colors to use in a viewport with the given background color."""
    red, green, blue = background[:3]
    return LIGHT if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 else DARK
