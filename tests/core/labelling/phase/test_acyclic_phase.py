"""Transitions of motion whose hips and hands move at known times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling.phase.acyclic_phase import Transition, acyclic_phase, find_transitions
from footfall.core.motion.rotations import Array

RATE = 60.0
NAMES = ("idle", "sit", "open", "carry", "lie")


def actions(count: int, **spans: tuple[int, int]) -> Array:
    """Shares (F, A): 1 in the spans, idle elsewhere."""
    shares = np.zeros((count, len(NAMES)))
    for name, (start, stop) in spans.items():
        shares[start:stop, NAMES.index(name)] = 1.0
    shares[:, 0] = 1.0 - shares.sum(axis=1)
    return shares


def eased(count: int, *keys: tuple[int, float]) -> Array:
    """A track (F) that goes from key to key, slowly at both ends of each way."""
    frames, values = zip(*keys, strict=True)
    at = np.arange(count)
    index = np.clip(np.searchsorted(frames, at, side="right") - 1, 0, len(keys) - 2)
    start, stop = np.array(frames)[index], np.array(frames)[index + 1]
    share = np.clip((at - start) / (stop - start), 0, 1)
    share = share * share * (3 - 2 * share)
    return np.array(values)[index] * (1 - share) + np.array(values)[index + 1] * share


def bumps(count: int, *peaks: int, width: float = 8.0, height: float = 4.0) -> Array:
    """A speed (F) with peaks."""
    return sum((height * np.exp(-(((np.arange(count) - peak) / width) ** 2)) for peak in peaks), np.zeros(count))


def named(found: list[Transition], name: str) -> list[Transition]:
    return [transition for transition in found if transition.name == name]


HIPS = eased(600, (0, 0.95), (120, 0.95), (180, 0.5), (400, 0.5), (460, 0.95), (600, 0.95))


@pytest.mark.parametrize("sits", [(120, 460), (150, 430), (185, 395)], ids=["whole", "half way", "seated"])
def test_sitting_down_and_standing_up_go_from_upright_to_seated_and_back(sits: tuple[int, int]) -> None:
    found = find_transitions(NAMES, actions(600, sit=sits), HIPS, np.zeros(600), RATE)
    assert [transition.name for transition in found] == ["sit", "stand up"]
    down, up = found
    assert 115 <= down.start <= 135
    assert 160 <= down.stop <= 182
    assert 398 <= up.start <= 418
    assert 445 <= up.stop <= 465


def test_lying_down_and_getting_up_are_transitions_like_those_of_sitting() -> None:
    found = find_transitions(NAMES, actions(600, lie=(120, 460)), HIPS, np.zeros(600), RATE)
    sat = find_transitions(NAMES, actions(600, sit=(120, 460)), HIPS, np.zeros(600), RATE)
    assert [one.name for one in found] == ["lie", "stand up"]
    assert [(one.start, one.stop) for one in found] == [(one.start, one.stop) for one in sat]


def test_transitions_backwards_in_time_are_the_others_way_round() -> None:
    forwards = find_transitions(NAMES, actions(600, sit=(150, 430)), HIPS, np.zeros(600), RATE)
    backwards = find_transitions(NAMES, actions(600, sit=(170, 450)), HIPS[::-1], np.zeros(600), RATE)
    down, up = forwards
    assert [(t.start, t.stop) for t in backwards] == [
        (600 - up.stop, 600 - up.start),
        (600 - down.stop, 600 - down.start),
    ]


def test_a_thing_is_picked_up_until_the_body_is_upright_again() -> None:
    hips = eased(600, (0, 0.95), (100, 0.95), (140, 0.6), (160, 0.6), (200, 0.95), (600, 0.95))
    found = find_transitions(NAMES, actions(600, carry=(100, 500)), hips, bumps(600, 120, 480), RATE)
    (up,) = named(found, "pick up")
    assert up.start == 100
    assert 180 <= up.stop <= 202
    (down,) = named(found, "put down")
    assert down.stop == 500


def test_a_thing_is_put_down_from_where_the_body_begins_to_bend() -> None:
    hips = eased(600, (0, 0.95), (400, 0.95), (440, 0.6), (460, 0.6), (500, 0.95), (600, 0.95))
    found = find_transitions(NAMES, actions(600, carry=(0, 500)), hips, bumps(600, 480), RATE)
    assert [transition.name for transition in found] == ["put down"]
    assert 398 <= found[0].start <= 420
    assert found[0].stop == 500


def test_the_phase_goes_from_zero_at_the_first_frame_to_one_at_the_last() -> None:
    phase = acyclic_phase([Transition("sit", 10, 31)], 50)
    np.testing.assert_allclose(phase[10:31], np.arange(21) / 20)
    assert (phase[:10] == 0).all()
    assert (phase[31:] == 0).all()


def test_the_phase_of_a_blow_is_a_half_at_its_apex() -> None:
    phase = acyclic_phase([Transition("strike", 10, 41, 20)], 50)
    assert (phase[10], phase[15], phase[20], phase[30], phase[40]) == pytest.approx((0, 0.25, 0.5, 0.75, 1))


@given(st.integers(0, 80), st.integers(1, 60), st.floats(0, 1))
def test_a_phase_never_falls_within_its_transition(start: int, length: int, share: float) -> None:
    apex = start + round(share * (length - 1))
    phase = acyclic_phase([Transition("strike", start, start + length, apex)], 160)
    inside = phase[start : start + length]
    assert (np.diff(inside) >= 0).all()
    assert (inside >= 0).all()
    assert (inside <= 1).all()
    assert not phase[:start].any()
    assert not phase[start + length :].any()
