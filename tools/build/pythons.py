"""Pythons of a machine, by their version."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


def candidate_pythons(version: str) -> Iterator[str]:
    """Yield commands that may be a Python of a version: this one, those on the PATH, pyenv's, Windows launcher's."""
    yield getattr(sys, "_base_executable", sys.executable)
    names = [f"python{version}.exe", "python.exe"] if os.name == "nt" else [f"python{version}", "python3", "python"]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield from (str(Path(folder, name)) for name in names if Path(folder, name).is_file())
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    executable = "python.exe" if os.name == "nt" else "bin/python"
    yield from (str(folder / executable) for folder in sorted(pyenv.glob(f"versions/{version}*"), reverse=True))


def find_python(version: str | None) -> str | None:
    """Return the path of a working Python of this version, or None (a pyenv shim may exist but refuse)."""
    if version is None:
        return getattr(sys, "_base_executable", sys.executable)
    question = "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.executable)"
    for command in dict.fromkeys(candidate_pythons(version)):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            answer = subprocess.run([command, "-c", question], capture_output=True, text=True, timeout=30)
            lines = answer.stdout.splitlines()
            if answer.returncode == 0 and lines and lines[0] == version:
                return lines[1]
    return None
