"""The contract between Blender and a training run, from both sides."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder, RunFolderError


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "run")


def test_a_run_from_beginning_to_end(run: RunFolder):
    assert run.status() == "none"
    with run.run_session("hidden = 8\n"):
        assert run.config_path.read_text() == "hidden = 8\n"
        assert run.status() == "starting"
        assert run.is_alive()
        run.write_state("running")
        run.append_progress({"step": 1, "loss": 0.5})
        run.write_state("finished")
    reports, end = run.read_progress()
    assert [report["step"] for report in reports] == [1]
    assert run.read_progress(end) == ([], end)
    assert run.status() == "finished"


def test_a_reader_goes_on_where_it_stopped_and_leaves_a_half_line_for_later(run: RunFolder):
    run.begin("")
    run.append_progress({"step": 1})
    _, after = run.read_progress()
    progress = run.path / "progress.jsonl"
    with progress.open("a") as file:
        file.write('{"step": 2, "lo')
    assert run.read_progress(after) == ([], after)
    with progress.open("a") as file:
        file.write('ss": 1}\n')
    reports, after = run.read_progress(after)
    assert reports == [{"step": 2, "loss": 1}]
    assert run.read_progress(after)[0] == []


def test_a_line_cut_off_by_a_crash_is_left_out_and_the_next_one_is_whole(run: RunFolder):
    run.begin("")
    (run.path / "progress.jsonl").write_text('{"step": 1}\n{"step": 2, "lo')
    run.append_progress({"step": 3})
    assert [report["step"] for report in run.read_progress()[0]] == [1, 3]


def test_a_new_run_in_the_same_folder_is_read_from_its_beginning(run: RunFolder):
    run.begin("")
    for step in range(3):
        run.append_progress({"step": step})
    _, after = run.read_progress()
    run.clear_results()
    run.append_progress({"step": 0})
    assert [report["step"] for report in run.read_progress(after)[0]] == [0]


def test_the_newest_two_checkpoints_are_kept(run: RunFolder):
    run.begin("")
    for step in (1, 2, 30):
        run.save_checkpoint(step, b"%d" % step)
    assert [path.read_bytes() for path in run.checkpoints()] == [b"30", b"2"]


def test_damaged_checkpoints_of_later_steps_do_not_push_out_the_good_ones(run: RunFolder):
    """The newest was cut off, so that the run went on from the older: no later one may count as one of the two."""
    run.begin("")
    run.save_checkpoint(10, b"good")
    run.save_checkpoint(50, b"cut off")
    run.save_checkpoint(20, b"good")
    assert [path.stem for path in run.checkpoints()] == ["step-0000000020", "step-0000000010"]


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(run: RunFolder, monkeypatch):
    sync = os.fsync

    def full(descriptor: int):
        if os.fstat(descriptor).st_size == len(b"too large"):
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunFolderError, match=r"disk.*full.*checkpoint is safe"), run.run_session(""):
        run.save_checkpoint(1, b"whole")
        run.save_checkpoint(2, b"too large")
    state = run.read_state()
    assert state is not None
    assert state.status == "failed"
    assert state.error.count(".") == 1
    assert [path.read_bytes() for path in run.checkpoints()] == [b"whole"]
    assert not list(run.path.glob("**/*.part"))


def test_a_really_full_disk_still_ends_in_a_clear_state(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if os.name != "posix" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be mounted only by root")
    try:
        run = RunFolder(disk / "run")
        with pytest.raises(RunFolderError, match="full"), run.run_session(""):
            run.write_state("running")
            run.save_checkpoint(1, bytes(50_000))
            (disk / "others").write_bytes(bytes(1 << 12))
            while True:
                with (disk / "others").open("ab") as file:
                    file.write(bytes(1 << 12))
        state = run.read_state()
        assert state is not None
        assert state.status == "failed"
        assert "full" in state.error
        assert run.checkpoints()[0].stat().st_size == 50_000
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_that_is_still_full_is_told_in_one_sentence(run: RunFolder, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunFolderError, match=r"disk.*full: free space and start the run again\.$"), run.run_session(""):
        pass
    assert run.status() == "none"
    monkeypatch.undo()
    run.begin("")
    run.save_checkpoint(1, b"whole")
    run.write_state("failed", "It was full.")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunFolderError, match=r"resume the run; its last checkpoint is safe\.$"), run.run_session(""):
        pass
    assert run.read_state() is not None
    assert run.status() == "failed"
    assert not list(run.path.glob(".*"))


def test_an_error_is_told_even_where_nothing_can_be_written_any_more(run: RunFolder, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(RunFolderError, match="full"), run.run_session(""):
        monkeypatch.setattr(os, "fsync", full)
        full(0)
    monkeypatch.undo()
    state = run.read_state()
    assert state is not None
    assert state.status == "starting"  # which is read as interrupted once the process is gone


@pytest.mark.parametrize("moment", range(6))
def test_a_new_run_in_an_old_folder_that_is_killed_as_it_begins_mixes_nothing(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch, moment: int
):
    """Whatever is left, checkpoints and settings are of one run: of the old one, or there are none."""

    class Killed(BaseException):
        pass

    run.begin("old = 1\n")
    run.save_checkpoint(7, b"old")
    run.write_state("finished")
    done = iter(range(moment))

    def counted(real):
        def call(*arguments, **options):
            if next(done, None) is None:
                raise Killed
            return real(*arguments, **options)

        return call

    for name in ("unlink", "replace", "write_bytes"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))
    with pytest.raises(Killed):
        run.begin("new = 1\n", discard_results=True)
    monkeypatch.undo()
    assert run.config_path.read_text() == "old = 1\n" or not run.checkpoints()
    assert run.status() in ("finished", "starting")  # interrupted, were the process gone


def test_a_stop_is_asked_for_by_a_file_and_forgotten_by_the_next_run(run: RunFolder):
    with pytest.raises(RunFolderError, match="no training run"):
        run.request_stop()
    run.begin("")
    run.request_stop()
    assert run.stop_requested()
    run.begin("")
    assert not run.stop_requested()


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (FootfallError("The clip is empty."), "failed", "The clip is empty."),
        (KeyboardInterrupt(), "stopped", ""),
        (ZeroDivisionError("division"), "failed", "unexpectedly"),
        (RuntimeError("first line\nsecond line"), "failed", "(RuntimeError: first line)"),
        (OSError(errno.EACCES, "Permission denied", "x.npy"), "failed", "Permission denied"),
    ],
)
def test_whatever_ends_a_run_badly_is_in_its_state(run: RunFolder, error: BaseException, status: str, words: str):
    with pytest.raises(type(error)), run.run_session(""):
        raise error
    state = run.read_state()
    assert state is not None
    assert (state.status, words in state.error) == (status, True)


def test_a_killed_run_is_known_as_interrupted(run: RunFolder):
    code = (
        "import sys, time, pathlib; from footfall.core.jobs.run_folder import RunFolder\n"
        "run = RunFolder(pathlib.Path(sys.argv[1])); run.begin(''); run.write_state('running')\n"
        "print('begun', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(run.path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert run.status() == "running"
        with pytest.raises(RunFolderError, match=f"process {process.pid}"):
            run.begin("")
        process.kill()
        process.wait()
    assert run.status() == "interrupted"
    run.begin("")
    assert run.status() == "starting"


def test_the_id_of_a_dead_run_given_to_another_process_is_not_the_run(run: RunFolder):
    run.begin("")
    state = json.loads((run.path / "state.json").read_text())
    (run.path / "state.json").write_text(json.dumps({**state, "process": "ticks 1"}))
    assert not run.is_alive()
    assert run.status() == "interrupted"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"status": "dancing"}', '{"status": "running"}'])
def test_a_damaged_state_is_no_state(run: RunFolder, text: str):
    run.begin("")
    (run.path / "state.json").write_text(text)
    assert run.read_state() is None
    assert not run.is_alive()
    assert run.status() == "interrupted"  # there is something to go on with


@pytest.mark.parametrize("name", ["config.toml", "model.safetensors", "checkpoints/step-1.pt", "phases/notes.txt"])
def test_a_folder_with_files_that_no_run_has_made_is_refused_and_kept(run: RunFolder, name: str):
    file = run.path / name
    file.parent.mkdir(parents=True)
    file.write_text("years of work")
    with pytest.raises(RunFolderError, match=f"contains '{name.split('/')[0]}', which is not from a training run"):
        run.begin("", discard_results=True)
    assert file.read_text() == "years of work"
    assert [path for path in run.path.rglob("*") if path.is_file()] == [file]


def test_a_folder_with_a_data_set_that_was_built_before_is_used(run: RunFolder):
    (run.dataset_path / "shards").mkdir(parents=True)
    run.begin("")
    assert run.status() == "starting" and (run.dataset_path / "shards").is_dir()


def test_files_of_others_beside_a_run_are_kept(run: RunFolder):
    run.begin("")
    for name in (".thesis.part", "notes.txt", "checkpoints/.thesis.part"):
        (run.path / name).write_text("years of work")
    (run.path / ".state.json.999999999.part").write_text("half")
    run.begin("", discard_results=True)
    kept = {path.relative_to(run.path).as_posix() for path in run.path.rglob("*.*")}
    assert {".thesis.part", "notes.txt", "checkpoints/.thesis.part"} < kept
    assert ".state.json.999999999.part" not in kept


def test_a_run_that_is_resumed_by_another_process_begins_anew(run: RunFolder):
    run.begin("")
    state_file = run.path / "state.json"
    first = json.loads(state_file.read_text())
    for pid, kept in ((os.getpid(), True), (1, False), (os.getpid() + 1, False)):
        state_file.write_text(json.dumps(first | {"pid": pid, "started": 5.0}))
        run.write_state("running", "x")
        state = run.read_state()
        assert state is not None and (state.started == 5.0) == kept
        assert (state.status, state.pid, state.error) == ("running", os.getpid(), "x")
