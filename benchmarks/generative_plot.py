"""The trade-off of generated control as a picture: cost and gain of more noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .setup import ROOT

FILE: Final = ROOT / "docs" / "images" / "generative.svg"
TITLES: Final = ("response, of that as it is", "off the path, cm", "diversity, of mocap's")
LIMITS: Final[tuple[tuple[float, ...], ...]] = ((1.1,), (), (0.8, 1.2))
"""Goals of the numbers, drawn as dashed lines."""
COLORS: Final = ("#3b6ea8", "#d98032", "#5a8f4e")


@dataclass(frozen=True, slots=True)
class TradeOff:
    """One point of a curve.

    Attributes:
        amount: amount of the variation.
        response: time to a run, relative to that without variation.
        path: mean distance from the path, cm.
        diversity: diversity relative to mocap's.
    """

    amount: float
    response: float
    path: float
    diversity: float


def draw_trade_off(curves: Mapping[str, Sequence[TradeOff]], file: Path = FILE) -> None:
    """Draw response, path error and diversity by variation, a line for each kind of generator, as an SVG.

    Args:
        curves: points by the name of the kind.
        file: the picture to write.
    """
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams |= {"svg.hashsalt": "footfall", "font.size": 9}
    figure, axes = plt.subplots(1, len(TITLES), figsize=(9.6, 2.9))
    for axis, title, name, limits in zip(axes, TITLES, ("response", "path", "diversity"), LIMITS, strict=True):
        for (kind, points), color in zip(curves.items(), COLORS, strict=False):
            amounts = [point.amount for point in points]
            axis.plot(amounts, [getattr(point, name) for point in points], marker="o", ms=3, color=color, label=kind)
        for limit in limits:
            axis.axhline(limit, color="0.5", lw=0.8, ls="--")
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("variation")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
