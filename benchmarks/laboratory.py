"""All families of networks, trained on the same clips with equal numbers of weights and equal time."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from ..core.errors import FootfallError
from ..core.features.locomotion import input_layout, output_layout
from ..core.jobs.run_folder import RunFolder
from ..core.models.families import FAMILIES
from ..core.models.model_file import ControllerModel, load_model
from ..core.models.network import Task
from ..core.motion.roles import FOOT_CONTACTS
from .setup import ROOT, Setup

FOLDER: Final = ROOT / ".cache" / "laboratory"
NOTE: Final = "laboratory.json"
MINUTES: Final = 2.5
"""Training time of each; matching and Gaussian processes use their own time."""
WEIGHTS: Final = 1_500_000
"""Approximate number of weights of each network, equal to that of the paper's PFNN of 512 units for a quarter of these
inputs."""
CATEGORIES: Final = ("walk", "run", "turn", "idle")


@dataclass(frozen=True, slots=True)
class Entrant:
    """One family with one preset.

    Attributes:
        preset: its name.
        title: name in the tables.
        paper: values of PFNN's Table 1: training, milliseconds per frame, megabytes.
        response: seconds from standing to walking and to running in NSM's Table 2.
    """

    preset: str
    title: str
    paper: tuple[str, float, float] | None = None
    response: tuple[float, float] | None = None


ENTRANTS: Final = (
    Entrant("quick", "PFNN", ("30 h", 1.8, 10), (1.50, 0.87)),
    Entrant("plain", "plain network", ("3 h", 0.8, 10), (1.75, 1.35)),
    Entrant("plain_phase", "plain network, phase as input", ("3 h", 0.8, 10)),
    Entrant("erd", "ERD", ("9 h", 0.9, 10)),
    Entrant("erd_phase", "ERD, phase as input", ("9 h", 0.9, 10)),
    Entrant("lstm", "LSTM, 4 layers", None, (2.16, 2.24)),
    Entrant("auto_lstm", "Auto-LSTM", None, (1.86, 1.82)),
    Entrant("gp", "Gaussian process", ("10 min", 21.9, 100)),
    Entrant("phase_gp", "phase-functioned Gaussian process", ("1 h", 42.7, 1000)),
    Entrant("mann", "mixture, gated by feet (MANN)", None, (1.83, 0.92)),
    Entrant("global_phase", "mixture, gated by phase and gait (NSM)", None, (1.49, 0.81)),
    Entrant("local_phases", "mixture, local motion phases"),
    Entrant("deep_phase", "mixture, learned phases (DeepPhase)"),
    Entrant("matching", "motion matching"),
)


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained entrant, in its run folder."""

    entrant: Entrant
    run: RunFolder

    @cached_property
    def model(self) -> ControllerModel:
        """The trained controller."""
        return load_model(self.run.model_path)

    @cached_property
    def progress(self) -> list[dict[str, Any]]:
        """The run's reports."""
        return self.run.read_progress()[0]

    @property
    def seconds(self) -> float:
        """Duration of the training, including the generation of phases."""
        return float(json.loads((self.run.path / NOTE).read_text(encoding="utf-8"))["seconds"])

    @property
    def weights(self) -> int:
        """Number of weights."""
        return sum(tensor.size for tensor in self.model.tensors.values())


def trained(setup: Setup) -> Iterator[Trained]:
    """Yield all entrants, trained; an earlier training with the same settings is reused.

    Raises:
        FootfallError: a training fails.
    """
    clips = dataset(setup)
    for entrant in ENTRANTS:
        run = RunFolder(FOLDER / entrant.preset)
        settings = {"time_limit": MINUTES, **sizes(entrant.preset, clips)}
        wanted = {"preset": entrant.preset, **settings, "digest": _digest(clips)}
        note = run.path / NOTE
        known = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {"seconds": None}
        if {**known, "seconds": None} != {**wanted, "seconds": None} or not run.model_path.exists():
            print(f"laboratory: training {entrant.preset} ...", file=sys.stderr, flush=True)
            start = perf_counter()
            _train(entrant.preset, clips, run.path, settings)
            note.write_text(json.dumps({**wanted, "seconds": perf_counter() - start}), encoding="utf-8")
        yield Trained(entrant, run)


def dataset(setup: Setup) -> Path:
    """Return the data set for all trainings: the permitted CMU clips on level ground."""
    out = FOLDER / "dataset"
    FOLDER.mkdir(parents=True, exist_ok=True)
    listing = FOLDER / "clips.txt"
    listing.write_text("".join(f"{clip}\n" for clip in setup.clips(*CATEGORIES, split="train")), encoding="utf-8")
    _run("make-dataset", str(listing), "--out", str(out), "--preset", "quick")
    return out


def sizes(preset: str, clips: Path) -> dict[str, int]:
    """Return the layer widths of a preset, scaled equally, for about :data:`WEIGHTS` weights."""
    from ..training.config.config import TrainingConfig
    from ..training.data.dataset import Dataset
    from ..training.networks.families import architecture_of

    config, known = TrainingConfig.from_preset(preset), Dataset.open(clips)
    names = {one.name for one in fields(FAMILIES[config.family])}
    widths = {name: getattr(config, name) for name in ("hidden", "recurrent") if name in names}
    if not widths:
        return {}
    channels = {"none": 0, "global": 1, "local": len(FOOT_CONTACTS), "periodic": config.phase_channels}[config.phases]
    layouts = input_layout(known.joints, known.gaits, channels), output_layout(known.joints, channels)
    task = replace(known.task, inputs=layouts[0], outputs=layouts[1])

    def scaled(factor: float) -> dict[str, int]:
        return {name: max(8 * round(width * factor / 8), 8) for name, width in widths.items()}

    def off(factor: float) -> int:
        return abs(_count(architecture_of(replace(config, **scaled(factor))), task) - WEIGHTS)

    return scaled(min(np.linspace(0.3, 3.0, 271), key=off))


def _count(architecture: Any, task: Task) -> int:
    return sum(int(np.prod(shape)) for shape in architecture.shapes(task).values())


def _digest(clips: Path) -> str:
    from ..training.data.dataset import Dataset

    return Dataset.open(clips).digest


def _train(preset: str, clips: Path, run: Path, settings: dict[str, Any]) -> None:
    changes = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    _run("train", "--dataset", str(clips), "--run", str(run), "--preset", preset, *changes)


def _run(*arguments: str) -> None:
    package = str(__package__).rpartition(".")[0]
    child = subprocess.run([sys.executable, "-m", package, *arguments], stdout=subprocess.DEVNULL)
    if child.returncode:
        raise FootfallError(f"`{arguments[0]}` of the laboratory failed: its own message is above.")
