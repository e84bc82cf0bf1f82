"""Bodies of a duel give way where they overlap, half a second before and after it, over feet that stand."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat import duel_clearance
from footfall.core.control.combat.duel_clearance import give_way, overlapping_spans
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_overlap import deepest_overlap
from footfall.tests.support.poses import hips_at, posed

STILL = posed(hips_at(np.full(200, 0.95)))


def beside(meters: Array) -> Clip:
    return replace(STILL, root_positions=STILL.root_positions + np.outer(meters, [1.0, 0.0, 0.0]))


@pytest.mark.parametrize(("depth", "spans"), [(0.0081, [[70, 131]]), (0.0079, [])])
def test_bodies_give_way_half_a_second_around_what_is_more_than_a_touch(
    monkeypatch: pytest.MonkeyPatch, depth: float, spans: list[list[int]]
) -> None:
    depths = np.zeros(200)
    depths[100] = depth
    monkeypatch.setattr(duel_clearance, "deepest_overlap", lambda first, second: depths)
    assert overlapping_spans(STILL, STILL).tolist() == spans


@pytest.mark.parametrize(("meters", "looked"), [(1.99, True), (2.01, False)])
def test_bodies_whose_hips_are_two_meters_apart_do_not_touch(
    monkeypatch: pytest.MonkeyPatch, meters: float, looked: bool
) -> None:
    lengths = []

    def told(first: Clip, second: Clip) -> Array:
        lengths.append((len(first), len(second)))
        return np.ones(len(first))

    monkeypatch.setattr(duel_clearance, "deepest_overlap", told)
    apart = np.full(200, 9.0)
    apart[40:50] = meters
    spans = overlapping_spans(STILL, beside(apart))
    assert lengths == ([(10, 10)] if looked else [])
    assert spans.tolist() == ([[10, 80]] if looked else [])


def test_they_are_farther_out_of_each_other_in_the_span_and_nothing_changes_elsewhere() -> None:
    other = beside(np.full(200, 0.45))
    first, second = give_way(STILL, other, 60, 80)
    before = deepest_overlap(STILL, other)
    after = deepest_overlap(first, second)
    assert after[60:80].max() < before[60:80].max() - 0.01
    for made, own in ((first, STILL), (second, other)):
        for rows in (slice(0, 60), slice(80, 200)):
            np.testing.assert_array_equal(made.root_positions[rows], own.root_positions[rows])
            np.testing.assert_array_equal(made.rotations[rows], own.rotations[rows])


@pytest.mark.parametrize(("speed", "stands"), [(0.0, 1.0), (0.19, 1.0), (0.21, 0.0)])
def test_feet_slower_than_twenty_centimeters_a_second_stand(
    monkeypatch: pytest.MonkeyPatch, speed: float, stands: float
) -> None:
    told: list[tuple[FootContacts, FootContacts]] = []

    def kept(first: Clip, second: Clip, holds: Array, contacts: tuple[FootContacts, FootContacts]) -> tuple[Clip, Clip]:
        assert not holds.any() and len(holds) == 20
        told.append(contacts)
        return first, second

    monkeypatch.setattr(duel_clearance, "keep_apart", kept)
    moving = beside(speed * np.arange(200) / 60.0)
    first, second = give_way(moving, STILL, 60, 80)
    ((own, other),) = told
    np.testing.assert_array_equal(own.probabilities, np.full((20, 4), stands))
    np.testing.assert_array_equal(other.probabilities, np.ones((20, 4)))
    np.testing.assert_array_equal(first.root_positions, moving.root_positions)
    np.testing.assert_array_equal(second.rotations, STILL.rotations)
