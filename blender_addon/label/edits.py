"""Edits of the labels of an action.

Every edit is stored as a correction of the user's, applied at once, and followed by phase, curves and pose markers.
None of them reads the motion again.

All raise :class:`FootfallError`, before any change, for invalid edits. Frames are the scene's.
"""

from collections import Counter
from collections.abc import Callable

import bpy

from ...core.errors import FootfallError
from ...core.labelling.review.context import FEET_SUBJECT
from ...core.labelling.semantics import actions, gaits
from ...core.message import Message
from ..ui.operator_base import require_editable
from .marks import EXCLUSIVE_KINDS, SIDE_NAMES, EditableLabels, LabelCorrection, LabelSpan, sort_spans
from .refresh import write_editable_labels
from .store import (
    CORRECTION_FIELDS,
    StoredIssue,
    read_editable_labels,
    read_issues,
    remove_issues,
    strike_marker_frames,
)

KIND_NAMES = {"GAIT": Message("gait"), "ACTION": Message("activity")}
LABEL_NAMES = {"GAIT": gaits.GAIT_NAMES, "ACTION": actions.ACTION_NAMES}


def paint_contact(armature: bpy.types.Object, action: bpy.types.Action, joint: str, start: int, end: int) -> None:
    """Set a joint's contact from frame ``start`` to frame ``end``, both included."""
    _correct_contact(armature, action, joint, start, end, is_present=True)


def erase_contact(armature: bpy.types.Object, action: bpy.types.Action, joint: str, start: int, end: int) -> None:
    """Remove a joint's contact from frame ``start`` to frame ``end``, both included."""
    _correct_contact(armature, action, joint, start, end, is_present=False)


def _correct_contact(
    armature: bpy.types.Object, action: bpy.types.Action, joint: str, start: int, end: int, is_present: bool
) -> None:
    def edit(marks: EditableLabels) -> None:
        if joint not in marks.contact_feet:
            known = ", ".join(marks.contact_feet)
            raise FootfallError(
                "Action '{name}' has no contact point '{joint}': choose one of {known}",
                joint=joint,
                name=action.name,
                known=known,
            )
        marks.add_correction(LabelCorrection("CONTACT", joint, *_clamp_range(marks, action, start, end), is_present))

    _apply_change(armature, action, edit)


def set_span(armature: bpy.types.Object, action: bpy.types.Action, kind: str, name: str, start: int, end: int) -> None:
    """Set the gait, action or contact from frame ``start`` to frame ``end``, both included."""
    if kind == "CONTACT":
        paint_contact(armature, action, name, start, end)
        return
    _require_name(kind, name)
    _apply_change(
        armature,
        action,
        lambda marks: marks.add_correction(LabelCorrection(kind, name, *_clamp_range(marks, action, start, end))),
    )


def split(armature: bpy.types.Object, action: bpy.types.Action, index: int, frame: int) -> None:
    """Split a segment in two; the second one starts at ``frame``."""

    def edit(marks: EditableLabels) -> None:
        span = _span_at(marks, index)
        if not span.start < frame <= span.end:
            raise FootfallError(
                "The segment '{name}' runs from frame {start} to {end} and cannot be split at frame {frame}: "
                "choose a later frame of the segment",
                name=span.name,
                start=span.start,
                end=span.end,
                frame=frame,
            )
        marks.add_correction(LabelCorrection(span.kind, span.name, frame, frame - 1))

    _apply_change(armature, action, edit)


def merge(armature: bpy.types.Object, action: bpy.types.Action, index: int) -> None:
    """Merge a segment with the next one of the same kind and name, including the frames between them."""

    def edit(marks: EditableLabels) -> None:
        span = _span_at(marks, index)
        after = [s for s in marks.spans if (s.kind, s.name) == (span.kind, span.name) and s.start > span.end]
        if not after:
            raise FootfallError(
                "There is no segment '{name}' after frame {end} to merge with: select another segment",
                name=span.name,
                end=span.end,
            )
        following = min(after, key=lambda s: s.start)
        marks.add_correction(LabelCorrection(span.kind, span.name, span.end, following.start))

    _apply_change(armature, action, edit)


def move_edge(armature: bpy.types.Object, action: bpy.types.Action, index: int, edge: str, frame: int) -> None:
    """Move the ``"start"`` or ``"end"`` of a segment; the neighbor of a gait or action segment adjusts to it."""

    def edit(marks: EditableLabels) -> None:
        _move_edge(marks, action, _span_at(marks, index), edge, frame)

    _apply_change(armature, action, edit)


def move_strike(armature: bpy.types.Object, action: bpy.types.Action, side: str, old: int, new: int) -> None:
    """Move a strike of the foot ``"L"`` or ``"R"``, together with the start of the contacts that begin there."""

    def edit(marks: EditableLabels) -> None:
        _clamp_range(marks, action, new, new)
        marks.move_strike(side, old, new)

    _apply_change(armature, action, edit)


