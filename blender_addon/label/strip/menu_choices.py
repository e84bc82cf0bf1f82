"""The choices of the strip's menus: a text and an edit for each."""

from collections.abc import Sequence
from typing import Final

from ....core.message import Message
from .. import edits
from ..titles import title_of
from . import gestures
from .drawing import StripView
from .gestures import Edit, Question
from .layout import Hit

SIDE_NAMES: Final = {"L": Message("Left"), "R": Message("Right")}
MenuChoice = tuple[str, Edit]


def menu_choices(view: StripView, hit: Hit) -> Sequence[MenuChoice]:
    """Return the menu choices for the item under the mouse: a text and an edit each."""
    shown, choices = view.strip_labels, []
    spans = gestures.spans_under(shown, hit)
    split, delete = gestures.split_edit(shown, hit), gestures.erase_edit(shown, hit)
    if hit.kind != "STRIKE":
        if split is not None:
            choices.append((Message("Split at Frame {frame}", frame=hit.frame), split))
        choices += [
            ("Merge with Next Label", Edit("Merge Labels", (("merge", (span.index,)),)))
            for span in spans[:1]
            if gestures.has_following(shown, span)
        ]
    if delete is not None:
        choices.append((delete.title, delete))
    if hit.row.kind == "CONTACT" and hit.row.side in SIDE_NAMES and hit.kind != "STRIKE":
        add = ("add_strike", (hit.row.side, hit.frame))
        choices.append(
            (
                Message("Add {side} Foot Strike at Frame {frame}", side=SIDE_NAMES[hit.row.side], frame=hit.frame),
                Edit("Add Foot Strike", (add,)),
            )
        )
    for span in spans[:1] if hit.row.kind != "CONTACT" else []:
        answers = question_choices(Question(span.kind, span.start, span.end))
        choices += [
            (Message("Set to {name}", name=name), edit) for name, edit in answers if name != title_of(span.name)
        ]
    return choices


def question_choices(question: Question) -> Sequence[MenuChoice]:
    """Return the menu choices of gaits or actions for a range of frames."""
    title = Message("Set {kind}", kind=gestures.KIND_TITLES[question.kind])
    return [
        (title_of(name), Edit(title, (("set_span", (question.kind, name, question.start, question.end)),)))
        for name in edits.LABEL_NAMES[question.kind]
    ]
