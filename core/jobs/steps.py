"""Work in steps: generators that yield the done share so far, and return the result."""

from collections.abc import Generator
from typing import TypeVar

Made = TypeVar("Made")


def finished(steps: Generator[object, None, Made]) -> Made:
    """Return the result of some steps after all of them."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def rising(steps: Generator[float, None, Made]) -> Generator[float, None, Made]:
    """Run steps that may repeat part of the work, and yield the largest share so far; return their result."""
    most = 0.0
    while True:
        try:
            most = max(most, next(steps))
        except StopIteration as done:
            return done.value
        yield most


def part_of(steps: Generator[float, None, Made], start: float, end: float) -> Generator[float, None, Made]:
    """Run steps as part of a larger work, and yield their shares as shares of the whole; return their result.

    Args:
        steps: steps that yield the done share of the part.
        start: share of the whole at which the part begins.
        end: share of the whole at which the part ends.
    """
    while True:
        try:
            yield start + (end - start) * next(steps)
        except StopIteration as done:
            return done.value
