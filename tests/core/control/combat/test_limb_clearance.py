"""Limbs kept out of another body: as far as they are in it, against the strike, and not on the beat itself."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.duel_staging import StagedStrike
from footfall.core.control.combat.limb_clearance import DIRECTIONS, keep_arms_out, keep_limb_out
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


def test_a_limb_that_is_in_no_body_stays() -> None:
    assert keep_limb_out(STRIKER, STRIKE, receiver({})) is STRIKER
    assert keep_limb_out(STRIKER, STRIKE, receiver({FRAME: 0.0})) is STRIKER


def test_it_is_drawn_back_by_its_depth_but_not_on_the_beat() -> None:
    made = moved(keep_limb_out(STRIKER, STRIKE, receiver(dict.fromkeys(range(90, 111), 0.05))))
    assert made[FRAME] == pytest.approx(0.0, abs=1e-12)
    # Where it is as deep for long, the smoothed maximum is the depth beyond what is only touched.
    assert made[95] == pytest.approx(made[105]) and made[95] > 0.04
    assert made[99] > 0.03 and made[101] > 0.03
    assert (made >= -1e-9).all() and made.max() < 0.2
    np.testing.assert_allclose(made[:85], 0.0, atol=1e-9)


def test_a_kick_is_drawn_back_by_the_leg() -> None:
    foot = STRIKER.skeleton.joint("foot.L")
    ankle = STRIKER.positions[0, foot]
    body = posed(hips_at(np.full(FRAMES, 0.95)), np.full((FRAMES, 2), -0.6))
    high = STRIKER.root_positions + np.array([0.0, 0.0, 0.45])
    kicker = replace(STRIKER, root_positions=high)
    own = body.positions[0, body.skeleton.joint("shin.R")]
    near = ankle + np.array([0.0, -0.05, 0.45]) - own
    other = replace(body, root_positions=body.root_positions + near * [1.0, 1.0, 0.0])
    strike = replace(STRIKE, beat=Beat(FRAME, "A", "B", "thigh.R", "foot.L"))
    made = keep_limb_out(kicker, strike, other)
    away = made.positions[:, foot] - kicker.positions[:, foot]
    assert away[FRAME - 3, 1] > 0.01 and np.abs(away[FRAME]).max() < 1e-9
    np.testing.assert_allclose(made.positions[:, HAND], kicker.positions[:, HAND], atol=1e-9)


def test_there_are_26_directions() -> None:
    assert len(DIRECTIONS) == 26
    np.testing.assert_allclose(np.linalg.norm(DIRECTIONS, axis=-1), 1.0)
    np.testing.assert_allclose(DIRECTIONS.sum(axis=0), 0.0, atol=1e-12)
    assert len(np.unique(np.round(DIRECTIONS, 6), axis=0)) == 26


def beside(depths: dict[int, float]) -> Clip:
    """A body beside the fist whose own left hand is so deep in it from its right at some frames."""
    body = posed(hips_at(np.full(FRAMES, 0.95)), np.full((FRAMES, 2), 1.3))
    hand = body.positions[0, body.skeleton.joint("hand.L")]
    roots = body.root_positions + np.array([-5.0, 0.0, 0.0])
    for frame, depth in depths.items():
        roots[frame] = body.root_positions[frame] + FIST + [-0.055 + depth, -0.02, 0.0] - hand
    return replace(body, root_positions=roots)


def pushed(made: Clip) -> Array:
    return np.linalg.norm(made.positions[:, HAND] - FIST, axis=-1)


def test_an_end_effector_that_is_held_stays_on_the_beat_and_is_freed_beside_it() -> None:
    other = beside(dict.fromkeys(range(90, 126), 0.03))
    free, held, wrong = (
        pushed(keep_arms_out(STRIKER, other, 108, ["forearm", "hand"], each)) for each in ([], ["hand.R"], ["hand.L"])
    )
    assert held[108] == pytest.approx(0.0, abs=1e-9)
    for frame, share in ((107, 0.7), (109, 0.7), (106, 1.0), (110, 1.0)):
        assert held[frame] == pytest.approx(share * free[frame], rel=1e-3)
    np.testing.assert_allclose(wrong, free)
