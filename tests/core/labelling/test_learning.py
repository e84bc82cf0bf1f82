"""Learning from corrections: thresholds that are known come back, and nothing gets worse where the user looked."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.label_error import contact_f1
from footfall.core.errors import FootfallError
from footfall.core.labelling import Labels, label_clip
from footfall.core.labelling.contacts.detection import find_contacts
from footfall.core.labelling.learning import (
    CorrectedClip,
    Observations,
    fit_thresholds,
    refit_preset,
)
from footfall.core.labelling.presets import BIPED_PRESET, LabellingPreset
from footfall.core.motion import Clip
from footfall.tests.support.walker import Walker

WALKERS = [
    Walker(seconds=8, speed=0.9, cycle=1.2, duty=0.65),
    Walker(seconds=8),
    Walker(seconds=8, turn=0.8),
    Walker(seconds=8, pause=2.0),
    Walker.runner(seconds=8),
]


def observed(generator: np.random.Generator, count: int, speed: float, height: float, sharpness: float) -> Observations:
    """Marks that are drawn with the odds of the given thresholds, each seen as it is under thresholds of 1."""
    fast, high = generator.gamma(1.0, speed, count), generator.gamma(1.0, height, count)
    odds = 1 / (1 + np.hypot(fast / speed, high / height) ** sharpness)
    marks = (generator.random(count) < odds).astype(float)
    return Observations(fast, high, marks, np.ones(count))


@pytest.mark.parametrize(("speed", "height"), [(2.0, 0.5), (0.4, 1.8)])
def test_thresholds_that_made_the_marks_are_found_again(speed: float, height: float) -> None:
    seen = observed(np.random.default_rng(0), 20_000, speed, height, 5.0)
    log_speed, log_height, log_sharpness = fit_thresholds(seen, 4.0)
    assert np.exp(log_speed) == pytest.approx(speed, rel=0.05)
    assert np.exp(log_height) == pytest.approx(height, rel=0.05)
    assert 4.0 * np.exp(log_sharpness) == pytest.approx(5.0, rel=0.05)


def test_the_less_is_known_the_less_changes() -> None:
    def mean_change(count: int) -> float:
        drawn = (observed(np.random.default_rng(seed), count, 2.0, 2.0, 4.0) for seed in range(6))
        return float(np.mean([fit_thresholds(seen, 4.0)[0] for seen in drawn]))

    assert mean_change(0) == 0.0
    assert 0 < mean_change(1) < 0.2 < mean_change(30) < mean_change(3000)
    assert mean_change(3000) == pytest.approx(np.log(2.0), abs=0.05)


def off_by(preset: LabellingPreset, factor: float) -> LabellingPreset:
    sensors = (replace(one, speed=one.speed * factor, height=one.height * factor) for one in preset.sensors)
    return replace(preset, sensors=tuple(sensors))


def corrected(walker: Walker, preset: LabellingPreset) -> CorrectedClip:
    """The clip with its exact contacts, all of them the user's word."""
    clip = walker.clip()
    labels = label_clip(clip, preset)
    return CorrectedClip.of(clip, replace(labels, contacts=walker.contacts, confidence=np.ones_like(walker.contacts)))


def mean_f1(walkers: list[Walker], preset: LabellingPreset) -> float:
    """Mean F1 of the contacts that a preset finds."""
    found = [(find_contacts(walker.clip(), preset, {}).state.astype(float), walker.contacts) for walker in walkers]
    return float(np.mean([contact_f1(state, truth) for state, truth in found]))


@pytest.mark.parametrize("factor", [0.25, 4.0])
def test_two_corrected_clips_mend_an_unfit_preset_for_the_others(factor: float) -> None:
    unfit = off_by(BIPED_PRESET, factor)
    learned = refit_preset(unfit, [corrected(walker, unfit) for walker in WALKERS[:2]])
    before, after = mean_f1(WALKERS[2:], unfit), mean_f1(WALKERS[2:], learned)
    fit_for_it = mean_f1(WALKERS[2:], BIPED_PRESET)
    assert after > before
    assert after > fit_for_it - 0.04


def test_corrected_clips_are_never_labeled_worse_than_before() -> None:
    generator = np.random.default_rng(5)
    for factor in (0.5, 2.0):
        start = off_by(BIPED_PRESET, factor)
        example = corrected(WALKERS[1], start)
        # A user who contradicts the motion: no thresholds can give these marks.
        nonsense = (generator.random(example.mark_weights.shape) < 0.5).astype(float)
        for labels in (example.labels, replace(example.labels, contacts=nonsense)):
            learned = refit_preset(start, [replace(example, labels=labels)])
            wrong = [
                (find_contacts(example.clip, preset, {}).state != (labels.contacts > 0.5)).sum(axis=0)
                for preset in (start, learned)
            ]
            heels, toes = [0, 2], [1, 3]
            for group in (heels, toes):
                assert wrong[1][group].sum() <= wrong[0][group].sum()


def test_left_and_right_learn_together_and_keep_their_ratio() -> None:
    sensors = list(off_by(BIPED_PRESET, 3.0).sensors)
    sensors[0] = replace(sensors[0], height=sensors[0].height * 1.2)
    unfit = replace(BIPED_PRESET, sensors=tuple(sensors))
    learned = {one.name: one for one in refit_preset(unfit, [corrected(WALKERS[1], unfit)]).sensors}
    assert learned["toe.L"].speed == learned["toe.R"].speed != sensors[1].speed
    assert learned["foot.L"].height / learned["foot.R"].height == pytest.approx(1.2)


def test_learning_knows_no_order() -> None:
    unfit = off_by(BIPED_PRESET, 3.0)
    examples = [corrected(walker, unfit) for walker in WALKERS[:2]]
    once, turned = refit_preset(unfit, examples), refit_preset(unfit, examples[::-1])
    for one, other in zip(once.sensors, turned.sensors, strict=True):
        assert one.speed == pytest.approx(other.speed, rel=1e-3)


def test_labels_of_another_clip_are_refused() -> None:
    clip: Clip = WALKERS[1].clip()
    labels: Labels = label_clip(clip)
    with pytest.raises(FootfallError, match="give the labels of this clip"):
        refit_preset(BIPED_PRESET, [CorrectedClip.of(clip.cut(0, 50), labels)])
