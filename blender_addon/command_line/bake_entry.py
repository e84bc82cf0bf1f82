"""What there is to tell of a bake, as plain values."""

from collections.abc import Iterator, Mapping
from typing import Any

import bpy

from ...core.evaluation.quality import LIMITS
from ..bake_report import rows_of


def quality_of(armature: bpy.types.Object) -> dict[str, dict[str, Any]]:
    """What the last bake of an armature is like, by measure, as the panel has it."""
    result = {}
    for row in rows_of(armature):
        numbers = {"mean": row.mean, "p95": row.p95, "worst": row.worst, "usual": row.usual}
        where = {"unit": LIMITS[row.measure].unit, "frame": row.frame, "part": row.part, "verdict": row.verdict}
        result[row.measure] = numbers | where
    return result


def marks_of(armature: bpy.types.Object) -> list[dict[str, Any]]:
    """What became of an armature's marks."""
    return [
        {"mark": mark.spot.name, "frame": mark.frame, "missed": mark.missed, "met": mark.met}
        for mark in armature.footfall.marks
    ]


def undone(entry: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each errand that was not done, and for each mark that was not reached as it was to be."""
    for errand in entry.get("given_up", ()):
        yield f"Errand {errand} was given up, for it could not be reached"
    for mark in entry.get("marks", ()):
        if mark["missed"]:
            yield f"Mark '{mark['mark']}' at frame {mark['frame']}: {mark['met']}"
