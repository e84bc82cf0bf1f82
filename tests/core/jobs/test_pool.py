"""Processes that work for another one."""

import os
import subprocess
import sys
import time
from pathlib import Path

from footfall.core.jobs.process import start_stamp

PARENT = """
import os, sys, time
from pathlib import Path
from footfall.core.jobs.pool import start_pool

def work(folder):
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)

if __name__ == "__main__":
    pool = start_pool(2)
    for _ in range(2):
        pool.submit(work, sys.argv[1])
    time.sleep(600)
"""


def test_workers_of_a_killed_process_end(tmp_path: Path):
    """Else they would hold their memory for ever, and write into the folder of whoever begins the work again."""
    script, folder = tmp_path / "parent.py", tmp_path / "pids"
    script.write_text(PARENT)
    folder.mkdir()
    with subprocess.Popen([sys.executable, str(script), str(folder)], env={**os.environ, "PYTHONPATH": ""}) as parent:
        _wait(lambda: len(list(folder.iterdir())) == 2)
        pids = [int(path.name) for path in folder.iterdir()]
        assert all(start_stamp(pid) for pid in pids)
        parent.kill()
    _wait(lambda: not any(start_stamp(pid) for pid in pids))


def _wait(until) -> None:
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end, "it did not happen within a minute"
        time.sleep(0.05)
