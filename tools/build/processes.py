"""Child processes, and a lock against simultaneous runs."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from .folders import ROOT, VENVS
from .messages import BuildError, say


@contextlib.contextmanager
def only_one_at_a_time(lock_file: Path) -> Iterator[None]:
    """Hold a lock, so that two build.py do not set up the same folder simultaneously (no lock on Windows)."""
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    with lock_file.open("a") as file:
        try:
            import fcntl
        except ImportError:
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("set-up", "another build.py is at it; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def clean_environment(**extra: str) -> dict[str, str]:
    """Return this process's environment variables and ``extra`` ones, without those that affect a child's Python."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return variables | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"} | extra


def run_step(topic: str, step: str, command: Sequence[str | Path]) -> None:
    """Run one step of a set-up: show its important lines and write all of them to `.venvs/<topic>.log`."""
    say(topic, step)
    log = VENVS / f"{topic}.log"
    with log.open("a", encoding="utf-8") as file:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        assert child.stdout is not None
        lines = []
        try:
            for line in child.stdout:
                file.write(line)
                lines.append(line.rstrip())
                if line.lstrip().startswith(("Downloading ", "Installing collected", "Get:")):
                    say(topic, "  " + line.strip()[:110])
        except BaseException:
            child.kill()
            raise
        if child.wait() != 0:
            raise BuildError("\n".join([f"{topic}: {step}: failed ({log} has it all):", *lines[-15:]]))
