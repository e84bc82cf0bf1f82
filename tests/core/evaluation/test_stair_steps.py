"""Steps on stairs: treads, places on them, skipped treads and cadence."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.evaluation.stair_steps import TOE_LENGTH_M, StairSteps, stair_steps
from footfall.core.labelling import label_clip
from footfall.core.labelling.contacts.sensor_tracks import sensor_tracks
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M
from footfall.tests.support.walker import Walker


def steps(treads: list[int], offsets: list[float], margins: list[float] | None = None) -> StairSteps:
    times = 0.6 * np.arange(len(treads))
    return StairSteps(np.array(treads), np.array(offsets), np.array(margins or [0.1] * len(treads)), times, 5)


def test_skipped_and_repeated_treads_are_uneven() -> None:
    assert steps([1, 2, 3, 4, 5], [0.0] * 5).uneven_count == 0
    assert steps([1, 3, 3, 4], [0.0] * 4).uneven_count == 2


def test_the_landing_has_no_middle() -> None:
    assert steps([3, 4, 5], [0.01, -0.08, 0.3]).centered_share == pytest.approx(0.5)
    assert steps([3, 4, 5], [0.0] * 3, [0.005, 0.1, 0.0]).nosing_share == pytest.approx(0.5)
    assert steps([], []).centered_share == steps([], []).nosing_share == 0.0


def test_cadence_is_that_of_the_strikes() -> None:
    assert steps([1, 2, 3, 4], [0.0] * 4).cadence == pytest.approx(100.0)
    assert np.isnan(steps([1, 2], [0.0] * 2).cadence)


def test_a_walker_steps_where_treads_of_its_own_step_length_are() -> None:
    walker = Walker(seconds=10.0)
    clip = walker.clip()
    contacts = FootContacts(label_clip(clip).contacts.astype(float))
    roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
    travel = roots[-1] - roots[0]
    direction, length = travel / np.linalg.norm(travel), walker.speed * walker.cycle / 2
    start = float(roots[120] @ direction)
    found = stair_steps(clip, contacts, start + length * np.arange(6), direction)
    assert found.uneven_count == 0 and len(found.treads) >= 5
    assert np.ptp(found.offsets) < 0.03
    assert found.cadence == pytest.approx(120 / walker.cycle, rel=0.03)
    skipping = stair_steps(clip, contacts, start + length / 2 * np.arange(12), direction)
    assert skipping.uneven_count == len(skipping.treads) - 1


def standing_steps(places: tuple[float, ...], seconds: float = 0.5, rate: float = 60.0) -> StairSteps:
    """Steps of a walker that stands: its left foot is held at each place along +Y, one after the other."""
    clip = Walker(seconds=1.0).clip()
    frames = round(seconds * rate)
    roots = np.zeros((len(places) * (frames + 6), 3))
    roots[:, 2] = clip.root_positions[0, 2]
    contacts = np.zeros((len(roots), 4))
    for number, place in enumerate(places):
        first = number * (frames + 6)
        roots[first : first + frames + 6, 1] = place
        contacts[first : first + frames, :2] = 1.0
    stood = replace(clip, root_positions=roots, rotations=np.tile(clip.rotations[:1], (len(roots), 1, 1)))
    return stair_steps(stood, FootContacts(contacts), np.array([1.0, 1.3, 1.6]), np.array([0.0, 1.0]))


def sole_and_ball() -> tuple[float, float]:
    """The middle of the sole and the ball of that walker's left foot, along +Y from its root."""
    clip = Walker(seconds=1.0).clip()
    still = replace(
        clip,
        root_positions=np.repeat([[0.0, 0.0, clip.root_positions[0, 2]]], len(clip), axis=0),
        rotations=np.repeat(clip.rotations[:1], len(clip), axis=0),
    )
    heel, ball = sensor_tracks(still, BIPED_PRESET)[0, :2, 1]
    toes = TOE_LENGTH_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    return float(heel + ball + toes) / 2, float(ball)


def test_a_sole_is_told_by_its_middle_from_the_middle_of_its_tread() -> None:
    """Risers at 1.0, 1.3 and 1.6 m: treads are 30 cm deep, and the landing is taken as deep as they are."""
    shift, _ = sole_and_ball()
    found = standing_steps(tuple(middle - shift for middle in (1.15, 1.47, 1.75, 0.9, 1.95)))
    assert found.treads.tolist() == [1, 2, 3], "before the first riser and beyond the landing there are none"
    np.testing.assert_allclose(found.offsets, [0.0, 0.02, 0.0], atol=1e-9)
    np.testing.assert_allclose(found.seconds, [0.0, 36 / 60, 72 / 60])
    assert found.riser_count == 3


def test_a_ball_is_as_far_from_an_edge_as_from_the_nearer_one() -> None:
    shift, ball_place = sole_and_ball()
    found = standing_steps((1.15 - shift, 1.10 - shift))
    ball = np.array([1.15, 1.10]) + ball_place - shift
    np.testing.assert_allclose(found.ball_margins, np.minimum(ball - 1.0, 1.3 - ball), atol=1e-9)
