"""Legs of captures that are too long."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.retarget.knee_bias import (
    MAX_SHORTENING,
    PEOPLE_FLEXION_DEG,
    leg_scale,
    shorten_legs,
    stance_extensions,
)
from footfall.tests.support.walker import Walker


@pytest.fixture(scope="module")
def walker() -> Clip:
    return Walker(speed=1.2).clip()


def test_shorter_legs_leave_hips_and_feet_where_they_are(walker: Clip) -> None:
    shorter = shorten_legs(walker, 0.99)
    for side in "LR":
        leg = Leg.of(walker.skeleton, side)
        np.testing.assert_allclose(shorter.positions[:, leg.thigh], walker.positions[:, leg.thigh], atol=1e-9)
        reach = np.linalg.norm(walker.positions[:, leg.thigh] - walker.positions[:, leg.foot], axis=-1)
        within = reach < 0.997 * leg.length(shorter.skeleton)
        np.testing.assert_allclose(shorter.positions[within, leg.foot], walker.positions[within, leg.foot], atol=1e-6)
        assert leg.length(shorter.skeleton) == pytest.approx(0.99 * leg.length(walker.skeleton))


def flexion_of(extension: float) -> float:
    """The knee flexion, degrees, of a leg of equal halves that is extended to a share of its length."""
    return float(2 * np.degrees(np.arccos(extension)))


@given(st.floats(0.9, 0.99))
def test_the_straightest_stances_become_as_straight_as_those_of_people(extension: float) -> None:
    scale = leg_scale(np.full(200, extension))
    if scale > 1.0 - MAX_SHORTENING:
        wanted = min(PEOPLE_FLEXION_DEG, flexion_of(extension))
        assert flexion_of(min(extension / scale, 1.0)) == pytest.approx(wanted, abs=0.01)


def test_a_squat_is_not_taken_for_long_legs() -> None:
    assert leg_scale(np.full(500, 0.8)) == 1.0 - MAX_SHORTENING


def test_long_legs_are_found_again(walker: Clip) -> None:
    """Legs a percent too long for where hips and feet are never come straight: what the correction is for."""
    labels = label_clip(walker)
    own, longer = stance_extensions(walker, labels), stance_extensions(shorten_legs(walker, 1.01), labels)
    assert np.percentile(longer, 95) == pytest.approx(np.percentile(own, 95) / 1.01, abs=1e-4)
