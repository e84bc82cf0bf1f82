"""Proportions of bodies whose bones are known."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.clip import Clip
from footfall.core.motion.proportions import body_scale, leg_length, scale_between
from footfall.core.motion.rotations import IDENTITY
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.walker import person


def still(skeleton: Skeleton) -> Clip:
    return Clip(skeleton, 60.0, np.zeros((1, 3)), np.tile(IDENTITY, (1, len(skeleton), 1)))


def without(skeleton: Skeleton, *parts: str) -> Skeleton:
    """Return a skeleton without the roles that begin with some words."""
    return replace(
        skeleton, roles={role: joint for role, joint in skeleton.roles.items() if not role.startswith(parts)}
    )


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_leg_is_thigh_and_shin_together(scale: float) -> None:
    skeleton = person(scale)
    assert leg_length(skeleton) == pytest.approx(0.84 * scale)
    assert body_scale(still(skeleton)) == pytest.approx(scale)
    assert scale_between(person(), skeleton) == pytest.approx(scale)


def test_a_body_without_legs_is_as_large_as_an_adult() -> None:
    assert body_scale(still(without(person(), "shin", "foot"))) == 1.0
    tiny = person(1e-6)
    assert body_scale(still(tiny)) == 1.0, "as far as a leg of a micrometer is one"
    with pytest.raises(FootfallError, match=r"shin\.L"):
        leg_length(without(person(), "shin"))
