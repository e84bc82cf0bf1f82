"""The report on a folder of labeled clips: ``report.json`` for programs, ``report.md`` for people, worst clip first."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ..jobs.atomic import write_atomically
from ..motion.reading_note import QUESTION_DOUBT, ReadingNote, total_doubt
from ..motion.rotations import Array
from .labels import Labels
from .review.ranking import ReviewSpot

MIN_REPORTED_SHARE: Final = 0.02
"""Share of a clip's time below which a gait or an action is not listed."""


def report_entry(
    clip_path: Path,
    labels_path: Path,
    labels: Labels,
    spots: Sequence[ReviewSpot],
    kept_corrections: bool = False,
    notes: Sequence[ReadingNote] = (),
) -> dict[str, Any]:
    return {
        "clip": str(clip_path),
        "labels": str(labels_path),
        "is_corrected": kept_corrections,
        "frames": len(labels),
        "frame_rate": float(labels.frame_rate),
        "gaits": _mean_shares(labels.gait_names, labels.gaits),
        "actions": _mean_shares(labels.action_names, labels.actions),
        "foot_strikes": {"left": len(labels.left_strikes), "right": len(labels.right_strikes)},
        "doubt": round(float(sum(spot.doubt for spot in spots)) + total_doubt(notes), 3),
        "reading": [note.entry() for note in notes],
        "issues": [asdict(spot) | {"frame": int(spot.frame), "doubt": float(spot.doubt)} for spot in spots],
    }


def _mean_shares(names: Sequence[str], values: Array) -> dict[str, float]:
    """Return the share of the clip's time that each gait or action takes, by name."""
    return dict(zip(names, values.mean(axis=0).round(4).tolist(), strict=True))


def write_report(document: Mapping[str, Any], folder: Path) -> Path:
    """Write ``document`` to a folder as ``report.json`` and ``report.md``, and return the path of the latter.

    Raises:
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    data = json.dumps(document, indent=2, allow_nan=False).encode()
    write_atomically(folder / "report.json", data, follow_links=False)
    path = folder / "report.md"
    text = "\n".join(_markdown_lines(document)).encode("utf-8", "backslashreplace")
    write_atomically(path, text, follow_links=False)
    return path


def _markdown_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of ``report.md``."""
    clips = sorted(document["labeled"], key=lambda entry: (-entry["doubt"], entry["clip"]))
    places = sum(len(entry["issues"]) for entry in clips)
    yield "# Labels"
    yield ""
    yield f"Preset *{document['preset']}*, clips: {len(clips)}, frames to check: {places}. The clip with the most doubt"
    yield "comes first. Its doubt is the expected number of mistakes. Frame 0 is the first frame of a clip."
    if "learned" in document:
        changes, count = document["learned"]["changes"], len(document["learned"]["from"])
        yield from ("", f"## Learned from {count} corrected clip{'s' * (count != 1)}", "")
        yield from (f"- {name}: {change}" for name, change in changes.items())
        if not changes:
            yield "Nothing was changed, since the preset already fits these clips."
    if document["failed"]:
        yield from ("", "## Clips that could not be labeled", "")
        yield from (f"- `{entry['clip']}`: {entry['error']}" for entry in document["failed"])
    if document.get("notes"):
        yield from ("", "## Notes", "")
        yield from (f"- {note}" for note in document["notes"])
    yield from _reading_lines(clips)
    if clips:
        yield from ("", "## Clips", "")
        yield from _markdown_table(
            ("clip", "doubt", "to check", "frames", "frames/s", "gaits", "actions", "strikes L/R", ""),
            [_clip_row(entry) for entry in clips],
        )
    if places:
        yield from ("", "## Frames to check", "")
        yield from _markdown_table(
            ("clip", "frame", "doubt", "reason"),
            [
                (f"`{entry['clip']}`", str(spot["frame"]), f"{spot['doubt']:.2f}", spot["text"])
                for entry in clips
                for spot in entry["issues"]
            ],
        )
    yield ""


def _reading_lines(clips: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the report's lines about doubtful or repaired files: questions first, then repairs."""
    notes = [(entry["clip"], note) for entry in clips for note in entry.get("reading", ())]
    if notes:
        yield from ("", "## Questions and repairs from reading the clips", "")
        notes.sort(key=lambda named: -named[1]["doubt"])
    for clip, note in notes:
        question = f" (doubt {note['doubt']:.2f})" if note["doubt"] >= QUESTION_DOUBT else ""
        yield f"- `{clip}`: {note['text']}{question}"


def _clip_row(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a clip's row in the report's table."""
    return (
        f"`{entry['clip']}`",
        f"{entry['doubt']:.2f}",
        str(len(entry["issues"])),
        str(entry["frames"]),
        f"{entry['frame_rate']:g}",
        _format_shares(entry["gaits"]),
        _format_shares(entry["actions"]),
        f"{entry['foot_strikes']['left']}/{entry['foot_strikes']['right']}",
        "corrections were kept" if entry["is_corrected"] else "",
    )


def _format_shares(shares: Mapping[str, float]) -> str:
    """Return shares of a clip's time as text, the largest first.

    >>> _format_shares({"stand": 0.25, "walk": 0.74, "run": 0.01})
    'walk 74 %, stand 25 %'
    """
    ordered = sorted(shares.items(), key=lambda share: -share[1])
    return ", ".join(f"{name} {share:.0%}".replace("%", " %") for name, share in ordered if share >= MIN_REPORTED_SHARE)


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    for line in (head, ["---"] * len(head), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"
