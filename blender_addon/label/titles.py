"""Titles of gaits and activities for menus and lists."""

from ...core.actions import ACTION_TABLE


def title_of(name: str) -> str:
    """Return the title of a gait or activity."""
    titled = ACTION_TABLE[name].title if name in ACTION_TABLE else ""
    return titled or name.capitalize()
