"""The commands of build.py, in a small checkout whose Pythons note what they are asked."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from footfall.tests.support.small_checkout import SmallCheckout
from footfall.tools.build.command_line import parse
from footfall.tools.build.folders import HIDDEN, ROOT
from footfall.tools.build.testing import FUZZ_MINUTES, pytest_workers
from footfall.tools.build.wheels import WHEEL_TAGS, current_platform
from footfall.tools.build.windows import SKIPPED

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the Pythons of the small checkout are scripts")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallCheckout:
    """A small checkout whose environments are set up."""
    made = SmallCheckout(tmp_path, monkeypatch)
    made.add_environments()
    return made


def test_what_follows_the_dashes_goes_to_pytest():
    arguments = parse(["test", "--no-checks", "--", "tests/core", "-k", "bvh"])
    assert arguments.no_checks
    assert arguments.extra == ["tests/core", "-k", "bvh"]


def test_tables_to_measure_come_before_the_dashes(checkout):
    assert checkout.build.command_line.main(["bench", "labelling", "spots", "--", "--print"]) == 0
    [(words, _)] = checkout.asked()
    assert words[1:] == ["footfall.benchmarks", "labelling", "spots", "--print"]


def test_zips_are_for_this_machine_and_every_python_unless_somebody_chooses(checkout):
    assert checkout.build.command_line.main(["package"]) == 0
    here = current_platform()
    made = {file.name for file in (checkout.folder / "dist").iterdir()}
    assert made == {f"footfall-0.1.0-{here}-py{python}.zip" for python in ("3.11", "3.13", "3.14")}
    assert checkout.build.command_line.main(["package", "--platform", "all", "--python", "3.13"]) == 0
    others = {f"footfall-0.1.0-{platform}-py3.13.zip" for platform in WHEEL_TAGS}
    assert {file.name for file in (checkout.folder / "dist").iterdir()} == made | others


def test_without_windows_the_reason_is_said_and_the_exit_code_tells(checkout, capsys):
    assert checkout.build.command_line.main(["gui-test"]) == SKIPPED
    assert capsys.readouterr().out.startswith("[gui-test] SKIPPED: it needs Linux, and ")


@pytest.mark.skipif(sys.platform != "linux", reason="the set-up is a shell script for Debian")
def test_what_the_set_up_says_last_is_the_reason(checkout, tmp_path, capsys):
    (tmp_path / "shared" / "tools").mkdir()
    (tmp_path / "shared" / "tools" / "blender_gui_setup.sh").write_text("echo fetching; echo needs root; exit 3")
    assert checkout.build.command_line.main(["gui-test"]) == SKIPPED
    assert capsys.readouterr().out.splitlines()[-1] == "[gui-test] SKIPPED: it could not be set up: needs root"


def test_workers_are_left_to_who_asks_for_them():
    assert pytest_workers(["-n", "0"]) == []
    assert "worksteal" in pytest_workers(["tests/core"])


def test_all_that_there_is_takes_in_the_windows_and_a_seed_reaches_every_pytest(checkout, monkeypatch, capsys):
    monkeypatch.delenv("FOOTFALL_ALL", raising=False)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-q")
    assert checkout.build.command_line.main(["test", "--no-checks", "--all", "--seed", "7"]) == 0
    (words, variables), (_, hidden), (fuzz, _) = checkout.asked()
    assert variables["FOOTFALL_SHARED"] != hidden["FOOTFALL_SHARED"] == HIDDEN
    assert f"--junit-xml={checkout.build.testing.JUNIT}" in words and "--durations=20" in words
    assert fuzz[-4:] == ["--minutes", str(FUZZ_MINUTES), "--seed", "7"]
    assert (variables["FOOTFALL_ALL"], variables["PYTEST_ADDOPTS"]) == ("1", "-q --hypothesis-seed=7")
    said = capsys.readouterr().out
    assert "seed 7" in said and "[gui-test] SKIPPED: it needs Linux, and " in said
    assert checkout.build.command_line.main(["test", "--no-checks", "--", "tests/core"]) == 0
    [(words, variables)] = checkout.asked()
    assert words[-1] == "tests/core" and "FOOTFALL_ALL" not in variables
    said = capsys.readouterr().out
    assert "SKIPPED" not in said and re.fullmatch(r"\[test\] took 0\.\d minutes", said.splitlines()[-1])


def test_it_starts_from_any_folder_with_the_standard_library_alone(tmp_path):
    command = [sys.executable, "-S", ROOT / "build.py", "--help"]
    child = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert child.returncode == 0 and "gui-test" in child.stdout


def test_a_seed_without_all_is_refused(capsys):
    with pytest.raises(SystemExit):
        parse(["test", "--seed", "7"])
    assert "--seed goes with --all" in capsys.readouterr().err


@pytest.mark.parametrize("fails", [False, True])
def test_a_check_beside_the_tests_is_shown_and_counts(checkout, fails, capsys):
    if fails:
        checkout.fail("ruff")
    assert checkout.build.command_line.main(["test"]) == int(fails)
    said = capsys.readouterr().out
    assert "pyright\nfine" in said and ("out of order" in said) == ("FAILED: ruff" in said) == fails


def test_no_check_outlives_the_tests(checkout):
    checkout.slow_down()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), checkout.build.checks.checks_beside(["ruff"]) as checks:
        raise KeyboardInterrupt
    assert checks[0].child.returncode and time.monotonic() - begun < 30.0


def test_an_error_is_a_sentence_and_an_exit_code(checkout, capsys):
    (checkout.folder / ".venvs" / "dev" / "footfall-stamp.txt").unlink()
    (checkout.folder / ".venvs" / "dev.log").mkdir()
    assert checkout.build.command_line.main(["dev"]) == 1
    assert capsys.readouterr().err.startswith("build.py: ")
