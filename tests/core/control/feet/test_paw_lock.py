"""Paws that are held, on level ground and on a slope."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_lock import lock_feet, locked_contacts
from footfall.core.control.feet.paw_lock import (
    locked_paws,
)
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.paws import leg_chains, paw_tracks
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import StaticScene
from footfall.core.terrain.heightfield import Heightfield
from footfall.tests.support.dog import dog, standing, trot

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


def rises(*heights: float) -> Array:
    """How far the ground rises under the four paws: left hind, left front, right hind, right front."""
    return np.tile(heights, (40, 1)).astype(float)
