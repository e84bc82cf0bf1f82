"""Walks of the shipped controller over stairs, slopes and procedural ground: the quality of stances."""

import numpy as np

from ..core.models.model_file import ControllerModel
from ..core.terrain.heightfield import Heightfield
from .rough_grounds import Footing, slope, stairs, unseen, walk_over
from .setup import Setup
from .tables import Part, table

TITLE = "Walks over rough ground"
SEEDS = 10
SPEED = 1.1
KINDS = ("rubble", "rocks", "dunes", "ramps", "kerbs", "stairs")
HEAD = (
    "ground",
    "walks",
    "arrive",
    "penetration mm: mean / max",
    "float mm",
    "skate cm/s",
    "beside the path cm",
    "before feet are held: penetration / float mm",
)
NOTES = """\
Ten meters at 1.1 m/s, from standing to standing; each row over ten starting phases, made ground over ten seeds that
no patch was cut from."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    model = setup.model()
    rows = [
        _row("stairs of 17 cm", [walk_over(model, stairs(), SPEED, seed) for seed in range(SEEDS)]),
        _row("slope of 20 degrees", [walk_over(model, slope(), SPEED, seed) for seed in range(SEEDS)]),
        *(_row(f"made {kind}", _walks(model, [unseen(kind, seed) for seed in range(SEEDS)])) for kind in KINDS),
        ["reach", None, "all", "3 / 15", 5, 1.5, 10, None],
    ]
    return [table(list(HEAD), rows), NOTES]


def _walks(model: ControllerModel, grounds: list[Heightfield]) -> list[Footing]:
    return [walk_over(model, ground, SPEED, seed) for seed, ground in enumerate(grounds)]


def _row(name: str, walks: list[Footing]) -> list[object]:
    def mean(field: str) -> float:
        return float(np.mean([getattr(walk, field) for walk in walks]))

    deepest = max(walk.penetration_max for walk in walks)
    return [
        name,
        len(walks),
        sum(walk.arrived for walk in walks),
        f"{mean('penetration_mean'):.2f} / {deepest:.1f}",
        mean("floats"),
        mean("skate"),
        mean("cross_track"),
        f"{mean('loose_penetration'):.1f} / {mean('loose_float'):.1f}",
    ]
