"""Parts of the trainer's environment that need no installation: its state, its old files, and pythons that fail."""

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from footfall.core.jobs.process import start_stamp
from footfall.core.jobs.trainer_setup.environment import (
    TrainerEnvironment,
    TrainerEnvironmentError,
    _remove_path,
    _report_constant_progress,
    _require_python,
)
from footfall.core.jobs.trainer_setup.recipe import EnvironmentRecipe
from footfall.core.jobs.trainer_setup.requirements import digest_of
from footfall.core.message import Message


@pytest.fixture
def environment(tmp_path: Path) -> TrainerEnvironment:
    """An environment that looks ready."""
    made = TrainerEnvironment(tmp_path / "trainer")
    made.python.parent.mkdir(parents=True)
    made.python.write_text("")
    (made.folder / "pyvenv.cfg").write_text(f"include = false\nhome = {tmp_path} \nversion = 3\n")
    write(made, "ready", requirements=digest_of(requirements(tmp_path)), packages={"torch": "2.13.0", "tqdm": 4})
    return made


def write(environment: TrainerEnvironment, name: str, **values: object) -> None:
    (environment.folder / f"footfall-{name}.json").write_text(json.dumps(values))


def requirements(folder: Path) -> Path:
    file = folder / "training.txt"
    if not file.exists():
        file.write_text("torch==2.13.0\n")
    return file


def test_an_environment_is_ready_with_its_python_and_the_one_that_made_it(
    environment: TrainerEnvironment, tmp_path: Path
) -> None:
    file = requirements(tmp_path)
    assert environment.state(file) == "ready" and environment.packages() == {"torch": "2.13.0", "tqdm": "4"}
    file.write_text("torch==2.14.0\n")
    assert environment.state(file) == "outdated"
    (environment.folder / "pyvenv.cfg").write_text(f"home = {tmp_path / 'gone'}\n")
    assert environment.state(file) == "unfinished"
    (environment.folder / "pyvenv.cfg").write_text("version = 3\n")
    assert environment.state(file) == "unfinished"
    (environment.folder / "pyvenv.cfg").write_text(f"home = {tmp_path}\n")
    environment.python.unlink()
    assert environment.state(file) == "unfinished"


def test_without_its_last_file_an_environment_is_unfinished(environment: TrainerEnvironment) -> None:
    (environment.folder / "footfall-ready.json").write_text("[]")
    assert environment.state() == "unfinished" and environment.packages() == {}
    write(environment, "ready", packages=["torch"])
    assert environment.packages() == {}
    assert TrainerEnvironment(environment.folder / "none").state() == "missing"


@pytest.mark.parametrize("process", ["maker", "worker"])
def test_an_environment_is_being_made_while_its_maker_or_its_worker_runs(
    environment: TrainerEnvironment, process: str
) -> None:
    mark = start_stamp(os.getpid())
    write(environment, "making", **{f"{process}_pid": os.getpid(), f"{process}_mark": mark})
    assert environment.maker_pid() == os.getpid() and environment.state() == "making"
    for pid, stamp in ((os.getpid(), "other"), (os.getpid(), ""), ("1", mark), (2**22 + 1, mark)):
        write(environment, "making", **{f"{process}_pid": pid, f"{process}_mark": stamp})
        assert environment.maker_pid() is None


def test_another_process_that_makes_it_is_left_alone(environment: TrainerEnvironment) -> None:
    write(environment, "making", maker_pid=1, maker_mark=start_stamp(1))
    with pytest.raises(TrainerEnvironmentError, match="The process 1 is installing"):
        environment.remove()
    with pytest.raises(TrainerEnvironmentError, match="The process 1 is installing"):
        next(environment.make(EnvironmentRecipe(Path(sys.executable))))
    assert environment.folder.exists()


def test_this_process_may_remove_what_it_makes(environment: TrainerEnvironment) -> None:
    write(environment, "making", maker_pid=os.getpid(), maker_mark=start_stamp(os.getpid()))
    environment.remove()
    assert not environment.folder.exists() and [path.name for path in environment.folder.parent.iterdir()] == [
        "training.txt"
    ]


@pytest.mark.parametrize("name", ["footfall-ready.json", "footfall-making.json", "footfall-log.txt"])
def test_a_folder_with_a_file_of_footfalls_is_its_own(tmp_path: Path, name: str) -> None:
    environment = TrainerEnvironment(tmp_path / "trainer")
    (environment.folder / "lib").mkdir(parents=True)
    with pytest.raises(TrainerEnvironmentError, match="was not made by Footfall"):
        environment.remove()
    (environment.folder / name).write_text("")
    environment.remove()
    assert not environment.folder.exists()


def test_an_empty_folder_may_be_removed(tmp_path: Path) -> None:
    environment = TrainerEnvironment(tmp_path / "trainer")
    environment.folder.mkdir()
    environment.remove()
    assert not environment.folder.exists()


