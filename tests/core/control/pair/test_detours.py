"""Ways around: an arm that goes through the other body within some frames is led around it."""

import numpy as np

from footfall.core.control.pair.detours import lead_around
from footfall.core.control.pair.joined_hands import join_hands, palm_distances
from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import HAND_PAIRS
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.core.motion.test_hand_holds import facing_pair
from footfall.tests.support.walker import person

FRAMES, START, STOP = 120, 60, 63
NO_HOLDS = np.zeros((FRAMES, 4), dtype=bool)


def arms_that_meet() -> tuple[Clip, Clip]:
    """Face to face; for some frames hands are 6 cm behind the other's hands."""
    gaps = np.full(FRAMES, 1.2)
    gaps[START:STOP] = -0.06
    return facing_pair(gaps)


def test_detours_separate_arms_and_other_frames_stay() -> None:
    first, second = arms_that_meet()
    assert deepest_overlap(first, second).max() > 0.02
    clips = lead_around(first, second, NO_HOLDS)
    assert deepest_overlap(*clips).max() <= 0.014 + 1e-9
    fade = round(0.35 * first.rate)
    for one, other in zip(clips, (first, second), strict=True):
        moved = np.abs(one.positions - other.positions).max(axis=(1, 2))
        assert moved[: START - fade].max() < 1e-9 and moved[STOP + fade :].max() < 1e-9
        feet = [person().joint("foot.L"), person().joint("foot.R")]
        assert np.abs(one.positions - other.positions)[:, feet].max() < 1e-6, "feet stay where they are"


def test_hands_that_hold_each_other_stay_together() -> None:
    first, second = arms_that_meet()
    holds = NO_HOLDS.copy()
    column = HAND_PAIRS.index(("L", "R"))
    holds[:, column] = True
    joined = join_hands(first, second, holds)
    before = palm_distances(*joined)[:, column]
    clips = lead_around(*joined, holds)
    assert deepest_overlap(*clips, holds).max() < deepest_overlap(*joined, holds).max() - 0.005
    assert (palm_distances(*clips)[:, column] - before).max() < 0.02 + 1e-9, "a centimeter for each of two fades"
