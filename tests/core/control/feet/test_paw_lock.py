"""Paws that are held, on level ground and on a slope."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_lock import lock_feet, locked_contacts
from footfall.core.control.feet.paw_lock import (
    _blend_gaps,
    _clearance,
    _contact_offsets,
    _place_trunk,
    _sole_heights,
    _step_lift,
    locked_paws,
    trunk_drop,
)
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.paws import leg_chains, paw_tracks
from footfall.core.motion.rotations import UP, Array
from footfall.core.terrain.ground import Plane, StaticScene
from footfall.core.terrain.heightfield import Heightfield
from footfall.tests.support.dog import dog, standing, trot
from footfall.tests.support.terrain_scenes import Boxes, Carrier

SLOPE = 0.2


def sliding() -> tuple[Clip, FootContacts]:
    """A trot along -Y whose paws slide by a tenth of their way."""
    clip, stands = trot(dog(), frames=181, travels=True)
    roots = clip.root_positions.copy()
    roots[:, 1] *= 1.1
    return Clip(clip.skeleton, clip.rate, roots, clip.rotations), FootContacts(stands.astype(float))


def hill() -> StaticScene:
    """A slope that rises toward -Y, the way of the dog."""
    y = np.arange(-4.0, 2.0, 0.05)
    return StaticScene(Heightfield(np.tile(-SLOPE * y[:, None], (1, 80)), 0.05, np.array([-2.0, -4.0])))


def test_held_paws_do_not_slide() -> None:
    clip, contacts = sliding()
    held = locked_contacts(clip, contacts)
    made = lock_feet(clip, held)
    steps = np.linalg.norm(np.diff(paw_tracks(made), axis=0), axis=-1)
    inside = held.held[1:] & held.held[:-1]
    assert inside.mean() > 0.3
    assert steps[inside].max() < 1e-3
    assert np.linalg.norm(np.diff(paw_tracks(clip), axis=0), axis=-1)[inside].mean() > 1.5e-3, "they slid before"


def test_paws_stand_on_a_slope_and_the_trunk_pitches_with_it() -> None:
    clip, contacts = sliding()
    level = clip.root_positions.copy()
    level[:, 2] += -SLOPE * (level[:, 1] - 0.225)
    clip = Clip(clip.skeleton, clip.rate, level, clip.rotations)
    held = locked_contacts(clip, contacts, hill())
    made = lock_feet(clip, held, hill(), trot(dog(), frames=30)[0])
    paws = paw_tracks(made)
    over = paws[..., 2] + SLOPE * paws[..., 1]
    assert np.abs(over[held.held]).max() < 0.01
    trunk = made.positions[30:-30, made.skeleton.roles["chest"]] - made.positions[30:-30, 0]
    slope = trunk[:, 2] / -trunk[:, 1]
    assert abs(np.median(slope) - SLOPE) < 0.06


def test_a_moment_of_contact_is_not_held() -> None:
    clip, contacts = sliding()
    noise = contacts.probabilities * 0.0
    noise[50] = 1.0
    assert not locked_contacts(clip, FootContacts(noise)).held.any()


def test_a_paw_that_goes_to_another_place_near_the_ground_is_lifted() -> None:
    clip = standing(dog(), 120)
    roots = clip.root_positions.copy()
    roots[40:80, 1] -= np.linspace(0.0, 0.1, 40)
    roots[80:, 1] -= 0.1
    contacts = np.ones((120, 4))
    contacts[45:75] = 0.0
    made = lock_feet(Clip(clip.skeleton, clip.rate, roots, clip.rotations), FootContacts(contacts))
    heights = paw_tracks(made)[..., 2] - paw_tracks(clip)[0, :, 2]
    assert (heights[50:70].max(axis=0) > 0.02).all()
    assert np.abs(heights[contacts[:, 0] > 0]).max() < 1e-3


def test_front_legs_are_as_bent_on_a_slope_as_on_level_ground() -> None:
    # Paws stand farther apart than hips and chest, so that a trunk must not take the whole rise on its own length.
    clip = standing(dog(), 60)
    level = clip.root_positions.copy()
    level[:, 2] += -SLOPE * (level[:, 1] - 0.225)
    on_slope = Clip(clip.skeleton, clip.rate, level, clip.rotations)
    made = lock_feet(on_slope, FootContacts(np.ones((60, 4))), hill(), clip)
    bends = [chain_length(motion) for motion in (clip, made)]
    assert np.abs(bends[0] - bends[1]).max() < 0.02


def chain_length(clip: Clip) -> np.ndarray:
    """Distance of each paw from its hip or shoulder, meters, in the middle of a clip."""
    frame = len(clip) // 2
    tops = np.stack([clip.positions[frame, chain.joints[0]] for chain in leg_chains(clip.skeleton)])
    return np.linalg.norm(paw_tracks(clip)[frame] - tops, axis=-1)


def falls(*runs: tuple[int, int], frames: int = 40, release: int = 4) -> Array:
    """Offsets that are 1 in X and 2 in Z in the first of some contacts, 3 and 6 in the second, blended."""
    offsets = np.zeros((frames, 3))
    for number, (start, stop) in enumerate(runs):
        offsets[start:stop] = np.array([1.0, 0.0, 2.0]) * (1 + 2 * number)
    _blend_gaps(offsets, np.array(runs).reshape(-1, 2), release)
    return offsets


EASE = np.array([0.104, 0.352, 0.648, 0.896])
"""The smooth step at fifths."""


def test_before_the_first_contact_and_after_the_last_a_paw_returns_to_its_own_way() -> None:
    found = falls((10, 20))
    np.testing.assert_allclose(found[6:10, 0], EASE)
    np.testing.assert_allclose(found[20:24, 0], EASE[::-1])
    assert not found[:6, 0].any() and not found[24:, 0].any()
    np.testing.assert_allclose(found[:, 2], 2.0, err_msg="the ground is as high as where it stands")
    np.testing.assert_allclose(falls((2, 38))[:2, 0], EASE[2:])
    np.testing.assert_allclose(falls((2, 38))[38:, 0], EASE[:1:-1])
    assert not falls().any()


def test_between_two_contacts_a_paw_goes_from_one_offset_to_the_other() -> None:
    short = falls((5, 10), (14, 20))
    np.testing.assert_allclose(short[10:14, 0], 1 + 2 * EASE)
    np.testing.assert_allclose(short[10:14, 2], 2 + 4 * EASE)
    long = falls((5, 10), (19, 25))
    np.testing.assert_allclose(long[10:14, 0], EASE[::-1])
    np.testing.assert_allclose(long[15:19, 0], 3 * EASE)
    assert long[14, 0] == 0.0 and 2.0 < long[14, 2] < 6.0
    whole = falls((5, 10), (18, 25))
    assert (whole[10:18, 0] > 1.0).all(), "a gap of two releases has no time of its own"


@pytest.mark.parametrize("scale", [0.5, 1.0])
@pytest.mark.parametrize(
    "way, height, lift",
    [(0.019, 0.0, 0.0), (0.04, 0.0, 0.01), (0.04, 0.004, 0.006), (0.04, 0.02, 0.0), (0.5, 0.0, 0.08)],
)
def test_a_paw_is_lifted_by_a_quarter_of_its_way(way: float, height: float, lift: float, scale: float) -> None:
    held = np.ones((30, 4), dtype=bool)
    held[10:19, 1] = False
    targets = np.zeros((30, 4, 3))
    targets[:, 1, 0] = np.interp(np.arange(30), [9, 19], [0.0, way]) * scale
    targets[:, 1, 2] = np.interp(np.arange(30), [9, 14, 19], [0.0, height, 0.0]) * scale
    found = _step_lift(targets, held, scale)
    expected = lift * scale * np.sin(np.pi * np.arange(1, 10) / 10) ** 2
    np.testing.assert_allclose(found[10:19, 1], expected, atol=1e-12)
    assert not np.delete(found, 1, axis=1).any() and not found[:10].any() and not found[19:].any()


def test_a_lift_is_that_over_the_line_from_place_to_place() -> None:
    held = np.ones((30, 4), dtype=bool)
    held[10:19, 0] = False
    targets = np.zeros((30, 4, 3))
    share = np.interp(np.arange(30), [9, 19], [0.0, 1.0])
    targets[:, 0, 1], targets[:, 0, 2] = 0.2 * share, 0.3 * share
    np.testing.assert_allclose(_step_lift(targets, held, 1.0)[14, 0], 0.05)


@pytest.mark.parametrize("number", range(4))
def test_a_trunk_sinks_until_the_legs_reach_their_paws(number: int) -> None:
    clip = standing(dog(), 40)
    chain, tops = leg_chains(clip.skeleton)[number], clip.positions
    reach = 0.995 * chain.length(clip.skeleton)
    targets, held = paw_tracks(clip).copy(), np.zeros((40, 4), dtype=bool)
    held[:, number] = True
    scale = clip.skeleton.leg_length / 0.84
    for aside, missing in ((0.0, 0.01), (0.1, 0.02), (0.0, -0.01), (0.0, 0.5)):
        line = np.array([aside, 0.0, -np.sqrt(reach**2 - aside**2) - missing])
        targets[:, number] = tops[:, chain.joints[0]] + line
        expected = np.clip(missing, 0.0, 0.08 * scale)
        np.testing.assert_allclose(trunk_drop(tops, targets, held, clip), expected, atol=1e-9)
        assert not trunk_drop(tops, targets, ~held & False, clip).any()


def test_a_trunk_sinks_for_a_tenth_of_a_second_around() -> None:
    clip = standing(dog(), 60)
    chain = leg_chains(clip.skeleton)[0]
    targets, held = paw_tracks(clip).copy(), np.zeros((60, 4), dtype=bool)
    held[30, 0] = True
    targets[:, 0] = clip.positions[:, chain.joints[0]] - [0.0, 0.0, 0.995 * chain.length(clip.skeleton) + 0.01]
    drop = trunk_drop(clip.positions, targets, held, clip)
    assert drop[30] == pytest.approx(0.01) and np.flatnonzero(drop).tolist() == list(range(18, 43))
    np.testing.assert_allclose(drop[18:43], drop[42:17:-1])


def test_swinging_paws_pass_over_the_ground_and_held_ones_stay() -> None:
    targets, held = np.zeros((40, 4, 3)), np.zeros((40, 4), dtype=bool)
    held[:, 3] = True
    held[25:, 0] = True
    soles = np.array([0.01, 0.02, 0.03, 0.04])
    targets[..., 2] = soles
    targets[20, :2, 2] -= 0.05
    found = _clearance(targets, held, soles, Plane(), 1.0, 60.0)
    assert found[20, :2] == pytest.approx([0.05, 0.05]) and not found[:, 2:].any()
    assert np.flatnonzero(found[:, 1]).tolist() == list(range(14, 27))
    assert not found[25:, 0].any()
    higher = _clearance(targets, held, soles, Plane(-0.1), 1.0, 60.0)
    assert not higher.any()


def held_of(track: Array, contacts: Array) -> Array:
    """The frames (F) of the left hind paw that are held, of a dog whose whole body is moved by a track (F, 3)."""
    clip = standing(dog(), len(track))
    moved = Clip(clip.skeleton, clip.rate, clip.root_positions + track, clip.rotations)
    probable = np.zeros((len(track), 4))
    probable[:, 0] = contacts
    return locked_paws(moved, FootContacts(probable)).held[:, 0]


def test_a_paw_that_leaves_its_place_for_a_moment_is_let_go_meanwhile() -> None:
    """Two frames more are let go before it leaves: it has a speed there."""
    track = np.zeros((120, 3))
    track[55:65, 1] = -0.14 * dog().leg_length / 0.84 * 1.5
    assert np.flatnonzero(~held_of(track, np.ones(120))).tolist() == list(range(53, 65))
    assert not held_of(np.where(np.arange(120)[:, None] < 60, [0.0, 0.0, 0.0], [0.0, -0.5, 0.0]), np.ones(120))[60]


def test_a_paw_near_its_place_is_held_all_the_time() -> None:
    scale = dog().leg_length / 0.84
    for drift, held in ((0.13, True), (0.15, False)):
        track = np.zeros((120, 3))
        track[110:, 1] = -drift * scale
        assert held_of(track, np.ones(120)).all() == held


def test_a_paw_that_has_not_landed_is_not_held_yet() -> None:
    clip = standing(dog(), 120)
    paw = leg_chains(clip.skeleton)[0]
    scale = clip.skeleton.leg_length / 0.84
    for height, first in ((0.021, 30), (0.019, 20)):
        positions = clip.positions.copy()
        positions[20:30, paw.paw if paw.paw is not None else paw.joints[-1], 2] += height * scale
        lifted = Clip(clip.skeleton, clip.rate, clip.root_positions, clip.rotations)
        vars(lifted)["world"] = (positions, clip.world[1])
        contacts = np.zeros((120, 4))
        contacts[20:100, 0] = 1.0
        with pytest.MonkeyPatch.context() as patch:
            tracks = paw_tracks(clip).copy()
            tracks[20:30, 0, 2] += height * scale
            patch.setattr("footfall.core.control.feet.paw_lock.paw_tracks", lambda motion, known=tracks: known)
            held = locked_paws(lifted, FootContacts(contacts)).held[:, 0]
        assert np.flatnonzero(held)[[0, -1]].tolist() == [first, 99]


@pytest.mark.parametrize("frames, held", [(3, False), (4, True)])
def test_a_contact_in_the_middle_is_longer_than_a_twentieth_of_a_second(frames: int, held: bool) -> None:
    contacts = np.zeros(60)
    contacts[20 : 20 + frames] = 1.0
    assert held_of(np.zeros((60, 3)), contacts).any() == held


def test_soles_are_as_high_as_those_of_a_body_that_stands_or_as_in_contact() -> None:
    clip = standing(dog(), 20)
    high = Clip(clip.skeleton, clip.rate, clip.root_positions + 0.3 * UP, clip.rotations)
    held = np.zeros((20, 4), dtype=bool)
    np.testing.assert_allclose(_sole_heights(high, held, clip), paw_tracks(clip)[0, :, 2])
    roots = high.root_positions.copy()
    roots[:5, 2] -= 0.1
    mixed = Clip(clip.skeleton, clip.rate, roots, clip.rotations)
    held[:5, :2] = True
    expected = paw_tracks(clip)[0, :, 2] + [0.2, 0.2, 0.2, 0.2]
    np.testing.assert_allclose(_sole_heights(mixed, held, None), expected)
    held[:, 0] = True
    assert _sole_heights(mixed, held, None)[0] == pytest.approx(expected[0] + 0.1)


def rises(*heights: float) -> Array:
    """How far the ground rises under the four paws: left hind, left front, right hind, right front."""
    return np.tile(heights, (40, 1)).astype(float)


def test_a_trunk_rises_with_level_ground() -> None:
    clip = standing(dog(), 40)
    placed = _place_trunk(clip, rises(0.2, 0.2, 0.2, 0.2))
    np.testing.assert_allclose(placed.positions, clip.positions + 0.2 * UP)


@pytest.mark.parametrize("scale", [0.5, 1.0])
@pytest.mark.parametrize("hind, front", [(0.0, 0.1), (0.1, 0.0), (0.05, 0.12)])
def test_a_trunk_pitches_as_the_ground_from_hind_to_front_paws(hind: float, front: float, scale: float) -> None:
    clip = standing(dog(scale), 40)
    placed = _place_trunk(clip, rises(hind, front, hind, front) * scale)
    paws = paw_tracks(clip)[0, :, 1]
    base = paws[[0, 2]].mean() - paws[[1, 3]].mean()
    pitch = np.arctan((front - hind) * scale / base)
    hips, chest = clip.skeleton.joint("hips"), clip.skeleton.joint("chest")
    trunk = (placed.positions[:, chest] - placed.positions[:, hips])[20]
    np.testing.assert_allclose(trunk, 0.45 * scale * np.array([0.0, -np.cos(pitch), np.sin(pitch)]), atol=1e-9)
    middle = [(motion.positions[:, hips] + motion.positions[:, chest]) / 2 for motion in (clip, placed)]
    np.testing.assert_allclose(middle[1] - middle[0], np.tile((hind + front) / 2 * scale * UP, (40, 1)), atol=1e-9)


def test_a_trunk_pitches_by_the_mean_of_both_sides() -> None:
    clip = standing(dog(), 40)
    one, other = (_place_trunk(clip, rises(*heights)) for heights in ((0.0, 0.2, 0.1, 0.0), (0.05, 0.1, 0.05, 0.1)))
    np.testing.assert_allclose(one.positions, other.positions, atol=1e-9)


@pytest.mark.parametrize("ground", [0.0, 0.07, -0.07])
def test_held_paws_rest_on_the_ground_at_their_soles_height(ground: float) -> None:
    clip = standing(dog(), 60)
    roots = clip.root_positions.copy()
    roots[:, 1] -= 0.002 * np.arange(60)
    moving = Clip(clip.skeleton, clip.rate, roots, clip.rotations)
    held = np.zeros((60, 4), dtype=bool)
    held[20:41, 1] = True
    soles = np.array([0.01, 0.02, 0.03, 0.04])
    tracks = paw_tracks(moving)
    targets = tracks + _contact_offsets(moving, held, soles, Plane(ground), 1.0)
    expected = [*tracks[30, 1, :2], ground + 0.02]
    np.testing.assert_allclose(targets[20:41, 1], np.tile(expected, (21, 1)), atol=1e-9)
    np.testing.assert_allclose(targets[:, [0, 2, 3]], tracks[:, [0, 2, 3]])
    np.testing.assert_allclose(targets[:5, 1, :2], tracks[:5, 1, :2])
    np.testing.assert_allclose(targets[56:, 1, :2], tracks[56:, 1, :2])
    assert (targets[19, 1, :2] != tracks[19, 1, :2]).any()


def test_held_paws_ride_with_the_ground() -> None:
    deck = Boxes([((-9.0, -9.0, -0.5), (9.0, 9.0, 0.0))])
    ferry = Carrier(Boxes([((-99.0, -99.0, -9.0), (99.0, 99.0, -8.0))]), deck, velocity=(0.01, 0.0, 0.0))
    clip = standing(dog(), 60)
    held = np.ones((60, 4), dtype=bool)
    tracks = paw_tracks(clip)
    targets = tracks + _contact_offsets(clip, held, np.zeros(4), ferry, 1.0)
    np.testing.assert_allclose(np.diff(targets[..., 0], axis=0), 0.01, atol=1e-9)
    np.testing.assert_allclose(targets[..., 2], 0.0, atol=1e-9)
