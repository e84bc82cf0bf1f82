"""Places of a ball in the hands."""

import numpy as np

from footfall.core.ball.hands import read_hands
from footfall.core.ball.palms import HAND_TO_BALL_M, draw_to_palms
from footfall.tests.support.walker import Walker


def test_a_ball_that_hovers_beside_a_hand_is_drawn_to_it_and_one_that_touches_it_stays() -> None:
    clip, radius = Walker(seconds=1.0).clip(), 0.12
    hands = read_hands(clip)
    fingers = hands.axes[:, :, 0]
    for out, expected in ((0.3, radius + HAND_TO_BALL_M), (0.14, 0.14)):
        centers = hands.wrists + 0.08 * fingers + out * hands.axes[:, :, 1]
        drawn = draw_to_palms(clip, hands.to_clip(centers), radius)
        away = hands.from_clip(drawn) - hands.wrists - 0.08 * fingers
        np.testing.assert_allclose(np.linalg.norm(away, axis=-1), expected, atol=2e-3)
