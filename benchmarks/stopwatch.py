"""Times of repeated work."""

from collections.abc import Callable
from statistics import median
from time import perf_counter


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the median duration of one call, seconds, after a tenth of the calls (at least one) as warm-up."""
    for _ in range(max(repeats // 10, 1)):
        work()
    return median(_seconds(work) for _ in range(repeats))


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
