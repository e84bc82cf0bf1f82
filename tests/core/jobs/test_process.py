"""A process is known by its id and its start."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from footfall.core.jobs.process import _linux_start_stamp, _posix_start_stamp, start_stamp


def test_a_running_process_has_one_mark():
    assert start_stamp(os.getpid())
    assert start_stamp(os.getpid()) == start_stamp(os.getpid())


def test_two_processes_have_no_mark_in_common_with_the_same_id():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        mark = start_stamp(process.pid)
        process.communicate(b"\n")
    assert mark is not None
    assert start_stamp(process.pid) is None


def test_a_process_that_has_ended_unwaited_for_does_not_run():
    with subprocess.Popen([sys.executable, "-c", "print()"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert start_stamp(process.pid) is None


def test_no_process_has_such_an_id():
    assert start_stamp(0) is None
    assert start_stamp(-1) is None


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets every file hold a text, as ``/proc`` would tell it."""

    def tell(text: str) -> None:
        monkeypatch.setattr(Path, "read_text", lambda path, **options: text)

    return tell


def stat_line(state: str, fields: int = 20, name: str = "python") -> str:
    """A line of ``/proc``: the state and the fields that follow it, each its number, as many as told."""
    return f"77 ({name}) " + " ".join([state, *map(str, range(1, fields))])


@pytest.mark.parametrize("name", ["python", "a b", ") S 1 (2", "(x) y"])
def test_the_start_is_nineteen_fields_after_the_state_whatever_the_name(told: Callable[[str], None], name: str) -> None:
    told(stat_line("S", 50, name))
    assert _linux_start_stamp(77) == "ticks 19"


def test_a_zombie_and_a_dead_process_have_no_stamp_nor_has_a_line_cut_short(told: Callable[[str], None]) -> None:
    for line, stamp in (
        (stat_line("R"), "ticks 19"),
        (stat_line("Z"), None),
        (stat_line("X"), None),
        (stat_line("S", 19), None),
        ("", None),
    ):
        told(line)
        assert _linux_start_stamp(77) == stamp


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_linux_tells_of_processes_by_itself() -> None:
    stamp = start_stamp(os.getpid())
    assert stamp is not None and stamp.startswith("ticks ") and stamp.removeprefix("ticks ").isdecimal()
    assert start_stamp(1) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ps")
def test_other_systems_ask_ps() -> None:
    stamp = _posix_start_stamp(os.getpid())
    assert stamp is not None and stamp.startswith("lstart ") and stamp.count(":") == 2
    assert stamp == _posix_start_stamp(os.getpid())
    with subprocess.Popen([sys.executable, "-c", "print()"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert _posix_start_stamp(process.pid) is None, "a zombie"
    assert _posix_start_stamp(process.pid) is None
