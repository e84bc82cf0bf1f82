"""Review spots: the frames at which labels are most likely wrong, for the user to look at.

Every check of :mod:`.checks` works alone; here their issues are collected, those settled by the user are dropped, and
those of one subject are merged to one spot (non-maximum suppression in time).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip
from ..labels import Labels
from ..presets import LabellingPreset
from .checks import find_issues
from .context import LabelIssue, ReviewContext

MIN_SPOT_DOUBT: Final = 0.3
"""Doubt below which labels are probably right, and no spot is shown."""
MERGE_RADIUS_S: Final = 0.3
"""Time around an issue within which other issues of the same subject are merged into its spot."""
MAX_MERGE_SPAN_S: Final = 1.0
"""Largest time from the shown frame at which a long issue still hides others."""
SECOND_KIND_WEIGHT: Final = 0.3
"""Share of the remaining certainty that an issue of another kind at the same time removes."""
CONFIRMED_SHARE: Final = 0.5
"""Share of an issue's frames marked by the user above which the issue is settled."""


@dataclass(frozen=True, slots=True)
class ReviewSpot:
    """A frame for the user to check.

    Attributes:
        frame: frame of the clip, 0 at its first.
        kind: one of ``context.ISSUE_KINDS``.
        name: the sensor, the foot or the gait in question.
        doubt: estimated probability that a label is wrong, in [0, 1].
        text: one sentence for the user.
    """

    frame: int
    kind: str
    name: str
    doubt: float
    text: str


def find_review_spots(clip: Clip, labels: Labels, preset: LabellingPreset) -> list[ReviewSpot]:
    """Return the review spots of a clip's labels, the most doubtful first.

    Raises:
        FootfallError: the labels belong to another clip, or a sensor's joint is missing.
    """
    context = ReviewContext.of(clip, labels, preset)
    open_issues = (issue for issue in find_issues(context) if not _is_confirmed(context, issue))
    return _merge_nearby(open_issues, labels.frame_rate)


def _is_confirmed(context: ReviewContext, issue: LabelIssue) -> bool:
    """Return whether the user has set the contacts in most of an issue's frames, in one of its columns."""
    if not issue.columns:
        return False
    start, stop = max(issue.start, 0), max(issue.stop, issue.start + 1)
    marked = context.confirmed[start:stop, list(issue.columns)]
    return bool(marked.size and marked.mean(axis=0).max() >= CONFIRMED_SHARE)


def _merge_nearby(issues: Iterable[LabelIssue], rate: float) -> list[ReviewSpot]:
    """Merge issues about one subject that are near the most doubtful of them, and return one spot for each group."""
    reach, longest = MERGE_RADIUS_S * rate, MAX_MERGE_SPAN_S * rate
    ranked = sorted(
        (issue for issue in issues if issue.doubt >= MIN_SPOT_DOUBT),
        key=lambda issue: (-issue.doubt, issue.frame, issue.kind, issue.name),
    )
    by_subject: dict[str, list[int]] = {}
    for index in sorted(range(len(ranked)), key=lambda index: ranked[index].frame):
        by_subject.setdefault(ranked[index].subject, []).append(index)
    frames = {subject: [ranked[index].frame for index in indices] for subject, indices in by_subject.items()}
    taken = np.zeros(len(ranked), dtype=bool)
    spots: list[ReviewSpot] = []
    for index, issue in enumerate(ranked):
        if taken[index]:
            continue
        first = max(issue.start, issue.frame - longest) - reach
        last = min(issue.stop, issue.frame + longest) + reach
        near = slice(bisect_left(frames[issue.subject], first), bisect_right(frames[issue.subject], last))
        others = [other for other in by_subject[issue.subject][near] if not taken[other]]
        taken[others] = True
        spots.append(_make_spot(issue, [ranked[other] for other in others]))
    return sorted(spots, key=lambda spot: (-spot.doubt, spot.frame, spot.kind, spot.name))


def _make_spot(issue: LabelIssue, merged: Iterable[LabelIssue]) -> ReviewSpot:
    """Return the spot for an issue and those merged into it; the doubt is higher if another kind of check agrees."""
    second = max((other.doubt for other in merged if other.kind != issue.kind), default=0.0)
    doubt = issue.doubt + (1 - issue.doubt) * SECOND_KIND_WEIGHT * second
    return ReviewSpot(int(issue.frame), issue.kind, issue.name, round(min(doubt, 1.0), 3), issue.text)
