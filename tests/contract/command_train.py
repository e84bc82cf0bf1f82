"""In Blender: the command train, by a real trainer. Arguments: a BVH file of a walk by CMU, a Python that has torch."""

import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import bpy

import footfall
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.command_call import called

CLIP, PYTHON = sys.argv[1:3]
TEMPORARY = Path(tempfile.mkdtemp())
RUN = RunFolder(TEMPORARY / "run")
SMALL = ("--set", "hidden=32", "--set", "rollouts=0", "--set", "device=cpu", "--set", "threads=1")


def trained(*arguments: str | Path) -> tuple[int, dict[str, Any], str]:
    return called("train", *arguments, "--python", PYTHON)


def stop_when_it_trains() -> None:
    """Plays the farm that wants its machine back."""
    while not any("loss" in report for report in RUN.read_progress()[0]):
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGTERM)


def train_stop_and_resume() -> None:
    import_bvh(CLIP)
    farm = threading.Thread(target=stop_when_it_trains)
    farm.start()
    code, told, words = trained("--all", "--preset", "quick", *SMALL, "--set", "time_limit=0.2", "--run", RUN.path)
    farm.join()
    (item,) = told["items"]
    assert (code, item["status"], item["run_status"]) == (143, "interrupted", "stopped"), (told, words)
    assert item["step"] > 0 and "saves its work" in words and not RUN.is_alive()

    code, told, _ = trained("--resume", RUN.path, "--set", "hidden=64")
    assert code == 1 and "hidden" in told["errors"][0] and told["items"][0]["run_status"] == "failed", told
    code, told, words = trained("--resume", RUN.path, "--set", "threads=2")
    (item,) = told["items"]
    assert (code, item["run_status"], told["errors"]) == (0, "finished", []), (told, words)
    assert load_model(Path(item["controller"])).gaits and item["loss"] > 0
    code, told, _ = trained("--resume", RUN.path)
    assert code == 1 and "is finished" in told["errors"][0]


bpy.ops.wm.read_factory_settings(use_empty=True)
footfall.register()
train_stop_and_resume()
