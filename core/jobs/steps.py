"""Work in steps: generators that yield what is done so far, and return what is made."""

from collections.abc import Generator
from typing import TypeVar

Made = TypeVar("Made")


def finished(steps: Generator[object, None, Made]) -> Made:
    """Return what some steps make, after all of them."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def rising(steps: Generator[float, None, Made]) -> Generator[float, None, Made]:
    """Make what some steps make, whose shares go back where a part of the work is done again, and yield the largest."""
    most = 0.0
    while True:
        try:
            most = max(most, next(steps))
        except StopIteration as done:
            return done.value
        yield most


def part_of(steps: Generator[float, None, Made], start: float, end: float) -> Generator[float, None, Made]:
    """Make what some steps make, and yield their shares as those of a part of the work.

    Args:
        steps: yields the share of the part that is done.
        start: share of all at which the part begins.
        end: share of all at which it ends.
    """
    while True:
        try:
            yield start + (end - start) * next(steps)
        except StopIteration as done:
            return done.value
