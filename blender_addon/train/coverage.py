"""Coverage of the training list, stored for the panel: minutes by kind, and missing kinds."""

from collections.abc import Sequence
from typing import Final

import bpy

from ...core.evaluation.coverage import COVERAGE_SECTIONS, Coverage, find_missing, format_minutes
from ...core.message import Message
from ..label.titles import title_of
from ..ui.redraw import tag_redraw_all
from ..ui.translations import ANY_CONTEXT, CONTEXT, translate_interface
from .clips import count_clips

SECTION_TITLES: Final = {
    "gait": Message("Gaits"),
    "speed": Message("Speeds"),
    "turn": Message("Turns"),
    "way": Message("Directions"),
    "ground": Message("Ground"),
}
TURN_TITLES: Final = (
    Message("Straight On"),
    Message("Gentle Curves"),
    Message("Sharp Turns"),
    Message("Turns on the Spot"),
)
"""Titles of the kinds of turns, in the order of ``COVERAGE_SECTIONS``."""
KIND_TITLES: Final = (
    {"level": Message("Level Ground"), "uneven": Message("Uneven Ground")}
    | dict(zip(COVERAGE_SECTIONS["turn"], TURN_TITLES, strict=True))
    | {
        title.lower(): title
        for title in (
            *(Message("Under 0.8 m/s"), Message("0.8 to 1.8 m/s"), Message("1.8 to 3 m/s"), Message("Over 3 m/s")),
            *(Message("Slopes Up"), Message("Slopes Down"), Message("Stairs Up"), Message("Stairs Down")),
            Message("Sideways"),
        )
    }
)
"""Titles of the kinds without a title as gait or as key of a drive, with the context of Footfall."""
MIN_LISTED_MINUTES: Final = 0.5 / 60
"""Minutes below which a kind counts as missing."""


class FOOTFALL_PG_coverage_row(bpy.types.PropertyGroup):
    """The minutes of one kind in a section, and their share of the section's longest."""

    section: bpy.props.StringProperty()
    kind: bpy.props.StringProperty()
    minutes: bpy.props.FloatProperty()
    share: bpy.props.FloatProperty()


def kind_title(kind: str) -> tuple[str, str]:
    """Return the title of a kind of motion, and its context in the translation catalogs."""
    return (KIND_TITLES[kind], ANY_CONTEXT) if kind in KIND_TITLES else (title_of(kind), CONTEXT)


def store_coverage(
    context: bpy.types.Context, coverage: Coverage, failed: Sequence[str], actions: int, folders: int
) -> Message:
    """Store the coverage with the numbers of actions and folders; return a summary."""
    session = context.window_manager.footfall
    session.coverage.clear()
    for section in COVERAGE_SECTIONS:
        rows = coverage.rows(section)
        longest = max(minutes for _, minutes in rows)
        for kind, minutes in rows:
            if minutes >= MIN_LISTED_MINUTES:
                item = session.coverage.add()
                item.section, item.kind = SECTION_TITLES[section], kind
                item.minutes, item.share = minutes, minutes / longest
    summary = Message(
        "{minutes} of motion in {clips}, of which {labeled} are labeled",
        minutes=format_minutes(coverage.minutes),
        clips=count_clips(coverage.clip_count),
        labeled=coverage.labelled_count,
    )
    session.coverage_summary = translate_interface(summary)
    session.coverage_missing = "\n".join(map(translate_interface, find_missing(coverage)))
    session.coverage_errors = "\n".join(map(translate_interface, failed))
    session.coverage_key = coverage_key(actions, folders)
    tag_redraw_all()
    return summary


def coverage_key(actions: int, folders: int) -> str:
    """Return a key for the measured actions and folders, to be compared with that of the current list."""
    return f"{actions} actions, {folders} folders"
