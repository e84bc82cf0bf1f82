"""Labelling presets: those that ship, those that users write, and what is said of those that cannot be."""

from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling.presets import (
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


def document(**changes: object) -> dict[str, object]:
    """The shortest preset, changed."""
    sensors = [{"name": "foot.L"}, {"name": "foot.R"}]
    return {"name": "Mine", "sensor": sensors, "feet": {"L": ["foot.L"], "R": ["foot.R"]}, **changes}


def test_missing_entries_have_defaults() -> None:
    preset = parse_preset(document())
    assert preset.sensors[0].joint == "foot.L"
    assert preset.sensors[0].against == "ground"
    assert preset.actions == ("idle", "walk", "run")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"sensor": [{"name": "foot.L"}, {"name": "foot.L"}]}, "two contact points named 'foot.L'"),
        ({"feet": {"L": ["foot.L"]}}, "give L and R"),
        (
            {"feet": {"L": ["paw"], "R": ["foot.R"]}},
            "refers to a contact point that it does not have, 'paw': add the contact point",
        ),
        (
            {"local_phases": ["hand.L"]},
            "refers to a contact point that it does not have, 'hand.L': add the contact point",
        ),
        ({"actions": ["dance"]}, "unknown activity 'dance'"),
        ({"colour": "red"}, "cannot have the field 'colour'"),
        (
            {"sensor": [{"name": "foot.L", "size": 3}, {"name": "foot.R"}]},
            "A contact point cannot have the field 'size'",
        ),
        ({"sensor": [{"name": "foot.L", "speed": "fast"}, {"name": "foot.R"}]}, "an invalid value"),
        ({"sensor": [{"name": "foot.L", "speed": -1}, {"name": "foot.R"}]}, "a speed of -1"),
        ({"sensor": [{"name": "foot.L", "height": -1}, {"name": "foot.R"}]}, "number above zero"),
        ({"sensor": [{"name": "foot.L", "height": float("nan")}, {"name": "foot.R"}]}, "number above zero"),
        ({"sensor": [{"name": "foot.L", "against": "air"}, {"name": "foot.R"}]}, "touches 'air'"),
        ({"sensor": [{"name": "foot.L", "at": "knee"}, {"name": "foot.R"}]}, "is at 'knee'"),
        ({"sensor": [{"name": "foot.L", "offset": [1, 2]}, {"name": "foot.R"}]}, "an invalid value"),
    ],
)
def test_a_preset_that_cannot_be_is_refused_with_the_reason(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(FootfallError, match=complaint):
        parse_preset(document(**changes))


def test_a_file_that_is_not_toml_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"name = [\xff")
    with pytest.raises(FootfallError, match=r"mine\.toml' is not valid TOML"):
        load_preset(tmp_path / "mine.toml")
    with pytest.raises(FootfallError, match="no labeling preset 'unheard'"):
        find_preset("unheard")


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 50_000, "a = " + "9" * 5000, "[[sensor]]\nheight = nan\n", "a = 1e999", "sensor = [[1]]"]
)
def test_values_that_no_preset_could_have_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(FootfallError) as refused:
        load_preset(tmp_path / "mine.toml")
    assert len(str(refused.value)) < 1000
