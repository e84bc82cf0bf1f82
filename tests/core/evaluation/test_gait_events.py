"""Zeni's events on a walker whose strikes are known, and while nothing walks."""

import numpy as np
import pytest

from footfall.core.evaluation.gait_events import find_events, travel_directions
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize("speed", [0.8, 1.1, 1.3])
def test_strikes_are_found_where_the_feet_come_down(speed: float) -> None:
    walker = Walker(speed=speed, seconds=8.0)
    events = find_events(walker.clip())
    for side in "LR":
        exact = walker.strikes(side)
        for strike in events[side].strikes:
            assert np.abs(exact - strike).min() < 0.09 * walker.rate
        assert np.diff(events[side].strikes) == pytest.approx(walker.cycle * walker.rate, abs=0.3)
        assert abs(len(events[side].strikes) - len(exact)) <= 2


def test_pauses_have_no_events() -> None:
    walker = Walker(seconds=12.0, pause=3.0)
    events = find_events(walker.clip())
    resting = np.flatnonzero(walker.resting)
    for foot in events.values():
        assert not np.isin(np.rint([*foot.strikes, *foot.toe_offs]), resting).any()


def test_travel_has_directions_without_the_sway_of_steps() -> None:
    time = np.arange(600) / 60
    roots = np.column_stack([1.2 * 0.6 * time, 1.2 * 0.8 * time + 0.02 * np.sin(2 * np.pi * time)])
    directions = travel_directions(roots, 60.0)
    np.testing.assert_allclose(directions[60:-60], np.tile([0.6, 0.8], (480, 1)), atol=0.03)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
