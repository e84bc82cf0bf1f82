"""An interrupted training run: started, watched by steps, resumed, and compared with an uninterrupted run."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch

from ..core.errors import FootfallError
from ..core.jobs.run_folder import RunFolder
from ..core.models.model_file import load_model
from ..training.config.checksummed_file import ChecksumError, load_checksummed
from ..training.data.dataset import Dataset
from ..training.loop import checkpoint
from .watched_trainer import read_count, write_count

PACKAGE: Final = str(__package__)
CPU: Final = torch.device("cpu")
PATIENCE: Final = 300.0
"""Time limit for an expected event, seconds."""
ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
STARTING: Final = 3.0
"""Approximate seconds from the start of a trainer to its first step."""
SETTINGS: Final = (
    "hidden=16",
    "batch=128",
    "epochs=20",
    "dropout=0.1",
    "pose_noise=0.3",
    "unroll_steps=4",
    "unroll_epochs=10",
    "unroll_batch=32",
    "settle_share=0",
    "rollouts=1",
    "validation_share=0.2",
    "time_limit=0",
    "device=cpu",
    "threads=1",
)
"""Limited by steps, not by time, so that two runs of one seed can be equal."""


class Patience(FootfallError):
    """Error for an expected event that did not happen in time."""


class NotPossible(FootfallError):
    """Error for a fault that cannot be produced on this machine."""


def wait_until(what: Callable[[], Any], pause: float = 0.002) -> None:
    """Wait until a condition holds; raise :class:`Patience` after :data:`PATIENCE` seconds."""
    end = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > end:
            raise Patience("What a run was waited for did not happen within five minutes.")
        time.sleep(pause)


class Trainer:
    """``footfall train`` in its own process, with counted steps.

    Args:
        arguments: arguments of ``footfall train``.
        log: file for its output and the count of its steps, outside the run's folder.
        lost_at: step before which its device is lost; -1 for never.
    """

    def __init__(self, arguments: Sequence[str | Path], log: Path, lost_at: int = -1) -> None:
        self._count = log.with_suffix(".count")
        write_count(self._count)
        with log.open("ab") as words:
            self._process = subprocess.Popen(
                [*watched(self._count, lost_at), "train", *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                env={**os.environ, **ONE_THREAD},
            )

    @property
    def steps(self) -> int:
        """Number of steps done by this process."""
        return read_count(self._count)

    @property
    def running(self) -> bool:
        """True while the process is running."""
        return self._process.poll() is None

    def wait_for(self, what: Callable[[], Any], pause: float = 0.002) -> None:
        """Wait until a condition holds or the process has ended."""
        wait_until(lambda: what() or not self.running, pause)

    def end(self) -> int:
        """Wait for the end of the process; return the exit code."""
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise Patience("A trainer did not end within five minutes.") from error

    def kill(self) -> None:
        """Kill the process (``kill -9``)."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()


