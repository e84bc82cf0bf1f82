"""Run `tests/addon` with the pytest inside Blender's Python: the processes to start, and how they ended."""

import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from footfall.tools.build.environments import BLENDERS, is_ready
from footfall.tools.build.folders import ROOT
from footfall.tools.build.processes import clean_environment

ADDON: Final = ROOT / "tests" / "addon"
EVERY_BLENDER: Final = "every_blender"
"""Mark of tests that run in all Blenders, and not in the newest alone."""
COUNTS: Final = ("tests", "failures", "errors", "skipped")
"""What a junit file counts."""
FOR_WORKERS: Final = ("-n", "--numprocesses", "--dist")
"""Options of pytest-xdist, which Blender's Pythons do not have."""


@dataclass(frozen=True)
class Result:
    """How the pytest inside one Blender ended."""

    code: int
    output: str
    counts: Counter[str]
    """`COUNTS` of its junit file; empty where it wrote none."""


# --- Which tests run where


def rooms() -> list[str]:
    """Return the folders of `tests/addon` that hold tests which run."""
    return sorted({file.relative_to(ADDON).parts[0] for file in ADDON.glob("*/**/test_*.py")})


def is_for_every_blender(room: str) -> bool:
    """Return whether a room has tests that run in all Blenders."""
    return any(f"mark.{EVERY_BLENDER}" in file.read_text("utf-8") for file in (ADDON / room).rglob("test_*.py"))


def newest_blender() -> str:
    """Return the newest version that is set up, or that there is where none is."""
    return max((one for one, blender in BLENDERS.items() if is_ready(blender)), default=max(BLENDERS))


def runs() -> list[tuple[str, str]]:
    """Return each Blender version with each room that is tested in it, the newest version first."""
    newest = newest_blender()
    others = sorted(set(BLENDERS) - {newest}, reverse=True)
    everywhere = [room for room in rooms() if is_for_every_blender(room)]
    return [(newest, room) for room in rooms()] + [(version, room) for version in others for room in everywhere]


# --- One run


def command(version: str, *arguments: str | Path) -> list[str]:
    """Return the command line of the pytest inside a Blender."""
    marked = [] if version == newest_blender() else ["-m", EVERY_BLENDER]
    python = BLENDERS[version].python
    return [str(part) for part in (python, "-P", "-m", "pytest", "-p", "no:cacheprovider", *marked, *arguments)]


def run_room(version: str, room: str, junit: Path, seconds: float) -> Result:
    """Run a room's tests in a Blender; a process that takes longer is killed, and has failed."""
    junit.unlink(missing_ok=True)
    try:
        child = subprocess.run(
            command(version, ADDON / room, "-q", f"--junit-xml={junit}"),
            cwd=ROOT,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
        return Result(124, f"{said}\nstill running after {seconds:.0f} s", Counter())
    return Result(child.returncode, child.stdout, counted(junit))


def counted(junit: Path) -> Counter[str]:
    """Return how many tests a junit file tells of, by how they ended."""
    totals: Counter[str] = Counter()
    if junit.is_file():
        for suite in ET.parse(junit).iter("testsuite"):
            totals.update({name: int(suite.get(name, 0)) for name in COUNTS})
    return totals


def summed_up(runs_of_rooms: Sequence[Counter[str]]) -> str:
    """Return a sentence on all runs, to stand under pytest's own count."""
    total = sum(runs_of_rooms, Counter())
    failed = total["failures"] + total["errors"]
    passed = total["tests"] - failed - total["skipped"]
    return f"inside Blender: {failed} failed, {passed} passed, {total['skipped']} skipped in {len(runs_of_rooms)} runs"


# --- A developer's own choice of tests


def hand_over(config: pytest.Config) -> int | None:
    """Run the tests that were asked for in all Blenders where they are in `tests/addon`; None where they are not.

    Each version prints as it goes; returns the first exit code that is not 0.
    """
    asked = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    if not asked or not all(path.is_relative_to(ADDON) for path in asked):
        return None
    codes = []
    for version in sorted(BLENDERS, reverse=True):
        if not is_ready(BLENDERS[version]):
            print(f"SKIPPED: Blender {version} is not set up here")
            continue
        print(f"--- Blender {version}", flush=True)
        started = command(version, *without_workers(config.invocation_params.args))
        codes.append(subprocess.call(started, env=clean_environment()))
    tested = [code for code in codes if code != pytest.ExitCode.NO_TESTS_COLLECTED]
    return next((code for code in tested if code), 0) if tested else int(pytest.ExitCode.NO_TESTS_COLLECTED)


def without_workers(arguments: Sequence[str]) -> list[str]:
    """Return pytest's arguments without those of pytest-xdist."""
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
