"""Fixtures for tests inside Blender's Python: each has an empty file, a user's folder of its own, and the add-on.

The Python of `.venvs/dev` has no `bpy`; there `pytest tests/addon` hands over to the Pythons of `.venvs/blender-*`.
"""

import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import pytest

from footfall.tests import inside_blender

IN_BLENDER = importlib.util.find_spec("bpy") is not None

if IN_BLENDER:
    # Blender looks for its user's folder as soon as it is imported.
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="blender_user_")
    import bpy

    import footfall
    from footfall.tests.addon.support.clips import WALK
    from footfall.tests.addon.support.empty_blender import empty_blender, enable_add_on
    from footfall.tests.addon.support.puppet import save_puppet
    from footfall.tests.addon.support.statue import save_statue
else:
    collect_ignore_glob = ["*"]


# --- Before and after the tests


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Run the tests in Blender where they were asked for in a Python that has none."""
    return None if IN_BLENDER else inside_blender.hand_over(config)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave at once: Blender 4.5's module hangs at the interpreter's exit while classes are registered."""
    if IN_BLENDER and EXIT_STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[EXIT_STATUS])


EXIT_STATUS = pytest.StashKey[int]()


# --- For every test


@pytest.fixture(autouse=True)
def empty_file(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test Blender as it is after its installation, without objects, and with the add-on registered."""
    monkeypatch.setenv("BLENDER_USER_RESOURCES", str(tmp_path_factory.mktemp("blender_user")))
    empty_blender()


@pytest.fixture
def unregistered(empty_file: None) -> None:
    """Give the test a Blender in which the add-on is not registered."""
    footfall.unregister()


@pytest.fixture
def preferences(unregistered: None) -> "bpy.types.AddonPreferences":
    """The preferences of the add-on, which is enabled as its user enables it; otherwise it has none."""
    return enable_add_on()


# --- Controllers


@pytest.fixture(scope="session")
def statue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a controller that glides along in one pose (`support/statue.py`)."""
    file = tmp_path_factory.mktemp("statue") / "statue.safetensors"
    save_statue(WALK, file)
    return file


@pytest.fixture(scope="session")
def puppet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a controller of interactions that glides to its goals (`support/puppet.py`)."""
    file = tmp_path_factory.mktemp("puppet") / "puppet.safetensors"
    save_puppet(WALK, file)
    return file


# --- Drawing


@pytest.fixture
def graphics() -> None:
    """Skip the test where Blender cannot draw without a window."""
    if bpy.app.version < (5, 2):
        pytest.skip(f"Blender {bpy.app.version_string} cannot draw without a window")
    import gpu

    try:
        gpu.init()
    except (SystemError, RuntimeError) as error:
        pytest.skip(f"no graphics, not even in software: {error}")
