"""The report of a bake, as plain values."""

from collections.abc import Iterator, Mapping
from typing import Any

import bpy

from ....core.evaluation.quality import ALL_LIMITS
from ...activities.interaction.shot_bake import ShotBake
from ...activities.walk.bake import BakeResult, WalkBake
from ...animation.bake_report import quality_rows
from ...animation.layers.bake_record import PreviousState, last_record
from ...animation.likeness_report import likeness_rows


def describe_bake(armature: bpy.types.Object, bake: WalkBake | ShotBake, result: BakeResult) -> dict[str, Any]:
    """Return the report entry of a character that was just baked."""
    record = last_record(armature)
    assert record is not None, "every bake stores a record"
    first, last = PreviousState.from_json(record.previous_state).span
    entry = {
        "message": result.message,
        "action": result.action.name,
        "first_frame": first,
        "last_frame": last,
        "frames": last - first + 1,
        "controller": bake.controller,
        "quality": _quality_entry(armature),
        "warnings": [],
    }
    if isinstance(bake, ShotBake):
        passes = [[one.to_json() for one in act.refined.passes] for act in bake.acts()]
        return entry | {"skipped_tasks": bake.skipped_tasks, "passes": passes}
    settings = armature.footfall
    told = {
        "path": bake.path_name,
        "speed": settings.speed,
        "seed": settings.seed,
        "waypoints": _waypoint_entries(armature),
        "likeness": _likeness_entry(armature),
    }
    return entry | told | {"warnings": list(bake.warnings)}


def _quality_entry(armature: bpy.types.Object) -> dict[str, dict[str, Any]]:
    """Return the quality of an armature's last bake by measure, as the panel shows it."""
    result = {}
    for row in quality_rows(armature):
        numbers = {"mean": row.mean, "p95": row.p95, "worst": row.worst, "mocap_median": row.mocap_median}
        where = {
            "unit": ALL_LIMITS[row.measure].unit,
            "frame": row.frame,
            "body_part": row.body_part,
            "verdict": row.verdict,
        }
        result[row.measure] = numbers | where
    return result


def _likeness_entry(armature: bpy.types.Object) -> dict[str, dict[str, Any]]:
    """Return, by measure, the likeness to human motion of an armature's last bake."""
    return {
        row.measure: {
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "unit": row.unit,
            "frame": row.frame,
            "speed_m_s": row.speed_m_s,
            "finding": None if row.finding is None else str(row.finding),
        }
        for row in likeness_rows(armature)
    }


def _waypoint_entries(armature: bpy.types.Object) -> list[dict[str, Any]]:
    """Return the results of an armature's waypoints."""
    return [
        {"empty": mark.empty.name, "frame": mark.frame, "missed": mark.missed, "result": mark.result}
        for mark in armature.footfall.waypoints
    ]


def unmet_goals(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each interaction task not done and each waypoint missed."""
    for number in entry.get("skipped_tasks", ()):
        yield f"Beat {number} was skipped, as its target could not be reached"
    for waypoint in entry.get("waypoints", ()):
        if waypoint["missed"]:
            yield f"Waypoint '{waypoint['empty']}' at frame {waypoint['frame']}: {waypoint['result']}"
