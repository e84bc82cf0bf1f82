"""The scenes that come with Footfall, and what is said of files that are wrong."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.demo import scene_file
from footfall.demo.scene_file import SCENES, names, read_scene

STONES = "size = [1.0, 1.0]\ncount = 2\nhighest = 0.3\nlowest = 0.1\nseed = 1"


def test_there_is_a_scene_for_each_kind_of_ground() -> None:
    assert names() == ["beam", "dog_slope", "jump_course", "low_ceiling", "rubble", "stairs", "terraces", "wall_maze"]


@pytest.mark.parametrize("name", names())
def test_scenes_are_as_people_build_them(name: str) -> None:
    scene = read_scene(name)
    assert 0.5 < scene.speed < 3.0 and len(scene.path) >= 2 and scene.about
    points = np.concatenate([solid.points for part in scene.parts for solid in part.solids])
    assert points[:, 2].min() >= 0.0 and points[:, 2].max() < 3.0 and np.abs(points).max() < 20.0
    assert {part.tag for part in scene.parts} <= {"walkable", "jump over", "obstacle", "ceiling"}


def test_a_scene_may_name_the_controller_that_walks() -> None:
    assert (read_scene("stairs").controller, read_scene("terraces").controller) == ("", "phase_system")
    assert read_scene("dog_slope").controller == "quadruped"
    for name in names():
        controller = read_scene(name).controller
        assert not controller or (SCENES.parent / "controllers" / f"{controller}.safetensors").is_file()


def test_a_scene_says_how_its_pictures_are_taken() -> None:
    assert read_scene("stairs").view.apart == 0.75, "a person's"
    view = read_scene("dog_slope").view
    assert view.apart > 1.0, "poses of an animal do not overlap: it is longer than a person is deep"
    assert view.distance < read_scene("stairs").view.distance and view.pixels > read_scene("stairs").view.pixels


def test_slopes_of_the_dog_lead_up_to_a_landing_and_down() -> None:
    up, landing, down = read_scene("dog_slope").parts
    for slope, degrees in ((up, 12.0), (down, 14.0)):
        length, _, rise = np.ptp(slope.solids[0].points, axis=0)
        assert abs(np.degrees(np.arctan2(rise, length)) - degrees) < 0.1
    ends = [part.solids[0].points[:, 0] for part in (up, landing, down)]
    assert abs(ends[0].max() - ends[1].min()) < 1e-3 and abs(ends[1].max() - ends[2].min()) < 1e-3


def test_stairs_and_slope() -> None:
    flight, landing, slope = read_scene("stairs").parts
    heights = np.unique(flight.solids[0].points[:, 2].round(6))
    np.testing.assert_allclose(np.diff(heights), 0.17)
    np.testing.assert_allclose(landing.solids[0].points[:, 2].max(), heights[-1])
    length, _, rise = np.ptp(slope.solids[0].points, axis=0)
    assert abs(np.degrees(np.arctan2(rise, length)) - 20.0) < 0.05
    ends = [part.solids[0].points[:, 0] for part in (flight, landing, slope)]
    assert abs(ends[0].max() - ends[1].min()) < 1e-9 and abs(ends[1].max() - ends[2].min()) < 1e-3


def test_a_path_goes_straight_through_a_wall() -> None:
    scene = read_scene("wall_maze")
    x = np.linspace(scene.path[:, 0].min(), scene.path[:, 0].max(), 2000)
    path = np.column_stack([x, np.interp(x, *scene.path.T)])
    hit = []
    for part in scene.parts:
        corners = part.solids[0].points[:4, :2]
        edges = np.roll(corners, -1, axis=0) - corners
        away = path[:, None] - corners
        hit.append(bool((edges[:, 0] * away[..., 1] - edges[:, 1] * away[..., 0] > 0).all(axis=1).any()))
    assert sum(hit) == 1


def test_what_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FootfallError, match="no scene 'moon': choose one of beam"):
        read_scene("moon")
    monkeypatch.setattr(scene_file, "SCENES", tmp_path)
    for text, said in (
        ("speed = ", "Scene file moon.toml"),
        ("part = []\nabout = ''\nspeed = 1", "'path' is missing"),
        ("[[part]]\nshape = 'cube'\nat = [0, 0, 0]", "no shape 'cube'"),
        (f"[[part]]\nshape = 'rubble'\nat = [0, 0, 0]\n{STONES}\nacross = [0.25]", "values of a rubble are wrong"),
    ):
        (tmp_path / "moon.toml").write_text(text)
        with pytest.raises(FootfallError, match=said):
            read_scene("moon")
