"""``add-root-motion``: clips on the spot travel as their standing feet show; others are named, and nothing is lost."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.rig.clip_file import read_clip
from footfall.core.rig.rig_map import RigMap, save_rig_map
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, standing, trot
from footfall.tests.support.walker import Walker

SPEED = 2 * BEAT_HZ * STRIDE_M
"""Speed of stance paws: their way in half a cycle."""


def save_dog_map(folder: Path, *without: str) -> None:
    """The roles of the dog's joints, for all clips of a folder; a chest is no role of rig maps."""
    body = dog()
    roles = {role: body.names[joint] for role, joint in body.roles.items() if role not in ("chest", *without)}
    save_rig_map(RigMap("Dog", roles), folder / "rig.toml")


@pytest.fixture
def dogs(tmp_path: Path) -> Path:
    """A folder of a dog that trots on the spot."""
    folder = tmp_path / "dogs"
    (folder / "gaits").mkdir(parents=True)
    save_dog_map(folder)
    write_bvh(folder / "gaits" / "trot.bvh", trot(dog())[0])
    return folder


def failed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence of a command that ends with 1."""
    assert main(arguments) == 1
    return capsys.readouterr().err.rpartition("footfall: ")[2].rstrip()


def on_the_spot(clip: Clip) -> Clip:
    """A clip without the travel of its root at an even pace."""
    ways = np.linspace(0.0, 1.0, len(clip))[:, None] * (clip.root_positions[-1] - clip.root_positions[0])
    return replace(clip, root_positions=clip.root_positions - ways * [1.0, 1.0, 0.0])


def test_a_person_s_walk_on_the_spot_goes_where_it_was_captured(tmp_path: Path) -> None:
    walk = Walker(seconds=4.0).clip()
    write_bvh(tmp_path / "walk.bvh", on_the_spot(walk))
    out = tmp_path / "walk_travelling.bvh"
    assert main(["add-root-motion", str(tmp_path / "walk.bvh"), "--out", str(out)]) == 0
    np.testing.assert_allclose(read_bvh(out).root_positions, walk.root_positions, atol=0.05)
    np.testing.assert_allclose(read_bvh(out).rotations, read_bvh(tmp_path / "walk.bvh").rotations, atol=1e-6)


def test_a_folder_of_animals_keeps_its_shape(dogs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["add-root-motion", str(dogs), "--out", str(out), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,), clip = document["clips"], read_bvh(out / "gaits" / "trot.bvh")
    assert row["out"] == str(out / "gaits" / "trot.bvh") and document["failed"] == []
    assert row["speed_m_s"] == pytest.approx(SPEED, abs=0.02)
    ways = clip.root_positions[-1] - clip.root_positions[0]
    np.testing.assert_allclose(ways, [0.0, -row["travel_m"], 0.0], atol=0.02)  # the dog faces -Y


def test_what_stands_or_travels_is_named_and_the_others_are_made(
    dogs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_bvh(dogs / "idle.bvh", standing(dog()))
    write_bvh(dogs / "trip.bvh", trot(dog(), travels=True)[0])
    said = failed(["add-root-motion", str(dogs), "--out", str(tmp_path / "out")], capsys)
    assert said.startswith(
        "The planted feet of 'idle' do not slide back over the ground: the animation already travels, or"
    )
    assert said.endswith("(1 more of 3 clips failed, too)")
    made = [file.name for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert made == ["trot.bvh"]


def test_three_mapped_legs_are_refused_in_a_sentence(
    dogs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_dog_map(dogs, "front_thigh.L", "front_shin.L")
    said = failed(["add-root-motion", str(dogs), "--out", str(tmp_path / "out")], capsys)
    assert "the left front leg has none" in said and not (tmp_path / "out").exists()


def test_a_clip_is_never_written_over_itself(dogs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = dogs / "gaits" / "trot.bvh"
    before = clip.read_bytes()
    for out in (clip, clip.parent):
        said = failed(["add-root-motion", str(clip), "--out", str(out)], capsys)
        assert said == f"'{clip}' would be overwritten: choose another --out"
    assert clip.read_bytes() == before and len(list(clip.parent.iterdir())) == 1


def test_what_cannot_be_read_or_written_is_one_sentence(
    dogs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.bvh").write_text("HIERARCHY\n")
    assert "broken.bvh" in failed(["add-root-motion", str(tmp_path / "broken.bvh"), "--out", str(tmp_path)], capsys)
    assert "There is no clip or folder" in failed(["add-root-motion", "nowhere.bvh", "--out", str(tmp_path)], capsys)
    (tmp_path / "taken").write_text("a file")
    said = failed(["add-root-motion", str(dogs), "--out", str(tmp_path / "taken" / "out")], capsys)
    assert "taken" in said and "Traceback" not in said


def test_several_clips_do_not_go_into_one_file(dogs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_bvh(dogs / "again.bvh", trot(dog())[0])
    out = tmp_path / "one.bvh"
    assert "There are 2 clips, so --out must name a folder" in failed(
        ["add-root-motion", str(dogs), "--out", str(out)], capsys
    )
    twins = [str(dogs / "gaits" / "trot.bvh"), str(dogs / "trot.bvh")]
    write_bvh(dogs / "trot.bvh", trot(dog())[0])
    said = failed(["add-root-motion", *twins, "--out", str(tmp_path / "out")], capsys)
    assert "would both be written to" in said and not (tmp_path / "out").exists()


def test_a_keyframed_husky_walks_the_way_that_it_faces(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "mocap/quaternius_animals_cc0/quadruped/Husky_Walk.bvh"
    out = tmp_path / "walk.bvh"
    assert main(["add-root-motion", str(source), "--out", str(out)]) == 0
    track = root_track(read_clip(out))
    ways, ahead = track.positions[-1] - track.positions[0], facing_direction(track.yaws).mean(axis=0)
    assert ways @ ahead > 0.95 * np.linalg.norm(ways) > 0.5, "about a stride"
