"""Titles of gaits and activities, as menus and lists show them."""

from typing import Final

ATTACK_TITLE: Final = "Attack"
"""Title of the activity *strike*, which would read as a foot strike."""


def title_of(name: str) -> str:
    """Return the title of a gait or activity."""
    return ATTACK_TITLE if name == "strike" else name.capitalize()
