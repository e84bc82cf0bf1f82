"""Seams of inserted clips in closed form: what is cheapest, what dies out behind them, and ways that are bent."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.clip_insertion import (
    find_seams,
    insert_clip,
)
from footfall.core.errors import FootfallError
from footfall.core.motion.contacts import FootContacts
from footfall.core.terrain.ground import Plane
from footfall.tests.core.control.edit.test_clip_insertion_limits import going, still

STANDING = FootContacts(np.ones((240, 4)))


def test_a_clip_that_leads_elsewhere_says_how_far_and_by_which_turn() -> None:
    with pytest.raises(FootfallError, match=r"ends 3\.0 m from where the walk continues, turned by 0 degrees"):
        insert_clip(still(600), going(3.0, 0.0), Plane())


def test_from_the_very_first_frame_on_a_walk_is_resumed_as_far_on_as_the_clip_goes() -> None:
    """It goes a centimeter a frame; the clip, which begins where all feet stand, a meter."""
    walk, clip = still(600), still(240).clip
    roots = walk.clip.root_positions + np.arange(600)[:, None] * [0.0, 0.01, 0.0]
    contacts = np.zeros((600, 4))
    contacts[0] = 1.0
    moving = replace(walk, clip=replace(walk.clip, root_positions=roots), contacts=FootContacts(contacts))
    leap = clip.root_positions + np.clip(np.arange(240)[:, None] / 100 - 0.7, 0.0, 1.0) * [0.0, 1.0, 0.0]
    seams = find_seams(moving, replace(clip, root_positions=leap), STANDING, 0)
    assert seams.leaves == 0
    assert seams.resumes == pytest.approx(100, abs=36)
