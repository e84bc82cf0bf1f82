"""Balls joined with hands: a dribble in closed form, with contacts that are missing, too near or none at all."""

import numpy as np

from footfall.core.ball.dribbled_ball import DribbledBall, ToldBall, join_ball
from footfall.core.ball.palms import Palms, draw_to_palms
from footfall.core.motion.clip import Clip
from footfall.core.motion.signals import runs_of
from footfall.tests.support.dribbler import RADIUS_M, Dribbler

DRIBBLER = Dribbler()
CLIP, CONTACTS = DRIBBLER.clip(), DRIBBLER.ball().contacts
CONTACTS[-20:, 1] = True
FLOOR_M = 0.0


def joined(contacts: np.ndarray, offsets: np.ndarray | None = None, clip: Clip = CLIP) -> DribbledBall:
    apart = np.zeros((len(clip), 2, 3)) if offsets is None else offsets
    told = ToldBall(contacts.astype(float), apart, np.ones(len(clip)))
    return join_ball(clip, told, RADIUS_M, FLOOR_M)


def in_hands(clip: Clip = CLIP, along_x: float = 0.0) -> np.ndarray:
    """Return the usual places of a ball, moved along x and drawn to the hands."""
    palms, (positions, rotations) = Palms.of(clip.skeleton), clip.world
    joints = list(palms.joints)
    centers = palms.centers(positions[:, joints], rotations[:, joints]) + np.array([along_x, 0.0, 0.0])
    return draw_to_palms(clip, centers, RADIUS_M)


def test_the_ball_is_in_the_hand_while_it_is_touched() -> None:
    ball, held = joined(CONTACTS), CONTACTS[:, 1]
    np.testing.assert_allclose(ball.track.positions[held], in_hands()[held, 1], atol=1e-9)
    np.testing.assert_array_equal(ball.track.contacts, CONTACTS)
    assert (ball.joined.added, ball.joined.merged, ball.joined.lost) == (0, 0, 0)
    assert ball.joined.contacts == len(runs_of(held)) == len(ball.bounces) + 1


def test_between_contacts_it_falls_and_bounces_once() -> None:
    ball = joined(CONTACTS)
    start, stop = (int(end) for end in runs_of(~CONTACTS[:, 1])[1])
    heights = ball.track.positions[start - 1 : stop + 1, 2]
    steps = np.diff(heights, n=2) * CLIP.rate**2
    assert (np.abs(steps + 9.81) < 0.01).sum() >= len(steps) - 2, "all but the frames about the bounce"
    inside = (ball.bounces > start / CLIP.rate) & (ball.bounces < stop / CLIP.rate)
    assert inside.sum() == 1 and heights.min() < RADIUS_M + 0.1 and heights.min() >= RADIUS_M - 1e-9


def test_a_contact_that_was_missed_is_added_and_counted() -> None:
    contacts, (start, stop) = CONTACTS.copy(), runs_of(CONTACTS[:, 1])[2]
    contacts[start:stop] = False
    ball = joined(contacts)
    assert ball.joined.added == 1 and ball.track.contacts[(start + stop) // 2, 1]


def test_contacts_that_are_too_near_leave_the_ball_in_the_hand() -> None:
    contacts, (start, stop) = CONTACTS.copy(), runs_of(CONTACTS[:, 1])[2]
    middle = (start + stop) // 2
    contacts[middle - 3 : middle + 3] = False
    ball = joined(contacts)
    assert ball.joined.merged == 1 and ball.track.contacts[start:stop, 1].all()
