"""What clips contain, asked on the command line."""

import json
from pathlib import Path

import pytest

from footfall.core.labelling import label_clip
from footfall.core.motion import Clip


def test_minutes_and_what_is_missing(footfall, marching_bvh: Path) -> None:
    result = footfall("analyze", marching_bvh.parent)
    assert result.returncode == 0, result.stderr
    assert "1, 0 of them labeled" in result.stdout
    assert "way: forward" in result.stdout and "missing: The clips last only 4 seconds in total" in result.stdout


def test_the_document_has_every_kind(footfall, marching: Clip, marching_bvh: Path) -> None:
    label_clip(marching).save(marching_bvh.with_suffix(".labels.npz"))
    (marching_bvh.parent / "broken.bvh").write_text("HIERARCHY")
    result = footfall("analyze", marching_bvh.parent, "--json", "--jobs", 2)
    document = json.loads(result.stdout)
    assert (document["clips"], document["labeled"]) == (1, 1)
    assert document["minutes"] == pytest.approx(4 / 60, rel=0.01)
    assert document["speed"]["0.8 to 1.8 m/s"] == pytest.approx(4 / 60, rel=0.1)
    assert set(document["ground"]) >= {"level", "stairs up"}
    assert "The clips show no jumps" in document["missing"]
    assert len(document["failed"]) == 1 and "broken.bvh" in document["failed"][0]
