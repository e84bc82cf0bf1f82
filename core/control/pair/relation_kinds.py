"""Kinds of relations, by name, in a module without numpy, so that the command line's help is quick."""

from typing import Final, Literal, get_args

RelationKind = Literal["follow", "face", "circle", "defend"]
RELATIONS: Final[tuple[RelationKind, ...]] = get_args(RelationKind)
"""Kinds of relations of a character to another one.

A character can follow the other on its trail, face it from in front, circle around it, or defend a goal against it.
"""
