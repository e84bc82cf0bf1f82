"""Make faults in a room of the code, run its tests on each, and tell those that none saw: `build.py mutants ROOM`."""

import argparse
import os
import random
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from sqlite3 import Connection, connect
from time import monotonic
from typing import Final

ROOT: Final = Path(__file__).parents[2]
NONSENSE: Final = ("BitAnd", "BitOr", "BitXor", "LShift", "RShift", "Mod", "Pow", "FloorDiv", "MatMult")
"""Operators that it puts in the place of others: on floats and in type hints they fail at once, or mean nothing."""
SLOWER: Final = 4.0
"""Time that the tests may take on a mutant, as a multiple of what they take without one."""
LEAST_SECONDS: Final = 30.0

CONFIG: Final = """\
[cosmic-ray]
module-path = ["{room}"]
timeout = {timeout:.1f}
excluded-modules = []
test-command = "{command}"

[cosmic-ray.distributor]
name = "local"
"""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault that was made: where, by which of cosmic-ray's operators, and what came of it."""

    place: str
    operator: str
    outcome: str
    diff: str


def main() -> int:
    """Return 0 if the score is reached."""
    parser = argparse.ArgumentParser(prog="footfall.tests.mutants", description=__doc__)
    parser.add_argument(
        "room", help="folder of the code, such as core/motion; its tests are in tests/ at the same place"
    )
    parser.add_argument("--count", type=int, default=100, help="mutants that are drawn; default: 100")
    parser.add_argument("--seed", type=int, default=0, help="other mutants than in every other run")
    parser.add_argument("--least", type=float, default=85.0, help="score, per cent; default: 85")
    parser.add_argument("--python", type=Path, required=True, metavar="FILE", help="the Python that has cosmic-ray")
    options = parser.parse_args()
    room, tests = options.room.strip("/"), f"tests/{options.room.strip('/')}"
    if not (ROOT / room).is_dir() or not (ROOT / tests).exists():
        parser.error(f"there is no folder '{room}' with tests in '{tests}'")
    copy = copy_tree(room)
    command = [sys.executable, "-m", "footfall.tests.mutants.room_tests", tests]
    begun = monotonic()
    if subprocess.call(command, cwd=copy, env=environment(copy)):
        print("The tests fail without a fault: mend them first")
        return 1
    timeout = max(SLOWER * (monotonic() - begun), LEAST_SECONDS)
    config, session = copy.parent / "config.toml", copy.parent / "session.sqlite"
    config.write_text(CONFIG.format(room=room, timeout=timeout, command=" ".join(command)), encoding="utf-8")
    ray = [str(options.python.absolute()), "-m", "cosmic_ray.cli"]
    subprocess.run([*ray, "init", str(config), str(session)], cwd=copy, env=environment(copy), check=True)
    with closing(connect(session)) as database:
        made = draw(database, options.count, random.Random(options.seed), copy)
    subprocess.run([*ray, "exec", str(config), str(session)], cwd=copy, env=environment(copy), check=True)
    with closing(connect(session)) as database:
        mutants = read(database)
    print(report(room, made, mutants))
    return 0 if score(mutants) >= options.least else 1


def copy_tree(room: str) -> Path:
    """Return a copy of what is committed, beside the shared data, in which faults are made."""
    folder = ROOT / ".cache" / "mutants" / room.replace("/", "-")
    shutil.rmtree(folder, ignore_errors=True)
    copy = folder / "footfall"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to((ROOT.parent / "shared").resolve())
    return copy


def environment(copy: Path) -> dict[str, str]:
    """Return the environment in which the copy is the package."""
    return os.environ | {"PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}


def draw(database: Connection, count: int, chance: random.Random, root: Path) -> int:
    """Keep some of the mutants of a session, at most one for each place of the code; return the number of places.

    What a data class is told of itself, and a strict `zip` of equally many, are no behavior that a test could see.
    """
    places: dict[tuple[str, int, int], list[str]] = {}
    rows = database.execute(
        "select module_path, start_pos_row, start_pos_col, operator_name, job_id from mutation_specs"
    )
    for module, row, column, operator, job in sorted(rows):
        line = line_of(root / module, row)
        if not (operator.endswith(NONSENSE) or line.startswith("@dataclass") or is_strictness(operator, line)):
            places.setdefault((module, row, column), []).append(job)
    jobs = [chance.choice(places[place]) for place in sorted(places)]
    kept = set(chance.sample(jobs, min(count, len(jobs))))
    dropped = [(job,) for (job,) in database.execute("select job_id from work_items").fetchall() if job not in kept]
    for table in ("mutation_specs", "work_items"):
        database.executemany(f"delete from {table} where job_id = ?", dropped)
    database.commit()
    return len(places)


def is_strictness(operator: str, line: str) -> bool:
    """Return whether a mutant is about the strictness of a `zip`."""
    return operator.endswith("ReplaceTrueWithFalse") and "strict=True" in line


@cache
def lines_of(file: Path) -> list[str]:
    """Return the lines of a file."""
    return file.read_text(encoding="utf-8").splitlines()


def line_of(file: Path, row: int) -> str:
    """Return a line of a file, counted from 1."""
    return lines_of(file)[row - 1].strip()


def read(database: Connection) -> list[Mutant]:
    """Return the mutants of a session that has been run; those that could not be made are left out."""
    rows = database.execute(
        "select module_path, start_pos_row, operator_name, test_outcome, diff from mutation_specs join work_results"
        " using (job_id) where test_outcome in ('SURVIVED', 'KILLED')"
    )
    return [
        Mutant(f"{module}:{row}", operator.removeprefix("core/"), outcome, diff)
        for module, row, operator, outcome, diff in sorted(rows)
    ]


def score(mutants: list[Mutant]) -> float:
    """Return the share of mutants that a test saw, per cent."""
    return 100.0 * sum(one.outcome == "KILLED" for one in mutants) / max(len(mutants), 1)


def report(room: str, places: int, mutants: list[Mutant]) -> str:
    """Return the table's row, and what each survivor changes."""
    survivors = [one for one in mutants if one.outcome == "SURVIVED"]
    lines = [
        "| room | places | mutants | seen | score |",
        "| --- | --- | --- | --- | --- |",
        f"| {room} | {places} | {len(mutants)} | {len(mutants) - len(survivors)} | {score(mutants):.0f} % |",
        "",
    ]
    for one in survivors:
        changed = [line for line in one.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        lines += [f"{one.place} {one.operator}", *(f"    {line}" for line in changed), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
