"""A process is known by its id and its start."""

import os
import subprocess
import sys

from footfall.core.jobs.process import start_stamp


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
