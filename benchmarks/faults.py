"""Faults added to labels on purpose: contacts lost, doubled, invented, early, late, too long."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.labelling import Labels
from ..core.labelling.phase.phase import find_strikes
from ..core.labelling.review.ranking import ReviewSpot
from ..core.motion.contacts import CONTACT_THRESHOLD
from ..core.motion.signals import runs_of

COLUMNS: Final = {"L": [0, 1], "R": [2, 3]}
"""The columns of each foot's contacts, in the order of the preset *biped*."""
NEAR: Final = 0.3
"""Longest time between a fault and the spot that indicates it, seconds."""
APART: Final = 1.6
"""Seconds between the starts of faulty contacts."""
State = NDArray[np.bool_]


@dataclass(frozen=True)
class Fault:
    """A fault in the labels, in frames [start, stop)."""

    kind: str
    start: int
    stop: int

    def is_told_by(self, spot: ReviewSpot, rate: float) -> bool:
        """Return whether a review spot indicates this fault."""
        return self.start - NEAR * rate <= spot.frame <= self.stop + NEAR * rate


def marked(labels: Labels, state: State) -> Labels:
    """Return the labels with other contacts, the detector's confidence in them, and the resulting strikes."""
    strikes = [find_strikes(np.asarray(state[:, COLUMNS[side]].any(axis=1)), labels.frame_rate) for side in "LR"]
    changed = state != (labels.contacts > CONTACT_THRESHOLD)
    return replace(
        labels,
        contacts=np.where(state, np.maximum(labels.contacts, 0.51), np.minimum(labels.contacts, 0.5)),
        confidence=np.where(changed, 1 - labels.confidence, labels.confidence),
        left_strikes=strikes[0],
        right_strikes=strikes[1],
    )


def lost(state: State, columns: list[int], start: int, stop: int, rate: float) -> tuple[int, int]:
    """Remove a contact; return the changed frames [start, stop)."""
    state[start:stop, columns] = False
    return start, stop


def doubled(state: State, columns: list[int], start: int, stop: int, rate: float) -> tuple[int, int]:
    """Interrupt a contact for 0.1 s, late enough for a second strike; return the changed frames."""
    gap = min(start + max(round(0.27 * rate), (stop - start) // 2), stop - round(0.1 * rate) - 3)
    state[gap : gap + round(0.1 * rate), columns] = False
    return gap, gap + round(0.1 * rate)


def late(state: State, columns: list[int], start: int, stop: int, rate: float) -> tuple[int, int]:
    """Delay the start of a contact by 0.12 s; return the changed frames."""
    state[start : start + round(0.12 * rate), columns] = False
    return start, start + round(0.12 * rate)


def early(state: State, columns: list[int], start: int, stop: int, rate: float) -> tuple[int, int]:
    """Advance the start of a contact by 0.12 s; return the changed frames."""
    state[start - round(0.12 * rate) : start, columns] = True
    return start - round(0.12 * rate), start


def invented(state: State, columns: list[int], start: int, stop: int, rate: float) -> tuple[int, int]:
    """Add a contact of 0.15 s during the swing; return the changed frames."""
    begin = stop + round(0.12 * rate)
    state[begin : begin + round(0.15 * rate), columns] = True
    return begin, begin + round(0.15 * rate)


def dragged(state: State, columns: list[int], start: int, stop: int, rate: float) -> tuple[int, int]:
    """Delay the end of a contact by 0.15 s; return the changed frames."""
    state[stop : stop + round(0.15 * rate), columns] = True
    return stop, stop + round(0.15 * rate)


FAULTS: Final[tuple[Callable[..., tuple[int, int]], ...]] = (lost, doubled, late, early, invented, dragged)


def spoilt(labels: Labels, count: int, generator: np.random.Generator) -> tuple[Labels, list[Fault]]:
    """Return the labels with ``count`` faults, and the faults.

    The faults are far from each other and from the ends; their kinds alternate, beginning with a random one.
    """
    state, rate = labels.contacts > CONTACT_THRESHOLD, labels.frame_rate
    stances = [
        (int(start), int(stop), side)
        for side in "LR"
        for start, stop in runs_of(np.asarray(state[:, COLUMNS[side]].any(axis=1)))
        if rate < start and stop < len(state) - rate
    ]
    faults: list[Fault] = []
    first = int(generator.integers(len(FAULTS)))
    for start, stop, side in generator.permutation(np.array(stances, dtype=object)):
        if len(faults) < count and all(abs(start - fault.start) > APART * rate for fault in faults):
            spoil = FAULTS[(first + len(faults)) % len(FAULTS)]
            faults.append(Fault(spoil.__name__, *spoil(state, COLUMNS[side], start, stop, rate)))
    assert len(faults) == count
    return marked(labels, state), faults
