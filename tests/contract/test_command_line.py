"""``blender --command footfall``: see in_blender/command_line*.py, and the whole command in processes of its own."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

IN_BLENDER = Path(__file__).with_name("in_blender")
WALK = "mocap/cmu_asfamc/walk/02_01.bvh"
SHOT = IN_BLENDER / "command_line_shot.py"
COMMAND = IN_BLENDER / "command_line_process.py"


@pytest.fixture
def shot(blender, shared_data: Path, tmp_path: Path) -> Path:
    """A file with two characters, *Hero* and *Extra*, and their paths."""
    blender(SHOT, shared_data / WALK, tmp_path)
    return tmp_path / "shot.blend"


@pytest.mark.slow
def test_bakes(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "command_line.py", shared_data / WALK)


@pytest.mark.slow
def test_labels_fits_terrain_and_refuses_to_train(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "command_line_actions.py", shared_data / WALK)


def test_objects_under_clips(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "command_line_fit.py", shared_data / "mocap/cmu_asfamc/sit/14_31.bvh", shared_data / WALK)


def document(output: str) -> dict[str, Any]:
    """The only line of a command's standard output."""
    _, _, printed = output.partition("what the command prints:\n")
    (line,) = printed.splitlines()
    return json.loads(line)


def test_the_standard_output_has_the_json_and_nothing_else(blender, shot: Path) -> None:
    child = blender(COMMAND, shot, "bake", "--all", "--save", "--json")
    told = document(child.stdout)
    assert (told["exit_code"], told["errors"], told["file"], told["saved"]) == (0, [], str(shot), str(shot))
    assert [item["object"] for item in told["items"]] == ["Extra", "Hero"]
    assert "Hero: Baked " in child.stderr and "printed by another add-on" in child.stderr
    again = document(blender(COMMAND, shot, "bake", "--object", "Hero", "--json").stdout)
    assert again["items"][0]["action"] == told["items"][1]["action"], "the saved file is whole, and bakes again"


def test_without_json_a_person_reads_a_line_for_each_item(blender, shot: Path) -> None:
    child = blender(COMMAND, shot, "bake", "--object", "Hero", "Nobody", check=False)
    assert child.returncode == 1
    assert child.stdout.splitlines()[-1].startswith("Hero: Baked ")
    assert "footfall: Nobody: There is no armature 'Nobody' in scene 'Scene'; there is Extra, Hero" in child.stderr
    assert "footfall: nothing is saved" in child.stderr


def test_wrong_usage_is_told_before_anything_is_done(blender, shot: Path) -> None:
    child = blender(COMMAND, shot, "bake", "--everything", check=False)
    assert child.returncode == 2 and child.stdout.endswith("what the command prints:\n")
    assert "one of the arguments --object --all is required" in child.stderr


@pytest.mark.slow
def test_trains_stops_and_goes_on(blender, shared_data: Path) -> None:
    pytest.importorskip("torch", reason="training needs torch")
    blender(IN_BLENDER / "command_line_train.py", shared_data / WALK, sys.executable)
