"""The pivot of a foot."""

import numpy as np

from footfall.core.control.feet.foot_pose import SoleContacts


def weights(heel: str, ball: str) -> list[float]:
    return SoleContacts(
        *(np.array([int(frame) for frame in part], dtype=bool) for part in (heel, ball))
    ).ball_weight.tolist()


def test_the_pivot_is_the_ball_while_it_touches_and_moves_to_it_from_the_heel() -> None:
    assert weights("1111000", "0011110") == [0, 0, 1, 1, 1, 1, 1]
    assert weights("1100000", "0000011") == [0, 0, 0.25, 0.5, 0.75, 1, 1]
    assert weights("000", "000") == [1, 1, 1]
