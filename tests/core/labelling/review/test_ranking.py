"""Suspicious spots: faults put into labels on purpose, and what the animator is told about them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.faults import COLUMNS, doubled, dragged, late, lost, marked, spoilt
from footfall.core.errors import FootfallError
from footfall.core.labelling import Labels, label_clip
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.labelling.review.contact_checks import check_heights, check_rests
from footfall.core.labelling.review.context import ISSUE_KINDS, ReviewContext
from footfall.core.labelling.review.ranking import (
    find_review_spots,
)
from footfall.core.motion import Clip
from footfall.core.motion.signals import runs_of
from footfall.tests.support.walker import Walker

WALKERS = {
    "walk": Walker(seconds=60),
    "run": Walker.runner(seconds=60),
    "turn": Walker(seconds=60, turn=1.0),
    "pause": Walker(seconds=60, pause=3.0),
    "slow": Walker(seconds=60, speed=0.6, cycle=1.3, duty=0.7),
    "120 Hz": Walker(seconds=60, rate=120.0),
    "child": Walker(seconds=60, scale=0.6, rate=30.0),
}


def noisy(clip: Clip, meters: float, generator: np.random.Generator) -> Clip:
    return replace(clip, root_positions=clip.root_positions + generator.normal(0, meters, clip.root_positions.shape))


def exact(walker: Walker, clip: Clip) -> Labels:
    """What the walker really does, all of it as sure; gaits as they are found."""
    labels = marked(label_clip(clip), walker.contacts > 0.5)
    return replace(labels, confidence=np.full_like(labels.confidence, 0.9))


@pytest.mark.parametrize("noise", [0.0, 0.003, 0.01])
@pytest.mark.parametrize("name", WALKERS)
def test_nine_faults_in_a_minute_are_among_the_first_twelve_spots(name: str, noise: float) -> None:
    """Without a word of doubt from the detector: only what the labels and the motion say of each other."""
    generator = np.random.default_rng(1)
    clip = noisy(WALKERS[name].clip(), noise, generator)
    labels, faults = spoilt(exact(WALKERS[name], clip), 9, generator)
    spots = find_review_spots(clip, replace(labels, confidence=np.full_like(labels.confidence, 0.9)), BIPED_PRESET)
    told = [any(fault.is_told_by(spot, clip.rate) for spot in spots[:12]) for fault in faults]
    right = [any(fault.is_told_by(spot, clip.rate) for fault in faults) for spot in spots[:9]]
    missed = [fault for fault, found in zip(faults, told, strict=True) if not found]
    assert sum(told) >= 8, missed
    assert sum(right) >= 8, spots[:9]


@pytest.mark.parametrize("name", WALKERS)
def test_right_labels_send_nobody_anywhere(name: str) -> None:
    clip = WALKERS[name].clip()
    spots = find_review_spots(clip, exact(WALKERS[name], clip), BIPED_PRESET)
    assert sum(spot.doubt for spot in spots) < 1, spots


@pytest.fixture(scope="module")
def walk() -> tuple[Clip, Labels]:
    walker = Walker(seconds=20)
    clip = walker.clip()
    return clip, exact(walker, clip)


def stance(labels: Labels, side: str, number: int) -> tuple[int, int]:
    runs = runs_of((labels.contacts[:, COLUMNS[side]] > 0.5).any(axis=1))
    start, stop = runs[number]
    return int(start), int(stop)


def changed(labels: Labels, fault: Callable[..., tuple[int, int]], side: str, number: int) -> tuple[Labels, int]:
    state = labels.contacts > 0.5
    at, _ = fault(state, COLUMNS[side], *stance(labels, side, number), labels.frame_rate)
    return replace(marked(labels, state), confidence=labels.confidence), at


def test_a_lost_contact_is_a_missing_step(walk: tuple[Clip, Labels]) -> None:
    labels, at = changed(walk[1], lost, "R", 6)
    spot = find_review_spots(walk[0], labels, BIPED_PRESET)[0]
    assert (spot.kind, spot.name) == ("ORDER", "R") and abs(spot.frame - at) <= 3
    assert spot.text == "Right foot: a foot strike may be missing between two strikes of the other foot"


def test_a_doubled_strike_is_a_foot_that_comes_down_twice(walk: tuple[Clip, Labels]) -> None:
    labels, _ = changed(walk[1], doubled, "L", 6)
    spot = find_review_spots(walk[0], labels, BIPED_PRESET)[0]
    assert spot.kind == "ORDER" and spot.text.startswith("Left foot: strikes the ground twice within 0.")
    assert spot.frame in labels.left_strikes


def test_a_late_strike_is_a_jump_of_the_phases_speed(walk: tuple[Clip, Labels]) -> None:
    labels, at = changed(walk[1], late, "L", 6)
    spot = find_review_spots(walk[0], labels, BIPED_PRESET)[0]
    assert (spot.kind, spot.name, spot.frame) == ("PACE", "L", at + round(0.12 * 60))
    assert spot.text == "Left foot: the step before its strike takes 0.62 s, the step after it 0.38 s"


def test_a_foot_that_is_down_too_long_slides(walk: tuple[Clip, Labels]) -> None:
    labels, _ = changed(walk[1], dragged, "R", 6)
    spot = find_review_spots(walk[0], labels, BIPED_PRESET)[0]
    assert spot.kind == "SLIDE" and spot.name.endswith(".R") and "cm during a contact" in spot.text


def test_both_feet_down_at_once_is_odd_but_not_when_one_jumps(walk: tuple[Clip, Labels]) -> None:
    clip, labels = walk
    at_once = replace(labels, left_strikes=labels.right_strikes + 1)
    assert any(spot.text.startswith("Both feet") for spot in find_review_spots(clip, at_once, BIPED_PRESET))
    jumping = np.zeros_like(labels.gaits)
    jumping[:, labels.gait_names.index("jump")] = 1.0
    spots = find_review_spots(clip, replace(at_once, gaits=jumping), BIPED_PRESET)
    assert not any(spot.text.startswith("Both feet") for spot in spots)


def test_a_foot_that_rests_before_it_counts_as_down_is_late(walk: tuple[Clip, Labels]) -> None:
    clip, labels = walk
    start, _ = stance(labels, "L", 6)
    late_heel = labels.contacts.copy()
    late_heel[start : start + 15, 0] = 0.0
    (found,) = list(check_rests(ReviewContext.of(clip, replace(labels, contacts=late_heel), BIPED_PRESET), 0))
    assert found.frame == start + 15 and found.text.startswith("Left heel: rests for 0.2")
    assert found.text.endswith("s before the contact")


def test_a_contact_in_the_air_stands_above_its_neighbours() -> None:
    walker = Walker(seconds=20)
    clip = walker.clip()
    labels = exact(walker, clip)
    start, stop = stance(labels, "L", 6)
    roots = clip.root_positions.copy()
    roots[start - 5 : stop + 5, 2] += 0.2
    lifted = ReviewContext.of(replace(clip, root_positions=roots), labels, BIPED_PRESET)
    (heel,), (toe,) = (list(check_heights(lifted, column)) for column in COLUMNS["L"])
    assert (
        start <= heel.frame < stop and heel.text == "Left heel: is 20 cm higher than in the contacts before and after"
    )
    assert toe.doubt > 0.7
    assert [list(check_heights(ReviewContext.of(clip, labels, BIPED_PRESET), column)) for column in range(4)] == [
        [],
        [],
        [],
        [],
    ]


def test_low_confidence_over_a_stretch_is_a_spot(walk: tuple[Clip, Labels]) -> None:
    clip, labels = walk
    confidence = labels.confidence.copy()
    confidence[500:530, 1] = 0.4
    (spot,) = find_review_spots(clip, replace(labels, confidence=confidence), BIPED_PRESET)
    assert (spot.kind, spot.name) == ("UNSURE", "toe.L") and 500 <= spot.frame < 530
    assert spot.text == "Left toe: a contact is uncertain for 0.50 s"


def test_marks_of_the_user_settle_issues(walk: tuple[Clip, Labels]) -> None:
    labels, _ = changed(walk[1], dragged, "R", 6)
    first = find_review_spots(walk[0], labels, BIPED_PRESET)[0]
    confidence = labels.confidence.copy()
    confidence[first.frame - 60 : first.frame + 60, COLUMNS["R"]] = 1.0
    again = find_review_spots(walk[0], replace(labels, confidence=confidence), BIPED_PRESET)
    assert all(abs(spot.frame - first.frame) > 30 for spot in again)


def test_spots_are_few_ranked_and_plain(walk: tuple[Clip, Labels]) -> None:
    generator = np.random.default_rng(3)
    clip = Walker(seconds=60).clip()
    labels, _ = spoilt(exact(Walker(seconds=60), clip), 12, generator)
    spots = find_review_spots(clip, labels, BIPED_PRESET)
    assert len(spots) <= 24
    assert [spot.doubt for spot in spots] == sorted((spot.doubt for spot in spots), reverse=True)
    for spot in spots:
        assert spot.kind in ISSUE_KINDS and 0 < spot.doubt <= 1 and 0 <= spot.frame < len(clip)
        assert spot.text[0].isupper() and not spot.text.endswith(".") and len(spot.text) < 90
    assert spots == find_review_spots(clip, labels, BIPED_PRESET)


def test_on_a_treadmill_no_foot_slides(walk: tuple[Clip, Labels]) -> None:
    clip, labels = walk
    back = np.zeros_like(clip.root_positions)
    back[:, 1] = -Walker().speed * np.arange(len(clip)) / clip.rate
    on_the_spot = replace(clip, root_positions=clip.root_positions + back)
    assert np.ptp(on_the_spot.root_positions[:, 1]) < 0.1
    assert [
        spot
        for spot in find_review_spots(on_the_spot, labels, BIPED_PRESET)
        if spot.kind == "SLIDE" and spot.doubt > 0.4
    ] == []


def test_frames_that_are_no_numbers_are_places_to_look_at(walk: tuple[Clip, Labels]) -> None:
    roots = walk[0].root_positions.copy()
    roots[500:560] = np.nan
    clip = replace(walk[0], root_positions=roots)
    spots = find_review_spots(clip, label_clip(clip), BIPED_PRESET)
    assert any(480 <= spot.frame < 580 and spot.doubt > 0.7 for spot in spots)


def test_labels_of_another_clip_are_refused(walk: tuple[Clip, Labels]) -> None:
    clip, labels = walk
    with pytest.raises(FootfallError, match="label the clip again"):
        find_review_spots(clip.cut(0, 100), labels, BIPED_PRESET)
