"""Learning from corrections: the contact detector's thresholds are refitted to the clips that the user corrected.

The contact probability is a logistic curve, ``logit p = -q log e`` with ``e^2 = (v/v0)^2 + (h/h0)^2`` (see
:mod:`.contacts.detection`). The fit is maximum a posteriori: the likelihood of the corrected labels times a Gaussian
prior, in log space, around the present thresholds. Sensors that differ only in side are fitted together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..errors import FootfallError
from ..motion import Clip
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.rotations import Array
from .contacts.contact_objects import ContactObject
from .contacts.detection import Contacts, find_contacts
from .labeller import PreparedClip, prepare_clip
from .labels import Labels
from .presets import LabellingPreset
from .sensors import Sensor

LOG_PRIOR_SIGMAS: Final = np.array([0.5, 0.5, 0.3])
"""Standard deviations of the prior on log speed, log height and log sharpness: factors of 1.65, 1.65 and 1.35."""
LOG_DURATION_PRIOR_SIGMA: Final = 0.35
"""Standard deviation of the prior on the log of the shortest duration: a factor of 1.4."""
MAX_STEP_SIGMAS: Final = 3.0
"""Largest change, in deviations of the prior; if more is needed, the sensor or the ground is wrong, not a threshold."""
CORRELATION_TIME_S: Final = 0.1
"""Duration over which neighboring frames are correlated and count as one observation."""
UNCORRECTED_WEIGHT: Final = 0.25
"""Weight of a label that the user left unchanged in a corrected clip."""
FIT_SHARES: Final = (1.0, 0.5, 0.25)
"""Shares of the fitted change that are tried."""
SEARCH_STEP_SIZES: Final = (1.2, 0.6, 0.3, 0.15)
"""Step sizes of the pattern search around the fit, in the logarithm."""
MAX_SEARCH_ROUNDS: Final = 3
"""Largest number of rounds of the pattern search with one step size."""
SEARCH_DIRECTIONS: Final = np.array([[1, 1, 0], [-1, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
"""Directions of the pattern search in log speed, log height and log sharpness."""
MIN_COST_GAIN: Final = 4.0
"""Smallest worthwhile gain of a step, in observations (0.4 s of labels); smaller gains generalize worse."""
DURATION_RATIOS: Final = (1.0, 2.0**0.5, 0.5**0.5, 2.0, 0.5)
"""Factors of the shortest duration that are tried."""
MIN_EVIDENCE_RATIO: Final = 1e-3
"""Lower bound of speed and height ratios, which keeps their logarithm finite for a sensor at rest on the ground."""

LogStep = tuple[float, float, float]
"""Changes of log speed, log height and log sharpness."""
NO_STEP: Final[LogStep] = (0.0, 0.0, 0.0)
SensorGroups = Mapping[str, Sequence[int]]
"""Columns of sensors that are fitted together."""


@dataclass(frozen=True, eq=False)
class Observations:
    """Known contact labels of a group of sensors, with the evidence in their frames.

    Attributes:
        speed: (N) speed relative to the present threshold.
        height: (N) height relative to the present threshold.
        marks: (N) known label: 1 in contact, else 0.
        weights: (N) equivalent number of independent observations.
    """

    speed: Array
    height: Array
    marks: Array
    weights: Array

    @staticmethod
    def concatenate(parts: Sequence["Observations"]) -> "Observations":
        """Return the observations of all parts as one set."""
        names = ("speed", "height", "marks", "weights")
        return Observations(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True, eq=False)
class CorrectedClip:
    """A clip whose labels the user corrected.

    Attributes:
        clip: the motion, F frames.
        labels: the corrected labels; thresholds of sensors missing in them stay unchanged.
        mark_weights: (F, C) weight of each contact label in the fit, 0 to 1 or bool; columns as in ``labels``.
        objects: the objects that the preset's sensors touch.
    """

    clip: Clip
    labels: Labels
    mark_weights: NDArray[np.bool_] | Array
    objects: Mapping[str, ContactObject] = field(default_factory=dict)

    @staticmethod
    def of(clip: Clip, labels: Labels, objects: Mapping[str, ContactObject] | None = None) -> "CorrectedClip":
        """Create a corrected clip in which labels with a confidence of 1 count as the user's corrections.

        Other contact labels get :data:`UNCORRECTED_WEIGHT`, since corrections without
        them would show a single kind of error. Labels without any correction get no weight.
        """
        corrected = labels.confidence >= 1.0
        weights = np.where(corrected, 1.0, UNCORRECTED_WEIGHT) if corrected.any() else np.zeros(corrected.shape)
        return CorrectedClip(clip, labels, weights, objects or {})


@dataclass(frozen=True, eq=False)
class PreparedExample:
    """A corrected clip together with its form prepared for the detectors."""

    example: CorrectedClip
    prepared: PreparedClip

    @property
    def correlated_frames(self) -> float:
        """Number of consecutive frames that count as one observation, since neighboring frames are correlated."""
        return CORRELATION_TIME_S * self.example.clip.rate

    def contacts(self, preset: LabellingPreset) -> Contacts:
        """Return the contacts detected in the prepared clip with a preset's thresholds."""
        return find_contacts(self.prepared.clip, preset, self.example.objects, self.prepared.skate_speed)

    def weighted_marks(self, sensor_name: str) -> tuple[Array, Array]:
        """Return the contact labels (F) of a sensor, 0 or 1, and their weights (F) in the fit; zeros if it has none."""
        labels = self.example.labels
        if sensor_name not in labels.contact_joints:
            return np.zeros(len(labels)), np.zeros(len(labels))
        column = labels.contact_joints.index(sensor_name)
        held = labels.contacts[:, column] > CONTACT_THRESHOLD
        return held.astype(float), self.example.mark_weights[:, column].astype(float)


