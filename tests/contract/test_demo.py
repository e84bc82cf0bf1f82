"""The demonstration, small and coarse, as `build.py demo` runs it."""

import json
from pathlib import Path

import pytest

from footfall.demo.scene_file import names

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow, pytest.mark.timeout(600)]
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.without_shared_data
def test_a_draft_writes_all_four_files(blender, tmp_path: Path) -> None:
    blender(ROOT / "demo" / "make.py", "--draft", "--out", tmp_path, timeout=500)
    assert (tmp_path / "filmstrip.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "filmstrip.png").stat().st_size > 50_000, "a picture of nothing is small"
    assert (tmp_path / "walk.mp4").read_bytes()[4:8] == b"ftyp"
    assert (tmp_path / "walk.blend").stat().st_size > 100_000
    metrics = (tmp_path / "metrics.md").read_text(encoding="utf-8")
    assert "cross_track_mean_cm" in metrics


@pytest.mark.all_only("one draft is always rendered")
def test_a_draft_of_a_scene(blender, tmp_path: Path) -> None:
    scene = "dog_slope"
    blender(ROOT / "demo" / "make.py", "--scene", scene, "--draft", "--no-video", "--out", tmp_path, timeout=300)
    assert (tmp_path / scene / "filmstrip.png").stat().st_size > 5_000
    assert (tmp_path / scene / "walk.blend").is_file() and (tmp_path / scene / "metrics.md").is_file()


@pytest.mark.all_only("errands are baked in tests/addon")
def test_a_draft_of_the_living_room(blender, tmp_path: Path) -> None:
    said = blender(
        ROOT / "demo" / "make.py", "--scene", "room", "--draft", "--no-video", "--out", tmp_path, timeout=500
    )
    assert (tmp_path / "room" / "room.png").stat().st_size > 5_000
    assert (tmp_path / "room" / "room.blend").is_file()
    assert (
        "skipped" not in said.stdout
        and "The object 'Box' was animated as well. The object 'Door' was animated as well" in said.stdout
    ), said.stdout


@pytest.mark.all_only("shots are baked in tests/addon")
def test_a_draft_of_the_shot_is_good_by_every_measure(blender, tmp_path: Path) -> None:
    make, out = ROOT / "demo" / "make.py", tmp_path / "shot"
    said = blender(make, "--scene", "shot", "--draft", "--no-video", "--out", tmp_path, timeout=500).stdout
    assert (out / "shot.png").stat().st_size > 5_000 and (out / "shot.blend").is_file()
    assert "Poor quality" not in said and "skipped" not in said and "The object 'Door' was animated as well" in said, (
        said
    )


@pytest.mark.all_only("the same grounds are walked over in tests/core/control/walk")
@pytest.mark.parametrize("scene", names())
def test_every_scene_is_walked_to_its_end(blender, scene: str, tmp_path: Path) -> None:
    blender(ROOT / "demo" / "make.py", "--scene", scene, "--seeds", 1, "--out", tmp_path, timeout=200)
    whole = json.loads((tmp_path / scene / "trials.json").read_text())["whole"]
    assert whole["arrived"] == whole["walks"] == 1, whole
    assert whole["penetration_mean_mm"] < 3 and whole["skate_mean_cm_s"] < 1.5, whole
