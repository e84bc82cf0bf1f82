"""Figures along a path: where the middle goes, what is danced about it, and that nothing jumps."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.walk.choreography import (
    SPEED_RANGE_M_S,
    _draw_start,
    _eased_distance,
    _joined,
    _states,
    compose_dance,
)
from footfall.core.control.walk.dance_figures import DanceFigures, Figure
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import smooth_positions
from footfall.core.motion.rotations import wrap_angle
from footfall.tests.core.control.walk.test_dance_figures import orbit

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


def test_what_is_danced_about_the_middle_stays() -> None:
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


def test_it_begins_and_ends_standing() -> None:
    figure = compose_dance(FIGURES, BEND, 0.2).figure
    assert (figure.gaits[:20, :, 0] == 1.0).all() and (figure.gaits[-20:, :, 0] == 1.0).all()
    assert np.linalg.norm(figure.positions[15] - figure.positions[0], axis=-1).max() < 0.02


def test_seeds_dance_differently_and_repeat_themselves() -> None:
    first, again, other = (compose_dance(FIGURES, BEND, 0.15, seed).figure.positions for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


@pytest.mark.parametrize("speed", (SPEED_RANGE_M_S[0] / 2, SPEED_RANGE_M_S[1] * 2))
def test_a_speed_that_no_pair_dances_at_is_a_sentence(speed: float) -> None:
    with pytest.raises(FootfallError, match=f"at {speed:g} m/s"):
        compose_dance(FIGURES, BEND, speed)


def test_figures_that_are_too_short_are_a_sentence() -> None:
    with pytest.raises(FootfallError, match="as long as 6 s"):
        compose_dance(replace(FIGURES, figures=(orbit(3.0),)), BEND, 0.1)


@pytest.mark.parametrize(("speed", "possible"), [(0.029, False), (0.03, True), (0.4, True), (0.41, False)])
def test_pairs_dance_from_three_to_forty_centimeters_a_second(speed: float, possible: bool) -> None:
    if possible:
        assert len(compose_dance(FIGURES, BEND, speed)) > 60
        return
    with pytest.raises(FootfallError, match=r"choose a speed from 0\.03 to 0\.4 m/s"):
        compose_dance(FIGURES, BEND, speed)


@pytest.mark.parametrize(("length", "possible"), [(0.29, False), (0.31, True)])
def test_a_dance_takes_a_second_and_a_half_at_least(length: float, possible: bool) -> None:
    path = Path(np.array([[0.0, 0.0], [length, 0.0]]))
    if possible:
        assert len(compose_dance(FIGURES, path, 0.2)) > 60
        return
    with pytest.raises(FootfallError, match=r"danced in 1\.4 s, too short a time"):
        compose_dance(FIGURES, path, 0.2)


def test_the_middle_speeds_up_for_a_second_and_slows_down_for_another() -> None:
    """Of five seconds, four at full speed would do: an eighth of the way in the first one, a quarter in the next."""
    times = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 9.0])
    expected = np.array([0.0, 0.0, 0.125, 0.5, 1.5, 2.5, 3.5, 3.875, 4.0, 4.0]) / 4
    np.testing.assert_allclose(_eased_distance(times, 5.0), expected)
    np.testing.assert_allclose(_eased_distance(np.array([0.0, 0.25, 0.5, 0.75, 1.0]), 1.0), [0, 0.125, 0.5, 0.875, 1])


def test_a_pair_s_state_is_how_both_are_about_each_other_in_comparable_units() -> None:
    """Half a meter from their middle, a fifth of a turn a second to the left, face to face, with two hands held."""
    state = _states(orbit(4.0))[1:-1]
    speed, rate = 0.5 * np.sin(0.04 * np.pi) / 0.1, 0.4 * np.pi
    np.testing.assert_allclose(state[:, :2], np.tile([0.0, 1.0 / 0.15], (38, 1)), atol=1e-6)
    np.testing.assert_allclose(state[:, 2:6], np.tile([speed / 0.3, 0.0, -speed / 0.3, 0.0], (38, 1)), atol=1e-6)
    np.testing.assert_allclose(state[:, 6:8], np.tile([-1.0 / 0.4, 0.0], (38, 1)), atol=1e-6)
    np.testing.assert_allclose(state[:, 8:10], rate / 1.5)
    np.testing.assert_allclose(state[:, 10:], np.tile([0.0, 1.0, 1.0, 0.0], (38, 1)))


def standing(seconds: float, place: float = 0.0, yaw: float = 0.0, apart: float = 1.0) -> Figure:
    """Two characters that stand beside each other, and face where they face."""
    count = round(seconds * 10)
    positions = np.tile([[place, 0.0], [place + apart, 0.0]], (count, 1, 1))
    return Figure("stands", positions, np.full((count, 2), yaw), np.zeros((count, 2, 2)), np.zeros((count, 4)))


def test_a_figure_goes_on_at_the_place_and_in_the_direction_of_the_one_before() -> None:
    before, after = standing(2.0), standing(2.0, place=5.0, yaw=np.pi / 2)
    made = _joined(before, after)
    assert len(made) == 40
    np.testing.assert_allclose(made.positions[:20], before.positions)
    np.testing.assert_allclose(made.positions.mean(axis=1), np.tile([0.5, 0.0], (40, 1)), atol=1e-9)
    np.testing.assert_allclose(made.yaws[20:, 0], 0.0, atol=1e-9)


def test_what_differs_is_blended_over_in_eight_tenths_of_a_second() -> None:
    """The next pair is a meter farther apart: half of it after 0.4 s, all of it after 0.8 s."""
    made = _joined(standing(2.0), standing(2.0, apart=2.0))
    apart = made.positions[20:, 1, 0] - made.positions[20:, 0, 0]
    share = np.clip(np.arange(20) / 8, 0.0, 1.0)
    np.testing.assert_allclose(apart, 1.0 + share**2 * (3 - 2 * share))
    assert apart[[0, 4, 8]].tolist() == pytest.approx([1.0, 1.5, 2.0])


def test_a_pair_that_moves_goes_on_to_where_it_was_about_to_be() -> None:
    before = standing(2.0)
    moving = replace(before, positions=before.positions + 0.02 * np.arange(20)[:, None, None] * [1.0, 0.0])
    turning = replace(moving, yaws=0.05 * np.arange(20)[:, None] * np.ones(2))
    made = _joined(turning, standing(1.0))
    np.testing.assert_allclose(made.positions[20], [[0.4, 0.0], [1.4, 0.0]], atol=1e-9)
    np.testing.assert_allclose(made.yaws[20], 1.0, atol=1e-9)


def test_a_follower_turns_on_by_the_nearest_whole_turn() -> None:
    before, after = standing(2.0), standing(2.0)
    before.yaws[:, 1] += 4 * np.pi
    after.yaws[:, 1] += 0.5
    made = _joined(before, after)
    assert made.yaws[20, 1] == pytest.approx(4 * np.pi) and made.yaws[-1, 1] == pytest.approx(4 * np.pi + 0.5)
    assert _joined(before.cut(0, 1), after) is after


def test_a_dance_begins_where_both_hardly_move_or_else_where_they_move_least() -> None:
    """Circles at half a meter: a turn in ten seconds is 31 cm/s, and a turn in twenty 16 cm/s."""
    fast, slow = orbit(8.0, turns_s=0.1), orbit(8.0, turns_s=0.05)
    for figures, first in (([fast, slow], 1), ([slow, fast], 0)):
        owner, frame = np.repeat([0, 1], 20), np.tile(np.arange(20), 2)
        drawn = {_draw_start(figures, owner, frame, np.random.default_rng(seed))[0] for seed in range(10)}
        assert drawn == {first}
    least = replace(fast, positions=fast.positions.copy())
    least.positions[5:8] = least.positions[6]
    assert _draw_start([least], np.zeros(20, dtype=int), np.arange(20), np.random.default_rng(0)) == (0, 6)
