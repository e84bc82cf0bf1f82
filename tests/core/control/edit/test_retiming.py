"""Retimed walks: stretches take their time, what is beside them keeps its pace, and feet stay."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.retiming import Stretch, retime
from footfall.core.control.path.timed_waypoints import WaypointResult
from footfall.core.errors import FootfallError
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import length
from footfall.core.terrain.ground import Plane
from footfall.tests.support.performances import performance
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=8.0)
CLIP = WALKER.clip()
WALK = performance(CLIP, FootContacts(WALKER.contacts), WALKER.phase, np.tile([0.0, 1.0], (len(CLIP), 1)))
GROUND = Plane()
COUNT = len(CLIP)


@pytest.mark.parametrize("ratio", [0.5, 1.5, 2.5])
def test_a_stretch_takes_its_time_and_the_rest_its_own(ratio: float) -> None:
    made, times = retime(WALK, [Stretch(180, 299, ratio)], GROUND)
    assert len(made.clip) == len(times) == pytest.approx(COUNT + 120 * (ratio - 1.0), abs=1.5)
    pace = np.diff(times)
    inside = (times[:-1] > 220) & (times[:-1] < 260)
    np.testing.assert_allclose(pace[inside], 1.0 / ratio, rtol=0.03)
    outside = (times[:-1] < 120) | (times[:-1] > 360)
    np.testing.assert_allclose(pace[outside], 1.0, rtol=0.01)
    assert (pace > 0.0).all() and np.abs(np.diff(pace)).max() < 0.1, "no jump of the pace"


def test_the_motion_is_that_of_the_walk_at_its_times() -> None:
    made, times = retime(WALK, [Stretch(180, 299, 1.7)], GROUND)
    nearest = np.rint(times).astype(int)
    apart = length(made.clip.positions - CLIP.positions[nearest]).max()
    assert apart <= length(np.diff(CLIP.positions, axis=0)).max() / 2 + 1e-3
    np.testing.assert_array_equal(made.contacts.held, WALK.contacts.held[nearest])
    np.testing.assert_allclose(made.clip.positions[0], CLIP.positions[0], atol=1e-9)
    assert np.diff(np.unwrap(made.labels.phase, period=1.0)).min() >= 0.0
    for side in "LR":
        foot = made.clip.positions[:, CLIP.skeleton.joint(f"foot.{side}")]
        own = CLIP.positions[:, CLIP.skeleton.joint(f"foot.{side}")]
        for start, stop in made.contacts.runs(side):
            assert (
                np.ptp(foot[start:stop, :2], axis=0).max()
                <= np.ptp(own[nearest[start] : nearest[stop - 1] + 1, :2], axis=0).max() + 4e-3
            )


def test_two_stretches_of_opposite_ratios_keep_the_length() -> None:
    made, _ = retime(WALK, [Stretch(300, 359, 0.5), Stretch(120, 179, 1.5)], GROUND)
    assert len(made.clip) == pytest.approx(COUNT, abs=1)


def test_what_cannot_be_retimed_is_refused() -> None:
    for stretches, said in (
        ([Stretch(400, COUNT + 10, 1.5)], "does not fit in a bake of"),
        ([Stretch(100, 200, 1.5), Stretch(150, 250, 0.8)], "overlap at frame 150"),
        ([Stretch(100, 200, 9.0)], "A retimed range cannot take 9.00 times its original duration"),
    ):
        with pytest.raises(FootfallError, match=said):
            retime(WALK, stretches, GROUND)
    met = replace(WALK, waypoint_results=(WaypointResult(0.0, 0.0, True),))
    with pytest.raises(FootfallError, match="A walk that reaches waypoints at set frames cannot be retimed"):
        retime(met, [Stretch(100, 200, 1.5)], GROUND)
