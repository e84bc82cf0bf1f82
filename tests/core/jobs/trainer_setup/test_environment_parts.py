"""Parts of the trainer's environment that need no installation: its state, its old files, and pythons that fail."""

import json
import os
import sys
from pathlib import Path

import pytest

from footfall.core.jobs.process import start_stamp
from footfall.core.jobs.trainer_setup.environment import (
    TrainerEnvironment,
    TrainerEnvironmentError,
)
from footfall.core.jobs.trainer_setup.recipe import EnvironmentRecipe
from footfall.core.jobs.trainer_setup.requirements import digest_of


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
