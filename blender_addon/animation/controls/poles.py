"""Where the poles of IK limbs are, so that knees and elbows bend in the body's planes and never flip."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from .control import Pole
from .goals import Goals

STRAIGHT: Final = (0.005, 0.02)
"""How far a knee lies off the line from hip to ankle, as a share of the limb's length, where it begins to say in which
plane the limb bends, and from where it alone says so."""
BACKWARDS: Final = 0.25
"""By how much less a knee says that bends the wrong way, which is most often a straight one that was measured badly."""
LITTLE: Final = 1e-3
"""The weight of the pole's place at rest beside what the clip shows: for limbs that never bend."""
NEAREST: Final = 0.4
FARTHEST: Final = 2.0
"""The bounds of a pole's distance from its knee, in limb lengths; between them it is as far as at rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """In which plane a limb bends, in every frame.

    Attributes:
        middle: the place (F, 3) on the line from the limb's first to its last joint beside the knee, world.
        along: the direction (F, 3) from the first joint to the last.
        out: the direction (F, 3) in which the knee points, across ``along``.
        amount: how far the knee lies off the line (F), as a share of the limb's length.
        reach: the distance (F) from the first joint to the last, metres.
        length: the limb's, metres.
    """

    middle: Array
    along: Array
    out: Array
    amount: Array
    reach: Array
    length: float


def bend_of(goals: Goals, pole: Pole) -> Bend:
    """How the clip bends a pole's limb.

    Where the limb is straight it would bend as the upper bone is turned: where that bone's knee points on average.
    """
    first, turn, _ = goals.joint(pole.upper)
    knee, last = goals.joint(pole.middle)[0], goals.joint(pole.end)[0]
    length = float((np.linalg.norm(knee - first, axis=-1) + np.linalg.norm(last - knee, axis=-1)).mean())
    along = rot.normalize(last - first)
    across = _across(knee - first, along)
    amount = np.linalg.norm(across, axis=-1) / length
    usual = rot.normalize(rot.rotate(rot.inverse(turn), across).sum(axis=0) + LITTLE * _at_rest(goals, pole))
    expected = rot.normalize(_across(rot.rotate(turn, np.broadcast_to(usual, first.shape)), along))
    pointing = rot.normalize(across)
    forwards = (1 + np.sum(pointing * expected, axis=-1)) / 2
    share = np.clip((amount * (BACKWARDS + (1 - BACKWARDS) * forwards) - STRAIGHT[0]) / np.ptp(STRAIGHT), 0, 1)
    share = (share * share * (3 - 2 * share))[:, None]
    out = rot.normalize(share * pointing + (1 - share) * expected)
    middle = first + along * np.sum((knee - first) * along, axis=-1, keepdims=True)
    return Bend(middle, along, out, amount, np.linalg.norm(last - first, axis=-1), length)


def _at_rest(goals: Goals, pole: Pole) -> Array:
    """Where the limb's pole is at rest (3), across the limb, metres."""
    first, last = goals.joint(pole.upper)[2], goals.joint(pole.end)[2]
    return _across(goals.rig.heads[goals.rig.index[pole.bone]] - first, rot.normalize(last - first))


def pole_heads(goals: Goals, pole: Pole, bend: Bend, angles: Array) -> Array:
    """The pole's head (F, 3), world, where the rig turns its knees by angles (F), radians, from where the pole is."""
    rest = goals.rig.heads[goals.rig.index[pole.bone]] - goals.joint(pole.middle)[2]
    distance = float(np.clip(np.linalg.norm(rest), NEAREST * bend.length, FARTHEST * bend.length))
    away = rot.rotate(rot.from_axis_angle(bend.along, -angles), bend.out)
    return bend.middle + distance * away


def angle_of(bend: Bend, frames: Sequence[int], first: Array, knee: Array) -> Array:
    """By how much knees (S, 3), solved from first joints (S, 3), lie about the limb from where they shall be.

    Radians (S), in some of the bend's frames (S).
    """
    along, out = bend.along[list(frames)], bend.out[list(frames)]
    off = _across(knee - first, along)
    return np.arctan2(np.sum(np.cross(out, off) * along, axis=-1), np.sum(out * off, axis=-1))


def _across(vectors: Array, along: Array) -> Array:
    return vectors - np.sum(vectors * along, axis=-1, keepdims=True) * along
