"""All checks for doubtful labels.

Each check compares a label with the rest of the same clip, so that a limp, a march or soft shoes are not reported.
Lengths are divided by the body's scale, so that they are an adult's.
"""

from collections.abc import Iterator

from .contact_checks import check_confidence, check_heights, check_rests, check_short_runs, check_sliding
from .context import LabelIssue, ReviewContext
from .step_checks import check_durations, check_flickers, check_flights, check_pace, check_strike_order


def find_issues(context: ReviewContext) -> Iterator[LabelIssue]:
    """Yield the label issues that all checks find in a clip, in no particular order."""
    for column in range(context.state.shape[1]):
        yield from check_short_runs(context, column)
        yield from check_confidence(context, column)
        if context.touches_ground(column):
            yield from check_sliding(context, column)
            yield from check_rests(context, column)
            yield from check_heights(context, column)
    yield from check_strike_order(context)
    yield from check_pace(context)
    yield from check_durations(context)
    yield from check_flights(context)
    yield from check_flickers(context)
