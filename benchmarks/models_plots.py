"""The tables of the families of networks as bar charts, drawn from the results."""

from pathlib import Path
from typing import Final

from ..core.errors import FootfallError
from .results import read_results
from .setup import Setup
from .tables import IMAGES, Part, Picture

TITLE = "Families of networks: pictures"
COLOUR: Final = "#3b6ea8"
CHARTS: Final = {
    "models_paths": (
        ("wave, by itself cm", "off the wave at (2, 5), cm", 1),
        ("skate, by itself cm/s", "skate on the wave by itself, cm/s", 0),
        ("motion detail", "motion detail, of mocap's", 0),
    ),
    "models_response": (("stand to walk s", "standing to walking, s", 0), ("shortest s", "alive, s of 60", 0)),
    "models_inference": (("ms alone", "ms a frame", 0), ("times the bound", "times the memory's bound", 0)),
}
"""By table: columns, their titles, and the drawn number of each cell."""


def measure(setup: Setup) -> list[Part]:
    """Return the section: one chart for each table."""
    results, pictures = read_results(), []
    for name, charts in CHARTS.items():
        if name not in results:
            raise FootfallError("There is no result '{name}': measure it first", name=name)
        file = IMAGES / f"{name}.svg"
        _draw(file, results[name].tables[0].records(), charts)
        pictures.append(Picture(", ".join(title for _, title, _ in charts), file.name))
    return [*pictures]


def _draw(file: Path, rows: list[dict[str, str]], charts: tuple[tuple[str, str, int], ...]) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams |= {"svg.hashsalt": "footfall", "font.size": 9}
    figure, axes = plt.subplots(1, len(charts), figsize=(3.2 * len(charts) + 2.4, 0.26 * len(rows) + 0.9), sharey=True)
    for axis, (column, title, number) in zip(axes, charts, strict=True):
        values = [_number(row[column], number) for row in rows]
        names = [row["network"] for row in rows]
        axis.barh(range(len(rows)), [value or 0.0 for value in values], color=COLOUR)
        for place, value in enumerate(values):
            axis.annotate("-" if value is None else f"{value:g}", (value or 0.0, place), xytext=(3, 0),
                          textcoords="offset points", va="center", fontsize=8)  # fmt: skip
        axis.set_yticks(range(len(rows)), names)
        axis.set_title(title, fontsize=9)
        axis.margins(x=0.18)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].invert_yaxis()
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def _number(cell: str, number: int) -> float | None:
    parts = [part.strip() for part in cell.split(" / ")]
    try:
        return float(parts[min(number, len(parts) - 1)])
    except ValueError:
        return None
