"""Checks in parallel with the tests."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from .environments import DEV
from .folders import ROOT
from .messages import say
from .processes import clean_environment

CHECKS = {"ruff": ["-m", "ruff", "check", "."], "pyright": ["-m", "pyright"]}


@dataclass(frozen=True)
class Check:
    """A process that checks the code in parallel with the tests; its output is held back until its end."""

    name: str
    child: subprocess.Popen[str]
    said: IO[str]

    @classmethod
    def start(cls, name: str) -> Check:
        said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - `finish` closes it
        command = [str(DEV.python), *CHECKS[name]]
        child = subprocess.Popen(command, cwd=ROOT, env=clean_environment(), stdout=said, stderr=said, text=True)
        return cls(name, child, said)

    def finish(self) -> bool:
        """Wait for the end of the check, print its output, and return whether it passed."""
        code = self.child.wait()
        self.said.seek(0)
        say("test", f"{self.name}\n{self.said.read().rstrip()}")
        self.said.close()
        return code == 0

    def stop(self) -> None:
        """Stop the check, since the tests were interrupted."""
        self.child.kill()
        self.child.wait()


@contextlib.contextmanager
def checks_beside(names: Sequence[str]) -> Iterator[list[Check]]:
    """Context manager that runs the named checks during the tests, and stops them if the tests are interrupted."""
    checks = [Check.start(name) for name in names]
    try:
        yield checks
    finally:
        for check in checks:
            if check.child.poll() is None:
                check.stop()
