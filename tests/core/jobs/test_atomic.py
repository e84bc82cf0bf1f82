"""Files that are whole, whenever the machine goes down."""

import errno
import os
import stat
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.atomic import (
    is_disk_full,
    move_into_place,
    remove_abandoned_parts,
    remove_parts_of,
    write_atomically,
)


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path):
    write_atomically(tmp_path / "file", b"old")
    write_atomically(tmp_path / "file", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"new"}


def test_the_content_is_on_the_disk_before_the_name_and_the_name_before_all_that_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def told_sync(descriptor: int) -> None:
        done.append("folder" if Path(f"/proc/self/fd/{descriptor}").is_dir() else "content")
        sync(descriptor)

    def told_replace(self: Path, target: Path) -> Path:
        done.append("name")
        return replace(self, target)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("this system does not tell what an open file is")
    monkeypatch.setattr(os, "fsync", told_sync)
    monkeypatch.setattr(Path, "replace", told_replace)
    write_atomically(tmp_path / "file", b"data")
    assert done == ["content", "name", "folder"]


def test_what_was_there_stays_when_the_new_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    write_atomically(tmp_path / "file", b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(tmp_path / "file", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"old"}


def test_what_another_program_has_written_takes_the_place_of_what_was_there(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "part").write_bytes(b"new")
    move_into_place(tmp_path / "part", tmp_path / "file")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"new"}
    with pytest.raises(FileNotFoundError):
        move_into_place(tmp_path / "part", tmp_path / "file")
    (tmp_path / "folder").mkdir()
    (tmp_path / "part").write_bytes(b"newer")
    with pytest.raises(OSError):
        move_into_place(tmp_path / "part", tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"], "nothing is left behind"


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    for content in (b"first", b"second"):
        write_atomically(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "real" / "file").read_bytes() == content
    write_atomically(tmp_path / "link", b"third", follow_links=False)
    assert not (tmp_path / "link").is_symlink() and (tmp_path / "real" / "file").read_bytes() == b"second"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "link", "real"]


@pytest.mark.skipif(os.name != "posix", reason="modes and devices are those of POSIX")
def test_the_mode_of_a_file_is_kept(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"secret")
    (tmp_path / "file").chmod(0o600)
    write_atomically(tmp_path / "file", b"more secret")
    (tmp_path / "part").write_bytes(b"most secret")
    move_into_place(tmp_path / "part", tmp_path / "file")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    umask = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", b"x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="modes and devices are those of POSIX")
def test_devices_pipes_and_folders_are_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for path in (tmp_path / "pipe", Path("/dev/null"), tmp_path / "null"):
        with pytest.raises(OSError, match="device or a pipe"):
            write_atomically(path, b"data")
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path, Path(), Path(".."), Path("/")):
        with pytest.raises(IsADirectoryError):
            write_atomically(path, b"data")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode) and stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["null", "pipe"]


def test_a_link_under_a_temporary_name_is_not_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "victim").write_bytes(b"years of work")
    monkeypatch.setattr("secrets.token_hex", lambda size: "ab")
    (tmp_path / f".file.{os.getpid()}-ab.part").symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError):
        write_atomically(tmp_path / "file", b"data")
    assert (tmp_path / "victim").read_bytes() == b"years of work"


def test_the_parts_of_killed_processes_go_with_the_next_writing(tmp_path: Path):
    dead = [tmp_path / f".{name}.{2**22}-ab.part" for name in ("file[1]", "other")]
    own = tmp_path / f".file[1].{os.getpid()}-ab.part"
    for part in (*dead, own):
        part.write_bytes(b"half")
    write_atomically(tmp_path / "file[1]", b"whole")
    assert {path.name for path in tmp_path.iterdir()} == {"file[1]", dead[1].name, own.name}


def test_temporary_files_of_dead_processes_go_and_those_of_others_stay(tmp_path: Path):
    dead = 2**22 + 1
    names = [f".file.{pid}-ab.part" for pid in (os.getpid(), 1, dead)]
    for name in [*names, ".other.x.part"]:
        (tmp_path / name).write_text("")
    (tmp_path / f".folder.{dead}.part").mkdir()
    remove_parts_of(tmp_path / "file")
    assert {path.name for path in tmp_path.glob(".file*")} == set(names[:2])
    (tmp_path / names[2]).write_text("")
    remove_abandoned_parts(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {names[1], ".other.x.part", f".folder.{dead}.part"}


def test_a_full_disk_is_told_from_other_errors():
    for error, full in (
        (OSError(errno.ENOSPC, ""), True),
        (OSError(errno.EDQUOT, ""), True),
        (OSError(errno.EIO, ""), False),
        (ValueError(), False),
        (None, False),
    ):
        assert is_disk_full(error) == full
    told = FootfallError("full")
    assert not is_disk_full(told)
    told.__cause__ = OSError(errno.ENOSPC, "")
    assert is_disk_full(told)
