"""Kinds of relations, by name; without numpy, for the command line's help."""

from typing import Final, Literal, get_args

RelationKind = Literal["follow", "face", "circle", "defend"]
RELATIONS: Final[tuple[RelationKind, ...]] = get_args(RelationKind)
"""Kinds of relations: behind the other on its trail; in front of it, face to face; around it; between it and a goal."""
