"""Dances and walks on other bodies: sizes, one ground for both, and the height of their feet."""

import numpy as np
import pytest

from footfall.core.control.pair.fitted_dance import fit_dance, fit_walk
from footfall.core.control.pair.partner_dance import Dance
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import IDENTITY, Array
from footfall.core.retarget.calibration import Calibration, calibrate
from footfall.tests.support.walker import Walker, person

SAME, TWICE = calibrate(person(), person()), calibrate(person(), person(2.0))


def walk(place: tuple[float, float] = (0.0, 0.0), standing: bool = False, held: bool = True) -> Walk:
    """A walk of the walker from a place on; its feet are held where they are down, or never."""
    clip = Walker(seconds=2.0).clip().transformed(IDENTITY, np.array([*place, 0.0]))
    contacts = Walker(seconds=2.0).contacts * held
    standing_clip = Walker(seconds=0.1).clip() if standing else None
    return Walk(clip, FootContacts(contacts), np.zeros(len(clip)), np.zeros((len(clip), 3)), standing_clip)


def middle(clip: Clip) -> Array:
    """The place (F, 2) between both hip joints."""
    return clip.positions[:, [clip.skeleton.joint("thigh.L"), clip.skeleton.joint("thigh.R")], :2].mean(axis=1)


def test_a_pair_of_two_sizes_dances_on_one_ground() -> None:
    """Bodies 2 m apart on the controller's skeleton are 3 m apart where one has its size and the other twice that."""
    leader, follower = walk(), walk((2.0, 0.0))
    holds, centers = np.ones((121, 4), dtype=bool), np.tile([1.0, 4.0], (121, 1))
    fitted = fit_dance(Dance(leader, follower, holds, centers), (SAME, TWICE))
    assert fitted.leader.clip.skeleton.leg_length == pytest.approx(0.84)
    assert fitted.follower.clip.skeleton.leg_length == pytest.approx(1.68)
    for before, after in ((leader, fitted.leader), (follower, fitted.follower)):
        np.testing.assert_allclose(middle(after.clip), 1.5 * middle(before.clip), atol=1e-6)
    np.testing.assert_allclose(middle(fitted.follower.clip) - middle(fitted.leader.clip), np.tile([3.0, 0.0], (121, 1)))
    np.testing.assert_array_equal(fitted.centers, 1.5 * centers)
    assert fitted.holds is holds


def test_each_of_a_pair_has_its_own_rise() -> None:
    """Feet that nothing holds go higher with the body."""
    pair = walk(held=False), walk((2.0, 0.0), held=False)
    dance = Dance(*pair, np.zeros((121, 4), dtype=bool), np.zeros((121, 2)))
    flat, raised = fit_dance(dance, (SAME, SAME)), fit_dance(dance, (SAME, SAME), (0.02, 0.05))
    for one, other, rise in ((flat.leader, raised.leader, 0.02), (flat.follower, raised.follower, 0.05)):
        rises = other.clip.root_positions[:, 2] - one.clip.root_positions[:, 2]
        assert np.median(rises) == pytest.approx(rise, abs=1e-3)


@pytest.mark.parametrize(("calibration", "size"), [(SAME, 1.0), (TWICE, 2.0)], ids=["own size", "twice the size"])
def test_the_standing_body_is_of_the_new_size_and_rises_too(calibration: Calibration, size: float) -> None:
    before = walk(standing=True)
    assert before.standing_clip is not None
    flat, raised = (fit_walk(before, calibration, size, rise) for rise in (0.0, 0.1))
    assert flat.standing_clip is not None and raised.standing_clip is not None
    heights = size * before.standing_clip.root_positions[:, 2]
    np.testing.assert_allclose(flat.standing_clip.root_positions[:, 2], heights, atol=1e-6)
    np.testing.assert_allclose(raised.standing_clip.root_positions[:, 2], heights + 0.1, atol=1e-6)
    np.testing.assert_allclose(raised.standing_clip.root_positions[:, :2], flat.standing_clip.root_positions[:, :2])
