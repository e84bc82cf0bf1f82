"""The ball of a dribbling walk: in the hands at the controller's contacts, and in closed-form flight between them.

The network's own ball drifts during a roll-out, so the ball is rebuilt here. It is in the hand during each contact, and
flies from the end of one contact to the start of the next with one bounce. Where such a bounce is impossible, the ball
stays in the hand, is thrown from hand to hand, or touches a hand in between; these changes are counted. The ball is
never lost.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import scipy

from ..motion import Clip
from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.rotations import Array
from ..motion.signals import Mask, drop_short_runs, runs_of
from .ball_track import BallTrack
from .free_motion import Arc, BallPhysics, bounce_arcs, bounce_velocities, direct_velocities, sample_arcs
from .hands import GRAVITY_M_S2, read_hands
from .palms import draw_to_palms, palm_centers
from .spin import ball_rotations

MIN_CONTACT_S: Final = 0.08
"""Shortest contact, and shortest gap between two contacts; shorter ones are removed."""
ADDED_CONTACT_S: Final = 0.25
"""Duration of a contact that is inserted where the controller missed one."""
MAX_FLIGHT_S: Final = 0.85
"""Longest flight between contacts; in a longer gap, the controller missed a contact. Captured dribbles fly for less."""
MAX_PUSH_M_S: Final = 7.0
"""Fastest downward release; if a bounce would need more, the ball stays in the hand."""
HAND_TOLERANCE_M: Final = 0.06
"""Largest offset of the controller's ball from its usual place in the hand; larger offsets are cut to this."""
OFFSET_SMOOTHING_S: Final = 0.08
"""Standard deviation of the smoothing of the ball's place in the hand."""
LOST_DISTANCE_M: Final = 0.3
"""Distance of the controller's ball from the touching hand beyond which the contact counts as lost."""


@dataclass(frozen=True, slots=True)
class JoinedContacts:
    """Statistics of a dribble's hand contacts: those from the controller, and those that had to be repaired.

    Attributes:
        contacts: number of contacts in the finished ball track.
        added: number of contacts inserted where the controller missed one.
        merged: number of gaps closed because they were too short for a bounce.
        lost: number of the controller's contacts in which its ball was away from the hand.
        led_m: mean correction that moved the controller's ball into the hand, meters.
    """

    contacts: int
    added: int
    merged: int
    lost: int
    led_m: float


@dataclass(frozen=True, slots=True, eq=False)
class DribbledBall:
    """The ball of a finished walk, with its bounces and repairs.

    Attributes:
        track: motion of the ball.
        bounces: (N) times of the bounces, seconds from the first frame.
        joined: statistics of the contacts.
        elsewhere: (F) whether the ball is with another character.
        rest: (N, 3) centers of a thrown ball in the frames after the walk, until it lies still, meters, world.
    """

    track: BallTrack
    bounces: Array
    joined: JoinedContacts
    elsewhere: Mask
    rest: Array = field(default_factory=lambda: np.zeros((0, 3)))


@dataclass(frozen=True, slots=True, eq=False)
class ToldBall:
    """A controller's predictions about the ball over F frames.

    Attributes:
        touching: (F, 2) probabilities that the left and the right hand touch the ball.
        offsets: (F, 2, 3) offsets of the ball's center from its usual place in each hand, meters, world.
        sides: (F) commanded dribbling hand, -1 for the left and 1 for the right.
    """

    touching: Array
    offsets: Array
    sides: Array


