"""The preferences: folders, the cache, and how many threads training takes."""

import os
import sys
import time
from pathlib import Path

import bpy
import pytest

from footfall.blender_addon.label.terrain import patches
from footfall.blender_addon.train import cache, runs
from footfall.blender_addon.ui.preferences import cache_folder, runs_folder, thread_arguments
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.jobs.source_table import SourceRow, write_table
from footfall.core.terrain.patches import build_patches
from footfall.tests.addon.support.panel_layout import Layout


def finished_run(name: str, size: int, status: str = "finished") -> RunFolder:
    """A run with a data set of so many bytes, and the table of its sources."""
    run = RunFolder(runs_folder() / name)
    run.begin("")
    run.write_state(status)
    run.dataset_path.mkdir()
    (run.dataset_path / "samples.npy").write_bytes(bytes(size))
    write_table(run.dataset_path, (SourceRow("us", "us", 1, 0.5, 3.2, "foot.L"),))
    run.model_path.write_bytes(b"a controller")
    runs.poll_runs(time.time())
    return run


def test_folders_are_the_users_or_beside_blenders(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    own = preferences
    for name, folder in (("cache_folder", cache_folder), ("runs_folder", runs_folder)):
        assert folder().is_relative_to(bpy.utils.resource_path("USER")), "never in the extension itself"
        setattr(own, name, str(tmp_path / name))
        assert folder() == tmp_path / name
    assert patches.patches_folder() == tmp_path / "cache_folder/patches"
    own.terrain_patches_folder = str(tmp_path / "studio")
    assert patches.patches_folder() == tmp_path / "studio"


def test_the_cache_is_emptied_and_says_what_is_free(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    own = preferences
    own.cache_folder, own.runs_folder = str(tmp_path / "cache"), str(tmp_path / "runs")
    mine = tmp_path / "cache/mine.txt"
    mine.parent.mkdir()
    mine.write_text("the user's own")
    assert not bpy.ops.footfall.empty_cache.poll(), "nothing of ours is there"
    build_patches(patches.patches_folder(), 4)
    beside = patches.patches_folder() / "beside.txt"
    beside.write_text("the user's own")
    run, interrupted = finished_run("done", 3_000_000), finished_run("half", 1_000_000, "stopped")
    assert bpy.ops.footfall.empty_cache.poll()
    message = cache.clear_cache(bpy.context)
    assert "Data sets of finished training runs: 3.0 MB" in message and "Terrain patches: " in message, message
    assert not patches.have_patches() and mine.exists() and beside.exists()
    assert run.model_path.exists() and (run.dataset_path / "sources.json").exists(), "the panel shows it"
    assert (interrupted.dataset_path / "samples.npy").exists(), "it can be resumed"
    assert not bpy.ops.footfall.empty_cache.poll()


def test_nothing_is_emptied_while_a_run_is_at_work(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    own = preferences
    own.cache_folder, own.runs_folder = str(tmp_path / "cache 2"), str(tmp_path / "runs 2")
    finished_run("done", 1000)
    finished_run("at work", 1000, "running")
    assert not bpy.ops.footfall.empty_cache.poll()


def test_patches_of_a_studio_are_not_ours_to_remove(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    own = preferences
    own.cache_folder, own.runs_folder = str(tmp_path / "cache 3"), str(tmp_path / "runs 3")
    own.terrain_patches_folder = str(tmp_path / "studio 3")
    build_patches(patches.patches_folder(), 2)
    runs.poll_runs(time.time())
    assert not bpy.ops.footfall.empty_cache.poll() and patches.have_patches()


def test_the_trainer_is_told_how_many_threads(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    own = preferences
    assert thread_arguments() == [], "all of them"
    own.threads = 3
    own.runs_folder = str(tmp_path / "runs 4")
    told = tmp_path / "told.txt"
    if os.name != "posix":
        return
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" > "{told}"\n')
    python.chmod(0o755)
    folder = RunFolder(runs_folder() / "walker")
    folder.path.mkdir(parents=True)
    runs.launch(python, folder, ["--clips", "a.bvh"])
    until = time.monotonic() + 20
    while not told.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert told.read_text().split()[2:] == ["train", "--jobs", "3", "--set", "threads=3", "--clips", "a.bvh"]


def test_a_folder_is_shown(
    preferences: bpy.types.AddonPreferences, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = preferences
    told, program = tmp_path / "told.txt", tmp_path / "xdg-open"  # the system's file browser
    program.write_text(f'#!/bin/sh\necho "$1" >> "{told}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    own.cache_folder = str(tmp_path / "shown")
    assert bpy.ops.footfall.open_folder(folder="CACHE") == {"FINISHED"}
    assert (tmp_path / "shown").is_dir(), "made, or there would be nothing to show"
    if sys.platform == "linux":
        assert told.read_text().split() == [str(tmp_path / "shown")]


def test_everything_is_on_the_page(preferences: bpy.types.AddonPreferences) -> None:
    own = preferences
    layout = Layout()
    type(own).draw(SimplePage(own, layout), bpy.context)
    assert {"<runs_folder>", "<cache_folder>", "<terrain_patches_folder>", "<threads>", "[Empty Cache]"} <= set(
        layout.seen
    )
    assert {"<training_python>", "[Check Setup]"} <= set(layout.seen)


class SimplePage:
    """The preferences with a layout that writes down what is drawn."""

    def __init__(self, own: bpy.types.AddonPreferences, layout: Layout) -> None:
        self.own, self.layout = own, layout

    def __getattr__(self, name: str):
        return getattr(self.own, name)
