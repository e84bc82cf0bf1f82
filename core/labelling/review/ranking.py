"""Suspicious spots: where the labels of a clip are most likely wrong, so that an animator looks there and nowhere else.

Every detector of :mod:`suspicions` speaks for itself; here their suspicions are gathered, those the user has settled
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
from .checks import suspicions
from .context import Case, Suspicion

LEAST_DOUBT: Final = 0.3
"""Below this the labels are rather right than wrong, and nobody should be sent there."""
ONE_PLACE: Final = 0.3
"""Seconds around a suspicion within which others about the same thing are the same spot."""
LONGEST_PLACE: Final = 1.0
"""Seconds to both sides of the frame to look at, beyond which a long suspicion hides no others."""
SECOND_OPINION: Final = 0.3
"""How much of what is left to certainty another kind of suspicion about the same place adds."""
SETTLED: Final = 0.5
"""Share of a suspicion's frames that the user has marked, from which on it is settled."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One place to look at.

    Attributes:
        frame: where, in frames of the labels.
        kind: one of ``suspicions.KINDS``.
        name: of the sensor, the foot or the gait in question.
        doubt: [0, 1], about how likely it is that something is wrong here.
        text: one sentence for an animator.
    """

    frame: int
    kind: str
    name: str
    doubt: float
    text: str


def find_spots(clip: Clip, labels: Labels, preset: LabellingPreset) -> list[Spot]:
    """The suspicious spots of a clip's labels, the most doubtful first.

    Raises:
        FootfallError: the labels are of another clip, or a sensor of the preset sits on a joint that is not there.
    """
    case = Case.of(clip, labels, preset)
    open_ones = (found for found in suspicions(case) if not _settled(case, found))
    return _one_place_each(open_ones, labels.frame_rate)


def _settled(case: Case, found: Suspicion) -> bool:
    """Whether the user has marked most of the frames that a suspicion is about, in one of its columns."""
    if not found.columns:
        return False
    start, stop = max(found.start, 0), max(found.stop, found.start + 1)
    marked = case.settled[start:stop, list(found.columns)]
    return bool(marked.size and marked.mean(axis=0).max() >= SETTLED)


def _one_place_each(found: Iterable[Suspicion], rate: float) -> list[Spot]:
    """One spot for all suspicions about one thing around the most doubtful one."""
    reach, longest = ONE_PLACE * rate, LONGEST_PLACE * rate
    ranked = sorted(
        (one for one in found if one.doubt >= LEAST_DOUBT), key=lambda one: (-one.doubt, one.frame, one.kind, one.name)
    )
    by_thing: dict[str, list[int]] = {}
    for index in sorted(range(len(ranked)), key=lambda index: ranked[index].frame):
        by_thing.setdefault(ranked[index].thing, []).append(index)
    frames = {thing: [ranked[index].frame for index in indices] for thing, indices in by_thing.items()}
    taken = np.zeros(len(ranked), dtype=bool)
    spots: list[Spot] = []
    for index, one in enumerate(ranked):
        if taken[index]:
            continue
        first = max(one.start, one.frame - longest) - reach
        last = min(one.stop, one.frame + longest) + reach
        near = slice(bisect_left(frames[one.thing], first), bisect_right(frames[one.thing], last))
        others = [other for other in by_thing[one.thing][near] if not taken[other]]
        taken[others] = True
        spots.append(_spot(one, [ranked[other] for other in others]))
    return sorted(spots, key=lambda spot: (-spot.doubt, spot.frame, spot.kind, spot.name))


def _spot(one: Suspicion, together: Iterable[Suspicion]) -> Spot:
    """The spot of a suspicion and those that stand with it; another kind that agrees makes it more doubtful."""
    second = max((other.doubt for other in together if other.kind != one.kind), default=0.0)
    doubt = one.doubt + (1 - one.doubt) * SECOND_OPINION * second
    return Spot(int(one.frame), one.kind, one.name, round(min(doubt, 1.0), 3), one.text)


def shifted(spots: Iterable[Spot], first: int) -> list[Spot]:
    """The spots in frames of a scene whose frame ``first`` is the labels' frame 0."""
    return [replace(spot, frame=spot.frame + first) for spot in spots]
