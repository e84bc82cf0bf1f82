"""Readers of run folders, locks, presets of the trainer and its environment."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from footfall.core.jobs.folder_lock import read_owner
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.jobs.source_table import SkippedClip, SourceRow, read_table, write_table
from footfall.core.jobs.trainer_setup.environment import TrainerEnvironment
from footfall.core.jobs.training_preset import presets_in

from ..reader import Reader
from .corpus import PRESETS, contents, files, written

STATE: Final = {"status": "running", "pid": 1, "process": "1-2", "started": 1.0, "error": ""}
REPORT: Final = {"stage": "train", "step": 10, "epoch": 1, "loss": 0.5, "validation_loss": 0.6, "rate": 3.0, "eta": 9}


def _run(content: bytes) -> Callable[[Path], list[bytes]]:
    def prepare(folder: Path) -> list[bytes]:
        (folder / "config.toml").write_text("[data]\nclips = []\n[training]\n")
        (folder / "state.json").write_text(json.dumps(STATE))
        (folder / "progress.jsonl").write_text(json.dumps(REPORT) + "\n")
        return [content]

    return prepare


def _read_run(path: Path) -> object:
    run = RunFolder(path.parent)
    reports, at = run.read_progress()
    return run.read_state(), run.status(), run.is_alive(), reports, run.read_progress(at), run.checkpoints()


def _table() -> bytes:
    row = SourceRow("walks", "Walks", 2, 1.5, 3.0, "thigh.L", (SkippedClip("a.bvh", "too short"),))
    return written(lambda path: write_table(path.parent, [row]), "sources.json")


def _environment(content: Mapping[str, Any] | bytes) -> Callable[[Path], list[bytes]]:
    """Return the corpus of one file of an environment whose Python is there."""

    def prepare(folder: Path) -> list[bytes]:
        (folder / "bin").mkdir()
        (folder / "bin" / "python").touch()
        (folder / "footfall-ready.json").write_text(json.dumps(READY))
        return [content if isinstance(content, bytes) else json.dumps(content).encode()]

    return prepare


def _read_environment(path: Path) -> object:
    environment = TrainerEnvironment(path.parent)
    return environment.maker_pid(), environment.packages(), environment.state()


LINES: Final = "".join(json.dumps({**REPORT, "step": step}) + "\n" for step in range(5)).encode()
MAKER: Final = {"maker_pid": 1, "maker_mark": "1-2", "worker_pid": None, "worker_mark": ""}
CFG: Final = b"home = /usr/bin\nversion = 3.11.7\n"
READY: Final = {"requirements": "0" * 64, "packages": {"torch": "2.6.0"}}
LOCK: Final = {"footfall": "lock", "pid": 1}

READERS: Final = (
    Reader("run-state", "state.json", "json", _run(json.dumps(STATE).encode()), _read_run),
    Reader("run-progress", "progress.jsonl", "jsonl", _run(LINES), _read_run),
    Reader("source-table", "sources.json", "json", contents(_table), lambda path: read_table(path.parent)),
    Reader(
        "lock",
        ".footfall-lock",
        "json",
        contents(lambda: json.dumps(LOCK).encode()),
        lambda path: read_owner(path.parent),
    ),
    Reader("trainer-packages", "footfall-ready.json", "json", _environment(READY), _read_environment),
    Reader("trainer-maker", "footfall-making.json", "json", _environment(MAKER), _read_environment),
    Reader("trainer-python", "pyvenv.cfg", "text", _environment(CFG), _read_environment),
    Reader(
        "training-presets",
        "preset.toml",
        "toml",
        files(*sorted((PRESETS / "training").glob("*.toml"))[:4]),
        lambda path: presets_in(path.parent),
    ),
)
