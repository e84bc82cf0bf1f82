"""Stories in a real Blender with its windows: `python build.py gui-test` says which zip, and tells pytest of them.

The tests of a file are one story, told in their order by one user; when a step fails, the rest of its story is skipped.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from footfall.tests.gui.window import Window, opened

ARCHIVE, PICTURES = os.environ.get("FOOTFALL_GUI_ZIP"), os.environ.get("FOOTFALL_GUI_PICTURES")
collect_ignore_glob = [] if ARCHIVE else ["test_*.py"]
LAST = ("test_training", "test_removal")
broken: dict[str, str] = {}
"""File of a story -> the step that failed."""


@pytest.fixture(scope="session")
def blender_window() -> Iterator[Window]:
    """Blender with the installed extension, and the splash screen gone."""
    pictures = Path(PICTURES) if PICTURES else None
    for old in pictures.glob("[0-9][0-9]_*.png") if pictures else ():
        old.unlink()
    with opened(Path(str(ARCHIVE)), pictures) as window:
        yield window


@pytest.fixture(scope="module")
def gui(blender_window: Window, request: pytest.FixtureRequest) -> Window:
    """Blender as it starts: a new file with a cube, the mouse over it."""
    blender_window.story = Path(request.node.path).stem.removeprefix("test_")
    blender_window.ask("bpy.ops.wm.read_homefile(use_factory_startup=True)")
    blender_window.ask("bpy.context.preferences.system.use_online_access = False")
    blender_window.ask("forget()")
    blender_window.settle()
    blender_window.clicks = 0
    return blender_window


@pytest.fixture(autouse=True)
def picture_of_a_failure(gui: Window, request: pytest.FixtureRequest) -> Iterator[None]:
    """Shows what was on the screen when a step failed."""
    yield
    if str(request.node.path) in broken:
        gui.shot("failed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Has the extension removed last, after the story in which Blender complains that it has no network."""
    items.sort(key=lambda item: LAST.index(item.path.stem) if item.path.stem in LAST else -1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Remembers which story a failure breaks."""
    report = yield
    if call.excinfo and not call.excinfo.errisinstance(pytest.skip.Exception):
        broken.setdefault(str(item.path), item.name)
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leaves out what would follow upon a step that failed."""
    if str(item.path) in broken:
        pytest.skip(f"{broken[str(item.path)]} failed before")
