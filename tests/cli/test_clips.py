"""Lists of clips, and names that cannot be files."""

from pathlib import Path

import pytest

from footfall.cli.clips import find_clips
from footfall.core.errors import FootfallError


@pytest.mark.parametrize(
    ("name", "reason"), [("a" * 300, "cannot be read: File name too long"), ("none.bvh", "There is no")]
)
def test_a_line_that_names_no_clip_is_told(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "clips.txt").write_text(f"{tmp_path / name}\n")
    with pytest.raises(FootfallError, match=reason):
        find_clips([tmp_path / "clips.txt"])
