"""The place at which a point rests, on ground that stands and on ground that moves."""

import numpy as np

from footfall.core.control.feet.resting_place import carry_to_middle_frame
from footfall.core.terrain.ground import Plane
from footfall.tests.support.terrain_scenes import FAR, FLOOR, Boxes, Carrier

TRACK = np.arange(40.0)[:, None] ** 2 * [1.0, 0.0, 0.0]


def test_on_ground_that_stands_a_track_is_as_it_is() -> None:
    np.testing.assert_array_equal(carry_to_middle_frame(Plane(), TRACK, 3, 9, 0.4), TRACK[3:9])


def test_a_point_that_rides_is_where_it_was_at_the_middle_frame() -> None:
    deck = Boxes([((-FAR, -FAR, 0.0), (FAR, FAR, 0.1))])
    ferry = Carrier(Boxes([FLOOR]), deck, velocity=(0.02, 0.0, 0.0))
    track = np.stack([0.02 * np.arange(40), np.zeros(40), np.full(40, 0.05)], axis=1)
    carried = carry_to_middle_frame(ferry, track, 10, 21, 0.4)
    np.testing.assert_allclose(carried, np.tile(track[15], (11, 1)), atol=1e-9)
    even = carry_to_middle_frame(ferry, track, 10, 20, 0.4)
    np.testing.assert_allclose(even, np.tile(track[14], (10, 1)), atol=1e-9)
