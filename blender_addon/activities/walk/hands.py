"""Hands that dribble, as items of a menu."""

from typing import Final

HANDS: Final = (
    ("RIGHT", "Right Hand", "Dribble with the right hand"),
    ("LEFT", "Left Hand", "Dribble with the left hand"),
)
