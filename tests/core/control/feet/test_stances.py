"""A foot that creeps through a long contact stands at several places, with a step between each two."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_lock import lock_feet, locked_contacts
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.tests.support.walker import person

from .footing import soles

RATE = 60
FRAMES = 5 * RATE


def creeping(distance: float) -> Clip:
    """Return a body that stands with both feet, and creeps ahead by a distance, meters, at a steady pace."""
    skeleton = person()
    roots = np.tile([0.0, 0.0, 0.99], (FRAMES, 1))
    roots[:, 1] += np.linspace(0.0, distance, FRAMES)
    return Clip(skeleton, RATE, roots, np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, len(skeleton), 1)))


def test_a_body_that_creeps_far_steps_with_one_foot_at_a_time() -> None:
    clip = creeping(0.8)
    contacts = locked_contacts(clip, FootContacts(np.ones((FRAMES, 4))))
    done = lock_feet(clip, contacts)
    stands = np.stack([contacts.planted(side) for side in "LR"], axis=1)
    assert stands.any(axis=1).all()
    assert (~stands).any(axis=0).all()
    balls = soles(done, clip)[:, [1, 3]]
    speeds = np.linalg.norm(np.diff(balls[..., :2], axis=0), axis=2) * RATE
    both = stands[1:] & stands[:-1]
    assert speeds[both].max() < 0.005
    # A step takes time, and rises.
    assert speeds.max() < 3.0
    for side in range(2):
        assert balls[~stands[:, side], side, 2].max() > balls[stands[:, side], side, 2].max() + 0.01
    # The hips do not sink for a leg that is left behind.
    assert (clip.root_positions[:, 2] - done.root_positions[:, 2]).max() < 0.02


@pytest.mark.parametrize("distance", [0.0, 0.1])
def test_a_body_that_hardly_moves_keeps_its_feet_where_they_are(distance: float) -> None:
    contacts = locked_contacts(creeping(distance), FootContacts(np.ones((FRAMES, 4))))
    assert contacts.held[:, [1, 3]].all()


def gliding(speed: float, drop: float = 0.0) -> tuple[Clip, FootContacts]:
    """Return a body that lets go of both feet for half a second, at a speed, m/s, falling with a share of gravity."""
    clip, contacts = creeping(0.0), np.ones((FRAMES, 4))
    roots, air = clip.root_positions.copy(), np.arange(150, 180)
    contacts[air] = 0.0
    roots[air, 1] += speed * (air - 150) / RATE
    roots[180:, 1] += speed * 30 / RATE
    time = (air - 150) / RATE
    roots[air, 2] += drop * 9.81 / 2 * time * (0.5 - time)
    return Clip(clip.skeleton, RATE, roots, clip.rotations), FootContacts(contacts)


def test_a_slow_body_without_a_standing_foot_stands_on_one() -> None:
    clip, contacts = gliding(speed=0.6)
    held = locked_contacts(clip, contacts)
    assert not contacts.held[150:180].any()
    assert held.held.any(axis=1)[150:180].mean() > 0.9


def test_a_body_that_climbs_keeps_its_feet_off_the_ground() -> None:
    clip, contacts = gliding(speed=0.0)
    up = np.zeros((FRAMES, 3))
    up[130:200, 2] = 0.6 * np.sin(np.pi * np.arange(70) / 70)
    climbing = Clip(clip.skeleton, RATE, clip.root_positions + up, clip.rotations)
    assert not locked_contacts(climbing, contacts).held[155:175].any()


@pytest.mark.parametrize(("speed", "drop"), [(3.5, 0.0), (0.6, 1.0)])
def test_a_body_that_runs_or_jumps_stays_in_the_air(speed: float, drop: float) -> None:
    held = locked_contacts(*gliding(speed, drop))
    assert not held.held[155:175].any()
