"""Parts of learning from corrections, with detectors whose errors are told."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.labelling import learning
from footfall.core.labelling.learning import (
    Observations,
    PreparedExample,
    _apply_step,
    _count_errors,
    _fit_durations,
    _fit_group,
    _group_sensors,
    _pattern_search,
    fit_thresholds,
    negative_log_posterior,
)
from footfall.core.labelling.presets import BIPED_PRESET, LabellingPreset
from footfall.core.labelling.sensors import Sensor
from footfall.core.motion.rotations import Array

GROUPS = {"foot on ground": [0, 2], "toe on ground": [1, 3]}


def test_sensors_of_both_sides_and_one_surface_learn_together() -> None:
    sensors = [
        *BIPED_PRESET.sensors,
        *(Sensor(name, "hips", on) for name, on in (("hand.L", "joint:head"), ("hips", "ground"))),
    ]
    sensors += [Sensor(name, "hips") for name in ("hand.R", "prop.X", ".L")]
    groups = _group_sensors(replace(BIPED_PRESET, sensors=tuple(sensors)))
    assert groups == GROUPS | {
        "hand on joint:head": [4],
        "hips on ground": [5],
        "hand on ground": [6],
        "prop.X on ground": [7],
        ".L on ground": [8],
    }


def test_a_step_multiplies_the_thresholds() -> None:
    one = Sensor("a", "hips", speed=0.6, height=0.05, sharpness=4.0, shortest=0.1)
    found = _apply_step(one, (float(np.log(2)), float(np.log(3)), float(np.log(0.5))))
    assert (found.speed, found.height, found.sharpness) == pytest.approx((1.2, 0.15, 2.0)) and found.shortest == 0.1


@dataclass
class Evidence:
    speed: Array
    height: Array


@dataclass
class Found:
    evidence: Evidence
    state: Array


class Lesson:
    """A corrected clip of six frames in which two frames are one observation."""

    correlated_frames = 2.0

    def __init__(self, marks: list[int], weights: list[float], state: list[int] | None = None) -> None:
        self.marks, self.weights = np.array(marks, dtype=float), np.array(weights)
        self.state = np.tile(np.array(state or marks, dtype=bool)[:, None], (1, 4))

    def weighted_marks(self, name: str) -> tuple[Array, Array]:
        return (self.marks, self.weights) if name.endswith(".L") else (0 * self.marks, 0 * self.weights)

    def contacts(self, preset: LabellingPreset) -> Found:
        ramp = np.tile(np.arange(6.0)[:, None], (1, 4))
        return Found(Evidence(ramp * 0.6, (ramp - 2) * 0.05), self.state)


def lessons(*of: Lesson) -> list[PreparedExample]:
    return cast(list[PreparedExample], list(of))


def test_marks_with_a_weight_are_observed_relative_to_the_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Observations, float]] = []

    def fit(observations: Observations, sharpness: float) -> tuple[float, float, float]:
        seen.append((observations, sharpness))
        return 1.0, 2.0, 3.0

    monkeypatch.setattr(learning, "fit_thresholds", fit)
    lesson = Lesson([1, 1, 0, 0, 1, 0], [1.0, 0.0, 0.25, 0.5, 0.0, 1.0])
    preset = replace(
        BIPED_PRESET, sensors=tuple(replace(one, sharpness=4.0 + n) for n, one in enumerate(BIPED_PRESET.sensors))
    )
    found = cast(Any, lesson.contacts(preset))
    assert _fit_group(preset, [0, 2], lessons(lesson), [found]) == (1.0, 2.0, 3.0)
    ((observed, sharpness),) = seen
    np.testing.assert_allclose(observed.speed, [0.0, 2.0, 3.0, 5.0])
    np.testing.assert_allclose(observed.height, [0.0, 0.0, 1.0, 3.0])
    np.testing.assert_array_equal(observed.marks, [1, 0, 0, 0])
    np.testing.assert_allclose(observed.weights, [0.5, 0.125, 0.25, 0.5])
    assert sharpness == 5.0
    assert _fit_group(preset, [0], [], []) == (0.0, 0.0, 0.0)


def test_errors_are_counted_in_observations_of_each_group() -> None:
    lesson = Lesson([1, 1, 0, 0, 1, 0], [1.0, 1.0, 0.25, 0.5, 1.0, 1.0], [1, 0, 1, 0, 0, 0])
    np.testing.assert_allclose(_count_errors(BIPED_PRESET, GROUPS, lessons(lesson)), [(1 + 0.25 + 1) / 2] * 2)
    np.testing.assert_allclose(_count_errors(BIPED_PRESET, GROUPS, lessons(lesson, lesson)), [2.25] * 2)
    assert not _count_errors(BIPED_PRESET, GROUPS, []).any()


def searched(
    monkeypatch: pytest.MonkeyPatch, errors: Callable[[tuple[float, ...], int], float], fit: tuple[float, float, float]
) -> tuple[list[tuple[float, ...]], tuple[float, float, float]]:
    """All steps of a search for one group that were tried, and the one that was taken."""
    tried: list[tuple[float, ...]] = []
    usual = BIPED_PRESET.sensors[0]

    def count(preset: LabellingPreset, groups: object, examples: object) -> Array:
        one = preset.sensors[0]
        ratios = (one.speed / usual.speed, one.height / usual.height, one.sharpness / usual.sharpness)
        tried.append(tuple(round(float(np.log(ratio)), 5) + 0.0 for ratio in ratios))
        return np.array([errors(tried[-1], len(tried))])

    monkeypatch.setattr(learning, "_count_errors", count)
    group = {"all": [0, 1, 2, 3]}
    return tried, _pattern_search(BIPED_PRESET, group, {"all": fit}, [])["all"]


DIRECTIONS = [(1, 1, 0), (-1, -1, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)]


def test_parts_of_the_fit_are_tried_and_then_steps_to_all_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, taken = searched(monkeypatch, lambda step, number: 9.0, (0.4, -0.8, 0.2))
    assert taken == (0.0, 0.0, 0.0)
    shares = [(0.0, 0.0, 0.0), (0.4, -0.8, 0.2), (0.2, -0.4, 0.1), (0.1, -0.2, 0.05)]
    around = [tuple(size * along for along in way) for size in (1.2, 0.6, 0.3, 0.15) for way in DIRECTIONS]
    np.testing.assert_allclose(tried, [*shares, *around], atol=1e-5)


@pytest.mark.parametrize("gain, taken", [(4.49, False), (4.51, True)])
def test_a_step_gains_four_observations_more_than_its_prior(
    monkeypatch: pytest.MonkeyPatch, gain: float, taken: bool
) -> None:
    """A step of one deviation of the speed costs a half."""
    fit = (0.5, 0.0, 0.0)
    _, found = searched(monkeypatch, lambda step, number: 20.0 - gain * (step == fit), fit)
    assert found == (fit if taken else (0.0, 0.0, 0.0))


def test_a_step_with_more_errors_than_none_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    _, found = searched(monkeypatch, lambda step, number: 10.0 if number == 1 else 10.1, (0.1, 0.0, 0.0))
    assert found == (0.0, 0.0, 0.0)


def test_as_long_as_steps_improve_there_are_three_rounds_of_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, _ = searched(monkeypatch, lambda step, number: 1e6 - 1e4 * number, (0.1, 0.0, 0.0))
    assert len(tried) == 1 + 3 + 4 * 3 * 6
    starts = np.array(tried[4:]).reshape(4, 3, 6, 3)
    np.testing.assert_allclose(starts[0, 0, 0] - np.array(tried[3]), [1.2, 1.2, 0.0], atol=1e-5)
    np.testing.assert_allclose(starts[1, 0, 0] - starts[0, 2, 5], [0.6, 0.6, 0.0], atol=1e-5)


def test_a_posterior_in_numbers() -> None:
    """On the ellipse of evidence 1 the odds are even: each observation costs log 2."""
    seen = Observations(np.array([1.0, 0.6]), np.array([0.0, 0.8]), np.array([1.0, 0.0]), np.array([2.0, 3.0]))
    value, gradient = negative_log_posterior(np.zeros(3), seen, 4.0)
    assert value == pytest.approx(5 * np.log(2))
    np.testing.assert_allclose(gradient, [-1.0 * 4 + 1.5 * 4 * 0.36, 1.5 * 4 * 0.64, 0.0], atol=1e-12)
    none = Observations(*(np.zeros(0) for _ in range(4)))
    value, gradient = negative_log_posterior(np.array([0.5, 1.0, 0.3]), none, 4.0)
    assert value == pytest.approx(0.5 + 2.0 + 0.5)
    np.testing.assert_allclose(gradient, [2.0, 4.0, 0.3 / 0.09])
    far = Observations(np.array([np.e]), np.array([0.0]), np.array([0.0]), np.array([1.0]))
    assert negative_log_posterior(np.zeros(3), far, 4.0)[0] == pytest.approx(np.log1p(np.exp(-4.0)))
    assert negative_log_posterior(np.array([1.0, 0.0, 0.0]), far, 4.0)[0] == pytest.approx(np.log(2) + 2.0)


def test_a_fit_goes_three_deviations_at_most() -> None:
    many = np.full(100_000, 1.0)
    fast = Observations(many * 50, many * 0.0, many, many)
    assert fit_thresholds(fast, 4.0)[0] == pytest.approx(1.5)
    high = Observations(many * 0.0, many * 50, many, many)
    assert fit_thresholds(high, 4.0)[1] == pytest.approx(1.5)
    slow = Observations(many * 0.01, many * 0.0, 0 * many, many)
    assert fit_thresholds(slow, 4.0)[0] == pytest.approx(-1.5)


@pytest.mark.parametrize("factor, charge", [(2**0.5, 0.490), (0.5**0.5, 0.490), (2.0, 1.961), (0.5, 1.961)])
def test_a_duration_saves_more_errors_than_it_costs(
    monkeypatch: pytest.MonkeyPatch, factor: float, charge: float
) -> None:
    for saved, taken in ((charge + 0.01, True), (charge - 0.01, False)):

        def count(preset: LabellingPreset, groups: object, examples: object, saved: float = saved) -> Array:
            ratio = preset.sensors[0].shortest / BIPED_PRESET.sensors[0].shortest
            return np.array([9.0 - saved * (abs(ratio - factor) < 1e-6), 9.0])

        monkeypatch.setattr(learning, "_count_errors", count)
        found = _fit_durations(BIPED_PRESET, GROUPS, [])
        ratios = [one.shortest / own.shortest for one, own in zip(found.sensors, BIPED_PRESET.sensors, strict=True)]
        assert ratios == pytest.approx([factor if taken else 1.0, 1.0] * 2)
