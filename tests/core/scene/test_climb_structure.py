"""Ladders and steps as cuboids, in closed form."""

import numpy as np
import pytest

from footfall.core.scene.climb_structure import (
    RUNG_THICKNESS_M,
    ClimbStructure,
)

LADDER = ClimbStructure("ladder", np.array([0.3, 0.6, 0.9]), np.array([0.0, 0.1, 0.2]), 0.2, 2.0)
STEPS = ClimbStructure("steps", np.array([0.2, 0.4, 0.6]), np.array([0.0, 0.3, 0.6]), 0.5, 0.6)


def test_a_ladder_has_a_spacing_an_inclination_and_rungs_up_to_its_top() -> None:
    assert LADDER.spacing == pytest.approx(0.3)
    assert LADDER.inclination == pytest.approx(np.arctan(3.0))
    np.testing.assert_allclose(LADDER.rung_heights, [0.3, 0.6, 0.9, 1.2, 1.5, 1.8])
    np.testing.assert_allclose(LADDER.rungs().upper[:, 2], LADDER.rung_heights)
    np.testing.assert_allclose(LADDER.rungs().upper[:, 1], [RUNG_THICKNESS_M / 2 - d for d in np.arange(6) / 10])


def test_rails_go_along_beside_the_rungs() -> None:
    ends = np.array([[side * 0.21, -LADDER.depths_at(np.array([height]))[0], height] for side in (-1, 1)
                     for height in (0.1, 1.0, 1.9)])  # fmt: skip
    assert LADDER.rails().distances(ends).max() == 0.0
    assert LADDER.rails().distances(np.array([[0.0, -0.1, 0.6]]))[0] > 0.15


def test_another_spacing_keeps_the_inclination_of_a_ladder_and_the_treads_of_steps() -> None:
    wide, high = LADDER.with_spacing(0.33), STEPS.with_spacing(0.25)
    np.testing.assert_allclose(wide.levels, [0.33, 0.66, 0.99])
    assert wide.inclination == pytest.approx(LADDER.inclination) and wide.top == pytest.approx(2.2)
    np.testing.assert_allclose(high.levels, [0.25, 0.5, 0.75])
    np.testing.assert_allclose(high.depths, STEPS.depths)
