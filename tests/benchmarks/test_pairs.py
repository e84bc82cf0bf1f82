"""Rows of the table of dances, from figures whose hands and bodies are known."""

import numpy as np
import pytest

from footfall.benchmarks.pairs import SPREAD_MARGIN_M, Tally
from footfall.core.motion.hand_holds import HAND_PAIRS
from footfall.tests.core.motion.test_hand_holds import facing_pair


def test_a_row_tells_hands_and_depths_of_all_frames() -> None:
    gaps = np.full(40, 0.2)
    gaps[20:] = 1.5
    holds = np.zeros((40, 4), dtype=bool)
    holds[:, HAND_PAIRS.index(("L", "R"))] = True
    tally = Tally()
    tally.add_pair(*facing_pair(gaps), holds)
    name, median, high, beyond, *_, deep, _, deepest, skate, error = tally.row("known", 0.2 + SPREAD_MARGIN_M)
    assert name == "known" and skate is None and error is None
    assert isinstance(median, float) and 20.0 <= median <= 150.0
    assert high == pytest.approx(150.0, abs=2.0)
    assert beyond == pytest.approx(50.0)
    assert deep == pytest.approx(50.0), "bodies are in each other in the first half"
    assert isinstance(deepest, float) and deepest > 2.0
