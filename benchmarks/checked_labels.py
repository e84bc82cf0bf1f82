"""Labels of real clips compared with manually checked ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.labelling import Labels, label_clip
from ..core.labelling.phase.phase import find_phase
from ..core.motion.rotations import Array
from .hand_labels import UNSAID, HandLabels, read_hand_clip, read_hand_labels
from .label_error import TIME_TOLERANCE_S, contact_f1, extra_strikes, phase_error, strike_time_errors
from .setup import Setup
from .tables import Table, table

WITHIN: Final = 3 / 60
"""Largest time difference of a found strike, seconds."""


@dataclass(frozen=True, slots=True)
class Score:
    """Accuracy of the labels of one clip.

    Attributes:
        clip: its file.
        f1: mean F1 of the contacts.
        gaps: (N) gaps from checked strikes to the nearest found one, seconds.
        extra: found strikes without a checked one.
        phase: mean absolute error, cycles; ``None`` without a phase.
        gait: the share of frames with the right gait; ``None`` for unknown gaits.
    """

    clip: str
    f1: float
    gaps: Array
    extra: int
    phase: float | None
    gait: float | None

    @staticmethod
    def of(hand: HandLabels, setup: Setup) -> "Score":
        """Label the clip and return its score; raise :class:`FootfallError` if the clip is missing."""
        return Score.between(label_clip(read_hand_clip(hand, setup.data)), hand)

    @staticmethod
    def between(found: Labels, hand: HandLabels) -> "Score":
        """Compare the labels of the whole clip with those of its checked range."""
        ranged = slice(hand.first, hand.last + 1)
        gaps, extra = zip(*(_strikes(found, hand, side) for side in hand.strikes), strict=True)
        f1 = _contacts(found.contacts_of(hand.joints)[ranged], hand)
        gait = found.gaits[ranged].argmax(axis=1)
        phase = _phase(found.phase[ranged], hand)
        return Score(hand.clip, f1, np.concatenate(gaps), sum(extra), phase, _gait(gait, hand))


def measure(setup: Setup) -> Table:
    """Return the table."""
    scores = [Score.of(hand, setup) for hand in read_hand_labels()]
    rows = [[score.clip, *_row([score])] for score in scores]
    rows += [[f"{len(scores)} clips", *_row(scores)], ["reach", 0.93, None, "97 %", None, 0.03, None]]
    head = ["clip", "contact F1", "strikes", "found within 3 frames at 60 Hz", "extra", "phase error", "gait right"]
    return table(head, rows, "Real clips, checked frame by frame")


def _row(scores: Sequence[Score]) -> list[object]:
    gaps = np.concatenate([score.gaps for score in scores])
    found = f"{100 * np.mean(np.abs(gaps) <= WITHIN + TIME_TOLERANCE_S):.3g} %" if len(gaps) else None
    means = (_mean([score.f1 for score in scores]), _mean([score.phase for score in scores]))
    extra, gait = sum(score.extra for score in scores), _mean([score.gait for score in scores])
    return [means[0], len(gaps), found, extra, means[1], gait]


def _mean(values: Sequence[float | None]) -> float | None:
    said = [value for value in values if value is not None]
    return float(np.mean(said)) if said else None


def _contacts(found: Array, hand: HandLabels) -> float:
    """Return the mean F1 of contacts (F, C) in frames with a certain reference."""
    f1 = [
        float(contact_f1(found[sure, column : column + 1], hand.contacts[sure, column : column + 1].astype(float))[0])
        for column, sure in enumerate(~hand.unsure.T)
    ]
    return float(np.mean(f1))


def _strikes(found: Labels, hand: HandLabels, side: str) -> tuple[Array, int]:
    """Return the gaps of one foot's checked strikes (N), seconds, and the number of false strikes."""
    down, up = hand.foot(side)
    near = round(WITHIN * hand.rate)
    mine = (found.left_strikes if side == "L" else found.right_strikes) - hand.first
    theirs = hand.strikes[side]
    timed = [up[max(strike - near, 0) : strike].any() and down[strike : strike + near].any() for strike in theirs]
    gaps = strike_time_errors(mine / hand.rate, theirs[np.array(timed, dtype=bool)] / hand.rate)
    extra = mine[extra_strikes(mine / hand.rate, theirs / hand.rate, WITHIN)]
    inside = extra[(extra >= near) & (extra < len(hand) - near)]
    return gaps, sum(bool((down | up)[strike - near : strike + near + 1].all()) for strike in inside)


def _phase(found: Array, hand: HandLabels) -> float | None:
    """Return the mean error of a phase (F), cycles; ``None`` if the feet do not alternate or do not step."""
    if not hand.periodic or hand.standing.all() or not any(map(len, hand.strikes.values())):
        return None
    phase = find_phase(hand.strikes["L"], hand.strikes["R"], hand.standing, hand.rate)
    return phase_error(found, phase, hand.standing)


def _gait(found: NDArray[np.intp], hand: HandLabels) -> float | None:
    """Return the share of the frames (F) with a reference gait that have this detected gait."""
    said = hand.gaits != UNSAID
    return float(np.mean(found[said] == hand.gaits[said])) if said.any() else None
