"""Places of a ball in the hands."""

import numpy as np
import pytest

from footfall.core.ball.cues import usual_centers
from footfall.core.ball.hands import read_hands
from footfall.core.ball.palms import HAND_TO_BALL_M, Palms, draw_to_palms, palm_centers
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize("scale", [0.7, 1.0])
def test_they_are_those_that_the_inference_of_balls_expects(scale: float) -> None:
    clip = Walker(seconds=1.0, scale=scale).clip()
    palms, (positions, rotations) = Palms.of(clip.skeleton), clip.world
    joints, hands = list(palms.joints), read_hands(clip)
    found = palms.centers(positions[:, joints], rotations[:, joints])
    np.testing.assert_allclose(found, hands.to_clip(usual_centers(hands)), atol=1e-9)


def test_a_ball_that_hovers_beside_a_hand_is_drawn_to_it_and_one_that_touches_it_stays() -> None:
    clip, radius = Walker(seconds=1.0).clip(), 0.12
    hands = read_hands(clip)
    fingers = hands.axes[:, :, 0]
    for out, expected in ((0.3, radius + HAND_TO_BALL_M), (0.14, 0.14)):
        centers = hands.wrists + 0.08 * fingers + out * hands.axes[:, :, 1]
        drawn = draw_to_palms(clip, hands.to_clip(centers), radius)
        away = hands.from_clip(drawn) - hands.wrists - 0.08 * fingers
        np.testing.assert_allclose(np.linalg.norm(away, axis=-1), expected, atol=2e-3)


def test_a_smaller_ball_is_drawn_nearer() -> None:
    clip = Walker(seconds=1.0).clip()
    wrists = clip.positions[:, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]]
    far = [np.linalg.norm(draw_to_palms(clip, palm_centers(clip), radius) - wrists, axis=-1) for radius in (0.04, 0.12)]
    assert (far[0] < far[1] - 0.02).all()
