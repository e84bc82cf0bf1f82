"""Scenes for interactions: what a file says, and one sentence for what it cannot say."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.cli.scene_file import ACTION_FIELDS, read_scene
from footfall.core.actions import motion_of
from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS

CRATE = {"name": "Crate", "size": [0.4, 0.3, 0.2], "position": [1, 2]}
TABLE = {"name": "Table", "size": [1, 1, 0.7]}
CARRY = {"action": "carry", "object": "Crate", "target": "Table"}


def write(folder: Path, **parts: Any) -> Path:
    file = folder / "scene.json"
    file.write_text(json.dumps(parts), encoding="utf-8")
    return file


def refusal(file: Path) -> str:
    with pytest.raises(FootfallError) as refused:
        read_scene(file)
    assert str(file) in str(refused.value)
    return str(refused.value)


def test_a_scene_has_start_objects_and_tasks(tmp_path: Path) -> None:
    start = {"position": [0, -3], "direction": 90}
    scene = read_scene(write(tmp_path, character=start, objects=[CRATE, TABLE], tasks=[CARRY]))
    assert scene.position.tolist() == [0.0, -3.0] and scene.yaw == pytest.approx(math.pi / 2)
    crate, table = scene.objects
    assert (crate.name, crate.position.tolist(), table.position.tolist()) == ("Crate", [1, 2, 0], [0, 0, 0])
    vertices, _ = crate.mesh
    np.testing.assert_allclose(vertices.min(axis=0), [-0.2, -0.15, 0.0])
    np.testing.assert_allclose(vertices.max(axis=0), [0.2, 0.15, 0.2])
    (task,) = scene.tasks
    assert (task.action, task.object_name, task.target, task.yaw) == ("carry", "Crate", "Table", None)


def test_a_file_of_an_object_lies_beside_the_scene_and_is_scaled(tmp_path: Path) -> None:
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    listed = [{"name": "flat", "file": "flat.obj", "scale": 2}]
    scene = read_scene(write(tmp_path, objects=listed, tasks=[{"action": "idle"}]))
    np.testing.assert_allclose(scene.objects[0].mesh[0], [[0, 0, 0], [2, 0, 0], [0, 0, 2]])


def test_every_action_that_is_known_can_be_written_but_for_climbing() -> None:
    assert set(ACTION_FIELDS) == set(ACTION_SPECS) - {"mount"}
    assert {motion_of(name) for name in ACTION_FIELDS} <= set(ACTIONS)
    for action, fields in ACTION_FIELDS.items():
        assert ("object" in fields) == ACTION_SPECS[action].needs_object


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"task": []}, "the scene: unknown field 'task', not one of character, objects, tasks"),
        ({"tasks": []}, "the scene: no tasks: write at least one"),
        ({"tasks": {}}, "the scene: 'tasks' has a value of the wrong type"),
        ({"character": {"position": [1]}}, "the character: a position is x, y or x, y, z in meters"),
        ({"character": {"position": [1e9, 0]}}, "the character: a position is x, y or x, y, z in meters"),
        ({"objects": [{"size": [1, 1, 1]}]}, "object 1: 'name' is missing"),
        ({"objects": [CRATE, CRATE]}, "object 2: 'name' is missing, or another object has the same one"),
        ({"objects": [{"name": "a"}]}, "object 1: give either 'file', a mesh, or 'size'"),
        ({"objects": [{"name": "a", "size": [1, 0, 1]}]}, "object 1: 'size' has to be above zero"),
        ({"objects": [{"name": "a", "size": [1, 1]}]}, "object 1: 'size' has a value of the wrong type"),
        ({"objects": [CRATE | {"scale": 0}]}, "object 1: 'scale' has to be above zero"),
        ({"objects": [CRATE | {"scale": 1e9}]}, "object 1: the object is too large"),
        ({"objects": [CRATE | {"opens": "up"}]}, "object 1: 'opens' is not one of both, front, back"),
        ({"objects": [{"name": "a", "file": "none.obj"}]}, "cannot be read: No such file"),
        ({"tasks": [{"action": "fly"}]}, "task 1: 'action' is not one of walk, run"),
        ({"tasks": [{"action": "sit"}]}, "task 1: 'sit' needs 'object'"),
        ({"tasks": [{"action": "walk"}]}, "task 1: 'walk' needs 'target'"),
        ({"tasks": [{"action": "idle", "target": [0, 0]}]}, "task 1: 'idle' has no 'target'"),
        ({"tasks": [{"action": "idle", "duration": -1}]}, "task 1: 'duration' is below zero"),
        ({"tasks": [{"action": "idle", "duration": 100_000}]}, "task 1: 'duration' is over 3600 s"),
        ({"tasks": [{"action": "walk", "target": [9000, 0]}]}, "task 1: more than 100 m from the start"),
        ({"tasks": [{"action": "sit", "object": "Chair"}]}, "task 1: there is no object 'Chair'"),
        ({"objects": [TABLE], "tasks": [{"action": "walk", "target": "Table"}]}, "task 1: 'target' must be a position"),
        ({"objects": [CRATE], "tasks": [CARRY]}, "task 1: there is no object 'Table'"),
    ],
)
def test_what_is_wrong_is_one_sentence_that_says_where(tmp_path: Path, parts: dict[str, Any], sentence: str) -> None:
    file = write(tmp_path, **({"tasks": [{"action": "idle"}]} | parts))
    if "none.obj" in str(parts):
        with pytest.raises(FootfallError, match=sentence):
            read_scene(file)
    else:
        assert sentence in refusal(file)


def test_files_that_hold_no_scene_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "broken.json").write_text("{")
    assert "the text does not contain a JSON object" in refusal(tmp_path / "list.json")
    assert "cannot be used" in refusal(tmp_path / "broken.json")
    assert "cannot be read: No such file" in refusal(tmp_path / "missing.json")
