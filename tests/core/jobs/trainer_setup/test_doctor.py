"""What a machine lacks is said in plain words; the machine is made up."""

import os
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from footfall.core.jobs.trainer_setup import doctor, machine
from footfall.core.jobs.trainer_setup.doctor import Finding, examine, summarize_findings
from footfall.core.jobs.trainer_setup.environment import TrainerEnvironment
from footfall.core.jobs.trainer_setup.probe import REQUIRED_MODULES, PythonReport
from footfall.core.jobs.trainer_setup.requirements import TRAINING_REQUIREMENTS, pinned_versions

WHOLE = dict.fromkeys(REQUIRED_MODULES, "1.0") | {"torch": f"{pinned_versions(TRAINING_REQUIREMENTS)['torch']}+cu130"}


def set_free_space(monkeypatch: pytest.MonkeyPatch, free: float | None) -> None:
    """Let every disk have some free bytes; the system does not tell those that are none."""

    def disk_usage(_folder: object) -> SimpleNamespace:
        if free is None:
            raise OSError
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)


def levels(findings) -> list[str]:
    return [finding.level for finding in findings]


def findings_of(python: Path | None, runs: Path, environment: TrainerEnvironment | None = None) -> list[Finding]:
    looking = examine(python, runs, environment)
    while True:
        try:
            next(looking)
        except StopIteration as done:
            return done.value


def test_this_machine_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    set_free_space(monkeypatch, 50e9)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4000, "SC_PHYS_PAGES": 4_000_000}.__getitem__)
    findings = findings_of(Path(sys.executable), tmp_path)
    assert "error" not in levels(findings)
    assert any(finding.text.startswith(f"Python {sys.version_info[0]}.") for finding in findings)
    assert any("16 GB of memory" in finding.text for finding in findings)


def test_what_is_worst_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    set_free_space(monkeypatch, 1e9)
    found = findings_of(tmp_path / "none", tmp_path)
    assert found[0].level == "error" and "could not be started" in found[0].text
    assert found[1].level == "warning" and "1.0 GB of disk space are free" in found[1].text
    assert summarize_findings(found).startswith("Training cannot work yet, because of 1 problem")


def test_packages_that_are_missing_or_broken():
    broken = {"torch": "ImportError: DLL load failed", "tqdm": "ModuleNotFoundError: No module named 'tqdm'"}
    missing, torch = doctor.check_packages(PythonReport((3, 13, 0), {"numpy": "2.4"}, broken))
    assert (
        missing.text == "The Python for training lacks these packages: tqdm" and "pip install tqdm==" in missing.remedy
    )
    assert torch.text == "The package torch is installed but does not work (ImportError: DLL load failed)"
    assert levels(doctor.check_packages(PythonReport((3, 13, 0), WHOLE))) == ["fine"]
    other = list(doctor.check_packages(PythonReport((3, 13, 0), WHOLE | {"torch": "2.6.0"})))
    assert levels(other) == ["note", "fine"] and "is tested with" in other[0].text


@pytest.mark.parametrize(
    ("changes", "nvidia", "level", "words"),
    [
        ({"device": "NVIDIA H200", "device_memory": int(139e9)}, True, "fine", "runs on NVIDIA H200 with 139 GB"),
        ({"device": "Apple GPU"}, False, "fine", "runs on Apple GPU"),
        ({}, True, "warning", "built without CUDA: training runs on 8 processor cores"),
        ({"built_for": "13.0"}, True, "warning", "built for CUDA 13.0 but finds no graphics card"),
        ({"built_for": "13.0"}, False, "note", "PyTorch finds no graphics card: training runs on 8"),
        ({"trouble": "RuntimeError: driver"}, False, "warning", "cannot look for a graphics card"),
    ],
)
def test_what_training_runs_on(changes, nvidia: bool, level: str, words: str):
    found = list(doctor.check_device(PythonReport((3, 13, 0), WHOLE, cores=8, **changes), nvidia))
    assert found[0].level == level and words in found[0].text
    assert all(finding.remedy for finding in found if finding.level == "warning")


@pytest.mark.parametrize(("gigabytes", "level"), [(1.0, "error"), (4.0, "warning"), (32.0, "fine")])
def test_memory(gigabytes: float, level: str):
    assert levels(doctor.check_memory(int(gigabytes * 1e9))) == [level]


@pytest.mark.parametrize(("gigabytes", "level"), [(0.1, "error"), (3.0, "warning"), (300.0, "fine")])
def test_disk(gigabytes: float, level: str):
    assert levels(doctor.check_disk(Path("/runs"), int(gigabytes * 1e9))) == [level]


def test_a_folder_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert machine.write_error(tmp_path / "new" / "deeper") is None
    assert list(doctor.check_folder(tmp_path, None)) == []
    (finding,) = doctor.check_folder(Path("/runs"), "Permission denied")
    assert finding.level == "error" and finding.text == "The folder '/runs' cannot be written to (Permission denied)"


def test_no_python_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    set_free_space(monkeypatch, 50e9)
    environment = TrainerEnvironment(tmp_path / "trainer")
    (finding,) = doctor.check_environment(environment)
    assert finding == Finding("error", "No Python for training is installed", doctor.MAKE_ENVIRONMENT_REMEDY)
    environment.folder.mkdir()
    (finding,) = doctor.check_environment(environment)
    assert "is incomplete" in finding.text and finding.remedy == "Press Install Environment again"
    set_free_space(monkeypatch, 3e9)
    assert levels(doctor.check_environment(environment)) == ["error", "warning"]


def test_the_whole_in_a_sentence():
    assert summarize_findings([]) == "Everything that training needs is installed"
    assert summarize_findings([Finding("warning", "")] * 2) == "Training works, with 2 warnings"
    found = [Finding("warning", ""), Finding("error", "")]
    assert summarize_findings(found) == "Training cannot work yet, because of 1 problem"
