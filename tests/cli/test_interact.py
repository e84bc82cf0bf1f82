"""``interact``: from a scene of objects and tasks to a motion, the motion of the objects and a report."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.cli import main
from footfall.cli.interact import SHIPPED_CONTROLLER, require_all_done
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh
from footfall.core.rig.clip_file import read_clip

CRATE = {"name": "Crate", "size": [0.35, 0.3, 0.3], "position": [0, 2, 0.6]}
STAND = {"name": "Stand", "size": [0.5, 0.5, 0.6], "position": [0, 2]}
TABLE = {"name": "Table", "size": [1.2, 0.6, 0.7], "position": [2, 2.5]}
POST = {"name": "Post", "size": [0.1, 0.1, 1.5], "position": [5, 5]}
DOOR = {"name": "Door", "size": [0.9, 0.045, 2.0], "position": [0, 2]}
ROCKER = {"name": "Rocking Chair", "size": [0.5, 0.5, 0.45], "position": [-3, 2]}
SLIDER = DOOR | {"name": "Sliding Door", "position": [-6, 2]}


def perform(folder: Path, capsys: pytest.CaptureFixture[str], *options: str, **scene: Any) -> tuple[dict, Clip]:
    """The report and the motion of a scene whose tasks are all done."""
    (folder / "scene.json").write_text(json.dumps(scene), encoding="utf-8")
    out = folder / "take.bvh"
    assert main(["interact", "--scene", str(folder / "scene.json"), "--out", str(out), "--json", *options]) == 0
    document = json.loads(capsys.readouterr().out)
    assert all(one["status"] == "done" for one in document["tasks"])
    clip = read_clip(out)
    assert len(clip) == document["frames"]
    return document, clip


def tracks(document: dict) -> dict[str, np.ndarray]:
    """Positions (F, 3) of each object that moves."""
    with Path(document["objects"]).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = {row["object"] for row in rows}
    found = {
        name: np.array([[float(row[axis]) for axis in "xyz"] for row in rows if row["object"] == name])
        for name in names
    }
    assert all(len(track) == document["frames"] for track in found.values())
    return found


def test_a_crate_is_carried_onto_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = {"action": "carry", "object": "Crate", "target": "Table"}
    document, _ = perform(tmp_path, capsys, objects=[CRATE, STAND, TABLE], tasks=[task])
    moved = tracks(document)
    assert set(moved) == {"Crate"} == set(document["moved_objects"])
    np.testing.assert_allclose(moved["Crate"][0], CRATE["position"], atol=1e-5)
    last = moved["Crate"][-1]
    assert last[2] == pytest.approx(0.702, abs=0.01), "on the table"
    assert abs(last[0] - 2.0) < 0.6 and abs(last[1] - 2.5) < 0.3
    assert set(document["quality"]) >= {"foot_sliding", "jitter", "ground_penetration"}
    (of_task,) = document["passes"]
    passes = {one["name"]: one for one in of_task}
    assert next(iter(passes)) == "soften_pushes" and len(passes) == len(of_task) > 10
    for one in passes.values():
        for part in ("hips_cm", "hands_cm", "feet_cm"):
            mean, most = one[part]
            assert 0.0 <= mean <= most < 100.0, one
    assert passes["solve_contacts"]["hands_cm"][1] > 0.5, "its hands come to the crate"
    assert passes["steady_elbows"]["hands_cm"][1] < 0.01, "hands stay as elbows move"


def test_a_door_swings_while_a_character_goes_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document, clip = perform(tmp_path, capsys, objects=[DOOR], tasks=[{"action": "open", "object": "Door"}])
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    assert hips[0, 1] < 0.5 and hips[-1, 1] > 2.3, "from one side to the other"
    door = tracks(document)["Door"]
    assert np.linalg.norm(door - door[0], axis=1).max() > 0.3, "its origin goes about the hinge"


@pytest.mark.slow
def test_a_character_sits_on_a_real_chair(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(shared_data / "objects" / "chairs" / "kenney_chair.glb")
    chair = {"name": "Chair", "file": file, "scale": 0.66, "position": [0, 1.5], "rotation": 20}
    task = {"action": "sit", "object": "Chair", "duration": 1}
    document, clip = perform(tmp_path, capsys, objects=[chair], tasks=[task])
    hips = clip.positions[-1, clip.skeleton.joint("hips")]
    assert np.linalg.norm(hips[:2] - [0.0, 1.5]) < 0.3 and 0.4 < hips[2] < 0.75
    assert document["objects"] is None, "nothing moves"


def test_another_skeleton_comes_to_the_place_in_its_own_meters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skeleton = load_model(SHIPPED_CONTROLLER).skeleton
    half = replace(skeleton, offsets=skeleton.offsets / 2, tips=skeleton.tips / 2)
    rotations = np.zeros((2, len(half), 4))
    rotations[..., 0] = 1.0
    write_bvh(tmp_path / "child.bvh", Clip(half, 60.0, np.array([[0.0, 0.0, 0.5]] * 2), rotations, "child"))
    walk = {"action": "walk", "target": [0, 2]}
    _, clip = perform(tmp_path, capsys, "--onto", str(tmp_path / "child.bvh"), tasks=[walk])
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    assert np.linalg.norm(hips[-1, :2] - [0.0, 2.0]) < 0.4
    assert hips[:, 2].max() < 0.7


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        ({"action": "sit", "object": "Post"}, "'Post' has no seat"),
        ({"action": "carry", "object": "Crate", "target": "Crate"}, "'Crate' cannot be put on itself"),
        ({"action": "push", "object": "Crate", "target": [0, 5]}, "'Crate' does not stand on the floor"),
        ({"action": "lie", "target": [0, 2]}, "leaves no room to lie down"),
        (
            {"action": "sit", "object": "Rocking Chair"},
            "'Rocking Chair' is named like a seat that rocks or swings, but seats must stay still",
        ),
        (
            {"action": "open", "object": "Sliding Door"},
            "'Sliding Door' is named like a sliding door, but only hinged doors can be opened",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], task: dict, sentence: str
) -> None:
    (tmp_path / "scene.json").write_text(json.dumps({"objects": [CRATE, STAND, POST, ROCKER, SLIDER], "tasks": [task]}))
    out = tmp_path / "take.bvh"
    assert main(["interact", "--scene", str(tmp_path / "scene.json"), "--out", str(out)]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("footfall: ") and sentence in said and not out.exists()


def test_skipped_tasks_are_named() -> None:
    done, skipped = {"status": "done"}, {"status": "skipped"}
    require_all_done([done, done])
    with pytest.raises(FootfallError, match="Task 2 was skipped"):
        require_all_done([done, skipped])
