"""Where a clip comes from: its own folder says, or the folder's name is known."""

from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.training.data.sources import source_of


def test_a_known_folder_names_its_licence_and_credit(tmp_path: Path):
    source = source_of(tmp_path / "accad_male1" / "walk" / "a.bvh")
    assert source.licence == "CC BY 3.0"
    assert "Ohio State" in source.credit


def test_a_source_file_speaks_for_its_folder(tmp_path: Path):
    (tmp_path / "source.toml").write_text('name = "My studio"\nlicence = "mine"\ncredit = "By us"\n')
    assert source_of(tmp_path / "day1" / "a.bvh").name == "My studio"


@pytest.mark.parametrize("text", ["name = ", 'name = "only"', 'name = 1\nlicence = ""\ncredit = ""'])
def test_a_source_file_that_cannot_be_understood(tmp_path: Path, text: str):
    (tmp_path / "source.toml").write_text(text)
    with pytest.raises(FootfallError, match=r"source\.toml"):
        source_of(tmp_path / "a.bvh")
