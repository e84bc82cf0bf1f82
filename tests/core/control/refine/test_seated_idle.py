"""Seated characters that live: bounded, smooth, with hips and feet where they are, and different by seed."""

from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.interaction.actions.base import SeatContact
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine import seated_idle
from footfall.core.control.refine.hanging_legs import hang_legs
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.seated_idle import Sitting, _glances, _sittings, _trunk_turns, idle_on_seats
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.signals import runs_of
from footfall.core.scene.interaction_object import animated_collider
from footfall.tests.core.control.interaction.test_sequencer import STOOL, block, play

RATE = 60


@pytest.fixture(scope="module")
def seated() -> tuple[Clip, dict[int, Clip], int]:
    """Return a puppet's motion on a stool, the same with idling by seeds, and the frame at which it sits."""
    done = play([STOOL], InteractionTask("sit", 0, duration=12.0))
    clip = decode_interaction(done.recording)
    collider = animated_collider([state[0] for state in done.recording.object_states])
    idling = {seed: idle_on_seats(replace(done.recording, seed=seed), clip, [collider]) for seed in (0, 0, 1)}
    reached = done.recording.event_frame("reached", 0)
    assert reached is not None
    return clip, idling, reached


def track(clip: Clip, role: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.joint(role)]


def test_the_head_moves_and_hips_and_feet_stay(seated: tuple[Clip, dict[int, Clip], int]) -> None:
    clip, idling, reached = seated
    head = track(idling[0], "head")[reached + RATE :]
    moved = np.linalg.norm(head[40:] - head[:-40], axis=1)
    assert np.median(moved) > 0.001 and moved.max() < 0.15
    for role in ("foot.L", "foot.R"):
        np.testing.assert_allclose(track(idling[0], role), track(clip, role), atol=1e-5)
    np.testing.assert_allclose(hip_joints(idling[0]), hip_joints(clip), atol=1e-5)


def hip_joints(clip: Clip) -> np.ndarray:
    """Return the middle of both hip joints, about which the pelvis rolls on its seat."""
    return (track(clip, "thigh.L") + track(clip, "thigh.R")) / 2


def test_idling_is_smooth_and_begins_where_the_character_sits(seated: tuple[Clip, dict[int, Clip], int]) -> None:
    clip, idling, reached = seated
    added = track(idling[0], "head") - track(clip, "head")
    assert np.abs(added[: reached - 1]).max() < 1e-9
    accelerations = np.linalg.norm(np.diff(added, 2, axis=0), axis=1) * RATE**2
    assert accelerations.max() < 12.0


def test_seeds_idle_differently_and_the_same_seed_alike(seated: tuple[Clip, dict[int, Clip], int]) -> None:
    _, idling, reached = seated
    apart = np.linalg.norm(track(idling[0], "head") - track(idling[1], "head"), axis=1)
    assert apart[reached + RATE :].max() > 0.005


def test_legs_hang_from_a_high_seat_and_stand_before_a_usual_one() -> None:
    for height, hangs in ((0.45, False), (0.78, True)):
        stool = block("stool", "seat", (0.4, 0.4, height), (0.0, 3.0, 0.0))
        done = play([stool], InteractionTask("sit", 0, duration=2.0))
        clip = decode_interaction(done.recording)
        raised, held = hang_legs(done.recording, clip, FootContacts(np.ones((len(clip), 4))), 1.0)
        assert (held.probabilities[-1].max() == 0.0) == hangs
        assert bool(np.abs(track(raised, "foot.L") - track(clip, "foot.L")).max() > 0.05) == hangs
        np.testing.assert_allclose(track(raised, "hips"), track(clip, "hips"), atol=1e-6)


# --- When characters idle, and by how much, over a minute and many seeds

START, SEEDS = 60, range(40)


def minute(seed: int) -> Sitting:
    return Sitting(np.ones(3600), START, 0, (seed, 0))


def levels(angles: np.ndarray) -> np.ndarray:
    """The runs of frames (N, 2) in which an angle rests, but for the last one."""
    return runs_of(np.abs(np.diff(angles)) < 1e-12)[:-1]


