"""``walk``: what a controller cannot walk on or along is one sentence, and no file is written."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.ball.ball_track import ball_file, read_ball
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import write_bvh
from footfall.core.rig.clip_file import read_clip
from footfall.core.rig.rig_map import RigMap, save_rig_map
from footfall.tests.addon.support.phase_statue import HAND, save_phase_statue
from footfall.tests.support.dog import dog, standing
from footfall.tests.support.walker import Walker

SHIPPED = Path(__file__).parents[2] / "presets" / "controllers"


@pytest.fixture
def line(tmp_path: Path) -> Path:
    file = tmp_path / "line.csv"
    file.write_text("0, 0\n0, 2\n", encoding="utf-8")
    return file


def refusal(capsys: pytest.CaptureFixture[str], tmp_path: Path, *arguments: object) -> str:
    """The one sentence of a walk that cannot be done."""
    out = tmp_path / "out.bvh"
    assert main(["walk", "--out", str(out), *map(str, arguments)]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("footfall: ") and not out.exists()
    return said


def without_joint(clip: Clip, name: str) -> Clip:
    """A clip of a body that lacks a joint without children."""
    skeleton, gone = clip.skeleton, clip.skeleton.names.index(name)
    kept = [joint for joint in range(len(skeleton)) if joint != gone]
    parents = tuple(kept.index(parent) if parent >= 0 else -1 for parent in (skeleton.parents[joint] for joint in kept))
    names = tuple(skeleton.names[joint] for joint in kept)
    body = Skeleton(names, parents, skeleton.offsets[kept], skeleton.tips[kept])
    return replace(clip, skeleton=body, rotations=clip.rotations[:, kept])


@pytest.mark.parametrize("leg", ["", "front_"])
def test_three_mapped_legs_are_one_sentence(
    leg: str, line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = dog()
    write_bvh(tmp_path / "dog.bvh", standing(body))
    gone = {"chest", *(f"{leg}{part}.L" for part in ("thigh", "shin", "foot", "toe"))}
    roles = {role: body.names[joint] for role, joint in body.roles.items() if role not in gone}
    save_rig_map(RigMap("Dog", roles), tmp_path / "rig.toml")
    onto = ("--onto", tmp_path / "dog.bvh", "--controller", SHIPPED / "quadruped.safetensors")
    name = "the left front leg" if leg else "the left hind leg"
    assert f"{name} has none: choose them" in refusal(capsys, tmp_path, "--path", line, *onto)


def test_an_animal_walks_by_the_controller_of_animals(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_bvh(tmp_path / "dog.bvh", standing(dog()))
    onto = ("--onto", str(tmp_path / "dog.bvh"))
    assert main(["walk", "--path", str(line), "--out", str(tmp_path / "out.bvh"), *onto, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["controller"] == str(SHIPPED / "quadruped.safetensors")
    arguments = (*onto, "--controller", SHIPPED / "locomotion.safetensors")
    (tmp_path / "out.bvh").unlink()
    said = refusal(capsys, tmp_path, "--path", line, *arguments)
    assert "walks on two legs, but the body has four: choose a controller for animals, such as Quadruped" in said


def test_a_person_does_not_walk_by_a_controller_of_animals(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_bvh(tmp_path / "walk.bvh", Walker(seconds=1.0).clip())
    arguments = ("--onto", tmp_path / "walk.bvh", "--controller", SHIPPED / "quadruped.safetensors")
    said = refusal(capsys, tmp_path, "--path", line, *arguments)
    assert "walks on four legs, but the body has two: choose a controller for people, such as Locomotion" in said


def test_phases_of_a_hand_that_the_rig_lacks_are_one_sentence(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walk = Walker(seconds=4.0).clip()
    write_bvh(tmp_path / "walk.bvh", walk)
    save_phase_statue(tmp_path / "walk.bvh", tmp_path / "statue.safetensors")
    write_bvh(tmp_path / "onehanded.bvh", without_joint(walk, "rwrist"))
    onto = ("--onto", tmp_path / "onehanded.bvh", "--controller", tmp_path / "statue.safetensors")
    said = refusal(capsys, tmp_path, "--path", line, *onto)
    assert f"needs {HAND}, but the rig has no bones for them: choose the bones" in said


def test_a_dribble_has_its_ball_beside_it(line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "dribble.bvh"
    assert main(["walk", "--path", str(line), "--out", str(out), "--ball", "left", "--radius", "0.1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    clip = read_clip(out)
    ball = read_ball(ball_file(out), clip)
    assert document["ball"] == str(ball_file(out)) and document["frames"] == len(ball)
    assert ball.contacts[0].tolist() == [True, False], "in the left hand at first"
    assert ball.positions[:, 2].min() >= 0.1 - 1e-4


def test_changes_of_hands_without_a_ball_are_a_wrong_usage(line: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["walk", "--path", str(line), "--out", str(tmp_path / "a.bvh"), "--change-hands", "1"])


def test_a_controller_that_plays_no_ball_is_one_sentence(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    walker = ("--controller", SHIPPED / "locomotion_small.safetensors")
    said = refusal(capsys, tmp_path, "--path", line, "--ball", "right", *walker)
    assert "This controller does not play with a ball: choose one that does" in said


def test_a_ball_is_picked_up_and_shot_through_the_rim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "way.csv").write_text("0, 0\n0, 6\n", encoding="utf-8")
    out = tmp_path / "shot.bvh"
    walker = ("--controller", str(SHIPPED / "locomotion_small.safetensors"))
    play = ("--play", "pick-up@0=0,1.2,0.12", "shoot@6=0,10,3.05")
    assert main(["walk", "--path", str(tmp_path / "way.csv"), "--out", str(out), *walker, *play, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    ball = read_ball(ball_file(out), read_clip(out))
    assert document["ball"] == str(ball_file(out))
    falls = (np.diff(ball.positions[:, 2]) < 0) & (ball.positions[:-1, 2] >= 3.05) & (ball.positions[1:, 2] < 3.05)
    (frame,) = np.flatnonzero(falls)
    assert np.linalg.norm(ball.positions[frame, :2] - [0.0, 10.0]) < 0.1, "within a frame of its fall"


def test_a_ball_is_passed_from_one_motion_to_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "here.csv").write_text("0, 0\n0, 3\n", encoding="utf-8")
    (tmp_path / "there.csv").write_text("0.5, 12\n0.2, 8\n", encoding="utf-8")
    passer, receiver = tmp_path / "passer.bvh", tmp_path / "receiver.bvh"
    walker = ("--controller", str(SHIPPED / "locomotion_small.safetensors"))
    for out, way, play in (
        (receiver, "there", "catch@4=0,3.5,1.3"),
        (passer, "here", f"pass@3={receiver}"),
    ):
        path = str(tmp_path / f"{way}.csv")
        assert main(["walk", "--path", path, "--out", str(out), *walker, "--play", play]) == 0, capsys.readouterr().err
    thrown, caught = (read_ball(ball_file(out), read_clip(out)) for out in (passer, receiver))
    held = caught.contacts.all(axis=1)
    meeting = int(np.flatnonzero(held)[0])
    assert not thrown.contacts[meeting].any(), "it is out of the passer's hands"
    assert np.linalg.norm(thrown.positions[meeting] - caught.positions[meeting]) < 0.02, "in the hands that catch it"


def test_a_motion_that_is_not_there_is_one_sentence(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.bvh"
    assert "missing.bvh" in refusal(capsys, tmp_path, "--path", line, "--play", f"pass@1={missing}")


@pytest.mark.parametrize("play", ["shoot", "juggle@3", "pass@x=0,1,1", "shoot@3=0,1", "shoot@3=other.bvh"])
def test_what_is_no_ball_action_is_a_wrong_usage(line: Path, tmp_path: Path, play: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["walk", "--path", str(line), "--out", str(tmp_path / "a.bvh"), "--play", play])
    assert left.value.code == 2


def test_a_walk_tells_its_quality_and_fails_on_demand(
    line: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corners, out = tmp_path / "corners.csv", tmp_path / "walk.bvh"
    corners.write_text("0, 0\n0, 1\n1, 1\n1, 0\n2, 0\n2, 1\n3, 1\n", encoding="utf-8")
    asked = ["--out", str(out), "--fail-on", "bad", "--json"]
    assert main(["walk", "--path", str(line), *asked]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {"path_deviation", "foot_sliding", "jitter"} <= set(document["quality"])
    assert all(row["verdict"] != "BAD" for row in document["quality"].values())
    out.unlink()
    assert main(["walk", "--path", str(corners), "--speed", "6", "--responsiveness", "0", *asked]) == 1
    assert "path deviation is BAD" in capsys.readouterr().err and out.exists()
