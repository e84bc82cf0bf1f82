import numpy as np
import pytest

from footfall.core.labelling.contacts.foot_support import find_foot_support
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize(("scale", "floor"), [(1.0, 0.0), (1.0, -2.5), (0.6, 0.3)])
def test_the_level_is_that_of_the_floor(scale: float, floor: float) -> None:
    walker = Walker(seconds=3.0, scale=scale, floor=floor)
    np.testing.assert_allclose(find_foot_support(walker.clip()).ground_height, floor, atol=0.005)


def test_feet_are_down_where_the_walker_puts_them() -> None:
    walker = Walker(seconds=3.0)
    down = np.stack([walker.contacts[:, columns].any(axis=1) for columns in ([0, 1], [2, 3])], axis=1)
    assert np.mean(find_foot_support(walker.clip()).down == down) > 0.95
