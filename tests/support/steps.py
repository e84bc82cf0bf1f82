"""Work in steps, run to its end."""

from collections.abc import Generator
from typing import TypeVar

Told = TypeVar("Told")
Made = TypeVar("Made")


def run(steps: Generator[Told, None, Made]) -> tuple[list[Told], Made]:
    """Return what is told on the way, and what is made."""
    told = []
    while True:
        try:
            told.append(next(steps))
        except StopIteration as done:
            return told, done.value