def test_files_folders_and_links_are_removed_and_what_links_lead_to_stays(tmp_path: Path) -> None:
    (tmp_path / "folder" / "deep").mkdir(parents=True)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "file").write_text("")
    for name in ("folder", "link", "file", "none"):
        _remove_path(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"] and (tmp_path / "kept" / "file").exists()


@pytest.mark.parametrize(
    ("code", "output", "words"),
    [
        (1, "No module named 'venv'", "lacks venv: install it"),
        (1, "x\nNo module named 'ensurepip'\n", "lacks ensurepip: install it"),
        (1, "No module named 'os'", r"is not a working Python \(No module named 'os'\)"),
        (0, "3 10\n", r"is Python 3\.10: training needs 3\.11 or newer"),
        (0, "2 12", r"is Python 2\.12"),
    ],
)
def test_a_python_that_cannot_make_an_environment_is_told(code: int, output: str, words: str) -> None:
    with pytest.raises(TrainerEnvironmentError, match=words):
        _require_python(Path("python"), code, output)


@pytest.mark.parametrize("output", ["3 11", "warning\n3 13\n", "4 0"])
def test_a_python_that_is_new_enough_is_not(output: str) -> None:
    _require_python(Path("python"), 0, output)


def test_a_command_of_unknown_length_has_one_share() -> None:
    closed = []

    def running() -> Generator[str, None, tuple[int, str]]:
        try:
            yield "a"
            yield "b"
            return 3, "ab"
        finally:
            closed.append(True)

    told = _report_constant_progress(0.5, Message("works"), running())
    assert [next(told), next(told)] == [(0.5, "works"), (0.5, "works")]
    with pytest.raises(StopIteration) as done:
        next(told)
    assert done.value.value == (3, "ab") and closed == [True]


@pytest.mark.parametrize(
    ("folders", "version"),
    [
        (["lib/python3.13/site-packages/pip-24.1.2.dist-info"], (24, 1)),
        (["lib64/python3.11/site-packages/pip-9.0.dist-info"], (9, 0)),
        (["Lib/site-packages/pip-25.3.dist-info"], (25, 3)),
        (["lib/python3.13/site-packages/other-1.0.dist-info"], ()),
    ],
)
def test_the_version_of_pip_is_in_the_name_of_its_folder(
    tmp_path: Path, folders: list[str], version: tuple[int, ...]
) -> None:
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
    assert TrainerEnvironment(tmp_path)._pip_version() == version


def test_torch_of_another_index_is_installed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of five packages are expected before 0.6, and all of them before 0.95."""
    ran: list[tuple[list[str], float, float, int]] = []

    def pip(
        self: TrainerEnvironment, command: list[str], recipe: object, begins: float, ends: float, expected: int
    ) -> Generator[tuple[float, str], None, None]:
        ran.append(([str(part) for part in command], begins, ends, expected))
        yield begins, "works"

    monkeypatch.setattr(TrainerEnvironment, "_pip", pip)
    file = tmp_path / "training.txt"
    file.write_text("torch==2.13.0\n" + "".join(f"a{number}==1\n" for number in range(4)))
    environment, python = TrainerEnvironment(tmp_path / "trainer"), Path(sys.executable)

    def installed(**places: object) -> list[tuple[list[str], float, float, int]]:
        ran.clear()
        list(environment._install(EnvironmentRecipe(python, file, **places)))  # type: ignore[arg-type]
        return [(command[10:], *rest) for command, *rest in ran]  # type: ignore[misc]

    everything = ["-r", str(file)]
    assert installed() == [(everything, 0.05, 0.95, 5)]
    assert installed(index="https://a") == [(["--index-url", "https://a", *everything], 0.05, 0.95, 5)]
    assert installed(wheels=tmp_path, torch_index="https://t", index="https://a") == [
        (["--no-index", "--find-links", str(tmp_path), *everything], 0.05, 0.95, 5)
    ]
    assert installed(torch_index="https://t") == [
        (["--index-url", "https://t", "torch==2.13.0"], 0.05, 0.6, 2),
        (everything, 0.6, 0.95, 5),
    ]
    file.write_text("a==1\n")
    assert installed(torch_index="https://t") == [(everything, 0.05, 0.95, 1)]


@pytest.mark.parametrize(("version", "bar"), [("24.1", "raw"), ("24.0", "off"), ("25.0", "raw")])
def test_a_new_pip_tells_the_bytes_that_it_has_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, bar: str
) -> None:
    commands: list[list[object]] = []

    def pip(self: TrainerEnvironment, command: list[object], *rest: object) -> Generator[tuple[float, str], None, None]:
        commands.append(command)
        yield 0.0, ""

    monkeypatch.setattr(TrainerEnvironment, "_pip", pip)
    (tmp_path / "Lib" / "site-packages" / f"pip-{version}.dist-info").mkdir(parents=True)
    list(TrainerEnvironment(tmp_path)._install(EnvironmentRecipe(Path(sys.executable), requirements(tmp_path))))
    assert commands[0][commands[0].index("--progress-bar") + 1] == bar


def test_the_share_of_pip_is_a_part_of_the_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: TrainerEnvironment, command: list[object]) -> Generator[str, None, tuple[int, str]]:
        yield "Collecting a\nCollecting b\n"
        return len(command), "ERROR: broken"

    monkeypatch.setattr(TrainerEnvironment, "_run", run)
    recipe = EnvironmentRecipe(Path(sys.executable))
    assert list(TrainerEnvironment(tmp_path)._pip([], recipe, 0.2, 0.6, 10)) == [
        (pytest.approx(0.2 + 0.4 * 0.085), "asks for b")
    ]
    with pytest.raises(TrainerEnvironmentError, match="broken"):
        list(TrainerEnvironment(tmp_path)._pip(["x"], recipe, 0.2, 0.6, 10))
