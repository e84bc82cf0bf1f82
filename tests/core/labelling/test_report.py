"""The report of a labeled folder, for programs and for readers."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.labelling import Labels
from footfall.core.labelling.report import report_entry, write_report
from footfall.core.labelling.review.ranking import ReviewSpot
from footfall.core.message import Message
from footfall.core.motion.reading_note import ReadingNote

SPOT = ReviewSpot(np.int64(7), "SLIDE", "foot.L", np.float64(0.5), "Left heel: slides 6 cm | during a contact")  # type: ignore[arg-type]


def labels() -> Labels:
    """Four frames at 30 frames per second: three of standing, one of running."""
    gaits = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    strikes = np.array([1, 2]), np.array([3])
    first = Labels(30.0, ("foot.L",), np.ones((4, 1)), np.zeros(4), ("stand", "run"), gaits, *strikes, 0.0)
    return replace(first, action_names=("idle", "sit"), actions=np.array([[0.33333, 0.66667]] * 4))


def entry(clip: str, *spots: ReviewSpot, **changes: Any) -> dict[str, Any]:
    return report_entry(Path(clip), Path(f"{clip}.labels.npz"), labels(), spots) | changes


def test_an_entry_tells_of_a_clip_in_numbers() -> None:
    found = entry("a.bvh", SPOT, replace(SPOT, frame=9, doubt=0.25004))
    assert found == {
        "clip": "a.bvh",
        "labels": "a.bvh.labels.npz",
        "is_corrected": False,
        "frames": 4,
        "frame_rate": 30.0,
        "gaits": {"stand": 0.75, "run": 0.25},
        "actions": {"idle": 0.3333, "sit": 0.6667},
        "foot_strikes": {"left": 2, "right": 1},
        "doubt": 0.75,
        "reading": [],
        "issues": [
            {"frame": 7, "kind": "SLIDE", "name": "foot.L", "doubt": 0.5, "text": SPOT.text},
            {"frame": 9, "kind": "SLIDE", "name": "foot.L", "doubt": 0.25004, "text": SPOT.text},
        ],
    }
    assert report_entry(Path("a"), Path("b"), labels(), [], kept_corrections=True)["is_corrected"]


def test_questions_of_the_reading_count_as_doubt_and_come_first(tmp_path: Path) -> None:
    question = ReadingNote(
        Message("With {best} as the up axis, the body in this clip lies on its side: is Z the up axis?", best="Y"),
        0.4,
        up="Z",
    )
    mended = ReadingNote(Message("The file declares 59 frames but contains 60: all frames were read"))
    asked = report_entry(Path("a.bvh"), Path("a.labels.npz"), labels(), [SPOT], notes=[mended, question])
    assert asked["doubt"] == 0.9
    assert asked["reading"] == [
        {"text": str(mended.text), "doubt": 0.0},
        {"text": str(question.text), "doubt": 0.4, "up": "Z"},
    ]
    lines = written(tmp_path, entry("b.bvh"), asked)
    start = lines.index("## Questions and repairs from reading the clips")
    assert lines[start + 2 : start + 4] == [
        "- `a.bvh`: With Y as the up axis, the body in this clip lies on its side: is Z the up axis? (doubt 0.40)",
        "- `a.bvh`: The file declares 59 frames but contains 60: all frames were read",
    ]
    assert "## Questions and repairs from reading the clips" not in written(tmp_path, entry("b.bvh"))


def written(folder: Path, *entries: dict[str, Any], **more: Any) -> list[str]:
    document = {"preset": "Biped", "labeled": list(entries), "failed": [], **more}
    path = write_report(document, folder / "new" / "report")
    assert path == folder / "new" / "report" / "report.md"
    assert json.loads((folder / "new" / "report" / "report.json").read_text()) == document
    return path.read_text().splitlines()


def test_the_clip_with_most_doubt_comes_first(tmp_path: Path) -> None:
    spots = {"b.bvh": [SPOT], "a.bvh": [], "c.bvh": [SPOT, SPOT], "d.bvh": [SPOT]}
    lines = written(tmp_path, *(entry(clip, *found) for clip, found in spots.items()))
    assert lines[:5] == [
        "# Labels",
        "",
        "Preset *Biped*, clips: 4, frames to check: 4. The clip with the most doubt",
        "comes first: doubts are added up, so that 2.0 is about two mistakes. Frame 0 is a clip's first.",
        "",
    ]
    rows = [line for line in lines if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == [
        "c.bvh",
        "b.bvh",
        "d.bvh",
        "a.bvh",
        "c.bvh",
        "c.bvh",
        "b.bvh",
        "d.bvh",
    ]
    assert rows[1] == "| `b.bvh` | 0.50 | 1 | 4 | 30 | stand 75 %, run 25 % | sit 67 %, idle 33 % | 2/1 |  |"
    assert rows[6] == "| `b.bvh` | 7 | 0.50 | Left heel: slides 6 cm \\| during a contact |"
    assert "| --- | --- | --- | --- |" in lines


@pytest.mark.parametrize("count, plural", [(1, ""), (2, "s")])
def test_learning_is_reported(tmp_path: Path, count: int, plural: str) -> None:
    learned = {"from": ["a.bvh"] * count, "changes": {"toe.L": "lower"}}
    lines = written(tmp_path, learned=learned)
    assert f"## Learned from {count} corrected clip{plural}" in lines and "- toe.L: lower" in lines
    assert not any("Nothing" in line for line in lines)
    assert "Nothing was changed, since the preset already fits these clips." in written(
        tmp_path, learned=learned | {"changes": {}}
    )


def test_failures_are_reported_and_nothing_without_clips(tmp_path: Path) -> None:
    lines = written(tmp_path, failed=[{"clip": "x.bvh", "error": "It is empty"}])
    assert lines[5:8] == ["## Not labelled", "", "- `x.bvh`: It is empty"]
    assert "## Clips" not in lines and "## Frames to check" not in lines
