"""Paws that are held, on level ground and on a slope."""

import numpy as np

from footfall.core.control.feet.foot_lock import lock_feet, locked_contacts
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.paws import paw_tracks
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


def rises(*heights: float) -> Array:
    """How far the ground rises under the four paws: left hind, left front, right hind, right front."""
    return np.tile(heights, (40, 1)).astype(float)
