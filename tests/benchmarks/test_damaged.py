"""Damaged input ends in labels or in a message: nothing else is raised."""

import pytest

from footfall.benchmarks import damaged


def test_each_damaged_clip_gets_sound_labels_or_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damaged, "LENGTH", 1000)
    results = {row[0]: row[2] for row in damaged.measure().rows}
    assert len(results) >= 12 and not [name for name, result in results.items() if "not all of them" in result]
    assert results["one frame"].startswith("message: ") and results["no legs mapped"].startswith("message: ")
    assert results["half a second not a number"].startswith("labels, contact F1 0.9")
