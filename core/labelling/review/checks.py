"""Detectors of doubtful labels: each looks at one thing that right labels of people and animals do not do.

Doubts are saturating functions of how far something is from what the same clip does elsewhere, so that a limp, a march
or soft shoes are not suspicious in themselves. Lengths are those of an adult (divided by the body's scale).
"""

from collections.abc import Iterator

from .contact_checks import heights, rests, short_runs, slides, unsure_stretches
from .context import Case, Suspicion
from .step_checks import flickers, flights, lengths, order, pace


def suspicions(case: Case) -> Iterator[Suspicion]:
    """All that is suspicious, in no order."""
    for column in range(case.state.shape[1]):
        yield from short_runs(case, column)
        yield from unsure_stretches(case, column)
        if case.on_the_ground(column):
            yield from slides(case, column)
            yield from rests(case, column)
            yield from heights(case, column)
    yield from order(case)
    yield from pace(case)
    yield from lengths(case)
    yield from flights(case)
    yield from flickers(case)
