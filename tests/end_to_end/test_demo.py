"""The demonstration, small and coarse, as `build.py demo` runs it."""

from pathlib import Path

import pytest

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow, pytest.mark.timeout(600)]
ROOT = Path(__file__).parent.parent.parent


def test_a_draft_writes_all_four_files(blender, tmp_path: Path) -> None:
    blender(ROOT / "demo" / "make.py", "--draft", "--out", tmp_path, timeout=500)
    assert (tmp_path / "filmstrip.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "filmstrip.png").stat().st_size > 50_000, "a picture of nothing is small"
    assert (tmp_path / "walk.mp4").read_bytes()[4:8] == b"ftyp"
    assert (tmp_path / "walk.blend").stat().st_size > 100_000
    metrics = (tmp_path / "metrics.md").read_text(encoding="utf-8")
    assert "cross_track_mean_cm" in metrics
