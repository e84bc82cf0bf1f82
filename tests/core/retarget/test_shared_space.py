"""Motion of one body on another one, in a space whose scale both do not have: steps go where the scale puts them."""

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.retarget import retarget
from footfall.core.retarget.shared_space import retarget_into_space
from footfall.tests.support.walker import Walker, person

SMALL = 0.85


def walked() -> Clip:
    return Walker().clip()


def ankles(clip: Clip) -> np.ndarray:
    return clip.positions[:, [Leg.of(clip.skeleton, side).foot for side in "LR"]]


def test_by_the_ratio_of_legs_it_is_the_retargeted_motion() -> None:
    calibration = calibrate(person(), person(SMALL))
    own = retarget(walked(), calibration)
    np.testing.assert_allclose(retarget_into_space(walked(), calibration, SMALL).positions, own.positions, atol=1e-9)


@pytest.mark.parametrize("scale", [0.8, 0.92])
def test_ankles_and_hips_are_where_the_scale_puts_them(scale: float) -> None:
    made = retarget_into_space(walked(), calibrate(person(), person(SMALL)), scale)
    np.testing.assert_allclose(ankles(made)[..., :2], scale * ankles(walked())[..., :2], atol=0.01)
    hips = made.positions[:, made.skeleton.joint("hips"), :2]
    wanted = scale * walked().positions[:, walked().skeleton.joint("hips"), :2]
    np.testing.assert_allclose(hips, wanted, atol=0.01)
