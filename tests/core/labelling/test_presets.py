"""Labelling presets: those that ship, those that users write, and what is said of those that cannot be."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling.presets import (
    BIPED_PRESET,
    find_preset,
    format_preset,
    load_preset,
    parse_preset,
    shipped_presets,
)


@pytest.mark.parametrize("name", shipped_presets())
def test_every_shipped_preset_can_be_read_and_written(name: str, tmp_path: Path) -> None:
    preset = find_preset(name)
    copy = tmp_path / "copy.toml"
    copy.write_text(format_preset(preset), encoding="utf-8")
    assert load_preset(copy) == preset
    assert preset.description


def test_the_first_one_is_for_people() -> None:
    assert next(iter(shipped_presets())) == "biped"
    assert BIPED_PRESET.sensor_names == ("foot.L", "toe.L", "foot.R", "toe.R")
    assert BIPED_PRESET.foot_columns("R") == [2, 3]
    assert BIPED_PRESET.same_foot_columns("toe.L") == [0, 1]


def test_what_belongs_to_no_foot_stands_alone() -> None:
    preset = find_preset("interaction")
    hand = preset.sensor_names.index("hand.L")
    assert preset.same_foot_columns("hand.L") == [hand]


def document(**changes: object) -> dict[str, object]:
    """The shortest preset, changed."""
    sensors = [{"name": "foot.L"}, {"name": "foot.R"}]
    return {"name": "Mine", "sensor": sensors, "feet": {"L": ["foot.L"], "R": ["foot.R"]}, **changes}


def test_what_is_not_said_is_usual() -> None:
    preset = parse_preset(document())
    assert preset.sensors[0].joint == "foot.L"
    assert preset.sensors[0].against == "ground"
    assert preset.actions == ("idle", "walk", "run")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"sensor": [{"name": "foot.L"}, {"name": "foot.L"}]}, "two contact points named 'foot.L'"),
        ({"feet": {"L": ["foot.L"]}}, "name L and R"),
        ({"feet": {"L": ["paw"], "R": ["foot.R"]}}, "refers to the contact point 'paw'"),
        ({"local_phases": ["hand.L"]}, "refers to the contact point 'hand.L'"),
        ({"actions": ["dance"]}, "detects 'dance'"),
        ({"colour": "red"}, "has no 'colour'"),
        ({"sensor": [{"name": "foot.L", "size": 3}, {"name": "foot.R"}]}, "A contact point has no 'size'"),
        ({"sensor": [{"name": "foot.L", "speed": "fast"}, {"name": "foot.R"}]}, "an invalid value"),
        ({"sensor": [{"name": "foot.L", "speed": -1}, {"name": "foot.R"}]}, "a speed of -1"),
        ({"sensor": [{"name": "foot.L", "height": -1}, {"name": "foot.R"}]}, "must be above zero"),
        ({"sensor": [{"name": "foot.L", "height": float("nan")}, {"name": "foot.R"}]}, "must be above zero"),
        ({"sensor": [{"name": "foot.L", "against": "air"}, {"name": "foot.R"}]}, "touches 'air'"),
        ({"sensor": [{"name": "foot.L", "at": "knee"}, {"name": "foot.R"}]}, "is at 'knee'"),
        ({"sensor": [{"name": "foot.L", "offset": [1, 2]}, {"name": "foot.R"}]}, "an invalid value"),
    ],
)
def test_a_preset_that_cannot_be_is_refused_with_the_reason(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(FootfallError, match=complaint):
        parse_preset(document(**changes))


def test_a_preset_without_sensors_says_what_it_lacks() -> None:
    lacking = document()
    del lacking["sensor"]
    with pytest.raises(FootfallError, match="lacks 'sensor'"):
        parse_preset(lacking)


def test_a_file_that_is_not_toml_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"name = [\xff")
    with pytest.raises(FootfallError, match=r"mine\.toml' is not valid TOML"):
        load_preset(tmp_path / "mine.toml")
    with pytest.raises(FootfallError, match="no labeling preset 'unheard'"):
        find_preset("unheard")


def test_names_with_quotes_come_back(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        format_preset(replace(BIPED_PRESET, name='My "own" \\ preset', description="two\nlines")), encoding="utf-8"
    )
    assert load_preset(path).name == 'My "own" \\ preset'
    assert load_preset(path).description == "two lines"


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 50_000, "a = " + "9" * 5000, "[[sensor]]\nheight = nan\n", "a = 1e999", "sensor = [[1]]"]
)
def test_values_that_no_preset_could_have_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(FootfallError) as refused:
        load_preset(tmp_path / "mine.toml")
    assert len(str(refused.value)) < 1000


def test_a_speed_of_zero_in_a_file_ignores_speed(tmp_path: Path) -> None:
    heedless = replace(BIPED_PRESET, sensors=tuple(replace(one, speed=math.inf) for one in BIPED_PRESET.sensors))
    file = tmp_path / "heedless.toml"
    file.write_text(format_preset(heedless), encoding="utf-8")
    assert load_preset(file) == heedless and "speed = 0.0" in file.read_text(encoding="utf-8")


def test_a_preset_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(FootfallError, match=r"The labeling preset '.*none\.toml' cannot be read: No such file"):
        load_preset(tmp_path / "none.toml")
