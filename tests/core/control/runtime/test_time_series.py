"""Operations on time series of the interaction runtime."""

import numpy as np
import pytest

from footfall.core.control.runtime.time_series import turn_toward
from footfall.core.motion.root_frame import facing_direction


@pytest.mark.parametrize("degrees", [0.0, 30.0, -170.0, 180.0])
def test_a_direction_turns_by_a_share_of_the_angle(degrees: float) -> None:
    start = facing_direction(np.array(0.4))
    target = facing_direction(np.array(0.4 + np.radians(degrees)))
    turned = turn_toward(start, target, np.array(0.25))
    assert np.linalg.norm(turned) == pytest.approx(1.0)
    angle = np.degrees(np.arccos(np.clip(turned @ start, -1, 1)))
    assert angle == pytest.approx(0.25 * abs(degrees), abs=1e-5)


def test_an_opposite_direction_is_reached() -> None:
    direction, target = np.array([0.0, -1.0]), np.array([0.0, 1.0])
    for _ in range(60):
        direction = turn_toward(direction, target, np.array(0.1))
    np.testing.assert_allclose(direction, target, atol=0.02)
