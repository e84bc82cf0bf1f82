"""The labels of an action in Blender: property groups saved with it, and pose markers that mirror strikes.

Only differences are written, so that edits of long actions are fast.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

import bpy

from ...core.motion.reading_note import ReadingNote
from ..ui.plain import choice, collection, flag, integer, number, share, text
from ..ui.translations import CONTEXT, translate_interface
from .marks import EditableLabels, FootStrike, LabelCorrection, LabelSpan, sort_spans

LABEL_KINDS = (
    ("CONTACT", "Contact", "Contact of a heel, toe or hand"),
    ("GAIT", "Gait", "Standing, walking, jogging or running"),
    ("ACTION", "Activity", "Activity of the character, such as sitting down"),
    ("GOAL", "Goal", "Position and facing of the activity, such as at a seat"),
)
LABEL_SOURCES = (
    ("DETECTED", "Detected", "Detected by Footfall"),
    ("USER", "Edited", "Added or corrected by hand. Detected labels never replace it"),
)
STRIKE_MARKER_NAMES = {"L": "Foot Strike L", "R": "Foot Strike R"}
ItemT = TypeVar("ItemT")
# Plain data and its property group have the same field names.
CONTACT_FIELDS = attrgetter("name", "foot")
CORRECTION_FIELDS = attrgetter("kind", "name", "start", "end", "is_present")
STRIKE_FIELDS = attrgetter("side", "frame", "source", "removed")
ISSUE_FIELDS = attrgetter("frame", "kind", "name", "doubt", "text")


def _flag_manual_edit(segment: bpy.types.PropertyGroup, _context: bpy.types.Context | None) -> None:
    segment.id_data.footfall.has_manual_edits = True


class FOOTFALL_PG_segment(bpy.types.PropertyGroup):
    """Some frames of an action, both ends included, and what happens in them (its name: a contact's, a gait's...)."""

    name: text("Name", "Contact point, gait or activity that is labeled")
    kind: choice("Kind", "Type of the label: contact, gait, activity or goal", LABEL_KINDS, translation_context=CONTEXT)
    start: integer("Start", "First frame of the label", update=_flag_manual_edit)
    end: integer("End", "Last frame of the label", update=_flag_manual_edit)
    # As Footfall wrote them; where the two above differ, the user has typed a number that is still to be applied.
    applied_start: integer(options={"HIDDEN"})
    applied_end: integer(options={"HIDDEN"})
    confidence: share("Confidence", "Probability that the label is right", 1.0)
    source: choice("Source", "Origin of the label: detected, or edited by hand", LABEL_SOURCES, default="USER")
    location: bpy.props.FloatVectorProperty(
        name="Location", description="Position of the goal", size=3, subtype="TRANSLATION"
    )
    yaw: number("Facing", "Facing angle of the goal about the vertical", subtype="ANGLE", translation_context=CONTEXT)


class FOOTFALL_PG_correction(bpy.types.PropertyGroup):
    """What the user said of some frames, said again after every labelling; an empty range divides what is there."""

    name: text()
    kind: bpy.props.EnumProperty(items=LABEL_KINDS)
    start: integer()
    end: integer()
    is_present: flag(default=True)


class FOOTFALL_PG_foot_strike(bpy.types.PropertyGroup):
    """A foot's first frame on the ground."""

    side: bpy.props.EnumProperty(items=(("L", "Left", ""), ("R", "Right", "")))
    frame: integer()
    source: bpy.props.EnumProperty(items=LABEL_SOURCES)
    removed: flag(description="Detected foot strike that the user removed")


class FOOTFALL_PG_label_issue(bpy.types.PropertyGroup):
    """A place where the labels may be wrong."""

    frame: integer()
    kind: text()
    name: text()
    doubt: number()
    text: text()


class FOOTFALL_PG_label_contact(bpy.types.PropertyGroup):
    """A contact that was looked for, and the foot it belongs to."""

    name: text()
    foot: text()


class FOOTFALL_PG_labels(bpy.types.PropertyGroup):
    """All that Footfall knows about an action."""

    first_frame: integer("First Frame", "Scene frame at which the labels begin")
    frame_count: integer(description="Number of frames that have labels")
    frame_rate: number(description="Frames per second")
    contacts: collection(FOOTFALL_PG_label_contact)
    segments: collection(FOOTFALL_PG_segment)
    active_segment: integer("Active Segment", "Index of the active item in the list", low=0)
    corrections: collection(FOOTFALL_PG_correction)
    foot_strikes: collection(FOOTFALL_PG_foot_strike)
    issues: collection(FOOTFALL_PG_label_issue)
    active_issue: integer("Active Issue", "Index of the active issue", -1, -1)
    # The spot to continue with after the active one was resolved and removed.
    following_issue: integer(options={"HIDDEN"})
    up_question: text(description="Question to the user: which axis points up in the motion")
    up_axis: text(description="Axis that may point up in the motion")
    revision: integer(description="Counter of changes to the labels")
    has_manual_edits: flag(options={"HIDDEN"})


