"""PFNN Fig. 13: controllers trained on fitted patches or on the mesh editing baseline, on unseen ground."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..core.errors import FootfallError
from ..core.models.model_file import ControllerModel, load_model
from ..core.terrain.patches import build_patches
from .document import table
from .rough_grounds import Footing, slope, stairs, unseen, walk_over
from .setup import ROOT, Setup

TITLE = "Fitted patches against simple mesh editing"
MINUTES = 6
SEEDS = 6
SPEED = 1.1
PATCHES = 20_000
NAMES = {"fitted": "fitted patches", "edited": "plane edited to the footsteps", "level": "level ground"}
GROUNDS = ("stairs of 17 cm", "slope of 20 degrees", "made rubble", "made rocks", "made ramps", "made stairs")
NOTES = """\
Three controllers of the same clips, standard preset with {minutes} minutes on this machine each, which differ in what
was put under the clips that were captured on uneven ground or that jump: the ten patches that fit each stride best, the
paper's baseline, or nothing. Six walks of ten meters at 1.1 m/s on each ground, none of which a patch was cut from.
*Before* is the network's own answer: depth of heels and balls in the ground at every frame, and height above it in
contact. *After* is with feet held on their footholds."""


def measure(setup: Setup) -> str:
    """Return the section's table."""
    rows: list[list[object]] = []
    with TemporaryDirectory() as folder:
        build_patches(Path(folder) / "patches", PATCHES)
        for kind, name in NAMES.items():
            model = load_model(_train(kind, Path(folder)))
            rows += [_row(name, ground, _walks(model, ground)) for ground in GROUNDS]
    head = ["trained on", "walked over", "before: depth mm", "before: float mm", "after: depth mm: mean / max"]
    head += ["after: float mm", "beside the path cm", "arrive"]
    return f"{table(head, rows)}\n\n{NOTES.format(minutes=MINUTES)}"


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
