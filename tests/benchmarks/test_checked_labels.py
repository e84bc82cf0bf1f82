from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.checked_labels import Score
from footfall.benchmarks.hand_labels import FEET, HandLabels
from footfall.core.labelling import Labels
from footfall.core.labelling.phase.phase import find_phase
from footfall.core.labelling.semantics import gaits

FIRST, FRAMES, RATE = 50, 240, 60.0
JOINTS = tuple(joint for foot in FEET.values() for joint in foot)
STRIKES = {"L": np.array([60, 120, 180]), "R": np.array([30, 90, 150, 210])}


def checked() -> HandLabels:
    """Four seconds of steps at 60 Hz, each foot down for 40 frames from its strikes on, in a longer clip."""
    down = {side: np.isin(np.arange(FRAMES), np.add.outer(STRIKES[side], np.arange(40))) for side in "LR"}
    contacts = np.stack([down[joint[-1]] for joint in JOINTS], axis=1)
    walking = np.full(FRAMES, gaits.GAIT_NAMES.index("walk"))
    unsure = np.zeros_like(contacts)
    last = FIRST + FRAMES - 1
    return HandLabels("walk.bvh", RATE, FIRST, last, JOINTS, contacts, unsure, STRIKES, walking, walking, True, "")


def found(hand: HandLabels, strikes: Mapping[str, Sequence[int]]) -> Labels:
    """Labels of the whole clip, right but for the strikes; what is before the range is as wrong as can be."""

    def with_ends(values: np.ndarray) -> np.ndarray:
        return np.pad(values, [(FIRST, 20), *[(0, 0)] * (values.ndim - 1)])

    phase = find_phase(STRIKES["L"], STRIKES["R"], hand.standing, RATE)
    walking = np.eye(len(gaits.GAIT_NAMES))[hand.gaits]
    left, right = (np.array([3, *(FIRST + strike for strike in strikes[side])]) for side in "LR")
    contacts, phase, walking = (with_ends(values) for values in (hand.contacts.astype(float), phase, walking))
    return Labels(RATE, JOINTS, contacts, phase, gaits.GAIT_NAMES, walking, left, right, 0.0)


def test_only_the_checked_range_is_compared() -> None:
    score = Score.between(found(checked(), {"L": [60, 120, 180], "R": [30, 90, 150, 210]}), checked())
    assert (score.f1, score.extra, score.gait) == (1.0, 0, 1.0) and score.phase == pytest.approx(0.0)
    np.testing.assert_array_equal(score.gaps, np.zeros(7))


def test_strikes_are_late_missing_or_extra() -> None:
    score = Score.between(found(checked(), {"L": [62, 180], "R": [30, 75, 90, 150, 210]}), checked())
    np.testing.assert_allclose(score.gaps * RATE, [2, -58, 0, 0, 0, 0, 0], atol=1e-9)
    assert score.extra == 1


def test_what_is_unsure_is_left_out() -> None:
    hand = checked()
    unsure = hand.unsure.copy()
    unsure[70:80] = unsure[110:130] = True
    doubted = replace(hand, unsure=unsure)
    labels = found(hand, {"L": [60, 180], "R": [30, 75, 90, 150, 210]})
    wrong = labels.contacts.copy()
    wrong[FIRST + 110 : FIRST + 130] = 1 - wrong[FIRST + 110 : FIRST + 130]
    score = Score.between(replace(labels, contacts=wrong), doubted)
    assert (score.f1, score.extra, len(score.gaps)) == (1.0, 0, 6)
