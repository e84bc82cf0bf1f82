"""Limbs kept out of another body: as far as they are in it, against the strike, and not on the beat itself."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.duel.beats import Beat
from footfall.core.control.duel.duel_staging import StagedStrike
from footfall.core.control.duel.limb_clearance import keep_limb_out
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.tests.support.poses import hips_at, posed

FRAMES, FRAME = 200, 100
WAY = np.array([0.0, -1.0, 0.0])
"""Direction of a strike by a body that faces -Y."""
STRIKER = posed(hips_at(np.full(FRAMES, 0.95)), np.full((FRAMES, 2), 1.3), np.full((FRAMES, 2), 0.6))
HAND = STRIKER.skeleton.joint("hand.R")
FIST = STRIKER.positions[0, HAND]
STRIKE = StagedStrike(Beat(FRAME, "A", "B", "chest", "hand.R"), Blow("hand.R", 80, FRAME, 120), WAY, FIST)


def receiver(depths: dict[int, float]) -> Clip:
    """A body before the end of the forearm, its chest so deep over that at some frames, five meters away at others."""
    body = posed(hips_at(np.full(FRAMES, 0.95)), np.full((FRAMES, 2), -0.6))
    chest = body.positions[0, body.skeleton.joint("chest")]
    roots = body.root_positions + np.array([0.0, -5.0, 0.0])
    for frame, depth in depths.items():
        away = FIST + np.array([0.0, -0.115 - 0.03 + depth, 0.0]) - chest
        roots[frame] = body.root_positions[frame] + away
    return replace(body, root_positions=roots)


def moved(made: Clip) -> Array:
    """Distances (F) by which the fist is drawn back against the strike."""
    away = made.positions[:, HAND] - FIST
    np.testing.assert_allclose(away[:, [0, 2]], 0.0, atol=1e-6)
    return away[:, 1]


def test_it_is_drawn_back_by_its_depth_but_not_on_the_beat() -> None:
    made = moved(keep_limb_out(STRIKER, STRIKE, receiver(dict.fromkeys(range(90, 111), 0.05))))
    assert made[FRAME] == pytest.approx(0.0, abs=1e-12)
    # Where it is as deep for long, the smoothed maximum is the depth beyond what is only touched.
    assert made[95] == pytest.approx(made[105]) and made[95] > 0.04
    assert made[99] > 0.03 and made[101] > 0.03
    assert (made >= -1e-9).all() and made.max() < 0.2
    np.testing.assert_allclose(made[:85], 0.0, atol=1e-9)
