"""A run's folder that came from somebody else is data. No Python in it runs, and no request is obeyed."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from footfall.blender_addon.train import runs
from footfall.blender_addon.train.run_export import NEUTRAL_FOLDER, PACKAGE_FOLDER, export_controller
from footfall.blender_addon.train.run_request import RunRequest
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder

PYTHON = Path(sys.executable)  # Blender's own, which has no torch
MODULES = ("platform", "numpy", "torch", "multiprocessing", "json", "sitecustomize")


@pytest.fixture
def foreign(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> Callable[[str], RunFolder]:
    """Make a folder of a name in the runs folder."""
    preferences.runs_folder, preferences.training_python = str(tmp_path / "runs"), str(PYTHON)

    def make(name: str) -> RunFolder:
        run = RunFolder(runs_folder() / name)
        run.path.mkdir()
        return run

    return make


def plant(run: RunFolder, *modules: str) -> Path:
    """Puts modules into a run's folder that write into a file when they are executed; that file."""
    ran = run.path.parent.parent / f"{run.path.name}-ran.txt"
    for name in modules:
        (run.path / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name + ' '!r})\n")
    return ran


def wait_for_the_end(run: RunFolder) -> str:
    until = time.time() + 120.0
    while (told := runs.run_status(run))[0] in ("starting", "running"):
        assert time.time() < until, told
        time.sleep(0.1)
    return told[1]


@pytest.mark.parametrize(
    ("name", "begun", "modules"),
    (
        ("resumed", True, MODULES),
        ("begun", False, MODULES),
        ("shadowed", True, (PACKAGE_FOLDER.name,)),
    ),
)
def test_python_in_a_runs_folder_does_not_run_on_resume(
    foreign: Callable[[str], RunFolder], name: str, begun: bool, modules: tuple[str, ...]
) -> None:
    run = foreign(name)
    ran = plant(run, *modules)
    if begun:
        run.config_path.write_text("")
    else:
        RunRequest(["--clips", str(run.path), "--run", str(run.path)]).write(run)
    runs.resume(PYTHON, run)
    said = wait_for_the_end(run)
    assert not ran.exists(), f"{ran.read_text()}was executed"
    assert "exit code 1" in said and run.log_path.stat().st_size, "it was started"


def test_python_in_a_runs_folder_does_not_run_when_it_is_exported(foreign: Callable[[str], RunFolder]) -> None:
    run = foreign("exported")
    ran = plant(run, *MODULES)
    run.best_checkpoint.parent.mkdir()
    run.best_checkpoint.write_bytes(b"nothing")
    with pytest.raises(FootfallError, match=r"No module named|torch"):  # Blender's Python has none
        list(export_controller(run))
    assert not ran.exists(), f"{ran.read_text()}was executed"


def test_a_request_of_ours_is_read(foreign: Callable[[str], RunFolder]) -> None:
    run = foreign("ours")
    place = str(run.path)
    for arguments in (
        ["--clips", "/clips/a.bvh", "/clips/b", "--run", place, "--preset", "quick"],
        ["--clips", "/a.bvh", "--run", place, "--base", "/x", "--style", "sneak", "--set", "a=1", "--set", "b=2"],
        ["--resume", place, "--set", "device=cpu"],
    ):
        RunRequest(arguments, os.getpid(), "ticks 1").write(run)
        assert RunRequest.read(run) == RunRequest(arguments, os.getpid(), "ticks 1"), arguments


def test_any_other_request_is_nobodys(foreign: Callable[[str], RunFolder]) -> None:
    run = foreign("theirs")
    place = str(run.path)
    good: dict[str, Any] = {"arguments": ["--clips", "/a.bvh", "--run", place], "pid": 1, "process": "x"}
    bad_arguments: list[Any] = [
        *(None, [], "--clips", {"--clips": 1}, ["--clips", 1], [["--clips"]], ["a.bvh", "--clips"]),
        *(
            ["--clips", "a", "--run", "/elsewhere"],
            ["--resume", str(run.path.parent)],
            ["--run"],
            ["--run", place, "x"],
        ),
        *(["--clips", "a", "--replay", "/b"], ["--jobs", "9"], ["--set=a=1"], ["--"], ["-h"], ["--clips", "\0"]),
        ["--clips", "\ud800"],
    ]
    bad: list[Any] = [good | {"arguments": arguments} for arguments in bad_arguments]
    bad += [good | {"pid": pid} for pid in ("x", 1.5, float("inf"), True, -1, 2**70, None)]
    bad += [good | {"process": 1}, good | {"more": 1}, {"pid": 1}, [1], None]
    texts = [json.dumps(document) for document in bad] + ["[" * 100_000, "{", ""]
    (run.path / "request.json").write_text(json.dumps(good))
    assert RunRequest.read(run) is not None
    for text in texts:
        (run.path / "request.json").write_text(text)
        assert RunRequest.read(run) is None, text
        runs.clear()
        assert runs.run_status(run)[0] == "interrupted"
        runs.poll_runs(time.time())


