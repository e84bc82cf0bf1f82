"""Work in steps: generators that yield progress, the share done from 0 to 1, and return the result."""

from collections.abc import Callable, Generator
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")
Step = TypeVar("Step")
Shown = TypeVar("Shown")


def finished(steps: Generator[object, None, Made]) -> Made:
    """Run a generator to its end, ignore the yielded values, and return its result."""
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
    """Run the generator ``steps``, yield ``show(step)`` for each value, return its result, and close it."""
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
    """Run a generator of progress as a part of a larger task, yield the progress of the whole, return its result.

    Args:
        steps: generator that yields the progress of the part, 0 to 1.
        start: progress of the whole, 0 to 1, at which the part begins.
        end: progress of the whole at which the part ends.
    """
    return mapped(steps, lambda share: start + (end - start) * share)
