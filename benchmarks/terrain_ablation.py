"""PFNN Fig. 13: controllers trained on fitted patches or on the mesh editing baseline, on unseen ground."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..core.errors import FootfallError
from ..core.models.model_file import ControllerModel, load_model
from ..core.terrain.patches import build_patches
from .rough_grounds import Footing, slope, stairs, unseen, walk_over
from .setup import ROOT, Setup
from .tables import Part, table

TITLE = "Fitted patches against simple mesh editing"
MINUTES = 6
SEEDS = 6
SPEED = 1.1
PATCHES = 20_000
NAMES = {"fitted": "fitted patches", "edited": "plane edited to the footsteps", "level": "level ground"}
GROUNDS = ("stairs of 17 cm", "slope of 20 degrees", "made rubble", "made rocks", "made ramps", "made stairs")
NOTES = """\
Three controllers of the same clips, 6 minutes each: over the ten best patches, over the paper's baseline, or over
nothing. Six walks of ten meters at 1.1 m/s on each ground, none of which a patch was cut from."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    rows: list[list[object]] = []
    with TemporaryDirectory() as folder:
        build_patches(Path(folder) / "patches", PATCHES)
        for kind, name in NAMES.items():
            model = load_model(_train(kind, Path(folder)))
            rows += [_row(name, ground, _walks(model, ground)) for ground in GROUNDS]
    head = ["trained on", "walked over", "before: depth mm", "before: float mm", "after: depth mm: mean / max"]
    head += ["after: float mm", "beside the path cm", "arrive"]
    return [table(head, rows), NOTES]


def _train(kind: str, folder: Path) -> Path:
    """Train on one kind of terrain by the command line; return the controller's file."""
    package = str(__package__).rpartition(".")[0]
    run = folder / kind
    settings = [f"time_limit={MINUTES}", f"terrain={kind}", *([f"patches={folder / 'patches'}"] * (kind == "fitted"))]
    command = [sys.executable, "-m", package, "train", "--preset", "standard", "--run", str(run), "--json"]
    command += [part for setting in settings for part in ("--set", setting)]
    command += ["--clips", str(ROOT / "presets" / "training" / "standard_clips.txt")]
    child = subprocess.run(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    if child.returncode:
        raise FootfallError(f"The training on {NAMES[kind]} failed: its own message is above.")
    return run / "model.safetensors"


def _walks(model: ControllerModel, ground: str) -> list[Footing]:
    made = {"stairs of 17 cm": stairs, "slope of 20 degrees": slope}
    fields = [made[ground]() if ground in made else unseen(ground.removeprefix("made "), seed) for seed in range(SEEDS)]
    return [walk_over(model, field, SPEED, seed) for seed, field in enumerate(fields)]


def _row(name: str, ground: str, walks: list[Footing]) -> list[object]:
    def mean(field: str) -> float:
        return float(np.mean([getattr(walk, field) for walk in walks]))

    return [
        name,
        ground,
        mean("loose_penetration"),
        mean("loose_float"),
        f"{mean('penetration_mean'):.2f} / {max(walk.penetration_max for walk in walks):.1f}",
        mean("floats"),
        mean("cross_track"),
        f"{sum(walk.arrived for walk in walks)} of {len(walks)}",
    ]
