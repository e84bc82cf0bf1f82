"""Overlap of two bodies: twins at known distances."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import HAND_PAIRS
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.body_overlap import TAKING_S, body_overlaps
from footfall.tests.core.motion.test_hand_holds import facing_pair
from footfall.tests.support.walker import Walker, person


def twins(distance: float, frames: int = 3) -> tuple[Clip, Clip]:
    """A standing figure and its twin so far behind or in front of it."""
    clip = Walker(seconds=6.0).clip().cut(0, frames)
    ahead = clip.positions[0, person().joint("toe.L")] - clip.positions[0, person().joint("foot.L")]
    ahead[2] = 0.0
    return clip, replace(clip, root_positions=clip.root_positions + distance * ahead / np.linalg.norm(ahead))


def test_of_twins_as_near_as_their_hips_are_thick_the_trunks_are_that_deep() -> None:
    """The thickest capsules of an adult, those of the chest, have a radius of 11.5 cm."""
    first, second = twins(0.15)
    body = BodyCapsules.from_skeleton(person())
    overlap, other = body_overlaps(first, second)
    trunk = body.sphere_indices(("hips", "spine", "chest"))
    expected = 2 * body.radii[trunk] - 0.15
    assert (overlap.depths[:, trunk] >= expected - 1e-6).all()
    assert overlap.depths.max() == pytest.approx(other.depths.max())


def test_the_way_out_is_away_from_the_other() -> None:
    first, second = twins(0.15)
    overlap, other = body_overlaps(first, second)
    apart = second.root_positions[0] - first.root_positions[0]
    deepest = overlap.depths[0].argmax()
    assert overlap.directions[0, deepest] @ apart < -0.1
    assert other.directions[0, other.depths[0].argmax()] @ apart > 0.1


def test_hands_that_hold_may_touch() -> None:
    """Wrists at one place: the forearms are in each other, unless their hands hold each other or are about to."""
    pair = facing_pair(np.zeros(8))
    taking = round(TAKING_S * pair[0].rate)
    holds = np.zeros((8, 4), dtype=bool)
    holds[: 4 - taking, HAND_PAIRS.index(("L", "R"))] = True
    body = BodyCapsules.from_skeleton(person())
    arm = body.sphere_indices(("forearm.L",))[-1:]
    overlap = body_overlaps(*pair, holds)[0]
    into = [np.unique(body.sphere_capsules[overlap.others[rows][:, arm]]) for rows in (slice(0, 4), slice(4, 8))]
    roles = [{body.roles[capsule] for capsule in capsules} for capsules in into]
    assert "forearm.R" not in roles[0] and roles[1] == {"forearm.R"}
    assert (overlap.depths[:4, arm] < overlap.depths[4:, arm]).all()
