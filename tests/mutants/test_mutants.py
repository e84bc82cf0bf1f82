"""Mutants of a room: drawn one for each place, and told where no test saw them."""

import random
from pathlib import Path
from sqlite3 import Connection, connect

import pytest

from .__main__ import Mutant, draw, is_strictness, read, report, score
from .room_tests import beside

PLUS_TO = ("Sub", "Mul", "LShift", "BitOr")


def session() -> Connection:
    """Return a session of two places with a plus, and one with a number."""
    database = connect(":memory:")
    database.executescript(
        "create table work_items (job_id);"
        "create table mutation_specs (module_path, operator_name, start_pos_row, start_pos_col, job_id);"
        "create table work_results (test_outcome, diff, job_id);"
    )
    rows = [("a.py", f"core/ReplaceBinaryOperator_Add_{to}", row, 4, f"{row} {to}") for row in (3, 7) for to in PLUS_TO]
    for row in [*rows, ("b.py", "core/NumberReplacer", 9, 0, "9")]:
        database.execute("insert into mutation_specs values (?, ?, ?, ?, ?)", row)
        database.execute("insert into work_items values (?)", row[-1:])
    return database


def jobs(database: Connection) -> set[str]:
    return {job for (job,) in database.execute("select job_id from work_items")}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a folder of the two files."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = a + b\n" * 10)
    return tmp_path


def test_one_mutant_is_drawn_for_each_place_and_none_that_means_nothing(code: Path) -> None:
    database = session()
    assert draw(database, 100, random.Random(0), code) == 3
    drawn = jobs(database)
    assert len(drawn) == 3 and "9" in drawn
    assert all(job.endswith(("Sub", "Mul", "9")) for job in drawn)
    assert {job for (job,) in database.execute("select job_id from mutation_specs")} == drawn


def test_data_classes_are_left_as_they_are(code: Path) -> None:
    (code / "b.py").write_text("\n" * 8 + "@dataclass(frozen=True, slots=True)\n")
    database = session()
    assert draw(database, 100, random.Random(0), code) == 2
    assert "9" not in jobs(database)


def test_the_strictness_of_a_zip_is_left_as_it_is() -> None:
    assert is_strictness("core/ReplaceTrueWithFalse", "for a, b in zip(one, other, strict=True):")
    assert not is_strictness("core/ReplaceTrueWithFalse", "done = True")
    assert not is_strictness("core/NumberReplacer", "zip(one[1:], other, strict=True)")


def test_the_same_seed_draws_the_same(code: Path) -> None:
    drawn = []
    for seed in (1, 1, 2, 3, 4):
        database = session()
        draw(database, 1, random.Random(seed), code)
        drawn.append(jobs(database))
    assert drawn[0] == drawn[1] and len(set().union(*drawn)) > 1


def test_survivors_are_told_with_what_they_change_and_those_not_made_do_not_count() -> None:
    database = session()
    diff = "--- a.py\n+++ a.py\n@@ -3 +3 @@\n-x = a + b\n+x = a - b\n"
    results = [("SURVIVED", diff, "3 Sub"), ("KILLED", "", "7 Mul"), ("INCOMPETENT", "", "9")]
    database.executemany("insert into work_results values (?, ?, ?)", results)
    mutants = read(database)
    assert mutants == [
        Mutant("a.py:3", "ReplaceBinaryOperator_Add_Sub", "SURVIVED", diff),
        Mutant("a.py:7", "ReplaceBinaryOperator_Add_Mul", "KILLED", ""),
    ]
    assert score(mutants) == 50.0
    told = report("core/a", 3, mutants)
    assert "| core/a | 3 | 2 | 1 | 50 % |" in told
    assert "a.py:3 ReplaceBinaryOperator_Add_Sub\n    -x = a + b\n    +x = a - b\n" in told


def test_the_tests_beside_a_module_are_a_file_or_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests/core/rig/guess").mkdir(parents=True)
    (tmp_path / "tests/core/rig/test_words.py").touch()
    monkeypatch.chdir(tmp_path)
    assert beside("core/rig/words.py") == "tests/core/rig/test_words.py"
    assert beside("core/rig/guess.py") == "tests/core/rig/guess"
    assert beside("core/rig/trunk.py") is None
