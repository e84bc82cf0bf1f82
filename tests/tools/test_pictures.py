"""Pictures of the manual: each has its scene, few colors, and the width in which it is shown."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from footfall.tools.pictures import COLORS, IMAGES, ROOT, SCENES, main, reduce_picture


def test_every_picture_is_in_the_manual_and_its_scene_in_the_repository() -> None:
    own = {"room", "dance", "variations", "court", "duel", None}
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
