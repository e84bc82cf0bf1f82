"""Fixtures for every test: the shared data, Blender in a process of its own, and the packaged extension."""

import json
import os
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from filelock import FileLock

from footfall.tests import inside_blender
from footfall.tests.support.properties import load_profile, tests_all
from footfall.tests.support.selection import dealt, runs_without_shared_data, why_left_out
from footfall.tools.build.environments import BLENDERS, Environment, is_ready
from footfall.tools.build.folders import SHARED, is_shared_hidden
from footfall.tools.build.processes import clean_environment
from footfall.tools.build.wheels import current_platform
from footfall.tools.build.zips import package

ROOT = Path(__file__).resolve().parent.parent
RUNNER = Path(__file__).with_name("run_in_blender.py")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real clips, objects and terrain that lies beside the repository; skips where there is none."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("needs the shared data: there is no ../shared/data beside the repository")
    return folder


@dataclass
class Blender:
    """Runs scripts in one Blender version, each in its own process, all with the same fresh user folder."""

    version: str
    user_resources: Path
    environment: Environment = field(repr=False)

    def __call__(
        self, script: str | Path, *arguments: object, timeout: float = 240, check: bool = True, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the script file with the arguments; fails with all its output where it does not end with 0.

        `import bpy` and `import footfall` (this checkout) work in it. `variables` are added to the environment.
        `check=False` hands a failed process back instead.
        """
        command = [str(part) for part in (self.environment.python, "-P", RUNNER, script, *arguments)]
        variables = clean_environment(BLENDER_USER_RESOURCES=str(self.user_resources), **variables)
        try:
            child = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=variables)
        except subprocess.TimeoutExpired as late:
            pytest.fail(
                f"{Path(script).name} in Blender {self.version}: still running after {timeout} s\n{late.stdout}"
            )
        if check and child.returncode != 0:
            output = f"--- stdout\n{child.stdout}\n--- stderr\n{child.stderr}"
            pytest.fail(f"{Path(script).name} in Blender {self.version}: exit code {child.returncode}\n{output}")
        return child


@pytest.fixture(params=sorted(BLENDERS))
def blender(request: pytest.FixtureRequest, tmp_path: Path) -> Blender:
    """Every Blender that is set up, one after the other."""
    environment = BLENDERS[request.param]
    if not is_ready(environment):
        needed = f"Python {environment.python_version} and `python build.py dev`"
        pytest.skip(f"Blender {request.param} is not set up here: it needs {needed}")
    return Blender(request.param, tmp_path / "blender_user", environment)


@pytest.fixture
def packaged_zip(blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's zip for this platform and this Blender's Python, built once for all of pytest's processes."""
    python = str(blender.environment.python_version)
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # the workers' common folder
    folder /= "package"
    with FileLock(f"{folder}.lock"):
        built = next(folder.glob(f"*-py{python}.zip"), None)
        return built or package(current_platform(), python, folder)


# --- What runs, and in which order


def pytest_configure(config: pytest.Config) -> None:
    load_profile(config.getoption("--hypothesis-seed", None))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip collecting modules without a test for a machine that lacks the shared data, while the data are hidden."""
    if is_shared_hidden() and collection_path.suffix == ".py":
        return "without_shared_data" not in collection_path.read_text("utf-8") or None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is left out, and deal the tests out to two processes.

    Where the shared data are hidden, only the tests that behave otherwise then run: the others ran beside the data.
    """
    if is_shared_hidden():
        items[:] = [item for item in items if runs_without_shared_data(item)]
    for item in items:
        if reason := why_left_out(item, tests_all()):
            item.add_marker(pytest.mark.skip(reason=reason))
    if "PYTEST_XDIST_WORKER" in os.environ:
        items[:] = dealt(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many of the add-on's tests ran inside Blender, each process of which is one test here."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    told = [dict(report.user_properties).get("inside_blender") for report in reports]
    if counts := [Counter(json.loads(one)) for one in told if one]:
        terminalreporter.write_line(inside_blender.summed_up(counts))
