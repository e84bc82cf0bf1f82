"""The trainer's environment is made of a folder of wheels by real processes; nothing is downloaded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.core.jobs.process import start_stamp
from footfall.core.jobs.trainer_setup.environment import InstallProgress, TrainerEnvironment, TrainerEnvironmentError
from footfall.core.jobs.trainer_setup.recipe import EnvironmentRecipe
from footfall.tests.core.jobs.trainer_setup.wheels import make_wheel, write_requirements

pytestmark = pytest.mark.slow


@pytest.fixture
def recipe(tmp_path: Path) -> EnvironmentRecipe:
    """Two packages, one by way of another file, both pinned."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    make_wheel(wheels, "footstep", "1.0.0")
    make_wheel(wheels, "leg_work", "2.0")
    return EnvironmentRecipe(Path(sys.executable), write_requirements(tmp_path, "leg_work"), wheels)


@pytest.fixture
def environment(tmp_path: Path) -> TrainerEnvironment:
    return TrainerEnvironment(tmp_path / "user" / "trainer")


def finish(making: InstallProgress) -> tuple[list[tuple[float, str]], dict[str, str]]:
    """All that a making says, and what was installed."""
    said: list[tuple[float, str]] = []
    while True:
        try:
            said.append(next(making))
        except StopIteration as done:
            return said, dict(done.value)


def test_it_is_made_of_wheels_and_brought_up_to_date(environment: TrainerEnvironment, recipe: EnvironmentRecipe):
    assert environment.state(recipe.requirements) == "missing"
    said, packages = finish(environment.make(recipe))
    assert packages == {"footstep": "1.0.0", "leg-work": "2.0"} == environment.packages()
    shares = [share for share, _ in said]
    assert shares == sorted(shares) and 0.0 <= shares[0] < shares[-1] <= 1.0
    assert {"Checking the Python", "Creating the environment", "Checking that all packages are installed"} <= {
        doing for _, doing in said
    }
    assert environment.state(recipe.requirements) == "ready"
    program = "import footstep, leg_work; print(footstep.__version__, leg_work.__version__)"
    child = subprocess.run([environment.python, "-c", program], capture_output=True, text=True, check=True)
    assert child.stdout.split() == ["1.0.0", "2.0"]

    make_wheel(recipe.wheels or Path(), "footstep", "1.1.0")
    (recipe.requirements.parent / "bundled.txt").write_text("footstep==1.1.0\n")
    assert environment.state(recipe.requirements) == "outdated"
    said, packages = finish(environment.make(recipe))
    assert packages["footstep"] == "1.1.0" and "Creating the environment" not in {doing for _, doing in said}
    assert environment.state(recipe.requirements) == "ready"

    environment.remove()
    assert not environment.folder.exists() and not list(environment.folder.parent.iterdir())
    environment.remove()


def test_what_was_cut_short_is_gone_on_with(environment: TrainerEnvironment, recipe: EnvironmentRecipe):
    making = environment.make(recipe)
    while next(making)[1] != "Creating the environment":
        assert environment.state(recipe.requirements) == "making" and environment.maker_pid() == os.getpid()
    making.close()
    assert environment.state(recipe.requirements) == "unfinished"
    assert recipe.wheels is not None
    next(recipe.wheels.glob("leg_work*")).unlink()
    with pytest.raises(TrainerEnvironmentError, match=r"wheels' has no wheel of leg.work.*: add the wheel"):
        finish(environment.make(recipe))
    assert environment.state(recipe.requirements) == "unfinished"
    make_wheel(recipe.wheels, "leg_work", "2.0")
    said, packages = finish(environment.make(recipe))
    assert "Creating the environment" not in {doing for _, doing in said}, "that much was there"
    assert len(packages) == 2 and environment.state(recipe.requirements) == "ready"
    (environment.folder / "pyvenv.cfg").write_text("home = /blender/4.4/python/bin\n")
    assert environment.state(recipe.requirements) == "unfinished", "the Blender that it was made with is gone"
    (environment.folder / "pyvenv.cfg").write_text(f"home = /{'a' * 3000}\n")
    assert environment.state(recipe.requirements) == "unfinished", "no folder has this name"


def test_a_configuration_of_pip_that_the_environment_names_is_not_followed(
    environment: TrainerEnvironment, recipe: EnvironmentRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "pip.conf").write_text(f"[global]\ntarget = {tmp_path / 'elsewhere'}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    _, packages = finish(environment.make(recipe))
    assert len(packages) == 2 and not (tmp_path / "elsewhere").exists()


def test_closing_ends_what_is_running(environment: TrainerEnvironment, recipe: EnvironmentRecipe):
    making = environment.make(recipe)
    next(making)
    worker = json.loads((environment.folder / "footfall-making.json").read_text())["worker_pid"]
    making.close()
    assert start_stamp(worker) is None
    environment.remove()
    assert not environment.folder.exists()


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("print(3, 9)", "is Python 3.9, but training needs 3.11 or newer"),
        ("raise SystemExit('No module named \\'ensurepip\\'')", "lacks ensurepip: install it"),
        ("raise SystemExit('what is that')", r"is not a working Python \(what is that\)"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="needs a script that stands in for a Python")
def test_a_python_that_cannot_make_one(
    environment, recipe: EnvironmentRecipe, tmp_path: Path, program: str, sentence: str
):
    python = tmp_path / "python"
    python.write_text(f"#!{sys.executable}\n{program}\n")
    python.chmod(0o755)
    with pytest.raises(TrainerEnvironmentError, match=sentence):
        finish(environment.make(EnvironmentRecipe(python, recipe.requirements, recipe.wheels)))


def test_one_maker_at_a_time(environment: TrainerEnvironment, recipe: EnvironmentRecipe):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        environment.folder.mkdir(parents=True)
        making = {"maker_pid": other.pid, "maker_mark": start_stamp(other.pid)}
        (environment.folder / "footfall-making.json").write_text(json.dumps(making))
        assert environment.state(recipe.requirements) == "making"
        with pytest.raises(TrainerEnvironmentError, match=f"Another process \\({other.pid}\\) is installing"):
            finish(environment.make(recipe))
        with pytest.raises(TrainerEnvironmentError, match="wait until it is done"):
            environment.remove()
        other.communicate(b"\n")
    assert environment.state(recipe.requirements) == "unfinished"


def test_what_is_not_footfalls_is_never_removed(environment: TrainerEnvironment, recipe: EnvironmentRecipe):
    precious = environment.folder / "lib" / "film.blend"
    precious.parent.mkdir(parents=True)
    precious.write_text("years of work")
    with pytest.raises(TrainerEnvironmentError, match="was not made by Footfall"):
        finish(environment.make(recipe))
    with pytest.raises(TrainerEnvironmentError, match="was not made by Footfall"):
        environment.remove()
    assert precious.exists()


def test_a_place_that_cannot_be_written(recipe: EnvironmentRecipe, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TrainerEnvironmentError, match="cannot be written"):
        finish(TrainerEnvironment(tmp_path / "file" / "trainer").make(recipe))
