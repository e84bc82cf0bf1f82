"""``shot``: stairs, a seat on a landing and a door, from one file to one motion with its tables and its report."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.rig.clip_file import read_clip

STEPS = [{"size": [3.0, 6.2 - 0.6 * step, 0.17 * (step + 1)], "position": [0, 5.0]} for step in range(3)]
GROUND = [{"size": [40, 40, 1], "position": [0, 0, -1]}, *STEPS]
STOOL = {"name": "Stool", "size": [0.45, 0.45, 0.45], "position": [-0.9, 5.0, 0.51]}
DOOR = {"name": "Door", "size": [0.9, 0.045, 2.0], "position": [0, 10.5]}
UP = {"action": "walk", "path": [[0, 0], [0.2, 1], [0, 2]]}
SIT = {"action": "sit", "object": "Stool", "duration": 1}
BALL = {"name": "Ball", "position": [0.1, 0.9]}
PUNCH = {"action": "strike", "target": [0.1, 0.7, 1.3], "effector": "hand.L"}
FIGHT = {"action": "fight", "partner": "Bo"}
ADA = {
    "name": "Ada",
    "beats": [
        UP,
        SIT,
        {"action": "idle", "duration": 1},
        {"action": "walk", "path": [[0, 7], [0, 8.5]]},
        {"action": "open", "object": "Door"},
        {"action": "walk", "target": [0, 13]},
    ],
}


def bake(folder: Path, *characters: dict[str, Any], **scene: Any) -> int:
    document = {"ground": GROUND, "objects": [STOOL, DOOR], "characters": list(characters), **scene}
    (folder / "shot.json").write_text(json.dumps(document), encoding="utf-8")
    files = ["--scene", str(folder / "shot.json"), "--out", str(folder / "out"), "--json", str(folder / "report.json")]
    return main(["shot", *files])


@pytest.mark.slow
@pytest.mark.all_only("shots are tested in tests/core")
def test_one_character_climbs_sits_and_leaves_by_the_door(tmp_path: Path) -> None:
    assert bake(tmp_path, ADA) == 0
    (report,) = json.loads((tmp_path / "report.json").read_text())["characters"]
    clip = read_clip(tmp_path / "out" / "Ada.bvh")
    assert [one["status"] for one in report["beats"]] == ["done"] * 6
    assert len(clip) == report["frames"] and len(report["seams"]) == 4
    assert max(one["largest_step_cm"] for one in report["seams"]) < 12.0
    with (tmp_path / "out" / "Ada.beats.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["action"] for row in rows] == ["walk", "sit", "idle", "walk", "open", "walk"]
    assert rows[0]["first_frame"] == "0" and int(rows[-1]["last_frame"]) == len(clip) - 1
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    sits = hips[int(rows[2]["first_frame"]) + 10]
    assert np.linalg.norm(sits[:2] - STOOL["position"][:2]) < 0.1 and 1.0 < sits[2] < 1.3
    assert np.linalg.norm(hips[-1, :2] - [0.0, 13.0]) < 0.3 and hips[-1, 2] < 1.1
    with (tmp_path / "out" / "objects.csv").open(encoding="utf-8") as file:
        assert {row["object"] for row in csv.DictReader(file)} == {"Door"}


def test_a_walk_begins_and_arrives_at_its_frames(tmp_path: Path) -> None:
    walk = {"action": "walk", "target": [0, 1.8], "start_frame": 60, "end_frame": 300}
    assert bake(tmp_path, {"name": "Ada", "beats": [walk]}) == 0
    clip = read_clip(tmp_path / "out" / "Ada.bvh")
    hips = clip.positions[:, clip.skeleton.joint("hips"), :2]
    assert np.linalg.norm(hips[50] - hips[0]) < 0.1
    assert np.flatnonzero(np.linalg.norm(hips - [0.0, 1.8], axis=1) < 0.1)[0] == pytest.approx(300, abs=25)


def test_a_beat_that_cannot_be_done_is_told_and_the_rest_is_baked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    carry = {"action": "carry", "object": "Door", "target": [1, 1]}
    assert bake(tmp_path, {"name": "Ada", "beats": [UP]}, objects=[STOOL, DOOR]) == 0
    assert bake(tmp_path, {"name": "Bo", "beats": [carry, UP]}) == 1
    assert "'Door'" in capsys.readouterr().err


def test_a_strike_is_told_with_its_frame_and_its_distance_from_the_target(tmp_path: Path) -> None:
    assert bake(tmp_path, {"name": "Ada", "beats": [PUNCH | {"time": 2.0}, UP]}, ground=[], objects=[]) == 0
    (report,) = json.loads((tmp_path / "report.json").read_text())["characters"]
    strike, walk = report["beats"]
    assert strike["blow_frame"] == 120 and "miss_cm" not in walk
    clip = read_clip(tmp_path / "out" / "Ada.bvh")
    away = np.linalg.norm(clip.positions[120, clip.skeleton.joint("hand.L")] - PUNCH["target"])
    assert strike["miss_cm"] == pytest.approx(100 * away, abs=0.01) and away < 0.002
    with (tmp_path / "out" / "Ada.beats.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["action"], row["done"], row["blow_frame"]) for row in rows] == [
        ("strike", "1", "120"),
        ("walk", "1", ""),
    ]
    assert float(rows[0]["miss_cm"]) == pytest.approx(strike["miss_cm"], abs=0.001) and rows[1]["miss_cm"] == ""


def test_partners_follow_and_fight_and_both_tables_tell_it(tmp_path: Path) -> None:
    fight = {"action": "fight", "partner": "Bo"}
    ada = [{"action": "follow", "partner": "Bo"}, fight | {"effector": "hand.R", "part": "head", "answer": "hit"}]
    bo = [{"action": "walk", "target": [0, 2]}, {"action": "fight", "partner": "Ada"}]
    characters = [{"name": "Ada", "position": [0, -2], "beats": ada}, {"name": "Bo", "beats": bo}]
    assert bake(tmp_path, *characters, ground=[], objects=[]) == 0
    reports = json.loads((tmp_path / "report.json").read_text())["characters"]
    assert [[one["status"] for one in report["beats"]] for report in reports] == [["done", "done"]] * 2
    hit, answer = (report["beats"][1] for report in reports)
    assert hit["miss_cm"] < 1.0 and answer["blow_frame"] is None
    clips = [read_clip(tmp_path / "out" / f"{name}.bvh") for name in ("Ada", "Bo")]
    assert len(clips[0]) == len(clips[1])
    hand, head = (
        clip.positions[hit["blow_frame"], clip.skeleton.joint(role)]
        for clip, role in zip(clips, ("hand.R", "head"), strict=True)
    )
    assert np.linalg.norm(hand - head) < 0.35
    with (tmp_path / "out" / "Ada.beats.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["action"] for row in rows] == ["follow", "fight"] and rows[1]["blow_frame"] == str(hit["blow_frame"])


def test_a_collision_is_told_in_the_report(tmp_path: Path) -> None:
    waits = {"action": "idle", "duration": 1}
    characters = [{"name": name, "position": [0.2 * at, 0], "beats": [waits]} for at, name in enumerate(("Ada", "Bo"))]
    assert bake(tmp_path, *characters, ground=[], objects=[]) == 0
    ada, bo = json.loads((tmp_path / "report.json").read_text())["characters"]
    assert ada["notes"] == [] and "'Ada' and 'Bo' collide" in bo["notes"][0]


def test_a_partner_without_the_beat_is_told_before_the_bake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dance = {"action": "dance", "partner": "Bo", "duration": 5}
    assert bake(tmp_path, {"name": "Ada", "beats": [dance]}, {"name": "Bo", "beats": [UP]}) == 1
    assert "the shot of 'Bo' has no dance with 'Ada': add one" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_ball_is_passed_and_its_motion_is_written_once(tmp_path: Path) -> None:
    throw = {"action": "pass", "partner": "Bo", "ball": "Ball", "distance": 3}
    ada = {"name": "Ada", "beats": [throw]}
    catches = [{"action": "pass", "partner": "Ada"}, {"action": "put_down_ball", "ball": "Ball"}]
    bo = {"name": "Bo", "position": [0, 3], "direction": 180, "beats": catches}
    assert bake(tmp_path, ada, bo, ground=[], objects=[], balls=[{"name": "Ball"}]) == 0
    reports = json.loads((tmp_path / "report.json").read_text())["characters"]
    assert [[one["status"] for one in report["beats"]] for report in reports] == [["done"], ["done", "done"]]
    with (tmp_path / "out" / "objects.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == max(report["frames"] for report in reports)
    assert float(rows[-1]["z"]) == pytest.approx(0.12, abs=0.01) and float(rows[-1]["y"]) > 1.5


def test_a_pass_needs_a_partner_and_a_ball_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for lacking, told in (({}, "'pass' needs 'partner'"), ({"partner": "Bo", "ball": "Egg"}, "there is no ball 'Egg'")):
        assert bake(tmp_path, {"name": "Ada", "beats": [{"action": "pass"} | lacking]}) == 1
        assert told in capsys.readouterr().err


def test_a_ball_is_picked_up_and_its_motion_is_written(tmp_path: Path) -> None:
    take = {"action": "pick_up_ball", "ball": "Ball", "end_frame": 330}
    assert bake(tmp_path, {"name": "Ada", "beats": [take]}, ground=[], objects=[], balls=[BALL]) == 0
    clip = read_clip(tmp_path / "out" / "Ada.bvh")
    with (tmp_path / "out" / "objects.csv").open(encoding="utf-8") as file:
        places = np.array([[float(row[axis]) for axis in "xyz"] for row in csv.DictReader(file)])
    assert len(places) == len(clip) and places[0] == pytest.approx([0.1, 0.9, 0.12])
    hands = clip.positions[:, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]
    apart = np.linalg.norm(hands - places[:, None], axis=2).max(axis=1)
    assert apart[300] > 0.3 > apart[340:].max() and places[-1, 2] > 0.8


@pytest.mark.parametrize(
    ("beats", "balls", "sentence"),
    [
        ([{"action": "dribble", "target": [0, 1]}], [{"name": "Ball"}], "there is no ball ''"),
        ([{"action": "shoot", "ball": "Ball"}], [{"name": "Ball"}], "'shoot' needs 'target'"),
        ([UP], [{"name": "Ball", "radius": 3}], "'radius' is not between"),
        ([UP], [{"name": "Stool"}], "another object has the same one"),
        (
            [{"action": "dribble", "ball": "Ball", "target": [0, 1], "hand": "both"}],
            [{"name": "Ball"}],
            "'hand' is not",
        ),
    ],
)
def test_faults_of_balls_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], beats: list[Any], balls: list[Any], sentence: str
) -> None:
    assert bake(tmp_path, {"name": "Ada", "beats": beats}, balls=balls) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("character", "sentence"),
    [
        ({"beats": [UP]}, "'name' is missing"),
        ({"name": "../Ada", "beats": [UP]}, "contains characters other than letters"),
        ({"name": "Ada"}, "it needs from one to"),
        ({"name": "Ada", "beats": [{"action": "walk"}]}, "give either 'path'"),
        ({"name": "Ada", "beats": [{"action": "walk", "target": [0, 1], "speed": 50}]}, "'speed' is not between"),
        ({"name": "Ada", "beats": [{"action": "sit", "object": "Sofa"}]}, "there is no object 'Sofa'"),
        ({"name": "Ada", "beats": [{"action": "fly"}]}, "'action' is not one of"),
        ({"name": "Ada", "beats": [{"action": "strike", "effector": "hand.L"}]}, "'strike' needs 'target'"),
        ({"name": "Ada", "beats": [{"action": "strike", "target": [0, 1, 1]}]}, "'strike' needs 'effector'"),
        ({"name": "Ada", "beats": [PUNCH | {"target": [0, 1]}]}, "'target' has a value of the wrong type"),
        ({"name": "Ada", "beats": [PUNCH | {"effector": "tail"}]}, "'effector' is not one of hand.L"),
        ({"name": "Ada", "beats": [PUNCH | {"time": -1}]}, "'time' is not between 0 and"),
        ({"name": "Ada", "beats": [PUNCH | {"end_frame": 30}]}, "a strike has a 'time', not frames"),
        ({"name": "Ada", "beats": [UP | {"start_frame": 30, "end_frame": 9}]}, "'end_frame' is not after"),
        ({"name": "Ada", "beats": [PUNCH | {"weapon": True}]}, "unknown field 'weapon'"),
        ({"name": "Ada", "beats": [{"action": "follow"}]}, "'follow' needs 'partner'"),
        ({"name": "Ada", "beats": [FIGHT | {"effector": "tail"}]}, "'effector' is not one of hand.L"),
        ({"name": "Ada", "beats": [FIGHT | {"part": "head"}]}, "'fight' needs 'effector'"),
        ({"name": "Ada", "beats": [FIGHT | {"start_frame": 9}]}, "a fight has a 'time', not frames"),
        ({"name": "Ada", "beats": [FIGHT | {"action": "dance", "duration": 0}]}, "'duration' is not between 0 and"),
        ({"name": "Ada", "beats": [FIGHT]}, "'Bo', has no beats"),
        ({"name": "Ada", "beats": [FIGHT | {"action": "dance", "path": [[0, 1]]}]}, "'path' needs from 2 to"),
        ({"name": "Ada", "beats": [UP | {"end_frame": 99}, UP | {"end_frame": 99}]}, "Beats 1 and 2 of 'Ada' are set"),
        ({"name": "Ada", "beats": [UP | {"end_frame": 99}, PUNCH | {"time": 1}]}, "earlier frame than beat 1"),
        ({"name": "Ada", "beats": [UP, {"action": "walk", "target": [0, 90]}]}, "Beat 2 of 'Ada' ends in the air"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], character: dict[str, Any], sentence: str
) -> None:
    assert bake(tmp_path, character) == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists(), "nothing is written"
