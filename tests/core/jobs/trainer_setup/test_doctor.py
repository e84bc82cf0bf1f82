"""What a machine lacks is said in plain words; the machine is made up."""

import sys
from pathlib import Path

import pytest

from footfall.core.jobs.trainer_setup import doctor, machine
from footfall.core.jobs.trainer_setup.doctor import Finding, examine, summarize_findings
from footfall.core.jobs.trainer_setup.environment import TrainerEnvironment
from footfall.core.jobs.trainer_setup.probe import REQUIRED_MODULES, PythonReport
from footfall.core.jobs.trainer_setup.requirements import TRAINING_REQUIREMENTS, pinned_versions

PYTHON = Path("/envs/trainer/bin/python")
WHOLE = dict.fromkeys(REQUIRED_MODULES, "1.0") | {"torch": f"{pinned_versions(TRAINING_REQUIREMENTS)['torch']}+cu130"}


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
    monkeypatch.setattr(machine, "free_space", lambda folder: 50e9)
    monkeypatch.setattr(machine, "total_memory", lambda: 16e9)
    findings = findings_of(Path(sys.executable), tmp_path)
    assert "error" not in levels(findings)
    assert any(finding.text.startswith(f"Python {sys.version_info[0]}.") for finding in findings)
    assert any("16 GB of memory" in finding.text for finding in findings)


def test_what_is_worst_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "free_space", lambda folder: 1e9)
    found = findings_of(tmp_path / "none", tmp_path)
    assert found[0].level == "error" and "could not be started" in found[0].text
    assert found[1].level == "warning" and "1.0 GB are free" in found[1].text
    assert summarize_findings(found).startswith("Training cannot work yet: 1 thing to fix")


def test_an_old_python():
    (finding,) = doctor.check_python(PYTHON, PythonReport((3, 9, 1)))
    assert finding.level == "error" and "is Python 3.9.1, and training needs 3.11 or newer" in finding.text
    assert levels(doctor.check_python(PYTHON, PythonReport((3, 13, 0)))) == ["fine"]


def test_packages_that_are_missing_or_broken():
    broken = {"torch": "ImportError: DLL load failed", "tqdm": "ModuleNotFoundError: No module named 'tqdm'"}
    missing, torch = doctor.check_packages(PythonReport((3, 13, 0), {"numpy": "2.4"}, broken))
    assert missing.text == "Python lacks tqdm" and "pip install tqdm==" in missing.remedy
    assert torch.text == "torch is installed but does not work (ImportError: DLL load failed)"
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


def test_without_torch_there_is_nothing_to_say_of_devices():
    assert list(doctor.check_device(PythonReport((3, 13, 0)), True)) == []


@pytest.mark.parametrize(("gigabytes", "level"), [(1.0, "error"), (4.0, "warning"), (32.0, "fine")])
def test_memory(gigabytes: float, level: str):
    assert levels(doctor.check_memory(int(gigabytes * 1e9))) == [level]


@pytest.mark.parametrize(("gigabytes", "level"), [(0.1, "error"), (3.0, "warning"), (300.0, "fine")])
def test_disk(gigabytes: float, level: str):
    assert levels(doctor.check_disk(Path("/runs"), int(gigabytes * 1e9))) == [level]


def test_what_the_system_does_not_say_is_not_told():
    assert list(doctor.check_memory(None)) == list(doctor.check_disk(Path("/runs"), None)) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert machine.write_error(tmp_path / "new" / "deeper") is None
    assert list(doctor.check_folder(tmp_path, None)) == []
    (finding,) = doctor.check_folder(Path("/runs"), "Permission denied")
    assert finding.level == "error" and finding.text == "'/runs' cannot be written (Permission denied)"


def test_no_python_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "free_space", lambda folder: 50e9)
    environment = TrainerEnvironment(tmp_path / "trainer")
    (finding,) = doctor.check_environment(environment)
    assert finding == Finding("error", "There is no Python for training", doctor.MAKE_ENVIRONMENT_REMEDY)
    environment.folder.mkdir()
    (finding,) = doctor.check_environment(environment)
    assert "is incomplete" in finding.text and finding.remedy == "Press Install Environment again"
    monkeypatch.setattr(machine, "free_space", lambda folder: 3e9)
    assert levels(doctor.check_environment(environment)) == ["error", "warning"]


def test_the_whole_in_a_sentence():
    assert summarize_findings([]) == "Everything that training needs is installed"
    assert summarize_findings([Finding("warning", "")] * 2) == "Training works, with 2 things to note"
    assert (
        summarize_findings([Finding("warning", ""), Finding("error", "")]) == "Training cannot work yet: 1 thing to fix"
    )


def test_the_memory_of_this_machine_is_known():
    assert (machine.total_memory() or 0) > 1e8
    assert (machine.free_space(Path("/nowhere/at/all")) or 0) > 0


