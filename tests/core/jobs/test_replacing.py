"""Things that belong together take the place of others: all of them, or none."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from footfall.core.jobs.replacing import (
    BUILD_FOLDER_PREFIX,
    build_folder,
    list_contents,
    recover_replaced,
    replace_together,
)


def build(folder: Path, text: str) -> None:
    with build_folder(folder) as made:
        (made / "parts").mkdir()
        (made / "parts" / "one").write_text(text)
        (made / "numbers").write_text(text)
        (made / "sign").write_text(text)
        replace_together(made, folder, ["parts", "numbers"], "sign", b"unfinished")


def before_moves(monkeypatch: pytest.MonkeyPatch, notice: Callable[[Path], None]) -> None:
    """Call with the target of each part that is moved out of a build folder, before it is moved."""
    for name in ("rename", "replace"):
        move = getattr(Path, name)

        def moved(path: Path, to: Path, move: Callable[[Path, Path], Path] = move) -> Path:
            is_built = path.parent.name.startswith(BUILD_FOLDER_PREFIX)
            if is_built and path.name in ("parts", "numbers", "sign") and to.parent == path.parent.parent:
                notice(to)
            return move(path, to)

        monkeypatch.setattr(Path, name, moved)


def texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def all_of(text: str) -> dict[str, str]:
    return dict.fromkeys(("parts/one", "numbers", "sign"), text)


def test_all_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "folder"
    build(folder, "old")
    assert texts(folder) == all_of("old")
    (folder / "mine").write_text("mine")
    build(folder, "new")
    assert texts(folder) == {**all_of("new"), "mine": "mine"}
    assert list_contents(folder) == {"parts", "numbers", "sign", "mine"}


@pytest.mark.parametrize("failing", ["parts", "numbers", "sign"])
@pytest.mark.parametrize("old", [True, False])
def test_where_one_cannot_be_moved_all_is_as_it_was(
    failing: str, old: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(to: Path) -> None:
        if to.name == failing:
            assert (to.parent / "sign").read_bytes() == b"unfinished"
            raise OSError(5, "Input/output error")

    if old:
        build(tmp_path / "folder", "old")
    before_moves(monkeypatch, fail)
    with pytest.raises(OSError, match="Input/output error"):
        build(tmp_path / "folder", "new")
    if old:
        assert texts(tmp_path / "folder") == all_of("old")
    else:
        assert not (tmp_path / "folder").exists()


def test_what_a_process_left_that_died_goes_and_nobody_elses(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    dead, busy = tmp_path / f".footfall-{child.pid}-x", tmp_path / ".footfall-1-x"
    others = [busy, tmp_path / ".footfall-notes", tmp_path / "folder.partial"]
    for folder in (dead, *others):
        folder.mkdir()
    assert list_contents(tmp_path) == {"folder.partial"}
    build(tmp_path, "new")
    assert not dead.exists() and all(folder.is_dir() for folder in others)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("moves", range(3))
def test_what_a_killed_replacement_has_moved_aside_comes_back(
    moves: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, "old")
    done: list[Path] = []

    def die(to: Path) -> None:
        if len(done) == moves:
            os._exit(9)
        done.append(to)

    child = os.fork()
    if child == 0:
        before_moves(monkeypatch, die)
        build(tmp_path, "new")
    os.waitpid(child, 0)
    assert (tmp_path / "sign").read_bytes() == b"unfinished"
    assert recover_replaced(tmp_path)
    assert {name: text for name, text in texts(tmp_path).items() if not name.startswith(".")} == all_of("old")
    assert not recover_replaced(tmp_path)
    build(tmp_path, "newer")
    assert texts(tmp_path) == all_of("newer")
