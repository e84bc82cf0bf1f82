"""Titles of gaits and activities, as menus and lists show them."""

from typing import Final

ATTACK_TITLE: Final = "Attack"
"""Title of the activity *strike*, which would read as a foot strike."""
TITLES: Final = {"strike": ATTACK_TITLE, "sit_ground": "Sit on Ground"}
"""Titles of the activities whose names are none."""


def title_of(name: str) -> str:
    """Return the title of a gait or activity."""
    return TITLES.get(name) or name.capitalize()
