"""Training presets can be chosen from a list."""

from pathlib import Path

import pytest

from footfall.core.jobs.training_preset import (
    SHIPPED_PRESETS_FOLDERS,
    TrainingPreset,
    composes_interactions,
    description_of,
    presets_in,
    shipped_presets,
)


def test_every_preset_that_ships_says_what_it_is_for():
    presets = shipped_presets()
    assert [preset.name for preset in presets][:4] == ["quick", "standard", "paper", "nsm"]
    assert {preset.path for preset in presets} == {
        file for folder in SHIPPED_PRESETS_FOLDERS for file in folder.glob("*.toml")
    }
    assert [preset.name for preset in presets if preset.is_of_interactions] == ["nsm", "nsm_paper"]
    for preset in presets:
        assert preset.title and preset.description, f"{preset.path}: begin it with a comment"
        assert len(preset.description) < 160 and "\n" not in preset.description


def test_takes_of_an_animal_are_no_interactions():
    assert composes_interactions({"takes": 24})
    assert not composes_interactions({"takes": 24, "body": "quadruped"}) and not composes_interactions({})


def test_a_folder_of_ones_own(tmp_path: Path):
    (tmp_path / "my_walk.toml").write_text("hidden = 8\n")
    (tmp_path / "notes.txt").write_text("")
    assert presets_in(tmp_path) == [TrainingPreset(tmp_path / "my_walk.toml", "My walk", "")]
    assert presets_in(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("# For tests.\n", "For tests"),
        ("# For tests\n# of many kinds. And more.\nhidden = 1\n# not this", "For tests of many kinds"),
        ("# As in Holden et al. 2017, section 5.3. For a GPU.", "As in Holden et al. 2017, section 5.3"),
        (f"# A short one: {'very ' * 30}long.", "A short one"),
        ("hidden = 1 # no description", ""),
        ("", ""),
    ],
)
def test_the_first_sentence_of_the_first_comment(text: str, description: str):
    assert description_of(text) == description