@dataclass(frozen=True, slots=True)
class StoredIssue:
    """A review spot as plain data; the frame is the scene's."""

    frame: int
    kind: str
    name: str
    doubt: float
    text: str


def read_editable_labels(action: bpy.types.Action) -> EditableLabels:
    """Return an action's labels as last written, without manual changes that are still pending."""
    stored = action.footfall
    return EditableLabels(
        stored.first_frame,
        stored.frame_count,
        stored.frame_rate,
        {sensor.name: sensor.foot for sensor in stored.contacts},
        [_to_span(item) for item in stored.segments],
        [LabelCorrection(*CORRECTION_FIELDS(item)) for item in stored.corrections],
        [FootStrike(*STRIKE_FIELDS(item)) for item in stored.foot_strikes],
    )


def _to_span(item: FOOTFALL_PG_segment) -> LabelSpan:
    start, end = item.applied_start, item.applied_end
    if item.kind != "GOAL":
        return LabelSpan(item.kind, item.name, start, end, item.confidence, item.source)
    return LabelSpan(item.kind, item.name, start, end, item.confidence, item.source, tuple(item.location), item.yaw)


def store_editable_labels(action: bpy.types.Action, editable: EditableLabels) -> None:
    """Write labels to the action's property groups and pose markers, and increment its revision."""
    stored = action.footfall
    stored.first_frame, stored.frame_count, stored.frame_rate = (
        editable.first_frame,
        editable.frame_count,
        editable.frame_rate,
    )
    _sync_collection(stored.contacts, list(editable.contact_feet.items()), CONTACT_FIELDS, _set_contact)
    _sync_collection(stored.segments, sort_spans(editable.spans), _span_if_settled, _set_segment)
    _sync_collection(
        stored.corrections, list(map(CORRECTION_FIELDS, editable.corrections)), CORRECTION_FIELDS, _set_correction
    )
    strikes = sorted(editable.strikes, key=attrgetter("frame", "side"))
    _sync_collection(stored.foot_strikes, list(map(STRIKE_FIELDS, strikes)), STRIKE_FIELDS, _set_strike)
    sync_strike_markers(action, editable)
    stored.active_segment = min(stored.active_segment, max(len(stored.segments) - 1, 0))
    stored.has_manual_edits = False
    stored.revision += 1


def store_issues(action: bpy.types.Action, issues: Sequence[StoredIssue]) -> None:
    """Store newly found review spots, the most doubtful first; none of them is active."""
    _write_issues(action, issues)
    action.footfall.active_issue, action.footfall.following_issue = -1, 0


def store_question(action: bpy.types.Action, question: ReadingNote | None) -> None:
    """Store a question about an action's up axis; without one, clear the stored question."""
    asked = question is not None and question.up is not None
    action.footfall.up_question = translate_interface(question.text) if asked and question else ""
    action.footfall.up_axis = question.up if asked and question else ""


def remove_issues(action: bpy.types.Action, is_resolved: Callable[[StoredIssue], bool]) -> None:
    """Remove resolved review spots; if the active one is among them, its successor becomes the next to visit."""
    stored, spots = action.footfall, read_issues(action)
    kept = [spot for spot in spots if not is_resolved(spot)]
    if len(kept) == len(spots):
        return
    active = spots[stored.active_issue] if 0 <= stored.active_issue < len(spots) else None
    before = sum(not is_resolved(spot) for spot in spots[: max(stored.active_issue, 0)])
    _write_issues(action, kept)
    gone = active is None or is_resolved(active)
    stored.active_issue, stored.following_issue = (-1, before) if gone else (before, 0)


def _write_issues(action: bpy.types.Action, issues: Sequence[StoredIssue]) -> None:
    _sync_collection(action.footfall.issues, list(map(ISSUE_FIELDS, issues)), ISSUE_FIELDS, _set_issue)


def read_issues(action: bpy.types.Action) -> list[StoredIssue]:
    """Return the issues of an action that the user should review, copied from Blender's properties."""
    return [StoredIssue(*ISSUE_FIELDS(item)) for item in action.footfall.issues]


