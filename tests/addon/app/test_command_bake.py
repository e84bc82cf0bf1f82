"""The command bake."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.app.command_line.saving import require_complete
from footfall.core.evaluation.quality import FAILING_VERDICTS
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.command_call import called
from footfall.tests.addon.support.killed_bake import MOMENTS
from footfall.tests.addon.support.scenes import add_box, add_curve
from footfall.tests.faults.small_disk import can_mount, empty, fill, small_disk

pytestmark = needs_clips
WALLS = tuple(((x, y - 4, 1), (2.2 - 2 * abs(x), 2.2 - 2 * abs(y), 2)) for x, y in ((0, 1), (0, -1), (-1, 0), (1, 0)))
"""Places and sizes of what stands about (0, -4), on all sides."""


def character(statue: Path, name: str, length: float = 2.0) -> bpy.types.Object:
    """A statue with a way to go."""
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    armature = bpy.context.object
    armature.name = name
    armature.footfall.path = add_curve("POLY", [(0, 0, 0), (length, 0, 0)], name=f"Way of {name}")
    return armature


def saved_shot(tmp_path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))


def left_behind(tmp_path: Path) -> list[Path]:
    return list(tmp_path.glob(".*.part*"))


@pytest.mark.skipif(not can_mount(), reason="this process may not mount a small disk")
@pytest.mark.parametrize("free", [0, 4096, 1 << 15])
def test_a_bake_on_a_full_disk_leaves_the_file(free: int, tmp_path: Path, statue: Path) -> None:
    character(statue, "Hero")
    disk = tmp_path / "disk"
    with small_disk(disk, 16 << 20):
        saved_shot(disk)
        before = (disk / "shot.blend").read_bytes()
        fill(disk, free)
        code, told, _ = called("bake", "--all", "--save")
        assert code == 1 and "could not be saved" in told["errors"][0], told
        assert (disk / "shot.blend").read_bytes() == before and not left_behind(disk)
        empty(disk)
        code, told, _ = called("bake", "--all", "--save")
        assert code == 0, told
        assert (disk / "shot.blend").read_bytes() != before and not left_behind(disk)


@pytest.mark.parametrize("compress", [False, True])
def test_a_saved_file_of_which_a_part_was_written_is_noticed(compress: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=compress)
    require_complete(path)
    whole = path.read_bytes()
    for size in (0, 4096, len(whole) - 100):
        path.write_bytes(whole[:size])
        with pytest.raises(RuntimeError, match="No space left"):
            require_complete(path)


def test_bakes_all_that_have_a_path_and_saves_another_file(tmp_path: Path, statue: Path) -> None:
    character(statue, "Hero")
    character(statue, "Extra", 3.0)
    character(statue, "Idler").footfall.path = None
    saved_shot(tmp_path)
    before = (tmp_path / "shot.blend").read_bytes()
    code, told, _ = called("bake", "--all", "--out", tmp_path / "out.blend")
    assert (code, told["exit_code"], told["command"], told["errors"]) == (0, 0, "bake", []), told
    assert (told["file"], told["saved"]) == (str(tmp_path / "shot.blend"), str(tmp_path / "out.blend")) and told[
        "blender"
    ] == bpy.app.version_string
    assert [item["object"] for item in told["items"]] == ["Extra", "Hero"]
    extra, hero = told["items"]
    assert extra["frames"] > hero["frames"] > 24 and hero["status"] == "done" and hero["seconds"] > 0
    assert (hero["speed"], hero["seed"], hero["path"], hero["controller"]) == (1.2, 0, "Way of Hero", "statue")
    assert hero["likeness"]["joint_speed_max_rad_s"].keys() == {
        *("value", "low", "high", "unit", "frame", "speed_m_s", "finding")
    }
    path = hero["quality"]["path_deviation"]
    assert path["unit"] == "cm" and 0 <= path["mean"] <= path["worst"], path
    assert (
        (tmp_path / "shot.blend").read_bytes() == before
        and bpy.data.filepath == str(tmp_path / "shot.blend")
        and not left_behind(tmp_path)
    )
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    for item in told["items"]:
        armature = bpy.data.objects[item["object"]]
        assert armature.animation_data.action.name == item["action"]
        _, first = read_action(armature, armature.animation_data.action, bpy.context.scene)
        assert first == item["first_frame"]
    assert bpy.data.objects["Idler"].animation_data is None


def test_what_is_given_takes_the_place_of_what_is_stored_and_is_stored(tmp_path: Path, statue: Path) -> None:
    hero = character(statue, "Hero")
    add_curve("POLY", [(0, 5, 0), (4, 5, 0)], name="Other")
    bpy.context.scene.frame_set(7)
    saved_shot(tmp_path)
    other = ("--path", "Other", "--speed", "1.6", "--seed", "3", "--start", "101", "--controller", str(statue))
    other += ("--responsiveness", "0.75")
    code, told, _ = called("bake", "--object", "Hero", *other, "--save")
    assert code == 0 and told["saved"] == str(tmp_path / "shot.blend"), told
    (item,) = told["items"]
    assert (item["path"], item["speed"], item["seed"], item["first_frame"]) == ("Other", 1.6, 3, 101)
    assert hero.footfall.responsiveness == 0.75
    clip, _ = read_action(hero, hero.animation_data.action, bpy.context.scene)
    assert np.linalg.norm(clip.positions[-1, 0, :2] - (4, 5)) < 0.6
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    hero = bpy.data.objects["Hero"]
    bpy.context.view_layer.objects.active = hero
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    again, first = read_action(hero, hero.animation_data.action, bpy.context.scene)
    assert first == 101
    np.testing.assert_array_equal(again.positions, clip.positions)


def test_frames_of_an_action_start_where_it_is_said(statue: Path) -> None:
    hero = character(statue, "Hero")
    called("bake", "--object", "Hero")
    output = hero.footfall.output
    output.destination, output.frame_end = "RANGE", 60
    code, told, words = called("bake", "--object", "Hero", "--start", "30")
    assert code == 0 and "nothing was saved" in words and told["saved"] is None
    assert (told["items"][0]["first_frame"], told["items"][0]["last_frame"], output.frame_start) == (30, 60, 30)


def test_characters_make_way_for_each_other(tmp_path: Path, statue: Path) -> None:
    hero, extra = character(statue, "Hero", 4.0), character(statue, "Extra", 4.0)
    hero.footfall.controller = extra.footfall.controller = "preset:locomotion"  # statues on wheels cannot steer
    extra.footfall.path.location, extra.footfall.path.rotation_euler = (4.0, 0.0, 0.0), (0.0, 0.0, np.pi)
    bpy.context.view_layer.update()
    code, told, _ = called("bake", "--all", "--crowd", "--out", tmp_path / "out.blend")
    assert code == 0 and told["saved"] == str(tmp_path / "out.blend"), told
    assert [(item["object"], item["status"]) for item in told["items"]] == [("Extra", "done"), ("Hero", "done")]
    ways = [read_action(one, one.animation_data.action, bpy.context.scene)[0].positions[:, 0] for one in (hero, extra)]
    count = min(map(len, ways))
    assert np.linalg.norm(ways[0][:count] - ways[1][:count], axis=1).min() > 0.3, "though they come from opposite ends"
    hero.footfall.seed, kept = 5, hero.animation_data.action
    code, told, _ = called("bake", "--object", "Hero", "Nobody", "--crowd", "--seed", "9")
    assert code == 1 and told["items"] == [] and "no armature 'Nobody'" in told["errors"][0]
    assert hero.footfall.seed == 5 and hero.animation_data.action == kept


def test_what_fails_is_told_and_left_as_it_was(tmp_path: Path, statue: Path) -> None:
    hero, short = character(statue, "Hero"), character(statue, "Short", 0.01)
    short.footfall.seed = 5
    saved_shot(tmp_path)
    code, told, words = called("bake", "--object", "Short", "Nobody", "Hero", "--seed", "9", "--save")
    assert (code, told["exit_code"]) == (1, 1) and told["saved"] == str(tmp_path / "shot.blend"), "the others are baked"
    assert [item["status"] for item in told["items"]] == ["failed", "failed", "done"]
    assert (
        "draw a longer curve" in told["items"][0]["error"]
        and told["errors"][0] == f"Short: {told['items'][0]['error']}"
    )
    assert "There is no armature 'Nobody'" in told["errors"][1] and f"footfall: {told['errors'][1]}" in words
    assert (short.footfall.seed, hero.footfall.seed) == (5, 9)


def test_nothing_is_begun_that_could_not_be_saved(tmp_path: Path, statue: Path) -> None:
    hero = character(statue, "Hero")
    for arguments, words in (
        (("--save",), "No file is open"),
        (("--out", tmp_path / "none" / "out.blend"), "There is no folder"),
        (("--out", tmp_path / "out.txt"), "is not a Blender file"),
    ):
        code, told, _ = called("bake", "--all", *arguments)
        assert code == 1 and words in told["errors"][0] and told["items"] == [], told
    assert hero.animation_data is None
    bpy.data.objects.remove(hero)
    code, told, _ = called("bake", "--all")
    assert code == 1 and "check that the file named" in told["errors"][0]


@pytest.mark.parametrize(
    "arguments",
    (
        ("bake",),
        ("bake", "--all", "--object", "Hero"),
        ("bake", "--all", "--speed", "99"),
        ("bake", "--all", "--seed", "-1"),
        ("bake", "--all", "--save", "--out", "out.blend"),
        ("bake", "--all", "--interactions", "--speed", "1"),
        ("bake", "--all", "--interactions", "--crowd"),
        ("bake", "--all", "--obj", "Hero"),
        ("label",),
        ("fit-terrain", "--all"),
        ("train", "--style", "sneak"),
        ("train", "--resume", "run", "--all"),
        ("dance",),
    ),
)
def test_wrong_usage(statue: Path, arguments: tuple[str, ...]) -> None:
    hero = character(statue, "Hero")
    assert called(*arguments)[0] == 2
    assert hero.animation_data is None


@pytest.mark.parametrize(("number", "code"), ((signal.SIGTERM, 143), (signal.SIGINT, 130)))
def test_an_interrupted_bake_leaves_the_file_as_it_was(tmp_path: Path, statue: Path, number: int, code: int) -> None:
    character(statue, "Early", 1.0)
    character(statue, "Late", 300.0)
    saved_shot(tmp_path)
    before = (tmp_path / "shot.blend").read_bytes()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def interrupt(number: int) -> None:
        while "Early: Baked" not in sys.stdout.getvalue():  # then Late is at work
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    with contextlib.redirect_stdout(io.StringIO()):
        killer = threading.Thread(target=interrupt, args=(number,))
        killer.start()
        got, told, words = called("bake", "--all", "--save")
    killer.join()
    assert got == told["exit_code"] == code, (got, told)
    assert [item["status"] for item in told["items"]] == ["done", "interrupted"] and told["saved"] is None
    assert f"Interrupted by {signal.Signals(number).name}" in words
    assert (tmp_path / "shot.blend").read_bytes() == before and not left_behind(tmp_path)
    assert bpy.data.objects["Late"].animation_data is None
    assert {number: signal.getsignal(number) for number in usual} == usual


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_bake_leaves_the_old_file_or_the_new_one(moment: str, tmp_path: Path, statue: Path) -> None:
    character(statue, "Hero")
    saved_shot(tmp_path)
    file = tmp_path / "shot.blend"
    before = file.read_bytes()
    command = [sys.executable, "-P", "-m", "footfall.tests.addon.support.killed_bake", str(file), moment]
    child = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert child.returncode == -signal.SIGKILL, child.stderr
    assert (file.read_bytes() == before) == (moment != "moved")
    require_complete(file)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    assert (bpy.data.objects["Hero"].animation_data is not None) == (moment == "moved")
    code, told, _ = called("bake", "--all", "--save")
    assert code == 0 and told["saved"] == str(file), told
    assert not left_behind(tmp_path)


def actor(puppet: Path, statue: Path, **errand: Any) -> bpy.types.Object:
    """A character with an errand."""
    bpy.context.scene.render.fps = 60
    armature = character(statue, "Hero")
    armature.footfall.path, armature.footfall.interaction_controller_file = None, str(puppet)
    item = armature.footfall.interaction_tasks.add()
    for name, value in errand.items():
        setattr(item, name, value)
    return armature


def test_errands_are_baked(puppet: Path, statue: Path) -> None:
    seat = add_box("Stool", (0, -2, 0.225), (0.45, 0.45, 0.45))
    bpy.context.view_layer.update()
    hero = actor(puppet, statue, type="sit", object=seat, duration=0.5)
    code, told, _ = called("bake", "--all")
    assert code == 0 and told["items"][0]["status"] == "done", "its beats are its shot"
    code, told, _ = called("bake", "--all", "--interactions")
    (item,) = told["items"]
    assert (code, item["skipped_tasks"], item["action"]) == (0, [], hero.animation_data.action.name), told
    assert {"name", "hips_cm", "hands_cm", "feet_cm"} <= set(item["passes"][0][0])
    assert item["quality"]["foot_sliding"]["unit"] == "cm/s" and "path_deviation" not in item["quality"]
    code, told, _ = called("bake", "--all", "--interactions", "--controller", statue)
    assert (
        code == 1
        and "only walk along paths" in told["errors"][0]
        and hero.footfall.interaction_controller_file == str(puppet)
    )


def test_an_errand_that_is_given_up_is_a_failure_but_baked(tmp_path: Path, puppet: Path, statue: Path) -> None:
    place = bpy.data.objects.new("Place", None)
    place.location = (0.0, -4.0, 0.0)
    bpy.context.collection.objects.link(place)
    for number, (at, size) in enumerate(WALLS):
        add_box(f"Wall {number}", at, size)
    bpy.context.view_layer.update()
    hero = actor(puppet, statue, type="walk", target=place)
    code, told, _ = called("bake", "--object", "Hero", "--interactions", "--out", tmp_path / "out.blend")
    (item,) = told["items"]
    assert (code, item["status"], item["skipped_tasks"]) == (1, "failed", [1]), told
    assert "was skipped" in item["error"] and hero.animation_data.action.name == item["action"]
    assert told["saved"] == str(tmp_path / "out.blend")


def test_a_mark_that_is_missed_is_a_failure_but_baked(statue: Path) -> None:
    hero = character(statue, "Hero")
    hero.footfall.path = None
    for frame, at in ((60, (2.0, 0.0, 0.0)), (70, (9.0, 0.0, 0.0))):
        mark = hero.footfall.waypoints.add()
        mark.frame, mark.empty = frame, bpy.data.objects.new(f"Mark {frame}", None)
        mark.empty.location = at
        bpy.context.collection.objects.link(mark.empty)
    bpy.context.view_layer.update()
    code, told, _ = called("bake", "--all")
    (item,) = told["items"]
    assert (code, item["status"], item["path"]) == (1, "failed", "Waypoints"), told
    assert [(mark["empty"], mark["frame"]) for mark in item["waypoints"]] == [("Mark 60", 60), ("Mark 70", 70)]
    assert item["waypoints"][1]["missed"] and "Waypoint 'Mark 70' at frame 70: " in item["error"]
    assert hero.animation_data.action.name == item["action"]


def test_a_bake_fails_on_a_verdict_on_demand(statue: Path) -> None:
    character(statue, "Hero")
    for fail_on, failing in FAILING_VERDICTS.items():
        code, told, _ = called("bake", "--object", "Hero", "--fail-on", fail_on)
        (item,) = told["items"]
        failed = [measure for measure, row in item["quality"].items() if row["verdict"] in failing]
        assert code == int(bool(failed)), told
        assert all(measure.replace("_", " ") in item["error"] for measure in failed)
        assert item["action"] == bpy.data.objects["Hero"].animation_data.action.name, "it is baked"