def refit_preset(preset: LabellingPreset, examples: Sequence[CorrectedClip]) -> LabellingPreset:
    """Refit a preset's thresholds and shortest durations to corrected clips.

    No group of sensors detects the known labels worse than before: if needed, only part of the fitted change is
    applied, or none. Few corrections change little. The result is deterministic.

    Raises:
        FootfallError: labels do not match their clip, or a sensor's joint or object is missing.
    """
    for example in examples:
        _require_matching_labels(example)
    groups = _group_sensors(preset)
    lessons = [PreparedExample(example, prepare_clip(example.clip, preset)) for example in examples]
    before = [lesson.contacts(preset) for lesson in lessons]
    steps = {name: _fit_group(preset, columns, lessons, before) for name, columns in groups.items()}
    fitted = _apply_steps(preset, groups, _pattern_search(preset, groups, steps, lessons))
    return _fit_durations(fitted, groups, lessons)


def _require_matching_labels(example: CorrectedClip) -> None:
    """Raise an error if the labels of an example do not match its clip."""
    shape = (len(example.clip), len(example.labels.contact_joints))
    if len(example.labels) != len(example.clip) or example.mark_weights.shape != shape:
        raise FootfallError(
            "The clip {name} has {frames} frames, but its labels have {labels}: give the labels of this clip",
            name=example.clip.name,
            frames=len(example.clip),
            labels=len(example.labels),
        )


def _group_sensors(preset: LabellingPreset) -> dict[str, list[int]]:
    """Return, by group name, the columns of sensors fitted together: one body part of both sides, on one surface."""
    groups: dict[str, list[int]] = {}
    for column, sensor in enumerate(preset.sensors):
        part, _, side = sensor.name.rpartition(".")
        key = f"{part if side in preset.feet and part else sensor.name} on {sensor.against}"
        groups.setdefault(key, []).append(column)
    return groups


def _column_groups(preset: LabellingPreset, groups: SensorGroups) -> list[tuple[int, str]]:
    """Return each column with the name of its group, in the order of the columns."""
    owner = {column: name for name, columns in groups.items() for column in columns}
    return [(column, owner[column]) for column in range(len(preset.sensors))]


def _fit_group(
    preset: LabellingPreset, columns: Sequence[int], examples: Sequence[PreparedExample], contacts: Sequence[Contacts]
) -> LogStep:
    """Return the most probable change of a group's thresholds; no change if there are no known marks."""
    parts: list[Observations] = []
    for column in columns:
        sensor = preset.sensors[column]
        for lesson, found in zip(examples, contacts, strict=True):
            marks, weights = lesson.weighted_marks(sensor.name)
            here = weights > 0
            speed = found.evidence.speed[here, column] / sensor.speed
            height = np.maximum(found.evidence.height[here, column], 0.0) / sensor.height
            parts.append(Observations(speed, height, marks[here], weights[here] / lesson.correlated_frames))
    sharpness = float(np.mean([preset.sensors[column].sharpness for column in columns]))
    return fit_thresholds(Observations.concatenate(parts), sharpness) if parts else NO_STEP


def fit_thresholds(observations: Observations, sharpness: float) -> LogStep:
    """Return the most probable change of log speed, log height and log sharpness of a sensor group's thresholds.

    Maximum a posteriori logistic fit by L-BFGS-B (Byrd et al. 1995).
    """
    if not len(observations.marks):
        return NO_STEP
    bounds = [(-MAX_STEP_SIGMAS * deviation, MAX_STEP_SIGMAS * deviation) for deviation in LOG_PRIOR_SIGMAS]
    found = scipy.optimize.minimize(
        negative_log_posterior, np.zeros(3), (observations, sharpness), "L-BFGS-B", jac=True, bounds=bounds
    )
    return _to_log_step(found.x)


