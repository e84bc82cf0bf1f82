"""Parts of the foot lock, in frames and meters that can be counted."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_lock import (
    body_rise,
    locked_contacts,
    raise_heel,
)
from footfall.core.control.feet.foot_pose import FootPose, SoleContacts
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.rotations import Array
from footfall.core.motion.signals import Mask
from footfall.core.retarget.contacts import SolePoints
from footfall.tests.support.walker import person


def standing(frames: int = 120) -> Clip:
    skeleton = person()
    still = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, 1.0], (frames, 1)), still)


@pytest.mark.parametrize("feet, share", [("L", 1 / 1.01), ("LR", 2 * 2 / 4.01)])
def test_a_body_rises_as_its_feet_that_stand(feet: str, share: float) -> None:
    clip = standing()
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    held = np.zeros((len(clip), 4), dtype=bool)
    for side in feet:
        held[:, 0 if side == "L" else 3] = True
    ankles = [clip.positions[:, leg.foot] + [0.3, 0.2, 0.04] for leg in legs]
    np.testing.assert_allclose(body_rise(clip, legs, ankles, held), 0.04 * share)
    assert not body_rise(clip, legs, ankles, held & False).any()


def test_a_body_rises_over_the_time_of_a_step() -> None:
    clip = standing(301)
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    held = np.ones((301, 4), dtype=bool)
    ankles = [clip.positions[:, leg.foot].copy() for leg in legs]
    for ankle in ankles:
        ankle[150:, 2] += 0.04
    rise = body_rise(clip, legs, ankles, held) / (0.04 * 4 / 4.01)
    assert rise[149] + rise[150] == pytest.approx(1.0)
    assert rise[150 - 24] == pytest.approx(0.163, abs=0.003), "a deviation of 24 frames before, and half of one more"


def places(*parts: tuple[int, float]) -> Array:
    """A track (F, 3) that is at places along X for some frames each."""
    return np.concatenate([np.tile([x, 0.0, 0.0], (frames, 1)) for frames, x in parts])


def raised(distance: float, heel: bool = False, ball: bool = True) -> tuple[Clip, FootPose, FootPose]:
    """A foot whose ankle is put some meters under the hip, before and after its heel is raised."""
    clip = standing(60)
    leg = Leg.of(clip.skeleton, "L")
    ankle = clip.positions[:, leg.thigh] - [0.0, 0.0, distance]
    still = np.tile([1.0, 0.0, 0.0, 0.0], (60, 1))
    contacts = SoleContacts(np.full(60, heel), np.full(60, ball))
    pose = FootPose(ankle, still, still)
    return clip, pose, raise_heel(clip, leg, pose, contacts)


def test_a_heel_rises_until_the_leg_reaches() -> None:
    clip, before, after = raised(0.86)
    leg = Leg.of(clip.skeleton, "L")
    hip, reach = clip.positions[:, leg.thigh], leg.length(clip.skeleton) * 0.9985
    np.testing.assert_allclose(np.linalg.norm(after.ankle - hip, axis=-1), reach, atol=1e-4)
    ball = before.ankle + clip.skeleton.offsets[leg.toe or 0]
    np.testing.assert_allclose(np.linalg.norm(after.ankle - ball, axis=-1), np.hypot(0.13, 0.045))
    assert (after.ankle[:, 2] > before.ankle[:, 2]).all()


def test_a_heel_rises_by_a_third_of_a_radian_at_most() -> None:
    _, before, after = raised(1.5)
    turn = 2 * np.arccos(np.clip(np.abs(after.foot_rotation[:, 0]), -1, 1))
    np.testing.assert_allclose(turn, 0.35, atol=1e-3)
    np.testing.assert_array_equal(after.toe_rotation, before.toe_rotation)


@pytest.mark.parametrize("distance, heel, ball", [(0.83, False, True), (0.86, True, True), (0.86, False, False)])
def test_a_heel_stays_if_the_leg_reaches_or_it_is_held_or_nothing_is(distance: float, heel: bool, ball: bool) -> None:
    _, before, after = raised(distance, heel, ball)
    assert after is before


def test_a_heel_leaves_the_ground_with_sixty_radians_per_second_squared() -> None:
    clip = standing(60)
    leg = Leg.of(clip.skeleton, "L")
    ankle = clip.positions[:, leg.thigh] - [0.0, 0.0, 1.5]
    still = np.tile([1.0, 0.0, 0.0, 0.0], (60, 1))
    heel = np.arange(60) < 30
    after = raise_heel(clip, leg, FootPose(ankle, still, still), SoleContacts(heel, np.ones(60, dtype=bool)))
    turn = 2 * np.arccos(np.clip(np.abs(after.foot_rotation[:, 0]), -1, 1))
    assert not turn[:30].any()
    np.testing.assert_allclose(turn[30:33], 30 * (np.arange(1, 4) / 60) ** 2, atol=1e-6)
    assert turn[50] == pytest.approx(0.35, abs=1e-3)


def test_a_ball_pushes_for_0_15_seconds_after_its_contact() -> None:
    clip = standing(90)
    leg = Leg.of(clip.skeleton, "L")
    ankle = clip.positions[:, leg.thigh] - [0.0, 0.0, 1.5]
    still = np.tile([1.0, 0.0, 0.0, 0.0], (90, 1))
    contacts = SoleContacts(np.zeros(90, dtype=bool), np.arange(90) < 40)
    turn = 1 - raise_heel(clip, leg, FootPose(ankle, still, still), contacts).foot_rotation[:, 0]
    # It is over 9 frames, and the heel sinks within 6 more that count and 6 that smooth.
    assert turn[48] == turn[10] > 0 and np.flatnonzero(turn)[-1] == 48 + 12


HEELS, BALLS = np.array([0.1, 0.05, 0.005]), np.array([0.1, -0.13, 0.035])


def held_of(
    monkeypatch: pytest.MonkeyPatch, column: int, track: Array, contacts: Mask, scale: float = 1.0
) -> list[int]:
    """Frames in which the left heel, or ball, of a body that stands is held; a track (F, 3) leads it off its place."""
    skeleton, frames = person(scale), len(track)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    clip = Clip(skeleton, 60.0, np.tile([0.0, 0.0, scale], (frames, 1)), still)
    places = [np.tile(place * scale, (frames, 1)) for place in (HEELS, BALLS)]
    places[column] = places[column] + track * scale
    monkeypatch.setattr(SolePoints, "from_clip", lambda *arguments: SolePoints(*places))
    probable = np.zeros((frames, 4))
    probable[:, column] = contacts
    return np.flatnonzero(locked_contacts(clip, FootContacts(probable)).held[:, column]).tolist()


def off(axis: int, meters: float, *runs: tuple[int, int]) -> Array:
    """A track (F, 3) that is off by some meters in runs of frames."""
    track = np.zeros((120, 3))
    for start, stop in runs:
        track[start:stop, axis] = meters
    return track


ALL = np.ones(120, dtype=bool)
INSIDE = (np.arange(120) >= 20) & (np.arange(120) < 100)


@pytest.mark.parametrize("scale", [0.5, 1.0])
@pytest.mark.parametrize(
    "column, way, stop", [(1, 0.119, 120), (1, 0.121, 110), (0, 0.083, 120), (0, 0.085, 110)], ids=str
)
def test_a_point_is_held_within_12_centimeters_and_a_heel_within_the_leg(
    monkeypatch: pytest.MonkeyPatch, column: int, way: float, stop: int, scale: float
) -> None:
    """Straight legs of 0.84 m reach a heel that is 0.0839 m aside: they are 0.8442 m long then."""
    assert held_of(monkeypatch, column, off(1, way, (110, 120)), ALL, scale) == list(range(stop))


@pytest.mark.parametrize("scale", [0.5, 1.0])
@pytest.mark.parametrize("rise, stop", [(0.0040, 120), (0.0044, 100)])
def test_a_heel_is_let_go_where_the_leg_is_half_a_hundredth_too_short(
    monkeypatch: pytest.MonkeyPatch, rise: float, stop: int, scale: float
) -> None:
    """The leg is straight: a heel that rises by as much under an ankle that stays is as far below it, held."""
    assert held_of(monkeypatch, 0, off(2, rise, (100, 120)), ALL, scale) == list(range(stop))


@pytest.mark.parametrize("frames, rise, cut", [(3, 0.0061, 3), (3, 0.0059, 0), (5, 0.03, 5), (1, 0.03, 1)])
def test_a_ball_that_comes_down_is_held_from_where_it_has_landed(
    monkeypatch: pytest.MonkeyPatch, frames: int, rise: float, cut: int
) -> None:
    early = off(2, rise, (20, 20 + frames))
    assert held_of(monkeypatch, 1, early, INSIDE) == list(range(20 + cut, 100))
    late = off(2, rise, (100 - frames, 100))
    assert held_of(monkeypatch, 1, late, INSIDE) == list(range(20, 100 - cut))
    assert held_of(monkeypatch, 1, off(2, rise, (0, frames), (120 - frames, 120)), ALL) == list(range(120))


@pytest.mark.parametrize("count, held", [(4, False), (5, True)])
def test_contacts_are_held_from_0_08_seconds_on(monkeypatch: pytest.MonkeyPatch, count: int, held: bool) -> None:
    contacts = (np.arange(120) >= 50) & (np.arange(120) < 50 + count)
    assert bool(held_of(monkeypatch, 1, np.zeros((120, 3)), contacts)) == held
    gap = ~contacts
    assert (len(held_of(monkeypatch, 1, np.zeros((120, 3)), gap)) == 120) != held
