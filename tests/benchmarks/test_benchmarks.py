"""The benchmarks themselves run; what they measure is for the reader, not for a test."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from footfall.benchmarks.__main__ import GROUPS, THREADS, chosen
from footfall.benchmarks.machine import describe
from footfall.benchmarks.stopwatch import median_seconds


def test_the_machine_is_described_without_its_name() -> None:
    words = describe()
    assert "core" in words and "Python 3." in words


def test_the_median_is_of_the_repeats_after_the_warm_up() -> None:
    calls: list[int] = []
    assert median_seconds(lambda: calls.append(1), 20) >= 0
    assert len(calls) == 22


@pytest.mark.parametrize("name", THREADS)
def test_every_table_has_a_module_with_a_title(name: str) -> None:
    module = import_module(f"footfall.benchmarks.{name}")
    assert module.TITLE and callable(module.measure)


def test_a_name_is_a_table_or_a_group_and_each_table_is_measured_once() -> None:
    assert chosen(["spots", "labelling"], []) == ["spots", *(name for name in GROUPS["labelling"] if name != "spots")]
    assert chosen([], ["labelling"]) == ["labelling"]
    assert chosen([], []) == list(THREADS)


@pytest.mark.parametrize("name", GROUPS)
def test_groups_are_of_tables(name: str) -> None:
    assert set(GROUPS[name]) <= set(THREADS)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "footfall.benchmarks", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def test_one_table_is_measured_and_written(shared_data: Path, tmp_path: Path) -> None:
    out = tmp_path / "benchmarks.md"
    result = run("--only", "bvh_rate", "--data", shared_data / "mocap", "--out", out)
    assert result.returncode == 0, result.stderr
    text = out.read_text()
    assert "## Reading BVH" in text and "python build.py bench -- --only bvh_rate" in text and "1 thread." in text


def test_without_the_data_it_says_so_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "benchmarks.md"
    result = run("--only", "bvh_rate", "--data", tmp_path / "nowhere", "--out", out)
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "bvh_rate: The real clips are not in" in result.stderr and "not measured: bvh_rate" in result.stderr
    assert not out.exists()


def test_an_unknown_table_is_wrong_usage(tmp_path: Path) -> None:
    assert run("--only", "nothing").returncode == run("nothing").returncode == 2
