"""Feet put where they are wanted: ankles, the trunk that gives way, toes and paws."""

import numpy as np

from footfall.core.control.edit.foot import feet_of
from footfall.core.control.edit.foot_placement import place_feet
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import exp, multiply
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=2.0)
WALK, CONTACTS = WALKER.clip(), FootContacts(WALKER.contacts)
BODY, COUNT = WALK.skeleton, len(WALK)
ANKLES = [BODY.joint(f"foot.{side}") for side in "LR"]


def placed(
    shifts: tuple[tuple[float, float, float], tuple[float, float, float]], share: float = 1.0, turn: float = 0.0
) -> Clip:
    """The walk with its ankles elsewhere by shifts, left first, and feet turned about the vertical."""
    feet = feet_of(BODY)
    places = [foot.places(WALK) + np.array(shift) for foot, shift in zip(feet, shifts, strict=True)]
    turns = [multiply(exp(np.array([0.0, 0.0, turn])), foot.turns(WALK)) for foot in feet]
    return place_feet(WALK, places, turns, CONTACTS, np.full(COUNT, share))


def test_a_turned_foot_takes_its_toe_along() -> None:
    made = placed(((0, 0, 0), (0, 0, 0)), turn=0.3)
    for side, ankle in zip("LR", ANKLES, strict=True):
        toe = BODY.joint(f"toe.{side}")
        before, after = (clip.positions[:, toe] - clip.positions[:, ankle] for clip in (WALK, made))
        cosine, sine = np.cos(0.3), np.sin(0.3)
        np.testing.assert_allclose(after[:, 0], cosine * before[:, 0] - sine * before[:, 1], atol=1e-6)
        np.testing.assert_allclose(after[:, 1], sine * before[:, 0] + cosine * before[:, 1], atol=1e-6)
        np.testing.assert_allclose(made.rotations[:, toe], WALK.rotations[:, toe], atol=1e-6)