def add_strike(armature: bpy.types.Object, action: bpy.types.Action, side: str, frame: int) -> None:
    """Add a strike of the foot ``"L"`` or ``"R"``."""

    def edit(marks: EditableLabels) -> None:
        _clamp_range(marks, action, frame, frame)
        marks.add_strike(side, frame)

    _apply_change(armature, action, edit)


def remove_strike(armature: bpy.types.Object, action: bpy.types.Action, side: str, frame: int) -> None:
    """Remove a strike for good; later detections do not restore it."""
    _apply_change(armature, action, lambda marks: marks.remove_strike(side, frame))


def confirm(armature: bpy.types.Object, action: bpy.types.Action, index: int) -> None:
    """Confirm that the labels at a review spot are correct."""
    spots = read_issues(action)
    if not 0 <= index < len(spots):
        raise FootfallError("There is no issue {index} in the list: detect the labels again", index=index + 1)
    spot = spots[index]

    def edit(marks: EditableLabels) -> None:
        if spot.name in gaits.GAIT_NAMES:
            here = [s for s in marks.spans if s.kind == "GAIT" and s.start <= spot.frame <= s.end]
            for span in here:
                marks.add_correction(LabelCorrection("GAIT", span.name, span.start, span.end))
        for name, foot in list(marks.contact_feet.items()):
            if spot.name in (name, foot) or (spot.name == FEET_SUBJECT and foot):
                marks.confirm_contact(name, spot.frame)

    _apply_change(armature, action, edit)
    remove_issues(action, lambda other: other == spot)


def commit_manual_edits(armature: bpy.types.Object, action: bpy.types.Action) -> list[str]:
    """Convert manual changes of pose markers and segment numbers to edits.

    Returns:
        A sentence for each rejected change; its labels are restored.
    """
    if not is_labeled(action):
        return []
    marks, by_hand, refused = _collect_manual_edits(armature, action)
    if by_hand:
        _store_and_update(armature, action, marks)
    return refused


def _collect_manual_edits(
    armature: bpy.types.Object, action: bpy.types.Action
) -> tuple[EditableLabels, bool, list[str]]:
    """Return the labels with manual changes applied, whether there are any, and sentences about rejected ones."""
    marks, refused = read_editable_labels(action), []
    edits = [*_typed_edits(marks, action), *_dragged_strikes(marks, action)]
    for edit in edits:
        trial = marks.copy()
        try:
            edit(trial)
        except FootfallError as error:
            refused.append(str(error))
        else:
            marks = trial
    return marks, bool(edits) or action.footfall.has_manual_edits, refused


def is_labeled(action: bpy.types.Action) -> bool:
    return action.footfall.frame_count > 0


def _apply_change(
    armature: bpy.types.Object, action: bpy.types.Action, change: Callable[[EditableLabels], None]
) -> None:
    """Apply the user's pending manual changes first, and then ``change``."""
    require_editable(action, "Action")
    if not is_labeled(action):
        raise FootfallError("Action '{name}' has no labels: detect them first", name=action.name)
    marks, _, _ = _collect_manual_edits(armature, action)
    change(marks)
    _store_and_update(armature, action, marks)


def _store_and_update(armature: bpy.types.Object, action: bpy.types.Action, editable: EditableLabels) -> None:
    said = Counter(LabelCorrection(*CORRECTION_FIELDS(item)) for item in action.footfall.corrections)
    write_editable_labels(armature, action, editable)
    fresh = [correction for correction in editable.corrections if not said[correction]]
    remove_issues(action, lambda spot: any(_resolves_issue(editable, correction, spot) for correction in fresh))


def _resolves_issue(editable: EditableLabels, correction: LabelCorrection, issue: StoredIssue) -> bool:
    """Return whether a correction settles a review spot, because it changes the spot's contact, foot or gait."""
    foot = editable.contact_feet.get(correction.name, "")
    if correction.kind in EXCLUSIVE_KINDS:
        about = issue.name in LABEL_NAMES[correction.kind]
    else:
        about = issue.name in (correction.name, foot) or (issue.name == FEET_SUBJECT and bool(foot))
    return about and correction.start - 1 <= issue.frame <= correction.end + 1


def _clamp_range(editable: EditableLabels, action: bpy.types.Action, start: int, end: int) -> tuple[int, int]:
    if end < start:
        raise FootfallError(
            "Frames {start} to {end} are not a valid range: choose a last frame that is not before the first",
            start=start,
            end=end,
        )
    if start < editable.first_frame or end > editable.last_frame:
        raise FootfallError(
            "Frames {start} to {end} are not all labeled: choose frames from {first} to {last}, the labeled part of "
            "action '{name}'",
            name=action.name,
            first=editable.first_frame,
            last=editable.last_frame,
            start=start,
            end=end,
        )
    return start, end


