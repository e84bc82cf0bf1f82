"""Figures along a path: where the middle goes, what is danced about it, and that nothing jumps."""

import numpy as np
import pytest

from footfall.core.control.pair import choreography
from footfall.core.control.pair.choreography import compose_dance
from footfall.core.control.pair.dance_figures import DanceFigures
from footfall.core.control.path.path import Path
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import smooth_positions
from footfall.core.motion.rotations import wrap_angle
from footfall.tests.core.control.pair.test_dance_figures import orbit

DRIFT_SMOOTHING_S = 2.0
EASE_S = 1.0
REST_S = 0.5
GAITS = ("stand", "walk")
FIGURES = DanceFigures(GAITS, tuple(orbit(12.0, turns_s=turns) for turns in (0.1, 0.12, -0.1)))
BEND = Path(np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 3.0]]))


def test_it_takes_as_long_as_the_middle_along_the_path() -> None:
    dance = compose_dance(FIGURES, BEND, 0.2)
    assert len(dance) / 60 == pytest.approx(BEND.length / 0.2 + EASE_S + 2 * REST_S, abs=0.2)
    np.testing.assert_allclose(dance.centers[[0, -1]], BEND.points[[0, -1]], atol=1e-6)
    speeds = np.linalg.norm(np.diff(dance.centers, axis=0), axis=-1) * 60
    assert np.median(speeds) == pytest.approx(0.2, rel=0.01) and speeds.max() < 0.21


def test_the_middle_of_the_pair_keeps_to_the_path() -> None:
    dance = compose_dance(FIGURES, BEND, 0.1, seed=3)
    middle = smooth_positions(dance.figure.positions.mean(axis=1), DRIFT_SMOOTHING_S * 60)
    assert np.linalg.norm(middle - dance.centers, axis=-1)[60:-60].max() < 0.05


def test_motion_about_the_middle_of_the_pair_stays() -> None:
    """In an orbit both stay a meter apart and face each other, also across transitions of like orbits."""
    dance = compose_dance(DanceFigures(GAITS, (orbit(12.0),) * 2), BEND, 0.1, seed=1)
    positions, yaws = dance.figure.positions, dance.figure.yaws
    np.testing.assert_allclose(np.linalg.norm(positions[:, 1] - positions[:, 0], axis=-1), 1.0, atol=0.02)
    np.testing.assert_allclose(np.abs(wrap_angle(yaws[:, 1] - yaws[:, 0])), np.pi, atol=0.05)
    assert dance.figure.holds[:, 1:3].all()


@pytest.mark.parametrize("seed", range(4))
def test_nothing_jumps(seed: int) -> None:
    dance = compose_dance(FIGURES, BEND, 0.15, seed)
    steps = np.linalg.norm(np.diff(dance.figure.positions, axis=0), axis=-1) * 60
    turns = np.abs(np.diff(dance.figure.yaws, axis=0)) * 60
    assert steps.max() < 1.2 and turns.max() < 4.0
    np.testing.assert_allclose(dance.figure.gaits.sum(axis=-1), 1.0, atol=1e-9)


@pytest.mark.parametrize("speed", (choreography.TUNING.speed_range[0] / 2, choreography.TUNING.speed_range[1] * 2))
def test_a_speed_that_no_pair_dances_at_is_a_sentence(speed: float) -> None:
    with pytest.raises(FootfallError, match=f"at {speed:g} m/s"):
        compose_dance(FIGURES, BEND, speed)
