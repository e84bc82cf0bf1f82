"""Correcting the labels of an action. Every edit is remembered as what the user said, applied at once, and followed by
phase, curves and pose markers; none of them reads the motion again.

All raise :class:`FootfallError`, having changed nothing, where the edit makes no sense. Frames are the scene's.
"""

from collections import Counter
from collections.abc import Callable

import bpy

from ...core.errors import FootfallError
from ...core.labelling.review.context import FEET
from ...core.labelling.semantics import actions, gaits
from ..ui.operator_base import require_editable
from .marks import EXCLUSIVE, SIDES, Correction, Marks, Span, in_order
from .refresh import write_marks
from .store import CORRECTION, Doubt, drop_spots, marker_frames, read_marks, read_spots

NAMES = {"GAIT": gaits.NAMES, "ACTION": actions.NAMES}


def paint_contact(armature: bpy.types.Object, action: bpy.types.Action, joint: str, start: int, end: int) -> None:
    """Says that a joint touches from ``start`` to ``end``, both included."""
    _say_contact(armature, action, joint, start, end, on=True)


def erase_contact(armature: bpy.types.Object, action: bpy.types.Action, joint: str, start: int, end: int) -> None:
    """Says that a joint touches nothing from ``start`` to ``end``, both included."""
    _say_contact(armature, action, joint, start, end, on=False)


def _say_contact(
    armature: bpy.types.Object, action: bpy.types.Action, joint: str, start: int, end: int, on: bool
) -> None:
    def edit(marks: Marks) -> None:
        if joint not in marks.sensors:
            known = ", ".join(marks.sensors)
            raise FootfallError(
                f"'{joint}' is not a contact of action '{action.name}', which has {known}: choose one of these."
            )
        marks.correct(Correction("CONTACT", joint, *_range(marks, action, start, end), on))

    _edit(armature, action, edit)


def set_span(armature: bpy.types.Object, action: bpy.types.Action, kind: str, name: str, start: int, end: int) -> None:
    """Says which gait or action (or contact) goes on from ``start`` to ``end``, both included."""
    if kind == "CONTACT":
        paint_contact(armature, action, name, start, end)
        return
    _require_name(kind, name)
    _edit(armature, action, lambda marks: marks.correct(Correction(kind, name, *_range(marks, action, start, end))))


def split(armature: bpy.types.Object, action: bpy.types.Action, index: int, frame: int) -> None:
    """Divides a segment in two, the second of which begins at ``frame``."""

    def edit(marks: Marks) -> None:
        span = _span(marks, index)
        if not span.start < frame <= span.end:
            raise FootfallError(
                f"'{span.name}' runs from frame {span.start} to {span.end}: split it at a frame after its first "
                f"and up to its last, not at {frame}."
            )
        marks.correct(Correction(span.kind, span.name, frame, frame - 1))

    _edit(armature, action, edit)


def merge(armature: bpy.types.Object, action: bpy.types.Action, index: int) -> None:
    """Makes a segment one with the next of its kind and name; what lies between becomes part of it."""

    def edit(marks: Marks) -> None:
        span = _span(marks, index)
        after = [s for s in marks.spans if (s.kind, s.name) == (span.kind, span.name) and s.start > span.end]
        if not after:
            raise FootfallError(
                f"There is no '{span.name}' after frame {span.end} to merge this one with: mark another."
            )
        following = min(after, key=lambda s: s.start)
        marks.correct(Correction(span.kind, span.name, span.end, following.start))

    _edit(armature, action, edit)


def move_edge(armature: bpy.types.Object, action: bpy.types.Action, index: int, edge: str, frame: int) -> None:
    """Moves the ``"start"`` or the ``"end"`` of a segment to a frame; a gait's or action's neighbour follows."""

    def edit(marks: Marks) -> None:
        _move_edge(marks, action, _span(marks, index), edge, frame)

    _edit(armature, action, edit)


def move_strike(armature: bpy.types.Object, action: bpy.types.Action, side: str, old: int, new: int) -> None:
    """Moves a strike of the foot ``"L"`` or ``"R"``, and with it the start of the contacts that began there."""

    def edit(marks: Marks) -> None:
        _range(marks, action, new, new)
        marks.move_strike(side, old, new)

    _edit(armature, action, edit)


