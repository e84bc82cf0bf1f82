"""``footfall retarget``: clips onto another skeleton, from the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, rotate
from footfall.tests.support.bvh_dialects import Dialect, RootAbove
from footfall.tests.support.walker import Walker, person


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "clips" / "walk.bvh"
    path.parent.mkdir()
    write_bvh(path, Walker(seconds=2.0).clip())
    return path


@pytest.fixture
def giant(tmp_path: Path) -> Path:
    path, skeleton = tmp_path / "giant.bvh", person(1.5)
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (2, len(skeleton), 1))
    write_bvh(path, Clip(skeleton, 30.0, np.zeros((2, 3)), rest))
    return path


def test_a_clip_becomes_that_of_another_skeleton(
    walk: Path, giant: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["retarget", str(walk), "--onto", str(giant), "--out", str(tmp_path / "out.bvh"), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["clips"][0]
    made, source = read_bvh(tmp_path / "out.bvh"), read_bvh(walk)
    assert (row["frames"], row["alignment_error_deg"], row["misaligned_roles"]) == (len(source), 0.0, [])
    np.testing.assert_allclose(made.positions, source.positions * 1.5, atol=0.02)  # feet stand stiller


def test_a_folder_of_clips_keeps_its_shape(walk: Path, giant: Path, tmp_path: Path):
    (walk.parent / "day2").mkdir()
    (walk.parent / "day2" / "again.bvh").write_bytes(walk.read_bytes())
    assert main(["retarget", str(walk.parent), "--onto", str(giant), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "walk.bvh").exists() and (tmp_path / "out" / "day2" / "again.bvh").exists()


def test_several_clips_do_not_go_into_one_file(
    walk: Path, giant: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (walk.parent / "again.bvh").write_bytes(walk.read_bytes())
    assert main(["retarget", str(walk.parent), "--onto", str(giant), "--out", str(tmp_path / "out.bvh")]) != 0
    assert "must name a folder" in capsys.readouterr().err


def test_a_bad_clip_does_not_end_a_batch(walk: Path, giant: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = walk.read_text()
    (walk.parent / "a_bad.bvh").write_text(text[: len(text) // 2])
    (walk.parent / f"{'n' * 249}.bvh").write_text(text)
    (walk.parent / "z.bvh").write_text(text)
    report, out = tmp_path / "report.json", tmp_path / "out"
    command = ["retarget", str(walk.parent), "--onto", str(giant), "--out", str(out), "--json", str(report)]
    assert main(command) == 1
    document = json.loads(report.read_text())
    assert {Path(row["out"]).name for row in document["clips"]} == {path.name for path in out.iterdir()}
    assert {"walk.bvh", "z.bvh"} <= {path.name for path in out.iterdir()}
    assert [Path(entry["clip"]).name for entry in document["failed"]] == ["a_bad.bvh"]
    assert "a_bad.bvh" in capsys.readouterr().err


def test_a_pose_of_one_frame_becomes_a_pose(walk: Path, giant: Path, tmp_path: Path):
    pose = tmp_path / "pose.bvh"
    write_bvh(pose, read_bvh(walk).cut(0, 1))
    assert main(["retarget", str(pose), "--onto", str(giant), "--out", str(tmp_path / "out.bvh")]) == 0
    made, source = read_bvh(tmp_path / "out.bvh"), read_bvh(pose)
    assert len(made) == 1
    np.testing.assert_allclose(made.positions, source.positions * 1.5, atol=0.02)


def test_a_target_keeps_its_joints_names_unit_and_axis(walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    body = Walker(seconds=0.1).clip().cut(0, 1)
    still = np.zeros((1, 3))
    root = RootAbove("root", still)
    target = Dialect("Z", unit=1.0, above=[root], hips_offset=(0, 0, 0.95), names={"ltibia": "Bip01 L Calf"}).write(
        tmp_path / "game.bvh", body
    )
    text = target.read_text().replace("JOINT hips", "JOINT ik foot root\n{\nOFFSET 0 1 0\n}\nJOINT hips")
    target.write_text(text)
    out = tmp_path / "out.bvh"
    assert main(["retarget", str(walk), "--onto", str(target), "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["onto"] == {
        "joints": len(body.skeleton) + 2,
        "unit_m": 1.0,
        "up": "Z",
        "reading": [],
    }
    names = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.startswith(("ROOT", "JOINT"))]
    made = [line.split(maxsplit=1)[1] for line in out.read_text().splitlines() if line.lstrip()[:4] in ("ROOT", "JOIN")]
    assert made == names and made[:2] == ["root", "ik foot root"]
    np.testing.assert_allclose(read_bvh(out).positions, read_bvh(walk).positions, atol=0.02)


def test_a_clip_that_lies_is_asked_about_and_turned(walk: Path, giant: Path, tmp_path: Path, capsys):
    still = read_bvh(walk).cut(0, 1).repeated(40)
    lying = still.transformed(from_axis_angle([1, 0, 0], np.pi / 2), np.zeros(3))
    lying = lying.transformed(IDENTITY, [0.0, 0.0, 0.05 - lying.positions[..., 2].min()])
    write_bvh(tmp_path / "lying.bvh", lying)
    command = ["retarget", str(tmp_path / "lying.bvh"), "--onto", str(giant), "--out", str(tmp_path / "out.bvh")]
    assert main([*command, "--json"]) == 0
    (note,) = json.loads(capsys.readouterr().out)["clips"][0]["reading"]
    assert "is Z the up axis?" in note["text"] or "is it Z?" in note["text"]
    assert note["up"] == "Z" and note["doubt"] >= 0.3
    assert main(command) == 0
    assert "--up z" in capsys.readouterr().out
    assert main([*command, "--up", "z", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clips"][0]["reading"] == []


def test_a_skeleton_without_legs_is_refused_in_a_sentence(
    walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = read_bvh(walk)
    bare = Skeleton(("hips", "crane", "hook"), (-1, 0, 1), np.eye(3), np.eye(3))
    other = tmp_path / "other.bvh"
    write_bvh(other, Clip(bare, source.rate, source.root_positions, source.rotations[:, :3]))
    assert main(["retarget", str(walk), "--onto", str(other), "--out", str(tmp_path / "out.bvh")]) != 0
    assert "or a rig.toml" in capsys.readouterr().err


def test_clips_of_an_actor_show_together_how_the_actor_stands(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """ACCAD's rest pose lies along one axis: a walk alone leaves it open how far the pelvis is tilted."""
    actor, onto = shared_data / "mocap/accad_male1", shared_data / "mocap/o3de_rin/walk/Acceleration1.bvh"
    walk, stand = actor / "walk/Male1_B3_Walk.bvh", actor / "idle/Male1_A1_Stand.bvh"
    command = ["--onto", str(onto), "--json"]
    assert main(["retarget", str(walk), *command, "--out", str(tmp_path / "alone.bvh")]) == 0
    (alone,) = json.loads(capsys.readouterr().out)["clips"]
    assert any("standing on both feet" in doubt for doubt in alone["doubts"])
    assert main(["retarget", str(walk), str(stand), *command, "--out", str(tmp_path / "both")]) == 0
    assert all(row["doubts"] == [] for row in json.loads(capsys.readouterr().out)["clips"])
    made = [read_bvh(tmp_path / file) for file in ("alone.bvh", "both/Male1_B3_Walk.bvh", "both/Male1_A1_Stand.bvh")]
    pelvis = [rotate(clip.world[1][:, clip.skeleton.roles["hips"]], [0.0, 0.0, 1.0])[:, 2].mean() for clip in made]
    tilts = np.degrees(np.arccos(pelvis))
    assert tilts[2] < 3.0 and tilts[1] - tilts[0] > 3.0


def test_a_run_alone_shows_upright_hips(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """No frame of a run shows straight legs on the ground; the hips are upright all the same."""
    run = shared_data / "mocap/accad_male1/turn/Male1_C11_RunTurnLeft90.bvh"
    onto = shared_data / "mocap/o3de_rin/walk/Acceleration1.bvh"
    out = tmp_path / "out.bvh"
    assert main(["retarget", str(run), "--onto", str(onto), "--out", str(out), "--json"]) == 0
    made = read_bvh(out)
    ups = rotate(made.world[1][:, [made.skeleton.roles[role] for role in ("hips", "chest")]], [0.0, 0.0, 1.0])
    assert ups[..., 2].mean(axis=0).min() > 0.85


def test_a_pose_among_clips_does_not_end_a_batch(walk: Path, giant: Path, tmp_path: Path):
    write_bvh(walk.parent / "pose.bvh", read_bvh(walk).cut(0, 1))
    assert main(["retarget", str(walk.parent), "--onto", str(giant), "--out", str(tmp_path / "out")]) == 0
    assert len(read_bvh(tmp_path / "out" / "pose.bvh")) == 1 and len(read_bvh(tmp_path / "out" / "walk.bvh")) > 1