DAMAGE = {
    "progress.jsonl": (
        *(
            '{"step": "x"}',
            '{"loss": "x"}',
            '{"eta": []}',
            '{"fraction": {}}',
            '{"time": "x", "eta": 1}',
            '{"total": "x"}',
        ),
        *('{"clip": 1, "step": null, "total": null, "stage": "takes"}', '{"note": {}}', '{"rollout": {"ended": {}}}'),
        *('{"loss": ' + "9" * 400 + "}", "[" * 100_000, "\\xff", '{"stage": []}', '{"clip": "a"}'),
    ),
    "state.json": ('{"pid": Infinity}', "[" * 100_000, '{"status": [], "pid": 1}', ""),
    "config.toml": ("a = " + "[" * 100_000, "training = 5", "a = " + "9" * 5000),
    "dataset/sources.json": ("[" * 100_000, "[[]]", "{}", '[{"folder": 1}]'),
}


def test_a_damaged_run_does_not_end_the_watching_of_others(foreign: Callable[[str], RunFolder]) -> None:
    """Blender drops a timer that raises: one bad line hid all runs."""
    sound, run = foreign("sound"), foreign("damaged")
    for one in (sound, run):
        one.begin("")
    run.dataset_path.mkdir()
    for name, texts in DAMAGE.items():
        for text in texts:
            (run.path / name).write_text(f"{text}\n")
            for status in ("running", "building"):
                sound.write_state(status)
                runs.clear()
                runs.poll_runs(time.time())
                runs.poll_runs(time.time())
                shown = {item.name: item.status for item in bpy.context.window_manager.footfall.training_runs}
                assert shown.keys() == {"sound", "damaged"} and shown["sound"] == status, (name, text[:40])
        run.begin("")


@pytest.mark.skipif(os.name == "nt", reason="names of files are text on Windows")
def test_an_undecodable_folder_hides_no_other_run(foreign: Callable[[str], RunFolder]) -> None:
    sound = foreign("sound")
    sound.begin("")
    sound.write_state("running")
    odd = foreign("odd\udcff")
    odd.begin("")
    runs.clear()
    runs.poll_runs(time.time())
    session = bpy.context.window_manager.footfall
    assert [item.name for item in session.training_runs] == ["sound"]
    assert "odd" in session.runs_error and "rename" in session.runs_error


@pytest.mark.parametrize(
    ("ended", "said"), [("exploded", "The character collapses in the test walks"), ("arrived", "")]
)
def test_a_run_whose_test_walks_exploded_is_called_so(
    foreign: Callable[[str], RunFolder], ended: str, said: str
) -> None:
    run = foreign(ended)
    run.begin("")
    (run.path / "progress.jsonl").write_text(json.dumps({"step": 9, "total": 9, "rollout": {"ended": ended}}) + "\n")
    run.write_state("finished")
    runs.clear()
    runs.poll_runs(time.time())
    (item,) = bpy.context.window_manager.footfall.training_runs
    assert item.status == "finished" and said in item.message and bool(item.message) == bool(said)


@pytest.mark.skipif(os.name != "posix", reason="a shell script plays Python")
def test_a_request_of_somebody_else_is_not_obeyed(foreign: Callable[[str], RunFolder], tmp_path: Path) -> None:
    run, asked, python = foreign("obeyed"), tmp_path / "asked.txt", tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho \"$PWD $@\" > '{asked}'\n")
    python.chmod(0o755)
    (run.path / "request.json").write_text(json.dumps({"arguments": ["--clips", "a", "--run", "/elsewhere"]}))
    runs.resume(python, run)
    wait_for_the_end(run)
    words = [str(NEUTRAL_FOLDER), "-m", PACKAGE_FOLDER.name, "train", "--resume", str(run.path)]
    assert asked.read_text().split() == words, asked.read_text()
