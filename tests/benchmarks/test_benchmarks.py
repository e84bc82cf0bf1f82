"""The benchmarks themselves run; what they measure is for the reader, not for a test."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from footfall.benchmarks.__main__ import chosen
from footfall.benchmarks.machine import describe
from footfall.benchmarks.order import GROUPS, THREADS
from footfall.benchmarks.results import read_results


def test_the_machine_is_described_without_its_name() -> None:
    words = describe()
    assert "core" in words and "Python 3." in words


@pytest.mark.parametrize("name", THREADS)
def test_every_table_has_a_module_with_a_title(name: str) -> None:
    module = import_module(f"footfall.benchmarks.{name}")
    assert module.TITLE and callable(module.measure)


def test_a_name_is_a_table_or_a_group_and_each_table_is_measured_once() -> None:
    assert chosen(["spots", "labelling"], []) == ["spots", *(name for name in GROUPS["labelling"] if name != "spots")]
    assert chosen([], ["labelling"]) == ["labelling"]
    assert chosen([], []) == list(THREADS)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "footfall.benchmarks", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def test_one_table_is_measured_and_written(shared_data: Path, tmp_path: Path) -> None:
    result = run("--only", "bvh_rate", "--data", shared_data / "mocap", "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    made = read_results(tmp_path)["bvh_rate"]
    assert made.title == "Reading BVH" and made.command == "python build.py bench -- --only bvh_rate"
    assert made.machine.endswith("; 1 thread") and made.tables[0].rows


def test_without_the_data_it_says_so_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "results"
    result = run("--only", "bvh_rate", "--data", tmp_path / "nowhere", "--out", out)
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "bvh_rate: The real clips are not in" in result.stderr and "not measured: bvh_rate" in result.stderr
    assert not out.exists()
