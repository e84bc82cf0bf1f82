"""One process at a time works in a folder."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.core.jobs.folder_lock import LOCK_FILE_NAME, FolderInUseError, has_lock_file, lock_folder
from footfall.core.jobs.replacing import build_folder
from footfall.core.jobs.run_folder import RunFolder

HOLDER = """
import sys
from pathlib import Path
from footfall.core.jobs.folder_lock import lock_folder
with lock_folder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def hold(folder: Path) -> subprocess.Popen[str]:
    """Start a process that has locked a folder until it reads a line."""
    held = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert held.stdout is not None and held.stdout.readline() == "held\n"
    return held


def test_a_second_process_is_told_which_one_is_at_work(tmp_path: Path) -> None:
    held = hold(tmp_path)
    told = rf"Another process \({held.pid}\) is using '{tmp_path}'"
    with pytest.raises(FolderInUseError, match=told), lock_folder(tmp_path):
        pass
    held.communicate("\n", timeout=30)
    with lock_folder(tmp_path):
        assert has_lock_file(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_run_and_what_is_built_have_one_process(tmp_path: Path) -> None:
    """Two or three of three processes began in 56 of 60 starts, and removed each other's files."""
    held = hold(tmp_path)
    told = rf"Another process \({held.pid}\)"
    with pytest.raises(FolderInUseError, match=told), RunFolder(tmp_path).run_session(""):
        pass
    with pytest.raises(FolderInUseError, match=told), build_folder(tmp_path):
        pass
    assert {path.name for path in tmp_path.rglob("*")} == {LOCK_FILE_NAME, "checkpoints"}
    held.communicate("\n", timeout=30)
    with RunFolder(tmp_path).run_session(""), build_folder(tmp_path):
        assert has_lock_file(tmp_path)
    assert not has_lock_file(tmp_path)


def test_of_many_that_begin_at_one_moment_one_does(tmp_path: Path) -> None:
    many = [
        subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    first = [one for one in many if one.stdout and one.stdout.readline() == "held\n"]
    told = [one.communicate("\n", timeout=60)[1] for one in many if one not in first]
    assert len(first) == 1 and all("FolderInUseError: Another process" in text for text in told)
    first[0].communicate("\n", timeout=60)


def test_a_killed_process_holds_nothing_and_leaves_its_sign(tmp_path: Path) -> None:
    held = hold(tmp_path)
    held.kill()
    held.communicate(timeout=30)
    assert has_lock_file(tmp_path)
    with lock_folder(tmp_path):
        pass
    assert not has_lock_file(tmp_path)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    (tmp_path / LOCK_FILE_NAME).symlink_to(tmp_path / "thesis.txt")
    with pytest.raises(OSError), lock_folder(tmp_path):
        pass
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_folder_that_is_locked_twice_stays_locked_until_the_last_end(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        with lock_folder(tmp_path):
            assert has_lock_file(tmp_path)
        assert has_lock_file(tmp_path)
    assert not has_lock_file(tmp_path)


@pytest.mark.parametrize("number, locked", [(errno.ENOLCK, True), (errno.EOPNOTSUPP, True), (errno.EAGAIN, False)])
def test_where_the_system_knows_no_locks_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, locked: bool
) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr("fcntl.flock", refuse)
    if locked:
        with lock_folder(tmp_path):
            assert has_lock_file(tmp_path)
    else:
        with pytest.raises(FolderInUseError), lock_folder(tmp_path):
            pass
    monkeypatch.setattr("fcntl.flock", lambda *arguments: refuse())
    number = errno.EIO
    with pytest.raises(OSError), lock_folder(tmp_path):
        pass