def watched(count: Path, lost_at: int = -1) -> list[str]:
    """Return the command for appended arguments of ``footfall``."""
    return [sys.executable, "-m", f"{PACKAGE}.watched_trainer", str(count), str(lost_at)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run after an interruption.

    Attributes:
        told: whether its state named the cause, in one sentence for a failure.
        unreadable: unreadable checkpoints, except those damaged on purpose.
        lost: repeated steps.
        resumed: whether it continued from its last complete checkpoint, and finished with a controller.
        equal: whether that controller has exactly the weights of the uninterrupted run.
        caught: whether the interruption hit during the writing of a checkpoint, if intended.
    """

    told: bool
    unreadable: int
    lost: int
    resumed: bool
    equal: bool
    caught: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """The inputs and the reference of the runs.

    Attributes:
        folder: the folder of the runs.
        clips: the clips of a run's data set.
        dataset: the same, built.
        whole: the uninterrupted run.
        frames, total: steps of its first stage; of both.
        building, seconds: durations of the build of the data set, and in total.
        settings: settings of all runs.
    """

    folder: Path
    clips: tuple[Path, ...]
    dataset: Path
    whole: RunFolder
    frames: int
    total: int
    building: float
    seconds: float
    settings: tuple[str, ...]

    @staticmethod
    def make(folder: Path, clips: Sequence[Path], settings: tuple[str, ...] = SETTINGS) -> "Bench":
        """Train the uninterrupted reference run and return the bench."""
        whole, begun = RunFolder(folder / "whole"), time.monotonic()
        with Trainer(
            ["--clips", *clips, "--jobs", "2", *_destination(whole, *settings)], folder / "whole.log"
        ) as trainer:
            trainer.wait_for(lambda: whole.status() == "building")
            building = time.monotonic()
            trainer.wait_for(lambda: whole.status() == "running")
            building = time.monotonic() - building
            if trainer.end() != 0:
                raise FootfallError(f"The run without interruptions failed: {(folder / 'whole.log').read_text()}")
            total, seconds = trainer.steps, time.monotonic() - begun
        reports, _ = whole.read_progress()
        frames = max(report["step"] for report in reports if report["stage"] == "frames")
        return Bench(folder, tuple(clips), whole.dataset_path, whole, frames, total, building, seconds, settings)

    def run(self, name: str) -> RunFolder:
        """Return a run's folder."""
        return RunFolder(self.folder / name)

    def begin(self, run: RunFolder, *settings: str, lost_at: int = -1, build: bool = False) -> Trainer:
        """Start a run in a new process.

        Args:
            run: its run folder.
            settings: options besides those of all runs.
            lost_at: see :class:`Trainer`.
            build: whether it builds its data set by itself, in two processes.
        """
        return Trainer(self.beginning(run, *settings, build=build), self.log(run), lost_at)

    def beginning(self, run: RunFolder, *settings: str, build: bool = False) -> list[str | Path]:
        """Return the arguments of ``footfall train`` for :meth:`begin`."""
        source = ["--clips", *self.clips, "--jobs", "2"] if build else ["--dataset", self.dataset]
        return [*source, *_destination(run, *self.settings, *settings)]

    def go_on(self, run: RunFolder) -> Trainer:
        """Resume a run; start it again if it was killed before writing its configuration."""
        if not run.config_path.exists():
            return self.begin(run, build=True)
        return Trainer(["--resume", run.path, "--jobs", "2"], self.log(run))

    def log(self, run: RunFolder) -> Path:
        """Return the output file of a run's processes; it is outside the run's own disk, which may be full."""
        return self.folder / f"{run.path.name}.log"

    def saved(self, run: RunFolder) -> int:
        """Return the step from which a run will resume."""
        try:
            digest = Dataset.open(run.dataset_path if run.dataset_path.exists() else self.dataset).digest
        except FootfallError:
            return 0
        newest = checkpoint.read_newest(run, digest, CPU)
        return newest.total_steps if newest else 0

    def outcome(
        self, run: RunFolder, done: int, told: bool, *, torn: Sequence[Path] = (), caught: bool = False
    ) -> Outcome:
        """Resume a run, wait for its end and return the outcome.

        Args:
            run: its run folder.
            done: number of steps done before the interruption.
            told: see :class:`Outcome`.
            torn: checkpoints damaged on purpose.
            caught: see :class:`Outcome`.
        """
        unreadable = len([path for path in unreadable_checkpoints(run) if path not in torn])
        saved = self.saved(run)
        with self.go_on(run) as trainer:
            finished = trainer.end() == 0 and run.status() == "finished" and saved + trainer.steps == self.total
        equal = finished and self.is_equal(run)
        return Outcome(told, unreadable, done - saved, finished, equal, caught)

    def is_equal(self, run: RunFolder) -> bool:
        """Return whether a run's controller has exactly the weights of the uninterrupted run's."""
        ours, others = (load_model(one.model_path).tensors for one in (run, self.whole))
        return ours.keys() == others.keys() and all(np.array_equal(ours[name], others[name]) for name in ours)


def _destination(run: RunFolder, *settings: str) -> list[str | Path]:
    return ["--run", run.path, *(word for one in settings for word in ("--set", one))]


def unreadable_checkpoints(run: RunFolder) -> list[Path]:
    """Return the damaged checkpoints of a run."""
    return [path for path in [*run.checkpoints(), run.best_checkpoint] if path.exists() and not _is_readable(path)]


def _is_readable(path: Path) -> bool:
    try:
        load_checksummed(path, CPU)
    except ChecksumError:
        return False
    return True


def was_interrupted(run: RunFolder) -> bool:
    """Return whether a killed run reports its interruption: its state is at work, its status is not."""
    return run.status() == "interrupted" or (run.status() == "none" and not run.config_path.exists())


def failed_with(run: RunFolder, word: str) -> bool:
    """Return whether a run reports its failure in one sentence with this word."""
    state = run.read_state()
    if state is None or run.status() != "failed":
        return False
    return word in state.error and state.error.endswith(".") and "\n" not in state.error
