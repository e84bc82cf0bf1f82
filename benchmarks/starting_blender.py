"""A Blender that starts a training run and may be killed, and the next one, which finds that run."""

import json
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import numpy as np

from ..core.errors import FootfallError
from ..core.jobs.process import start_stamp
from ..core.jobs.run_folder import RunFolder
from ..tools.build.environments import BLENDERS, is_ready
from .interrupted import PATIENCE, STARTING, Bench, NotPossible, wait_until, watched
from .watched_trainer import read_count

IN_BLENDER: Final = Path(__file__).with_name("training_in_blender.py")


class StartingBlender:
    """A Blender that has started a run, and the Blenders that find the run later.

    Raises:
        NotPossible: no Blender is set up on this machine.
    """

    def __init__(self, bench: Bench, run: RunFolder, *settings: str) -> None:
        ready = [environment for environment in BLENDERS.values() if is_ready(environment)]
        if not ready or os.name != "posix":
            raise NotPossible("no Blender is set up here")
        self._environment = ready[0]
        self._bench, self._run, self._log = bench, run, bench.log(run)
        self._home = bench.folder / f"{run.path.name}-blender"
        self._count = bench.folder / f"{run.path.name}.count"
        self._python = bench.folder / f"{run.path.name}.python"
        self._pid = bench.folder / f"{run.path.name}.pid"
        command = f"echo $$ > {shlex.quote(str(self._pid))}\nexec {shlex.join(watched(self._count))}"
        self._python.write_text(f'#!/bin/sh\n{command} "$@"\n')
        self._python.chmod(0o755)
        run.path.mkdir(parents=True)
        self._process = self._start("start", *bench.beginning(run, *settings, build=True))

    def _start(self, task: str, *arguments: str | Path) -> subprocess.Popen[str]:
        command = [self._environment.python, "-P", IN_BLENDER, task, self._run.path, self._python, *arguments]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                list(map(str, command)),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "BLENDER_USER_RESOURCES": str(self._home)},
            )

    @property
    def steps(self) -> int:
        """Number of steps done by the trainer's last process."""
        return read_count(self._count) if self._count.exists() else 0

    @property
    def trains(self) -> bool:
        """True while the trainer is running."""
        return self._pid.exists() and start_stamp(int(self._pid.read_text())) is not None

    def wait_for_a_moment(self, generator: np.random.Generator) -> None:
        """Wait for a random moment: of the trainer's start, of the build of the data set, or of the training."""
        bench, kind = self._bench, generator.integers(3)
        self._wait_until(lambda: self._pid.exists() if kind == 0 else self._run.status() == "building")
        if kind < 2:
            time.sleep(generator.uniform(0.0, (STARTING, bench.building)[kind]))
        else:
            step = int(generator.integers(1, bench.total * 3 // 4))
            self._wait_until(lambda: self.steps >= step)

    def _wait_until(self, what: Callable[[], bool]) -> None:
        wait_until(lambda: what() or self._process.poll() is not None)
        if self._process.poll() is not None:
            raise FootfallError(f"Starting a run in Blender failed: {self._log.read_text()}")

    def kill(self, trainer: bool = False) -> None:
        """Kill Blender (``kill -9``), and its trainer if requested."""
        self._process.kill()
        if trainer and self._pid.exists():
            with suppress(ProcessLookupError):
                os.kill(int(self._pid.read_text()), signal.SIGKILL)
        self._process.wait()
        if trainer:
            wait_until(lambda: not self.trains)

    def look(self, resume: bool = False) -> dict[str, str]:
        """Return the run's status in the next Blender: ``before``, and ``after`` it was resumed, if it was."""
        after = self._start("resume" if resume else "look")
        words, _ = after.communicate(timeout=PATIENCE)
        if after.returncode:
            raise FootfallError(f"Looking at a run in Blender failed: {self._log.read_text()}")
        return json.loads(words.splitlines()[-1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill(trainer=True)
