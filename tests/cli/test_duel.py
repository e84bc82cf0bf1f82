"""``duel``: from a file of beats to a motion of each character, or to a sentence."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.motion.bvh import read_bvh

CHARACTERS = [{"name": "A", "start": [0, -1.1]}, {"name": "B", "start": [0, 0]}]
BEAT = {"frame": 90, "striker": "A", "receiver": "B", "part": "chest", "effector": "hand.L"}


def beats(folder: Path, document: Any) -> Path:
    file = folder / "beats.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one sentence of a command that cannot be done."""
    assert main(["duel", *map(str, arguments)]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()[-1:]
    return sentence


def test_each_character_has_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = beats(tmp_path, {"characters": CHARACTERS, "beats": [BEAT]}), [tmp_path / "a.bvh", tmp_path / "b.bvh"]
    assert main(["duel", "--beats", str(file), "--out", *map(str, out), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["out"] == {"A": str(out[0]), "B": str(out[1])}
    assert result["beats"] == 1 and abs(result["distances_cm"][0]) < 2.0 and result["deepest_cm"] <= 2.0
    first, second = map(read_bvh, out)
    assert len(first) == len(second) == result["frames"]
    hand, chest = (
        clip.positions[90, clip.skeleton.joint(role)] for clip, role in ((first, "hand.L"), (second, "chest"))
    )
    assert abs(hand[0] - chest[0]) < 0.1 and 0.1 < chest[1] - hand[1] < 0.3


def test_a_weapon_is_a_bone_of_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    characters = [CHARACTERS[0] | {"start": [0, -1.7], "weapon": {"length": 0.8}}, CHARACTERS[1]]
    beat = BEAT | {"frame": 120, "effector": "hand.R", "side": "left"}
    file, out = beats(tmp_path, {"characters": characters, "beats": [beat]}), [tmp_path / "a.bvh", tmp_path / "b.bvh"]
    assert main(["duel", "--beats", str(file), "--out", *map(str, out), "--json"]) == 0
    assert abs(json.loads(capsys.readouterr().out)["distances_cm"][0]) < 0.5
    first, second = map(read_bvh, out)
    assert first.skeleton.names[-1] == "weapon_R" and len(first.skeleton) == len(second.skeleton) + 1
    assert abs(np.linalg.norm(first.skeleton.tips[-1]) - 0.8) < 1e-3


def test_nothing_is_written_where_a_beat_cannot_be_met(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = [tmp_path / "a.bvh", tmp_path / "b.bvh"]
    file = beats(tmp_path, {"characters": CHARACTERS, "beats": [BEAT | {"frame": 12}]})
    assert "at frame 12 comes" in said(capsys, "--beats", file, "--out", *out)
    assert not any(one.exists() for one in out)
    file = beats(tmp_path, {"characters": CHARACTERS, "beats": [BEAT]})
    assert "There are 1 output files for 2 characters" in said(capsys, "--beats", file, "--out", out[0])


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([], "has no characters or no beats: write"),
        ({"characters": {}, "beats": []}, "characters is not a list of objects"),
        ({"characters": [{"name": "A"}], "beats": []}, "character 1: 'start' is missing; add it"),
        ({"characters": [{"name": "A", "start": [0]}], "beats": []}, "character 1: start is '[0]'; write 2 numbers"),
        ({"characters": [CHARACTERS[0] | {"weapon": 1}], "beats": []}, "character 1: weapon is '1'; write {"),
        (
            {"characters": [CHARACTERS[0] | {"weapon": {"length": "long"}}], "beats": []},
            "character 1: 'long' is not a weapon length",
        ),
        ({"characters": [{"name": 3, "start": [0, 0]}], "beats": []}, "character 1: '3' is not a name; write text"),
        ({"characters": CHARACTERS, "beats": [BEAT | {"frame": "soon"}]}, "beat 1: 'soon' is not a frame"),
        (
            {"characters": CHARACTERS, "beats": [BEAT | {"frame": 10**9}]},
            "beat 1: frame 1000000000 is too high; write a frame up to 36000",
        ),
        (
            {"characters": [{"name": "A", "start": [9000, 0]}], "beats": []},
            "character 1: start is too far away; write coordinates up to 100 m",
        ),
        ({"characters": CHARACTERS, "beats": [BEAT | {"when": 3}]}, "beat 1: 'when' is unknown; choose from answer"),
        ({"characters": CHARACTERS, "beats": [BEAT | {"point": [0, 1]}]}, "beat 1: point is '[0, 1]'; write 3 numbers"),
        (
            {"characters": CHARACTERS, "beats": [BEAT | {"receiver": "A"}]},
            "A strikes itself: let it strike another character",
        ),
    ],
)
def test_wrong_files_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], document: Any, sentence: str) -> None:
    arguments = ("--beats", beats(tmp_path, document), "--out", tmp_path / "a.bvh", tmp_path / "b.bvh")
    assert sentence in said(capsys, *arguments)


def test_a_file_that_is_missing_or_no_json_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    for file in (broken, tmp_path / "none.json"):
        assert "cannot be read" in said(capsys, "--beats", file, "--out", tmp_path / "a.bvh", tmp_path / "b.bvh")
