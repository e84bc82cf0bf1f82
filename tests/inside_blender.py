"""Run `tests/addon` with the pytest inside Blender's Python: the processes to start, and how they ended."""

import os
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from footfall import build

ROOT: Final = Path(__file__).resolve().parent.parent
ADDON: Final = ROOT / "tests" / "addon"
EVERY_BLENDER: Final = "every_blender"
"""Mark of tests that run in all Blenders, and not in the newest alone."""
ALL: Final = "FOOTFALL_ALL"
"""Environment variable: `1` runs every test in every Blender."""
NO_TESTS: Final = 5
"""Exit code of pytest where no test was selected."""
FOR_WORKERS: Final = ("-n", "--numprocesses", "--dist")
"""Options of pytest-xdist, which Blender's Pythons do not have."""


@dataclass(frozen=True)
class Result:
    """How the pytest inside one Blender ended."""

    code: int
    output: str
    counts: dict[str, int]
    """Tests, failures, errors and skipped ones, of its junit file; empty where it wrote none."""

    @property
    def has_passed(self) -> bool:
        return self.code in (0, NO_TESTS)


def rooms() -> list[str]:
    """The folders of `tests/addon` that hold tests."""
    return sorted({file.relative_to(ADDON).parts[0] for file in ADDON.glob("*/**/test_*.py")})


def is_for_every_blender(room: str) -> bool:
    """Whether a room has tests that run in all Blenders."""
    return any(f"mark.{EVERY_BLENDER}" in file.read_text("utf-8") for file in (ADDON / room).rglob("test_*.py"))


def runs() -> list[tuple[str, str]]:
    """Each Blender version with each room that is to be tested in it, the newest version first."""
    newest = max(build.BLENDERS)
    chosen = [(newest, room) for room in rooms()]
    others = sorted(set(build.BLENDERS) - {newest}, reverse=True)
    return chosen + [(one, room) for one in others for room in rooms() if tests_all() or is_for_every_blender(room)]


def tests_all() -> bool:
    return os.environ.get(ALL) == "1"


def command(version: str, *arguments: str | Path) -> list[str]:
    """The command line of the pytest inside a Blender."""
    marked = [] if version == max(build.BLENDERS) or tests_all() else ["-m", EVERY_BLENDER]
    python = build.BLENDERS[version].python
    return [str(part) for part in (python, "-P", "-m", "pytest", "-p", "no:cacheprovider", *marked, *arguments)]


def run_room(version: str, room: str, junit: Path, seconds: float) -> Result:
    """Run a room's tests in a Blender; a process that takes longer is killed, and has failed."""
    started = command(version, ADDON / room, "-q", f"--junit-xml={junit}")
    try:
        child = subprocess.run(
            started,
            cwd=ROOT,
            env=build.clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout
        return Result(124, f"{said}\nstill running after {seconds:.0f} s", counted(junit))
    return Result(child.returncode, child.stdout, counted(junit))


def counted(junit: Path) -> dict[str, int]:
    """How many tests a junit file tells of, by how they ended."""
    if not junit.is_file():
        return {}
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in ET.parse(junit).iter("testsuite"):
        for name in totals:
            totals[name] += int(suite.get(name, 0))
    return totals


def hand_over(config: pytest.Config) -> int | None:
    """Run what was asked for, where it is all in `tests/addon`, in the Blenders that are set up; None where it is not.

    Version by version with its output as it comes; the exit code is the first that is not 0.
    """
    asked = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    if not asked or not all(path.is_relative_to(ADDON) for path in asked):
        return None
    arguments = without_workers(config.invocation_params.args)
    codes = []
    for version in sorted(build.BLENDERS, reverse=True):
        if not build.is_ready(build.BLENDERS[version]):
            print(f"SKIPPED: Blender {version} is not set up here")
            continue
        print(f"--- Blender {version}", flush=True)
        codes.append(subprocess.call(command(version, *arguments), env=build.clean_environment()))
    chosen = [code for code in codes if code != NO_TESTS]
    return next((code for code in chosen if code), 0) if chosen else NO_TESTS


def without_workers(arguments: "tuple[str, ...] | list[str]") -> list[str]:
    """The arguments without those of pytest-xdist."""
    kept: list[str] = []
    is_value = False
    for argument in map(str, arguments):
        if is_value:
            is_value = False
        elif argument in FOR_WORKERS:
            is_value = True
        elif not argument.startswith(FOR_WORKERS):
            kept.append(argument)
    return kept
