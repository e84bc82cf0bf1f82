"""Places of a ball in the hands."""

import numpy as np
import pytest

from footfall.core.ball.cues import usual_centers
from footfall.core.ball.hands import read_hands
from footfall.core.ball.palms import Palms
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize("scale", [0.7, 1.0])
def test_they_are_those_that_the_inference_of_balls_expects(scale: float) -> None:
    clip = Walker(seconds=1.0, scale=scale).clip()
    palms, (positions, rotations) = Palms.of(clip.skeleton), clip.world
    joints, hands = list(palms.joints), read_hands(clip)
    found = palms.centers(positions[:, joints], rotations[:, joints])
    np.testing.assert_allclose(found, hands.to_clip(usual_centers(hands)), atol=1e-9)