def _sync_collection(
    collection: bpy.types.bpy_prop_collection,
    wanted: Sequence[ItemT],
    read: Callable[[Any], ItemT | None],
    write: Callable[[Any, ItemT], None],
) -> None:
    """Make a collection equal to the wanted items, without rewriting equal items at its start and end."""
    have = [read(item) for item in collection]
    head = _common_prefix_length(have, wanted)
    tail = _common_prefix_length(have[head:][::-1], wanted[head:][::-1])
    surplus = len(have) - len(wanted)
    for _ in range(surplus):
        collection.remove(head)
    for _ in range(-surplus):
        collection.add()
        if tail:
            collection.move(len(collection) - 1, head)
    for place in range(head, len(wanted) - tail):
        write(collection[place], wanted[place])


def _common_prefix_length(have: Sequence[object], wanted: Sequence[object]) -> int:
    count = 0
    for one, other in zip(have, wanted, strict=False):
        if one != other:
            break
        count += 1
    return count


def _span_if_settled(item: FOOTFALL_PG_segment) -> LabelSpan | None:
    """Return the span of a segment; ``None``, which never equals a span, if the user has typed other numbers."""
    settled = (item.start, item.end) == (item.applied_start, item.applied_end)
    return _to_span(item) if settled else None


def _set_segment(item: FOOTFALL_PG_segment, span: LabelSpan) -> None:
    item.kind, item.name = span.kind, span.name
    item.start = item.applied_start = span.start
    item.end = item.applied_end = span.end
    item.confidence, item.source = span.confidence, span.source
    item.location, item.yaw = span.location, span.yaw


def _set_correction(item: FOOTFALL_PG_correction, values: tuple) -> None:
    item.kind, item.name, item.start, item.end, item.is_present = values


def _set_strike(item: FOOTFALL_PG_foot_strike, values: tuple) -> None:
    item.side, item.frame, item.source, item.removed = values


def _set_contact(item: FOOTFALL_PG_label_contact, values: tuple[str, str]) -> None:
    item.name, item.foot = values


def _set_issue(item: FOOTFALL_PG_label_issue, values: tuple) -> None:
    item.frame, item.kind, item.name, item.doubt, item.text = values


def strike_marker_frames(action: bpy.types.Action) -> dict[str, set[int]]:
    """Return the frames of the strike markers of each foot."""
    sides = {name: side for side, name in STRIKE_MARKER_NAMES.items()}
    found: dict[str, set[int]] = {side: set() for side in STRIKE_MARKER_NAMES}
    for marker in action.pose_markers:
        side = sides.get(marker.name)
        if side is not None:
            found[side].add(marker.frame)
    return found


def sync_strike_markers(action: bpy.types.Action, editable: EditableLabels) -> None:
    """Make the pose markers match the strikes; markers that are right or belong to others are not changed."""
    for side, name in STRIKE_MARKER_NAMES.items():
        missing = set(editable.strike_frames(side))
        stray = []
        for marker in action.pose_markers:
            if marker.name == name:
                if marker.frame in missing:
                    missing.discard(marker.frame)
                else:
                    stray.append(marker)
        for frame in sorted(missing):
            marker = stray.pop() if stray else _new_marker(action, name)
            marker.frame = frame
        _remove_markers(action, stray)


def _new_marker(action: bpy.types.Action, name: str) -> bpy.types.TimelineMarker:
    marker = action.pose_markers.new(name)
    marker.select = False  # otherwise the next button would treat it as the user's choice
    return marker


def clear_stored_labels(action: bpy.types.Action) -> None:
    """Remove all labels from an action, including the user's corrections."""
    stored = action.footfall
    for listed in (stored.segments, stored.corrections, stored.foot_strikes, stored.issues, stored.contacts):
        listed.clear()
    stored.first_frame = stored.frame_count = stored.active_segment = 0
    stored.active_issue = -1
    stored.has_manual_edits = False
    stored.revision += 1
    _remove_markers(action, [marker for marker in action.pose_markers if marker.name in STRIKE_MARKER_NAMES.values()])


def _remove_markers(action: bpy.types.Action, markers: Iterable[bpy.types.TimelineMarker]) -> None:
    for marker in list(markers):
        action.pose_markers.remove(marker)


CLASSES = (
    FOOTFALL_PG_segment,
    FOOTFALL_PG_correction,
    FOOTFALL_PG_foot_strike,
    FOOTFALL_PG_label_issue,
    FOOTFALL_PG_label_contact,
    FOOTFALL_PG_labels,
)
