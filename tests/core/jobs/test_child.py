"""A child process is started, looked at, and ended with all that it started."""

import os
import sys
import time
from pathlib import Path

import pytest

import footfall
from footfall.core.jobs.child import Child, ChildError, clean_environment
from footfall.core.jobs.process import start_stamp


def finished(child: Child) -> int:
    while (code := child.wait_briefly()) is None:
        pass
    return code


def test_what_it_says_goes_to_the_log(tmp_path: Path):
    log = tmp_path / "log.txt"
    log.write_text("before\n")
    child = Child([sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"], log)
    assert child.pid and finished(child) == 3 and child.poll() == 3
    assert sorted(child.output().split()) == ["err", "out"]
    assert child.last_output_line() in ("out", "err")
    assert log.read_text().startswith("before\n")


def test_it_ends_with_its_own_children(tmp_path: Path):
    program = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE); "
        "print(child.pid, flush=True); child.wait()"
    )
    child = Child([sys.executable, "-c", program], tmp_path / "log.txt")
    while not child.output().endswith("\n"):
        assert child.wait_briefly() is None
    assert child.start_stamp
    child.terminate()
    assert child.poll() is not None and not child.start_stamp
    grandchild = int(child.output())
    while start_stamp(grandchild) is not None:  # the system may take a moment
        time.sleep(0.01)
    child.terminate()  # once more does nothing


def test_what_is_no_program_is_said(tmp_path: Path):
    with pytest.raises(ChildError, match=r"'/no/such/python' could not be started \(No such file"):
        Child(["/no/such/python"], tmp_path / "log.txt")
    with pytest.raises(ChildError, match="could not be started"):
        Child([sys.executable], tmp_path / "nowhere" / "log.txt")


def test_blenders_own_python_leads_nobody_astray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONHOME", "/blender/python")
    monkeypatch.setenv("PYTHONPATH", "/blender/scripts")
    assert not {"PYTHONHOME", "PYTHONPATH"} & set(clean_environment())
    assert clean_environment(PYTHONPATH="x")["PYTHONPATH"] == "x" and os.environ["PYTHONPATH"] == "/blender/scripts"
    child = Child([sys.executable, "-c", "import os; print(os.environ.get('PYTHONPATH'))"], tmp_path / "log.txt")
    assert finished(child) == 0 and child.last_output_line() == "None"


def test_a_python_takes_nothing_from_the_folder_it_works_in(tmp_path: Path):
    folder, ran = tmp_path / "foreign", tmp_path / "ran.txt"
    folder.mkdir()
    for name in ("platform", "multiprocessing", "footfall"):
        (folder / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name!r})\n")
    program = tmp_path / "program.py"
    program.write_text(
        "import subprocess, sys\n"
        "from footfall.core.jobs.pool import start_pool\n"
        "if __name__ == '__main__':\n"
        "    with start_pool(1) as pool:\n"
        "        print(pool.submit(eval, '__import__(\"sys\").flags.safe_path').result(), flush=True)\n"
        "    subprocess.run([sys.executable, '-c', 'import platform, multiprocessing; print(platform.__file__)'])\n"
    )
    environment = clean_environment(PYTHONPATH=str(Path(footfall.__file__).parent.parent))
    child = Child([sys.executable, program], tmp_path / "log.txt", environment, folder)
    assert finished(child) == 0, child.output()
    worker, module = child.output().split()
    assert worker == "True" and str(folder) not in module and not ran.exists()


def test_a_child_that_does_not_end_is_killed(tmp_path: Path):
    program = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    child = Child([sys.executable, "-c", program], tmp_path / "log.txt")
    while not child.output():
        assert child.wait_briefly() is None
    child.terminate()
    assert child.poll() == -9