def add_strike(armature: bpy.types.Object, action: bpy.types.Action, side: str, frame: int) -> None:
    """Adds a strike of the foot ``"L"`` or ``"R"``."""

    def edit(marks: Marks) -> None:
        _range(marks, action, frame, frame)
        marks.add_strike(side, frame)

    _edit(armature, action, edit)


def remove_strike(armature: bpy.types.Object, action: bpy.types.Action, side: str, frame: int) -> None:
    """Takes a strike away; labelling again does not bring it back."""
    _edit(armature, action, lambda marks: marks.remove_strike(side, frame))


def confirm(armature: bpy.types.Object, action: bpy.types.Action, index: int) -> None:
    """Says that the labels at a doubtful place are right as they are."""
    spots = read_spots(action)
    if not 0 <= index < len(spots):
        raise FootfallError(f"There is no place number {index + 1} to check: label the action again.")
    spot = spots[index]

    def edit(marks: Marks) -> None:
        if spot.name in gaits.NAMES:
            here = [s for s in marks.spans if s.kind == "GAIT" and s.start <= spot.frame <= s.end]
            for span in here:
                marks.correct(Correction("GAIT", span.name, span.start, span.end))
        for name, foot in list(marks.sensors.items()):
            if spot.name in (name, foot) or (spot.name == FEET and foot):
                marks.confirm_contact(name, spot.frame)

    _edit(armature, action, edit)
    drop_spots(action, lambda other: other == spot)


def settle(armature: bpy.types.Object, action: bpy.types.Action) -> list[str]:
    """Turns pose markers and segments' numbers that were changed by hand into edits.

    Returns:
        What could not be done, a sentence each; those marks go back to where they were.
    """
    if not is_labelled(action):
        return []
    marks, by_hand, refused = _settled(armature, action)
    if by_hand:
        _finish(armature, action, marks)
    return refused


def _settled(armature: bpy.types.Object, action: bpy.types.Action) -> tuple[Marks, bool, list[str]]:
    """The marks with what was changed by hand, whether anything was, and what of it could not be done."""
    marks, refused = read_marks(armature, action), []
    edits = [*_typed(marks, action), *_dragged(marks, action)]
    for edit in edits:
        trial = marks.copy()
        try:
            edit(trial)
        except FootfallError as error:
            refused.append(str(error))
        else:
            marks = trial
    return marks, bool(edits) or action.footfall.touched, refused


def is_labelled(action: bpy.types.Action) -> bool:
    """Whether an action has labels."""
    return bool(action.footfall.count or action.footfall.segments)


def _edit(armature: bpy.types.Object, action: bpy.types.Action, change: Callable[[Marks], None]) -> None:
    """Applies what the user has dragged about so far, and then a change."""
    require_editable(action, "Action")
    if not is_labelled(action):
        raise FootfallError(f"Action '{action.name}' has no labels: label it first.")
    marks, _, _ = _settled(armature, action)
    change(marks)
    _finish(armature, action, marks)


def _finish(armature: bpy.types.Object, action: bpy.types.Action, marks: Marks) -> None:
    said = Counter(_read_corrections(action))
    write_marks(armature, action, marks)
    fresh = [correction for correction in marks.corrections if not said[correction]]
    drop_spots(action, lambda spot: any(_answers(marks, correction, spot) for correction in fresh))


def _read_corrections(action: bpy.types.Action) -> list[Correction]:
    return [Correction(*CORRECTION(item)) for item in action.footfall.corrections]


def _answers(marks: Marks, correction: Correction, spot: Doubt) -> bool:
    """Whether the user has just said something about a doubtful place: of this contact, its foot, or a gait there."""
    foot = marks.sensors.get(correction.name, "")
    if correction.kind in EXCLUSIVE:
        about = spot.name in NAMES[correction.kind]
    else:
        about = spot.name in (correction.name, foot) or (spot.name == FEET and bool(foot))
    return about and correction.start - 1 <= spot.frame <= correction.end + 1


def _range(marks: Marks, action: bpy.types.Action, start: int, end: int) -> tuple[int, int]:
    if end < start:
        raise FootfallError(f"Frames {start} to {end} are no range: the last must not come before the first.")
    if start < marks.first or end > marks.last:
        asked = f"{start} is" if start == end else f"{start} to {end} are"
        raise FootfallError(
            f"Action '{action.name}' is labelled from frame {marks.first} to {marks.last}: {asked} not."
        )
    return start, end


