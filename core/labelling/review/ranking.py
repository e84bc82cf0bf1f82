"""Suspicious spots: where the labels of a clip are most likely wrong, so that an animator looks there and nowhere else.

Every detector of :mod:`find_issues` speaks for itself; here their suspicions are gathered, those the user has settled
are left out, and those about one thing become one place to look at.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...motion import Clip
from ..labels import Labels
from ..presets import LabellingPreset
from .checks import find_issues
from .context import LabelIssue, ReviewContext

MIN_SPOT_DOUBT: Final = 0.3
"""Below this the labels are rather right than wrong, and nobody should be sent there."""
MERGE_RADIUS_S: Final = 0.3
"""Seconds around a suspicion within which others about the same thing are the same spot."""
MAX_MERGE_SPAN_S: Final = 1.0
"""Seconds to both sides of the frame to look at, beyond which a long suspicion hides no others."""
SECOND_KIND_WEIGHT: Final = 0.3
"""How much of what is left to certainty another kind of suspicion about the same place adds."""
CONFIRMED_SHARE: Final = 0.5
"""Share of a suspicion's frames that the user has marked, from which on it is settled."""


@dataclass(frozen=True, slots=True)
class ReviewSpot:
    """One place to look at.

    Attributes:
        frame: where, in frames of the labels.
        kind: one of ``find_issues.KINDS``.
        name: of the sensor, the foot or the gait in question.
        doubt: [0, 1], about how likely it is that something is wrong here.
        text: one sentence for an animator.
    """

    frame: int
    kind: str
    name: str
    doubt: float
    text: str


def find_review_spots(clip: Clip, labels: Labels, preset: LabellingPreset) -> list[ReviewSpot]:
    """Return the suspicious spots of a clip's labels, the most doubtful first.

    Raises:
        FootfallError: the labels are of another clip, or a sensor of the preset sits on a joint that is not there.
    """
    case = ReviewContext.of(clip, labels, preset)
    open_ones = (found for found in find_issues(case) if not _is_confirmed(case, found))
    return _merge_nearby(open_ones, labels.frame_rate)


def _is_confirmed(context: ReviewContext, issue: LabelIssue) -> bool:
    """Whether the user has marked most of the frames that a suspicion is about, in one of its columns."""
    if not issue.columns:
        return False
    start, stop = max(issue.start, 0), max(issue.stop, issue.start + 1)
    marked = context.confirmed[start:stop, list(issue.columns)]
    return bool(marked.size and marked.mean(axis=0).max() >= CONFIRMED_SHARE)


def _merge_nearby(issues: Iterable[LabelIssue], rate: float) -> list[ReviewSpot]:
    """One spot for all suspicions about one thing around the most doubtful one."""
    reach, longest = MERGE_RADIUS_S * rate, MAX_MERGE_SPAN_S * rate
    ranked = sorted(
        (one for one in issues if one.doubt >= MIN_SPOT_DOUBT),
        key=lambda one: (-one.doubt, one.frame, one.kind, one.name),
    )
    by_thing: dict[str, list[int]] = {}
    for index in sorted(range(len(ranked)), key=lambda index: ranked[index].frame):
        by_thing.setdefault(ranked[index].subject, []).append(index)
    frames = {thing: [ranked[index].frame for index in indices] for thing, indices in by_thing.items()}
    taken = np.zeros(len(ranked), dtype=bool)
    spots: list[ReviewSpot] = []
    for index, one in enumerate(ranked):
        if taken[index]:
            continue
        first = max(one.start, one.frame - longest) - reach
        last = min(one.stop, one.frame + longest) + reach
        near = slice(bisect_left(frames[one.subject], first), bisect_right(frames[one.subject], last))
        others = [other for other in by_thing[one.subject][near] if not taken[other]]
        taken[others] = True
        spots.append(_make_spot(one, [ranked[other] for other in others]))
    return sorted(spots, key=lambda spot: (-spot.doubt, spot.frame, spot.kind, spot.name))


def _make_spot(issue: LabelIssue, merged: Iterable[LabelIssue]) -> ReviewSpot:
    """Return the spot of a suspicion and those that stand with it; another kind that agrees makes it more doubtful."""
    second = max((other.doubt for other in merged if other.kind != issue.kind), default=0.0)
    doubt = issue.doubt + (1 - issue.doubt) * SECOND_KIND_WEIGHT * second
    return ReviewSpot(int(issue.frame), issue.kind, issue.name, round(min(doubt, 1.0), 3), issue.text)


def shift_spots(spots: Iterable[ReviewSpot], first_frame: int) -> list[ReviewSpot]:
    """Return the spots in frames of a scene whose frame ``first_frame`` is the labels' frame 0."""
    return [replace(spot, frame=spot.frame + first_frame) for spot in spots]
