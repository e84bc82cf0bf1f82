"""Work in steps: generators that yield progress, the share done from 0 to 1, and return the result."""

from collections.abc import Callable, Generator
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")
Step = TypeVar("Step")
Shown = TypeVar("Shown")


def finished(steps: Generator[object, None, Made]) -> Made:
    """Run all steps of a generator and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


class Stepwise(Generic[Given, Made]):
    """Decorator for a generator function that yields after each piece of its work; a call does all of it.

    Attributes:
        steps: the generator function, for callers that do something else between the pieces.
    """

    def __init__(self, steps: Callable[Given, Generator[None, None, Made]]) -> None:
        self.steps = steps
        update_wrapper(self, steps)

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Made:
        return finished(self.steps(*args, **kwargs))


def mapped(steps: Generator[Step, None, Made], show: Callable[[Step], Shown]) -> Generator[Shown, None, Made]:
    """Run steps, yielding ``show(step)`` for each, and return their result; the steps are closed at the end."""
    try:
        while True:
            try:
                step = next(steps)
            except StopIteration as done:
                return done.value
            yield show(step)
    finally:
        steps.close()


def part_of(steps: Generator[float, None, Made], start: float, end: float) -> Generator[float, None, Made]:
    """Run steps that are part of a larger task, yielding their shares as shares of the whole; return their result.

    Args:
        steps: steps that yield the share of the part that is done.
        start: share of the whole at which the part begins.
        end: share of the whole at which the part ends.
    """
    return mapped(steps, lambda share: start + (end - start) * share)
