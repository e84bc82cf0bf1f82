"""pytest, and the other tests of the product."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .environments import DEV
from .folders import ROOT
from .messages import say
from .processes import clean_environment
from .windows import SKIPPED, run_in_windows

JUNIT = ROOT / ".cache" / "junit.xml"
"""Duration and outcome of each test of the last run."""
RECORDS = ["--durations=20", "--durations-min=1"]
SECONDS_OF_A_TEST = 1200
"""Longest duration of a test with `--all`, which gives properties many examples; otherwise it is pyproject.toml's."""
FUZZ_MINUTES = 10.0
"""Minutes of the campaign in `test --all`."""


def pytest_workers(arguments: Sequence[str]) -> list[str]:
    """Return pytest's options for at most two worker processes; none if the caller's arguments set them or debug."""
    if any(argument.startswith(("-n", "--pdb", "--dist", "--numprocesses")) for argument in arguments):
        return []
    return ["-n", str(min(2, os.cpu_count() or 1)), "--dist", "worksteal"]


def pytest_variables(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the environment of the tests: whether to run all of them, and the seed of random examples."""
    variables = clean_environment()
    if arguments.all:
        variables["FOOTFALL_ALL"] = "1"
    if arguments.seed is not None:  # this variable also reaches the tests inside Blender
        added = f"--hypothesis-seed={arguments.seed}"
        variables["PYTEST_ADDOPTS"] = f"{variables.get('PYTEST_ADDOPTS', '')} {added}".strip()
    return variables


def run_pytest(arguments: argparse.Namespace, junit: Path, **told: str) -> int:
    """Run the selected tests with environment variables ``told``, and write their durations to the file ``junit``.

    Return pytest's exit code.
    """
    say("test", "pytest, and the checks beside it" if not arguments.no_checks else "pytest")
    workers, variables = pytest_workers(arguments.extra), pytest_variables(arguments) | told
    if workers:  # processes already use the cores; threads inside them would only compete
        variables.setdefault("OMP_NUM_THREADS", "1")
        variables.setdefault("OPENBLAS_NUM_THREADS", "1")
    limit = [f"--timeout={SECONDS_OF_A_TEST}"] if arguments.all else []
    command = [DEV.python, "-P", "-m", "pytest", *workers, *RECORDS, f"--junit-xml={junit}", *limit, *arguments.extra]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=variables)


def run_stories(pictures: Path, options: Sequence[str]) -> int:
    """Run the stories in Blender's windows; return pytest's exit code, or `SKIPPED` without windows."""
    pictures.mkdir(parents=True, exist_ok=True)
    chosen = [] if any(option.startswith("tests/") for option in options) else ["tests/gui"]
    code = run_in_windows("gui-test", ["-m", "pytest", *chosen, *RECORDS, *options], FOOTFALL_GUI_PICTURES=pictures)
    if code != SKIPPED:
        say("gui-test", f"pictures are in {pictures}")
    return code


def run_fuzz(minutes: float, seed: int) -> int:
    """Feed damaged files to every reader of files, and print a table; return 1 if a reader fails to reject one."""
    command = [DEV.python, "-P", "-m", "footfall.tests.fuzz", "--minutes", minutes, "--seed", seed]
    return subprocess.call([str(part) for part in command], cwd=ROOT, env=clean_environment())
