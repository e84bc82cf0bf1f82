"""Pictures of the manual: each has its scene, few colors, and the width in which it is shown."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from footfall.tools import pictures
from footfall.tools.films import FILMS, FOLDER, RATE, write_moving
from footfall.tools.pictures import ROOT, SCENES, main
from footfall.tools.reduction import COLORS, IMAGES, reduce_picture
from footfall.tools.screenshots import SHOTS, make_screenshots


def test_every_picture_is_in_the_manual_and_its_scene_in_the_repository() -> None:
    own = {"room", "shot", "dance", "variations", "court", "duel", "rigs", None}
    files = {file.stem for file in (ROOT / "presets" / "scenes").glob("*.toml")}
    for name, scene in SCENES.items():
        assert (IMAGES / f"{name}.png").exists() and (scene in own or scene in files), name


def test_a_picture_has_few_colors_and_its_width(tmp_path: Path) -> None:
    ramp = np.linspace(0, 255, 400 * 300 * 3).reshape(300, 400, 3).astype(np.uint8)
    Image.fromarray(ramp).save(tmp_path / "rendered.png")
    reduce_picture(tmp_path / "rendered.png", tmp_path / "picture.png", 200)
    with Image.open(tmp_path / "picture.png") as picture:
        assert picture.size == (200, 150)
        assert len(picture.getcolors() or []) <= COLORS
        near = np.asarray(picture.convert("RGB"), dtype=float).mean()
    assert near == pytest.approx(ramp.mean(), abs=2.0)
    reduce_picture(tmp_path / "rendered.png", tmp_path / "picture.png", 900)
    with Image.open(tmp_path / "picture.png") as picture:
        assert picture.size == (400, 300), "it is not made larger than it was rendered"


def test_a_name_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["python", "staircase"]) == 2
    assert "there is no picture 'staircase'" in capsys.readouterr().err


def test_every_screenshot_is_in_the_manual_and_its_step_in_a_story() -> None:
    stories = {file.stem.removeprefix("test_"): file for file in (ROOT / "tests" / "gui").glob("test_*.py")}
    for name, (step, _) in SHOTS.items():
        story = next(story for story in stories if step.startswith(f"{story}_"))
        shot = step.removeprefix(f"{story}_")
        words = stories[story].read_text(encoding="utf-8")
        assert f'shot("{shot}")' in words or f'"{shot}"' in words, step
        assert (IMAGES / f"{name}.png").exists(), name


def test_a_screenshot_is_made_of_the_step_of_its_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("footfall.tools.screenshots.IMAGES", tmp_path)
    Image.new("RGB", (1600, 900), (40, 90, 200)).save(tmp_path / "03_drive_drive.png")
    assert make_screenshots(tmp_path, ["drive", "direct"]) == ["drive"]
    with Image.open(tmp_path / "drive.png") as picture:
        assert picture.size == (954, 731)


def test_without_the_window_tests_a_screenshot_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "WINDOWS", tmp_path)
    assert main(["python", "drive"]) == 1
    assert "run 'build.py gui-test' first, for drive" in capsys.readouterr().err


SHOWN = sorted(file.stem for file in FOLDER.glob("*.mp4"))
"""Films that pages show."""


def test_every_film_has_its_scene() -> None:
    assert set(SHOWN) <= set(FILMS)
    assert [name for name in FILMS if not (ROOT / "demo" / "films" / f"{name}.py").is_file()] == []


@pytest.mark.parametrize("name", SHOWN)
def test_a_film_lasts_some_seconds_and_has_a_still(name: str) -> None:
    assert (FOLDER / f"{name}.mp4").read_bytes()[4:8] == b"ftyp"
    with Image.open(FOLDER / f"{name}.still.webp") as still, Image.open(FOLDER / f"{name}.webp") as film:
        seconds = film.n_frames / RATE  # type: ignore[attr-defined]
        assert still.size == film.size
    assert 20.0 <= seconds <= 32.0 if name == "hero" else 3.0 <= seconds <= 6.0


def test_films_are_small_enough_for_a_page() -> None:
    sizes = {file.name: file.stat().st_size for file in FOLDER.iterdir()}
    assert set(sizes) == {f"{name}.{kind}" for name in SHOWN for kind in ("webp", "still.webp", "mp4")}
    assert max(sizes.values()) < 4e6 and sum(sizes.values()) < 25e6


def test_every_film_is_on_a_page() -> None:
    gallery = (ROOT / "docs" / "manual" / "scenes.md").read_text(encoding="utf-8")
    assert [name for name in SHOWN if f"films/{name}.webp" not in gallery] == []


def test_a_moving_picture_takes_as_long_as_its_frames(tmp_path: Path) -> None:
    frames = [tmp_path / f"{number}.png" for number in range(RATE)]
    for number, frame in enumerate(frames):
        Image.new("RGB", (32, 18), (10 * number, 90, 200)).save(frame)
    write_moving(frames, tmp_path / "film.webp")
    durations = []
    with Image.open(tmp_path / "film.webp") as film:
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            film.load()
            durations.append(film.info["duration"])
    assert sum(durations) == 1000 and set(durations) == {41, 42}