def join_ball(clip: Clip, told: ToldBall, radius: float, floor: float) -> DribbledBall:
    """Return the motion of the ball in a dribbling walk, rebuilt from the contacts that the controller predicts.

    Args:
        clip: the finished motion.
        told: the controller's predictions about the ball.
        radius: radius of the ball, meters.
        floor: height of the level ground, meters, world.

    Raises:
        FootfallError: the body has no hands.
    """
    physics = BallPhysics(GRAVITY_M_S2, radius)
    apart = np.linalg.norm(told.offsets, axis=-1, keepdims=True)
    kept = _near(told.offsets)
    kept = scipy.ndimage.gaussian_filter1d(kept, OFFSET_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
    palms = palm_centers(clip)
    centers = palms + _near(draw_to_palms(clip, palms + kept, radius) - palms) - [0.0, 0.0, floor]
    centers[..., 2] = np.maximum(centers[..., 2], radius)
    own = drop_short_runs(told.touching > CONTACT_THRESHOLD, max(round(MIN_CONTACT_S * clip.rate), 1))
    contacts, added, merged = _possible_contacts(own, centers, told, physics, clip.rate)
    track, bounces = _track(contacts, centers, physics, clip.rate)
    hands = read_hands(clip, floor)
    place = track + np.array([0.0, 0.0, floor])
    turns = ball_rotations(hands, hands.from_clip(place), contacts, clip.rate, radius / hands.scale)
    distances = [apart[start:stop, hand, 0] for hand in range(2) for start, stop in runs_of(own[:, hand])]
    joined = JoinedContacts(
        len(runs_of(np.any(contacts, axis=1))),
        added,
        merged,
        sum(bool(each.min() > LOST_DISTANCE_M) for each in distances),
        float(np.concatenate(distances).mean()) if distances else 0.0,
    )
    track = BallTrack(clip.rate, radius, place, turns, contacts)
    return DribbledBall(track, bounces, joined, np.zeros(len(clip), dtype=bool))


def _near(offsets: Array) -> Array:
    """Limit offsets (..., 3) from the usual place in a hand, meters, to :data:`HAND_TOLERANCE_M`."""
    lengths = np.linalg.norm(offsets, axis=-1, keepdims=True)
    return offsets * np.minimum(1.0, HAND_TOLERANCE_M / np.maximum(lengths, 1e-9))


def _possible_contacts(
    own: Mask, centers: Array, told: ToldBall, physics: BallPhysics, rate: float
) -> tuple[Mask, int, int]:
    """Return contacts (F, 2) with enough time for a bounce between them, the number added and the number merged.

    The ball is in the commanded hand at the first frame and at the last.

    Args:
        own: (F, 2) contacts predicted by the controller.
        centers: (F, 2, 3) centers of a ball in each hand, meters over the floor.
        told: the controller's outputs about the ball.
        physics: physics of the ball.
        rate: frames per second.
    """
    contacts, added, merged = own.copy(), 0, 0
    commanded = (told.sides > 0).astype(int)
    for end in (0, -1):
        contacts[end, commanded[end]] |= not contacts[end].any()
    pending = [(int(start), int(stop)) for start, stop in runs_of(~np.any(contacts, axis=1))]
    half = max(round(0.5 * ADDED_CONTACT_S * rate), 1)
    while pending:
        start, stop = pending.pop()
        seconds = (stop - start + 1) / rate
        if seconds > MAX_FLIGHT_S:
            middle = _likely_contact(told.touching, start + 2 * half, stop - 2 * half)
            contacts[middle - half : middle + half, commanded[middle]] = True
            added += 1
            pending += [(start, middle - half), (middle + half, stop)]
            continue
        first, last = (centers[frame, contacts[frame]].mean(axis=0) for frame in (start - 1, stop))
        kept = contacts[start - 1] & contacts[stop]
        if kept.any() and _release_speed(first, last, seconds, physics) < -MAX_PUSH_M_S:
            contacts[start:stop] = kept
            merged += 1
    return contacts, added, merged


def _likely_contact(touching: Array, first: int, last: int) -> int:
    """Return the frame from ``first`` to ``last`` with the likeliest contact; their middle if none is likely."""
    likely = touching[first : last + 1].max(axis=1)
    return first + int(likely.argmax()) if likely.max() > 0.5 * CONTACT_THRESHOLD else (first + last) // 2


def _release_speed(start: Array, end: Array, seconds: float, physics: BallPhysics) -> float:
    """Return the upward speed, m/s, at which a ball released at ``start`` (3) bounces once and reaches ``end`` (3)."""
    return float(bounce_velocities(start, end, np.asarray(seconds), physics)[0][2])


def _track(contacts: Mask, centers: Array, physics: BallPhysics, rate: float) -> tuple[Array, Array]:
    """Return the centers (F, 3) of the ball, meters over the floor, and the bounces' times, seconds."""
    held = np.any(contacts, axis=1)
    shares = contacts / np.maximum(contacts.sum(axis=1, keepdims=True), 1)
    places = (shares[..., None] * centers).sum(axis=1)
    bounces: list[float] = []
    for start, stop in runs_of(~held):
        frames, seconds = np.arange(start, stop), (stop - start + 1) / rate
        arcs = _flight((start - 1) / rate, seconds, places[start - 1], places[stop], physics)
        places[frames] = sample_arcs(arcs, frames / rate, physics)
        bounces += [arc.start for arc in arcs[1:]]
    return places, np.array(bounces)


def _flight(begin: float, seconds: float, first: Array, last: Array, physics: BallPhysics) -> list[Arc]:
    """Return the arcs of a flight between two points: with a bounce, or without if there is no time for one.

    Args:
        begin: time of the release, seconds.
        seconds: time from the release to the catch, seconds.
        first: place of the release, meters over the floor.
        last: place of the catch, meters over the floor.
        physics: physics of the ball.
    """
    if _release_speed(first, last, seconds, physics) < -MAX_PUSH_M_S:
        return [Arc(begin, first, direct_velocities(first, last, np.asarray(seconds), physics)[0])]
    return bounce_arcs(begin, seconds, first, last, physics)