def _require_name(kind: str, name: str) -> None:
    if kind not in LABEL_NAMES:
        raise FootfallError("Goals cannot be set by hand, as they follow from the activities: set the activity instead")
    if name not in LABEL_NAMES[kind]:
        raise FootfallError(
            "There is no {kind} '{name}': choose one of {names}",
            name=name,
            kind=KIND_NAMES[kind],
            names=", ".join(LABEL_NAMES[kind]),
        )


def _span_at(editable: EditableLabels, index: int) -> LabelSpan:
    spans = sort_spans(editable.spans)
    if not 0 <= index < len(spans):
        raise FootfallError("There is no label segment {index}: choose one from the list", index=index)
    span = spans[index]
    if span.kind == "GOAL":
        raise FootfallError(
            "Goals cannot be changed by hand, as they follow from the activities: change the segment of the "
            "activity instead"
        )
    return span


def _move_edge(editable: EditableLabels, action: bpy.types.Action, span: LabelSpan, edge: str, frame: int) -> None:
    start, end = (frame, span.end) if edge == "start" else (span.start, frame)
    _clamp_range(editable, action, start, end)
    if start < span.start or end > span.end:
        grown = (start, span.start - 1) if edge == "start" else (span.end + 1, end)
        editable.add_correction(LabelCorrection(span.kind, span.name, *grown))
        return
    given = (span.start, start - 1) if edge == "start" else (end + 1, span.end)
    if given[0] > given[1]:
        return
    if span.kind == "CONTACT":
        editable.add_correction(LabelCorrection("CONTACT", span.name, *given, is_present=False))
        return
    touching = span.start - 1 if edge == "start" else span.end + 1
    neighbour = next((s for s in editable.spans if s.kind == span.kind and s.start <= touching <= s.end), None)
    if neighbour is None:
        raise FootfallError(
            "The segment '{name}' has no neighbor that could take over frames {start} to {end}: set another {kind} on "
            "these frames instead",
            name=span.name,
            start=given[0],
            end=given[1],
            kind=KIND_NAMES[span.kind],
        )
    editable.add_correction(LabelCorrection(span.kind, neighbour.name, *given))


def _typed_edits(editable: EditableLabels, action: bpy.types.Action) -> list[Callable[[EditableLabels], None]]:
    """Return edits for the segment frames that the user has typed."""
    if not (action.footfall.has_manual_edits and is_labeled(action)):
        return []
    edits: list[Callable[[EditableLabels], None]] = []
    for item, span in zip(action.footfall.segments, editable.spans, strict=True):
        for edge, wanted, settled in (("start", item.start, span.start), ("end", item.end, span.end)):
            if wanted != settled:
                edits.append(_edge_edit(action, span, edge, wanted))
    return edits


def _edge_edit(action: bpy.types.Action, span: LabelSpan, edge: str, frame: int) -> Callable[[EditableLabels], None]:
    def edit(marks: EditableLabels) -> None:
        same = [s for s in marks.spans if (s.kind, s.name) == (span.kind, span.name)]
        now = next((s for s in same if s.start <= span.end and span.start <= s.end), None)
        if span.kind == "GOAL" or now is None:
            raise FootfallError(
                "Goals cannot be changed by hand, as they follow from the activities: change the segment of the "
                "activity instead"
            )
        _move_edge(marks, action, now, edge, frame)

    return edit


def _dragged_strikes(editable: EditableLabels, action: bpy.types.Action) -> list[Callable[[EditableLabels], None]]:
    """Return edits for the strike markers that the user has moved.

    If as many markers are missing as are new, the user has dragged them, and they are paired in order. Otherwise each
    new marker is paired with the nearest missing one, and the rest count as added or deleted.
    """
    edits: list[Callable[[EditableLabels], None]] = []
    for side, shown in strike_marker_frames(action).items():
        known = set(editable.strike_frames(side))
        gone, new = sorted(known - shown), sorted(shown - known)
        for old, to in _match_moved(gone, new):
            edits.append(_strike_edit(action, side, old, to))
            gone.remove(old)
            new.remove(to)
        edits += [_strike_edit(action, side, frame, None) for frame in gone]
        edits += [_strike_edit(action, side, None, frame) for frame in new]
    return edits


def _match_moved(removed: list[int], added: list[int]) -> list[tuple[int, int]]:
    if len(removed) == len(added):
        return list(zip(removed, added, strict=True))
    pairs, left = [], list(removed)
    for to in added[: len(removed)] if len(added) < len(removed) else added:
        if left:
            old = min(left, key=lambda frame: abs(frame - to))
            left.remove(old)
            pairs.append((old, to))
    return pairs


def _strike_edit(
    action: bpy.types.Action, side: str, old: int | None, new: int | None
) -> Callable[[EditableLabels], None]:
    assert side in SIDE_NAMES

    def edit(marks: EditableLabels) -> None:
        if new is not None:
            _clamp_range(marks, action, new, new)
        if old is None and new is not None:
            marks.add_strike(side, new)
        elif new is None and old is not None:
            marks.remove_strike(side, old)
        elif old is not None and new is not None:
            marks.move_strike(side, old, new)

    return edit
