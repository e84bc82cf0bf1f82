"""Work in steps: generators that yield the done share so far, and return the result."""

from collections.abc import Callable, Generator
from typing import TypeVar

Made = TypeVar("Made")
Step = TypeVar("Step")
Shown = TypeVar("Shown")


def finished(steps: Generator[object, None, Made]) -> Made:
    """Return the result of some steps after all of them."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def mapped(steps: Generator[Step, None, Made], show: Callable[[Step], Shown]) -> Generator[Shown, None, Made]:
    """Make what some steps make, and yield the value of a function for each of them; they are closed at the end."""
    try:
        while True:
            try:
                step = next(steps)
            except StopIteration as done:
                return done.value
            yield show(step)
    finally:
        steps.close()


def rising(steps: Generator[float, None, Made]) -> Generator[float, None, Made]:
    """Run steps that may repeat part of the work, and yield the largest share so far; return their result."""
    most = 0.0

    def show(share: float) -> float:
        nonlocal most
        most = max(most, share)
        return most

    return mapped(steps, show)


def part_of(steps: Generator[float, None, Made], start: float, end: float) -> Generator[float, None, Made]:
    """Run steps as part of a larger work, and yield their shares as shares of the whole; return their result.

    Args:
        steps: steps that yield the done share of the part.
        start: share of the whole at which the part begins.
        end: share of the whole at which the part ends.
    """
    return mapped(steps, lambda share: start + (end - start) * share)