def negative_log_posterior(change: Array, observations: Observations, sharpness: float) -> tuple[float, Array]:
    """Return the negative log posterior of a change of thresholds, up to a constant, and its gradient (3).

    Args:
        change: (3) change of log speed, log height and log sharpness.
        observations: the known labels and their evidence.
        sharpness: the present exponent ``q`` of the contact probability.
    """
    fast, high = (observations.speed * np.exp(-change[0])) ** 2, (observations.height * np.exp(-change[1])) ** 2
    evidence = np.maximum(fast + high, MIN_EVIDENCE_RATIO**2)
    steepness = sharpness * np.exp(change[2])
    logit = -steepness / 2 * np.log(evidence)
    value = (
        observations.weights @ (np.logaddexp(0.0, logit) - observations.marks * logit)
        + np.sum((change / LOG_PRIOR_SIGMAS) ** 2) / 2
    )
    slope = observations.weights * (scipy.special.expit(logit) - observations.marks)
    above = evidence > MIN_EVIDENCE_RATIO**2
    gradient = [
        slope @ (above * steepness * fast / evidence),
        slope @ (above * steepness * high / evidence),
        slope @ logit,
    ]
    return float(value), np.array(gradient) + change / LOG_PRIOR_SIGMAS**2


def _pattern_search(
    preset: LabellingPreset, groups: SensorGroups, fits: Mapping[str, LogStep], examples: Sequence[PreparedExample]
) -> dict[str, LogStep]:
    """Return, for each group, the step near its fit that has the fewest detection errors.

    Because of hysteresis, durations and exact edges, errors are not a smooth function of the thresholds, so that a
    pattern search (Hooke and Jeeves 1961) continues from the fit: each wrong observation costs 1, and the prior costs
    as much as in the fit. A step with more errors than the present thresholds is never taken.
    """
    names = list(groups)

    def wrong(steps: Array) -> Array:
        chosen = {name: _to_log_step(row) for name, row in zip(names, steps, strict=True)}
        return _count_errors(_apply_steps(preset, groups, chosen), groups, examples)

    best = np.zeros((len(names), 3))
    most = wrong(best)
    costs = most.copy()

    def tried(steps: Array) -> bool:
        """Try a step for every sensor group, keep each step with less cost, and return whether there were any."""
        errors = wrong(steps)
        trial = errors + np.sum((steps / LOG_PRIOR_SIGMAS) ** 2, axis=1) / 2
        better = (errors <= most) & (trial < costs - MIN_COST_GAIN)
        best[better], costs[better] = steps[better], trial[better]
        return bool(better.any())

    fitted = np.array([fits[name] for name in names])
    for share in FIT_SHARES:
        tried(share * fitted)
    for size in SEARCH_STEP_SIZES:
        for _ in range(MAX_SEARCH_ROUNDS):
            improved = [tried(best + size * direction) for direction in SEARCH_DIRECTIONS]
            if not any(improved):
                break
    return {name: _to_log_step(row) for name, row in zip(names, best, strict=True)}


def _to_log_step(row: Array) -> LogStep:
    """Return a row of changes as a rounded step."""
    log_speed, log_height, log_sharpness = (round(float(value), 6) for value in row)
    return (log_speed, log_height, log_sharpness)


def _apply_steps(preset: LabellingPreset, groups: SensorGroups, steps: Mapping[str, LogStep]) -> LabellingPreset:
    """Return the preset with every group's sensors changed by the group's step."""
    sensors = [_apply_step(preset.sensors[column], steps[name]) for column, name in _column_groups(preset, groups)]
    return replace(preset, sensors=tuple(sensors))


def _apply_step(sensor: Sensor, step: LogStep) -> Sensor:
    """Return the sensor changed by a step."""
    speed, height, sharpness = np.exp(step).tolist()
    return replace(
        sensor, speed=sensor.speed * speed, height=sensor.height * height, sharpness=sensor.sharpness * sharpness
    )


def _count_errors(preset: LabellingPreset, groups: SensorGroups, examples: Sequence[PreparedExample]) -> Array:
    """Return how many known observations of each group the preset labels wrong."""
    wrong = np.zeros(len(preset.sensors))
    for lesson in examples:
        state = lesson.contacts(preset).state
        for column, sensor in enumerate(preset.sensors):
            marks, weights = lesson.weighted_marks(sensor.name)
            wrong[column] += weights @ (state[:, column] != (marks > CONTACT_THRESHOLD)) / lesson.correlated_frames
    return np.array([wrong[list(columns)].sum() for columns in groups.values()])


def _fit_durations(
    preset: LabellingPreset, groups: SensorGroups, examples: Sequence[PreparedExample]
) -> LabellingPreset:
    """Change each group's shortest duration in a preset if that saves more errors than the prior costs."""
    candidates = [
        replace(preset, sensors=tuple(replace(sensor, shortest=sensor.shortest * factor) for sensor in preset.sensors))
        for factor in DURATION_RATIOS
    ]
    charge = (np.log(DURATION_RATIOS) / LOG_DURATION_PRIOR_SIGMA) ** 2 / 2
    errors = np.array([_count_errors(candidate, groups, examples) for candidate in candidates]) + charge[:, None]
    best = dict(zip(groups, errors.argmin(axis=0), strict=True))
    return replace(
        preset, sensors=tuple(candidates[best[name]].sensors[column] for column, name in _column_groups(preset, groups))
    )
