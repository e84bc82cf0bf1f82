"""``blender --command footfall`` in processes of its own; `tests/addon/app` has what it does, command by command."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

WALK = "mocap/cmu_asfamc/walk/02_01.bvh"
SHOT = Path(__file__).with_name("command_shot.py")
COMMAND = Path(__file__).with_name("command_process.py")


@pytest.fixture
def shot(blender, shared_data: Path, tmp_path: Path) -> Path:
    """A file with two characters, *Hero* and *Extra*, and their paths."""
    blender(SHOT, shared_data / WALK, tmp_path)
    return tmp_path / "shot.blend"


def document(output: str) -> dict[str, Any]:
    """The only line of a command's standard output."""
    _, _, printed = output.partition("what the command prints:\n")
    (line,) = printed.splitlines()
    return json.loads(line)


@pytest.mark.every_blender
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
    assert (
        "footfall: Nobody: There is no armature 'Nobody' in the scene 'Scene', which contains Extra, Hero"
        in child.stderr
    )
    assert "footfall: nothing was saved" in child.stderr


def test_wrong_usage_is_told_before_anything_is_done(blender, shot: Path) -> None:
    child = blender(COMMAND, shot, "bake", "--everything", check=False)
    assert child.returncode == 2 and child.stdout.endswith("what the command prints:\n")
    assert "one of the arguments --object --all is required" in child.stderr


@pytest.mark.slow
def test_trains_stops_and_goes_on(blender, shared_data: Path) -> None:
    pytest.importorskip("torch", reason="training needs torch")
    blender(Path(__file__).with_name("command_train.py"), shared_data / WALK, sys.executable)
