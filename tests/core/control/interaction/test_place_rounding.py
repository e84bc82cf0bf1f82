"""Places of a request are rounded: to a tenth of a millimeter on the ground, and not at all in height."""

import numpy as np

from footfall.core.control.interaction.place_rounding import rounded_places, rounded_task
from footfall.core.control.interaction.task import InteractionTask


def test_a_hair_on_the_ground_is_gone_and_heights_stay() -> None:
    place, hair = np.array([0.4, -2.61, 0.6666667]), np.array([1e-7, -1e-7, 0.0])
    np.testing.assert_array_equal(rounded_places(place + hair), place)
    np.testing.assert_array_equal(rounded_places(np.array([place[:2] + hair[:2]])), place[None, :2])
    assert np.abs(rounded_places(np.full(2, 0.123456)) - 0.123456).max() < 1e-4


def test_a_task_without_a_place_stays_as_it_is() -> None:
    task = InteractionTask("sit", 0, duration=2.0)
    assert rounded_task(task) is task