def test_a_head_glances_aside_by_ten_to_thirty_four_degrees_and_rests_there_for_a_moment() -> None:
    """It rests 2 to 6 s between glances, aside 0.8 to 2.2 s, and turns in 0.4 to 0.6 s, back in 1.3 times as long."""
    ahead, aside, going, angles = [], [], [], []
    for seed in SEEDS:
        yaws = np.degrees(_glances(minute(seed), 60.0))
        assert not yaws[: START + 119].any()
        rests = levels(yaws)
        for start, stop in rests:
            (aside if abs(yaws[start + 1]) > 1e-9 else ahead).append((stop - start) / 60)
            angles.append(yaws[start + 1])
        going += [(start - stop) / 60 for (_, stop), (start, _) in pairwise(rests)]
        assert (np.sign(angles[-10:]) != 0).any()
    sides = np.abs([angle for angle in angles if abs(angle) > 1e-9])
    assert 10.0 <= sides.min() < 10.5 and 33.5 < sides.max() <= 34.0
    assert min(angles) < -30.0 and max(angles) > 30.0
    assert 0.78 < min(aside) < 0.87 and 2.1 < max(aside) < 2.25
    assert 1.97 < min(ahead[1:]) < 2.15 and 5.8 < max(ahead[1:]) < 7.05
    assert 0.37 < min(going) < 0.45 and 0.74 < max(going) < 0.82


def test_a_trunk_breathes_by_less_than_a_degree_about_once_in_four_seconds() -> None:
    for seed in SEEDS:
        turns = _trunk_turns(Sitting(np.ones(3600), 3600, 0, (seed, 0)), 60.0)
        assert not turns[:, 1:].any()
        assert np.degrees(np.abs(turns[:, 0]).max()) == pytest.approx(0.9, abs=1e-3)
        spectrum = np.abs(np.fft.rfft(turns[:, 0], 36000))
        assert 0.21 < spectrum.argmax() * 60 / 36000 < 0.31, "Hz"


def test_a_trunk_shifts_its_weight_every_few_seconds() -> None:
    """By up to 2.6 and 2.2 degrees to the sides, in 1 to 1.6 s; the first time after 1.2 to 2.8 s."""
    rolls, yaws, firsts, rests, going = [], [], [], [], []
    for seed in SEEDS:
        turns = np.degrees(_trunk_turns(minute(seed), 60.0))
        still = levels(turns[:, 1])
        firsts.append((still[0, 1] - START) / 60)
        rests += [(stop - start) / 60 for start, stop in still[1:]]
        going += [(start - stop) / 60 for (_, stop), (start, _) in pairwise(still)]
        rolls += np.abs(turns[still[:, 0] + 1, 1]).tolist()
        yaws += np.abs(turns[still[:, 0] + 1, 2]).tolist()
        assert np.abs(turns[:, 0]).max() < 1.6 + 0.9
    assert 2.5 < max(rolls) <= 2.6 and 2.1 < max(yaws) <= 2.2
    assert 1.18 < min(firsts) < 1.4 and 2.6 < max(firsts) < 2.83
    assert 2.98 < min(rests) < 3.3 and 6.7 < max(rests) < 7.02
    assert 0.96 < min(going) < 1.05 and 1.5 < max(going) < 1.62


def test_idling_fades_in_over_the_first_seated_second_and_out_over_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    class Recording:
        tasks = (InteractionTask("sit", 4), InteractionTask("walk"), InteractionTask("sit", 5))
        seed = 7

        def task_intervals(self) -> list[tuple[int, int, int]]:
            return [(0, 300, 0), (300, 400, 1), (400, 700, 2)]

    class Sits:
        def seat_contact(self, recording: Recording, interval: tuple[int, int, int]) -> SeatContact | None:
            return SeatContact(interval[0] + 100, np.zeros(3), np.array([0.0, 1.0]))

    class Walks:
        def seat_contact(self, recording: Recording, interval: tuple[int, int, int]) -> SeatContact | None:
            return None

    monkeypatch.setattr(seated_idle, "ACTION_SPECS", {"sit": Sits(), "walk": Walks()})
    first, last = _sittings(cast("Any", Recording()), 700, 60.0)
    assert [(one.start, one.seat_index, one.seed) for one in (first, last)] == [(100, 4, (7, 0)), (500, 5, (7, 2))]
    frames = np.arange(700)

    def risen(share: np.ndarray) -> np.ndarray:
        share = np.clip(share, 0.0, 1.0)
        return share**3 * (10 - 15 * share + 6 * share**2)

    np.testing.assert_allclose(first.weights, risen((frames - 100) / 60) * risen((299 - frames) / 60), atol=1e-9)
    np.testing.assert_allclose(last.weights, risen((frames - 500) / 60), atol=1e-9)
