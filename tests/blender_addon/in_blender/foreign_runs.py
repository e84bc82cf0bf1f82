"""In Blender: a run's folder that came from somebody else is data. No Python in it runs, and no request is obeyed."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import bpy

from footfall.blender_addon.train import runs
from footfall.blender_addon.train.run_export import NEUTRAL_FOLDER, PACKAGE_FOLDER, export_controller
from footfall.blender_addon.train.run_request import RunRequest
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder

sys.path.insert(0, str(Path(__file__).parent))
from harness import run_checks

TEMPORARY = Path(tempfile.mkdtemp())
PYTHON = Path(sys.executable)  # Blender's own, which has no torch
MODULES = ("platform", "numpy", "torch", "multiprocessing", "json", "sitecustomize")


def foreign(name: str) -> RunFolder:
    """A run's folder in the runs folder."""
    if not hasattr(bpy.types.WindowManager, "footfall"):
        import addon_utils  # Blender puts it on the path

        assert addon_utils.enable("footfall", default_set=True)
    own = bpy.context.preferences.addons["footfall"].preferences
    own.runs_folder, own.training_python = str(TEMPORARY / "runs"), str(PYTHON)
    run = RunFolder(runs_folder() / name)
    run.path.mkdir()
    return run


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


def check_python_in_a_runs_folder_does_not_run_on_resume() -> None:
    for name, begun, modules in (
        ("resumed", True, MODULES),
        ("begun", False, MODULES),
        ("shadowed", True, (PACKAGE_FOLDER.name,)),
    ):
        run = foreign(name)
        ran = plant(run, *modules)
        if begun:
            run.config_path.write_text("")
        else:
            RunRequest(["--clips", str(run.path), "--run", str(run.path)]).write(run)
        runs.resume(PYTHON, run)
        said = wait_for_the_end(run)
        assert not ran.exists(), f"{ran.read_text()}was executed"
        assert "ended with code 1" in said and run.log_path.stat().st_size, "it was started"


def check_python_in_a_runs_folder_does_not_run_when_it_is_exported() -> None:
    run = foreign("exported")
    ran = plant(run, *MODULES)
    run.best_checkpoint.parent.mkdir()
    run.best_checkpoint.write_bytes(b"nothing")
    try:
        list(export_controller(run))
    except FootfallError as error:
        assert not ran.exists(), f"{ran.read_text()}was executed"
        assert "No module named" in str(error) or "torch" in str(error), error
    else:
        raise AssertionError("Blender's Python has no torch")


def check_a_request_of_ours_is_read() -> None:
    run = foreign("ours")
    place = str(run.path)
    for arguments in (
        ["--clips", "/clips/a.bvh", "/clips/b", "--run", place, "--preset", "quick"],
        ["--clips", "/a.bvh", "--run", place, "--from", "/x", "--style", "sneak", "--set", "a=1", "--set", "b=2"],
        ["--resume", place, "--set", "device=cpu"],
    ):
        RunRequest(arguments, os.getpid(), "ticks 1").write(run)
        assert RunRequest.read(run) == RunRequest(arguments, os.getpid(), "ticks 1"), arguments


def check_any_other_request_is_nobodys() -> None:
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


def check_a_request_of_somebody_else_is_not_obeyed() -> None:
    if os.name != "posix":
        return
    run, asked, python = foreign("obeyed"), TEMPORARY / "asked.txt", TEMPORARY / "python"
    python.write_text(f"#!/bin/sh\necho \"$PWD $@\" > '{asked}'\n")
    python.chmod(0o755)
    (run.path / "request.json").write_text(json.dumps({"arguments": ["--clips", "a", "--run", "/elsewhere"]}))
    runs.resume(python, run)
    wait_for_the_end(run)
    words = [str(NEUTRAL_FOLDER), "-m", PACKAGE_FOLDER.name, "train", "--resume", str(run.path)]
    assert asked.read_text().split() == words, asked.read_text()


run_checks(globals())
