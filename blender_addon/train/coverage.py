"""What the training list contains, kept for the panel: minutes by kind, and what is missing."""

from collections.abc import Sequence
from typing import Final

import bpy

from ...core.evaluation.coverage import SECTIONS, Coverage, in_minutes, missing
from ..ui.redraw import redraw

TITLES: Final = {"gait": "Gaits", "speed": "Speeds", "turn": "Turns", "way": "Ways", "ground": "Ground"}
LEAST: Final = 0.5 / 60
"""Minutes under which a kind is as good as not there."""


class FOOTFALL_PG_content(bpy.types.PropertyGroup):
    """The minutes of one kind in a section, and their share of the section's longest."""

    section: bpy.props.StringProperty()
    kind: bpy.props.StringProperty()
    minutes: bpy.props.FloatProperty()
    share: bpy.props.FloatProperty()


def show_contents(
    context: bpy.types.Context, coverage: Coverage, failed: Sequence[str], actions: int, folders: int
) -> None:
    """Keeps what was counted, and of how many actions and folders."""
    session = context.window_manager.footfall
    session.contents.clear()
    for section in SECTIONS:
        rows = coverage.rows(section)
        longest = max(minutes for _, minutes in rows)
        for kind, minutes in rows:
            if minutes >= LEAST:
                item = session.contents.add()
                item.section, item.kind = TITLES[section], kind
                item.minutes, item.share = minutes, minutes / longest
    clips = f"{coverage.clips} clip{'s' * (coverage.clips != 1)}"
    session.contents_head = f"{in_minutes(coverage.minutes)} in {clips}, {coverage.labelled} labelled"
    session.contents_missing = "\n".join(missing(coverage))
    session.contents_failed = "\n".join(failed)
    session.contents_of = contents_of(actions, folders)
    redraw()


def contents_of(actions: int, folders: int) -> str:
    """Of what something was counted: to be compared with what is on the list now."""
    return f"{actions} actions, {folders} folders"
