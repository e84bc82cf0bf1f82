"""Quality of the last bake, stored with its character: each measure, with the frame of its worst value."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

import bpy

from ...core.evaluation.quality import ALL_LIMITS, MeasureTrace, Verdict, summarise_traces
from ...core.jobs.bounded_files import ContentError
from ...core.jobs.typed_json import parse_rows
from ...core.message import Message
from .output import make_destination

MEASURE_TITLES: Final = {
    "path_deviation": ("Path Deviation", "{value} cm", 1),
    "foot_sliding": ("Foot Sliding", "{value} cm/s", 0),
    "ground_penetration": ("Ground Penetration", "{value} mm", 0),
    "foot_floating": ("Foot Floating", "{value} mm", 0),
    "jitter": (Message("Jitter"), Message("{value} x real walks"), 1),
    "knee_hyperextension": ("Knee Hyperextension", "{value}°", 0),
    "sliding_pair": ("Both Feet Sliding", "{value} s", 2),
    "seat_gap": ("Seat Gap", "{value} cm", 1),
    "palm_gap": ("Palm Gap", "{value} cm", 1),
    "posture": ("Posture", "{value}°", 0),
    "sole_tilt": ("Sole Tilt", "{value}°", 0),
    "sole_gap": ("Sole Height", "{value} mm", 0),
    "joint_flip": ("Joints Bent Backward", "{value}°", 0),
    "off_plan": ("Plan Deviation", "{value} cm", 1),
    "travel_speed": ("Travel Speed", "{value} m/s", 1),
}
"""Title of each measure, and template and decimals of its worst value."""
WORST_DESCRIPTIONS: Final = {
    "path_deviation": Message("the hips are farthest from the path"),
    "foot_sliding": Message("the {body_part} slides most"),
    "ground_penetration": Message("the {body_part} is deepest in the ground"),
    "foot_floating": Message("the {body_part} floats highest over the ground"),
    "jitter": Message("the {body_part} moves least smoothly"),
    "knee_hyperextension": Message("the {body_part} is straightest or most hyperextended"),
    "sliding_pair": Message("both feet slide for the longest time"),
    "seat_gap": Message("the gap between the skin of the {body_part} and the seat is larger than in any other frame"),
    "palm_gap": Message("the skin of the {body_part} is farthest from the surface that it should touch"),
    "posture": Message("the tilt of the {body_part} differs most from the controller's motion"),
    "sole_tilt": Message("the {body_part} is tilted most while it is on the ground"),
    "sole_gap": Message("the gap between the skin of the {body_part} and the ground is larger than in any other frame"),
    "joint_flip": Message("the {body_part} is bent backward most"),
    "off_plan": Message("the {body_part} is farthest from its planned position"),
    "travel_speed": Message("the hips travel fastest"),
}
"""Descriptions of the worst value of each measure, by the part of the body."""
JOINT_NAMES: Final = {
    "hips": Message("hips"),
    "spine": Message("waist"),
    "chest": Message("chest"),
    "neck": Message("neck"),
    "head": Message("head"),
    "shoulder": Message("collarbone"),
    "upper_arm": Message("shoulder"),
    "forearm": Message("elbow"),
    "hand": Message("wrist"),
    "thigh": Message("hip"),
    "shin": Message("knee"),
    "foot": Message("ankle"),
    "toe": Message("ball of the foot"),
}
"""Names of the joints that play roles, without their sides."""
TOUCH_MEASURES: Final = ("seat_gap", "palm_gap")
"""Measures of gaps between skin and objects, in which ``hand`` means the palm."""
SOLE_MEASURES: Final = ("sole_tilt", "sole_gap")
"""Measures in which ``foot`` means the sole instead of the ankle."""
RIG_MEASURES: Final = ("posture", *SOLE_MEASURES, "joint_flip", "off_plan", "travel_speed")
"""Measures of the evaluated rig; the others are of the motion before it becomes keys."""
UNCOMPARED_MEASURES: Final = (*RIG_MEASURES, *TOUCH_MEASURES, "sliding_pair", "knee_hyperextension")
"""Measures without a reference from real walks."""
HEEL_MEASURES: Final = ("foot_sliding", "ground_penetration", "foot_floating")
"""Measures in which ``foot`` means the heel instead of the ankle."""
SIDE_PREFIXES: Final = {"L": "left ", "R": "right "}


@dataclass(frozen=True, slots=True)
class QualityRow:
    """One measure of a bake; see :class:`core.evaluation.quality.Quality`.

    Attributes:
        measure: one of :data:`MEASURE_TITLES`.
        mean, p95, worst: values in the unit of :data:`core.evaluation.quality.MEASURE_LIMITS`.
        mocap_median: median of real walks for a body of this size.
        frame: scene frame of the worst value, at the time of the bake.
        body_part: part of the body with the worst value.
        verdict: verdict on the worst value.
    """

    measure: str
    mean: float
    p95: float
    worst: float
    mocap_median: float
    frame: int
    body_part: str
    verdict: Verdict

    @property
    def title(self) -> str:
        """Title of the measure."""
        return MEASURE_TITLES[self.measure][0]

    @property
    def value(self) -> str:
        """Worst value with its unit; jitter is a multiple of the jitter of real walks."""
        return self._format(self.worst)

    @property
    def worst_description(self) -> str:
        """Short description of the worst value."""
        side, _, joint = self.body_part.partition(" ")
        if side not in ("left", "right"):
            part = Message(self.body_part)
        else:
            part = Message("left {joint}" if side == "left" else "right {joint}", joint=Message(joint))
        return Message(WORST_DESCRIPTIONS[self.measure], body_part=part)

    @property
    def details(self) -> str:
        """Mean, 95th percentile, and the value for real walks."""
        said = Message(
            "Mean {mean}, 95% of the frames below {limit}",
            mean=self._format(self.mean),
            limit=self._format(self.p95),
        )
        return (
            said
            if self.measure in UNCOMPARED_MEASURES
            else Message(
                "{statistics}. Worst in real walks: {value}", statistics=said, value=self._format(self.mocap_median)
            )
        )

    def _format(self, value: float) -> str:
        _, template, digits = MEASURE_TITLES[self.measure]
        shown = value / self.mocap_median if self.measure == "jitter" else value
        return Message(template, value=f"{shown:.{digits}f}")


def store_quality(
    armature: bpy.types.Object,
    traces: Iterable[MeasureTrace],
    rate: float,
    start_frame: int,
    frame_count: int,
    scene_rate: float,
) -> tuple[QualityRow, ...]:
    """Measure the quality of a bake, store it with the character, and return the rows.

    Args:
        armature: the character.
        traces: the measures at each frame.
        rate: frames of the measures per second.
        start_frame: scene frame of the first of these frames.
        frame_count: number of scene frames generated; frames outside the bake's destination are ignored.
        scene_rate: frames per second of the scene.
    """
    _, last = make_destination(armature.footfall.output, start_frame, frame_count).frame_range(start_frame, frame_count)
    rows = summarise_rows(traces, rate, (start_frame, last), scene_rate)
    _keep_rows(armature, rows)
    return rows


def summarise_rows(
    traces: Iterable[MeasureTrace], rate: float, span: tuple[int, int], scene_rate: float
) -> tuple[QualityRow, ...]:
    """Return one summary row per measure.

    Args:
        traces: the measures, from the first frame of the span on.
        rate: frames of the measures per second.
        span: first and last scene frame to summarize.
        scene_rate: frames per second of the scene.
    """
    every, step, (first, last) = list(traces), scene_rate / rate, span
    limits = {trace.measure: trace.limits for trace in every}
    return tuple(
        QualityRow(
            *(one.measure, one.mean, one.p95, one.worst, limits[one.measure].typical),
            *(min(first + round(one.frame * step), last), joint_name(one.measure, one.joint), one.verdict),
        )
        for one in summarise_traces(every, int((last - first) / step) + 1)
    )


def replace_rig_rows(armature: bpy.types.Object, rows: Iterable[QualityRow]) -> None:
    """Replace the stored quality rows of the rig that was measured."""
    kept = [row for row in parse_quality_rows(armature.footfall.quality_report) if row.measure not in RIG_MEASURES]
    _keep_rows(armature, (*kept, *rows))


def describe_bad(rows: Iterable[QualityRow]) -> str:
    """Return a sentence that names the bad measures of a bake; empty if all are good."""
    titles = [Message(row.title) for row in rows if row.verdict == "BAD"]
    return (
        Message("Poor quality: {measures}. See the panel Bake Quality", measures=Message.joined(", ", titles))
        if titles
        else ""
    )


def _keep_rows(armature: bpy.types.Object, rows: Iterable[QualityRow]) -> None:
    armature.footfall.quality_report = json.dumps([asdict(row) for row in rows])


def quality_rows(armature: bpy.types.Object) -> tuple[QualityRow, ...]:
    """Return the quality of an armature's last bake; an empty tuple if there is none."""
    settings = armature.footfall
    if settings.baked_action is None or not settings.quality_report:
        return ()
    return parse_quality_rows(settings.quality_report)


@lru_cache(maxsize=64)
def parse_quality_rows(text: str) -> tuple[QualityRow, ...]:
    """Parse stored quality rows; return none if they are unreadable, such as rows of another version."""
    try:
        rows = parse_rows(text or "[]", QualityRow)
        return rows if all(row.measure in ALL_LIMITS and row.value and row.details for row in rows) else ()
    except (ContentError, ArithmeticError):
        return ()


def joint_name(measure: str, role: str) -> str:
    part, _, side = role.partition(".")
    name = (
        Message("heel")
        if part == "foot" and measure in HEEL_MEASURES
        else Message("palm")
        if part == "hand" and measure in TOUCH_MEASURES
        else Message("sole")
        if part == "foot" and measure in SOLE_MEASURES
        else JOINT_NAMES.get(part, part.replace("_", " "))
    )
    return f"{SIDE_PREFIXES.get(side, '')}{name}"
