"""Work in steps: generators that yield what is done so far, and return what is made."""

from collections.abc import Callable, Generator
from typing import TypeVar

Made = TypeVar("Made")
Step = TypeVar("Step")
Shown = TypeVar("Shown")


def finished(steps: Generator[object, None, Made]) -> Made:
    """Return what some steps make, after all of them."""
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
    """Make what some steps make, whose shares go back where a part of the work is done again, and yield the largest."""
    most = 0.0

    def show(share: float) -> float:
        nonlocal most
        most = max(most, share)
        return most

    return mapped(steps, show)


def part_of(steps: Generator[float, None, Made], start: float, end: float) -> Generator[float, None, Made]:
    """Make what some steps make, and yield their shares as those of a part of the work.

    Args:
        steps: yields the share of the part that is done.
        start: share of all at which the part begins.
        end: share of all at which it ends.
    """
    return mapped(steps, lambda share: start + (end - start) * share)