@pytest.mark.parametrize(("gigabytes", "level"), [(1.99, "error"), (2.0, "warning"), (5.99, "warning"), (6.0, "fine")])
def test_memory_at_its_limits(gigabytes: float, level: str):
    assert levels(doctor.check_memory(round(gigabytes * 1e9))) == [level]


@pytest.mark.parametrize(("gigabytes", "level"), [(0.49, "error"), (0.5, "warning"), (4.99, "warning"), (5.0, "fine")])
def test_disk_at_its_limits(gigabytes: float, level: str):
    assert levels(doctor.check_disk(Path("/runs"), round(gigabytes * 1e9))) == [level]


@pytest.mark.parametrize(("cores", "words"), [(1, "1 processor core"), (2, "2 processor cores")])
def test_cores_are_counted(cores: int, words: str):
    for built_for, nvidia in (("", True), ("13.0", True), ("", False)):
        answer = PythonReport((3, 13, 0), WHOLE, cores=cores, built_for=built_for)
        (finding,) = doctor.check_device(answer, nvidia)
        assert finding.text.endswith(f"training runs on {words}")


def test_python_3_11_is_old_enough():
    assert levels(doctor.check_python(PYTHON, PythonReport((3, 11, 0)))) == ["fine"]
    assert levels(doctor.check_python(PYTHON, PythonReport((3, 10, 9)))) == ["error"]


def test_a_card_whose_memory_is_not_known_is_told_without():
    (card,) = doctor.check_device(PythonReport((3, 13, 0), WHOLE, device="Card"), True)
    assert card.text == "Training runs on Card"
    trouble = doctor.check_device(PythonReport((3, 13, 0), WHOLE, device="Card", trouble="x"), True)
    assert levels(trouble) == ["warning", "fine"]


@pytest.mark.parametrize(("free", "count"), [(7.99e9, 2), (8e9, 1), (None, 1)])
def test_an_environment_takes_eight_gigabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float | None, count: int
):
    monkeypatch.setattr(machine, "free_space", lambda folder: free)
    assert len(list(doctor.check_environment(TrainerEnvironment(tmp_path / "trainer")))) == count


@pytest.mark.parametrize(
    ("state", "expected"), [("making", ["warning"]), ("ready", []), ("outdated", []), ("unfinished", ["error"])]
)
def test_the_state_of_an_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, expected: list[str]):
    monkeypatch.setattr(machine, "free_space", lambda folder: 50e9)
    monkeypatch.setattr(TrainerEnvironment, "state", lambda environment: state)
    assert levels(doctor.check_environment(TrainerEnvironment(tmp_path))) == expected
    assert levels(doctor.check_environment(None)) == ["error"]


def test_an_environment_of_another_version_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def probed(python: Path):
        yield
        return PythonReport((3, 13, 0), WHOLE)

    monkeypatch.setattr(doctor, "probe_python", probed)
    monkeypatch.setattr(TrainerEnvironment, "state", lambda environment: "outdated")
    environment = TrainerEnvironment(tmp_path)
    texts = [finding.text for finding in findings_of(environment.python, tmp_path, environment)]
    assert "The environment belongs to another version of Footfall" in texts
    texts = [finding.text for finding in findings_of(PYTHON, tmp_path, environment)]
    assert "The environment belongs to another version of Footfall" not in texts


def test_things_are_counted():
    assert summarize_findings([Finding("error", "")] * 2) == "Training cannot work yet: 2 things to fix"
    assert summarize_findings([Finding("warning", "")]) == "Training works, with 1 thing to note"
    assert summarize_findings([Finding("note", "")]) == "Everything that training needs is installed"


def test_sizes_are_told_in_gigabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "free_space", lambda folder: 7.54e9)
    _, space = doctor.check_environment(TrainerEnvironment(tmp_path / "trainer"))
    assert space.text.startswith("7.5 GB are free for an environment") and "takes up to 8 GB" in space.text
    (memory,) = doctor.check_memory(round(4.26e9))
    assert memory.text.startswith("The machine has 4.3 GB of memory;") and memory.text.endswith("takes about 6")
    (disk,) = doctor.check_disk(Path("/runs"), round(3.14e9))
    assert disk.text == "3.1 GB are free for training runs ('/runs'). A data set takes up to 5"
    (much,) = doctor.check_disk(Path("/runs"), round(123.4e9))
    assert much.text == "123 GB are free for training runs"
    (card,) = doctor.check_device(PythonReport((3, 13, 0), WHOLE, device="Card", device_memory=round(79.6e9)), False)
    assert card.text == "Training runs on Card with 80 GB"


def test_packages_are_told_by_name():
    broken = dict.fromkeys(("numpy", "scipy"), "ModuleNotFoundError: no")
    (finding,) = doctor.check_packages(PythonReport((3, 13, 0), {}, broken))
    pins = pinned_versions(TRAINING_REQUIREMENTS)
    assert finding.text == "Python lacks numpy, scipy"
    assert finding.remedy.endswith(f"pip install numpy=={pins['numpy']} scipy=={pins['scipy']}")