def _require_name(kind: str, name: str) -> None:
    if kind not in NAMES:
        raise FootfallError("Goals follow from the actions: set the action instead.")
    if name not in NAMES[kind]:
        raise FootfallError(f"'{name}' is no {kind.lower()} that Footfall knows: choose {', '.join(NAMES[kind])}.")


def _span(marks: Marks, index: int) -> Span:
    spans = in_order(marks.spans)
    if not 0 <= index < len(spans):
        raise FootfallError(f"There is no segment number {index}: choose one from the list.")
    span = spans[index]
    if span.kind == "GOAL":
        raise FootfallError("Goals follow from the actions: change the action's segment instead.")
    return span


def _move_edge(marks: Marks, action: bpy.types.Action, span: Span, edge: str, frame: int) -> None:
    start, end = (frame, span.end) if edge == "start" else (span.start, frame)
    _range(marks, action, start, end)
    if start < span.start or end > span.end:
        grown = (start, span.start - 1) if edge == "start" else (span.end + 1, end)
        marks.correct(Correction(span.kind, span.name, *grown))
        return
    given = (span.start, start - 1) if edge == "start" else (end + 1, span.end)
    if given[0] > given[1]:
        return
    if span.kind == "CONTACT":
        marks.correct(Correction("CONTACT", span.name, *given, on=False))
        return
    touching = span.start - 1 if edge == "start" else span.end + 1
    neighbour = next((s for s in marks.spans if s.kind == span.kind and s.start <= touching <= s.end), None)
    if neighbour is None:
        raise FootfallError(
            f"Nothing is next to '{span.name}' that could take frames {given[0]} to {given[1]}: set another "
            f"{span.kind.lower()} on them instead."
        )
    marks.correct(Correction(span.kind, neighbour.name, *given))


def _typed(marks: Marks, action: bpy.types.Action) -> list[Callable[[Marks], None]]:
    """The edits that make segments run as the user has typed."""
    if not (action.footfall.touched and action.footfall.count):
        return []
    edits: list[Callable[[Marks], None]] = []
    for item, span in zip(action.footfall.segments, marks.spans, strict=True):
        for edge, wanted, settled in (("start", item.start, span.start), ("end", item.end, span.end)):
            if wanted != settled:
                edits.append(_edge_edit(action, span, edge, wanted))
    return edits


def _edge_edit(action: bpy.types.Action, span: Span, edge: str, frame: int) -> Callable[[Marks], None]:
    def edit(marks: Marks) -> None:
        same = [s for s in marks.spans if (s.kind, s.name) == (span.kind, span.name)]
        now = next((s for s in same if s.start <= span.end and span.start <= s.end), None)
        if span.kind == "GOAL" or now is None:
            raise FootfallError("Goals follow from the actions: change the action's segment instead.")
        _move_edge(marks, action, now, edge, frame)

    return edit


def _dragged(marks: Marks, action: bpy.types.Action) -> list[Callable[[Marks], None]]:
    """The edits that put the strikes where the user has put their markers.

    As many markers gone as new ones is a drag, the first one to the first; else a new marker is the nearest missing
    one moved, and what is left over was added or deleted.
    """
    edits: list[Callable[[Marks], None]] = []
    for side, shown in marker_frames(action).items():
        known = set(marks.live_strikes(side))
        gone, new = sorted(known - shown), sorted(shown - known)
        for old, to in _pairs(gone, new):
            edits.append(_strike_edit(action, side, old, to))
            gone.remove(old)
            new.remove(to)
        edits += [_strike_edit(action, side, frame, None) for frame in gone]
        edits += [_strike_edit(action, side, None, frame) for frame in new]
    return edits


def _pairs(gone: list[int], new: list[int]) -> list[tuple[int, int]]:
    if len(gone) == len(new):
        return list(zip(gone, new, strict=True))
    pairs, left = [], list(gone)
    for to in new[: len(gone)] if len(new) < len(gone) else new:
        if left:
            old = min(left, key=lambda frame: abs(frame - to))
            left.remove(old)
            pairs.append((old, to))
    return pairs


def _strike_edit(action: bpy.types.Action, side: str, old: int | None, new: int | None) -> Callable[[Marks], None]:
    assert side in SIDES

    def edit(marks: Marks) -> None:
        if new is not None:
            _range(marks, action, new, new)
        if old is None and new is not None:
            marks.add_strike(side, new)
        elif new is None and old is not None:
            marks.remove_strike(side, old)
        elif old is not None and new is not None:
            marks.move_strike(side, old, new)

    return edit
