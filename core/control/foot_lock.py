"""Feet that stay where they are put: contact locks over a whole clip, met by two-joint leg IK (PFNN section 6).

A bake knows its future, so a lock is not chased frame by frame: every contact is held at one place from its first frame
to its last, and the way into it and out of it is spread over the frames around.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from ..labelling.contacts import JOINTS
from ..labelling.sensors import ADULT_LEG
from ..labelling.signals import drop_short, resting_speed, runs_of
from ..motion import Clip
from ..motion.blending import carried
from ..motion.limb import Leg, reach, with_world_rotations
from ..motion.rotations import Array, between, multiply, normalize
from ..retarget.contacts import hips_drop
from ..retarget.retarget import TOE_HEIGHT

THRESHOLD: Final = 0.5
SHORTEST: Final = 0.08
BLEND: Final = 0.15
# Metres, of an adult, that a joint may be carried back to where it is held.
FARTHEST: Final = 0.12
# How far beyond a straight leg's length a heel may be held: the hips sink by so much and no more.
OVERREACH: Final = 1.005
# Speed of an adult's ankle, m/s, over a heel that rests.
ROLLING: Final = 0.2


def held_contacts(clip: Clip, contacts: Array) -> NDArray[np.bool_]:
    """The contacts (F, 4) that are held, from their probabilities (F, 4): likely ones that last, small gaps closed.

    Where a joint strays more than :data:`FARTHEST` from the place it would be held at, it is walking, whatever the
    probability says: the contact ends there. So does a heel's where the leg is too short for it: heels rise, hips do
    not sink for them. And while a foot rolls over its heel after the strike, its ankle is not held: it goes on.
    """
    held = drop_short(contacts > THRESHOLD, max(round(SHORTEST * clip.rate), 2))
    skeleton = clip.skeleton
    scale = skeleton.leg_length / ADULT_LEG
    farthest, rolling = FARTHEST * scale, ROLLING * np.sqrt(scale)
    for number, (column, role) in enumerate(zip(held.T, JOINTS, strict=True)):
        leg = Leg.of(skeleton, role[-1])
        heel = leg.toe is None or role.startswith("foot")
        track = clip.positions[:, leg.foot if heel else leg.toe]
        speeds = resting_speed(track[:, None], clip.rate)[:, 0]
        toes = held[:, number | 1]
        for start, stop in runs_of(column):
            place = _place(track, start, stop)
            strays = np.linalg.norm((track[start:stop] - place)[:, :2], axis=-1) > farthest
            if heel:
                reaching = np.linalg.norm(clip.positions[start:stop, leg.thigh] - place, axis=-1)
                strays |= reaching > leg.length(skeleton) * OVERREACH
                strays |= (speeds[start:stop] > rolling) & ~toes[start:stop]
            middle = (stop - start) // 2
            before, after = np.flatnonzero(strays[:middle]), np.flatnonzero(strays[middle:])
            if len(before):
                column[start : start + before[-1] + 1] = False
            if len(after):
                column[start + middle + after[0] : stop] = False
    return held


def _place(track: Array, start: int, stop: int) -> Array:
    """Where a joint (F, 3) rests during a run: the mean of the run's middle half."""
    quarter = (stop - start) // 4
    return track[start + quarter : max(stop - quarter, start + quarter + 1)].mean(axis=0)


def lock_feet(clip: Clip, held: NDArray[np.bool_], ground: float = 0.0) -> Clip:
    """The clip with heels and toes held still while they are in contact, and never under the ground.

    Args:
        held: (F, 4) contacts in the order of ``labelling.contacts.JOINTS``: see :func:`held_contacts`.
        ground: height of the ground plane, metres.
    """
    skeleton = clip.skeleton
    positions, rotations = (array.copy() for array in clip.world)
    # Locked from the frame before to the frame after, a joint has no speed left at any frame of its contact.
    held = np.asarray(binary_dilation(held, np.ones((3, 1), dtype=bool)), dtype=bool)
    legs = [Leg.of(skeleton, side) for side in "LR"]
    least = TOE_HEIGHT * skeleton.leg_length / ADULT_LEG + ground
    ankles: list[Array] = []
    for index, leg in enumerate(legs):
        heel, toe = held[:, 2 * index], held[:, 2 * index + 1]
        ankles.append(_place_foot(clip, leg, rotations, heel, toe, least))
    roots = clip.root_positions.copy()
    drop = hips_drop(clip, legs, ankles)
    roots[:, 2] -= drop
    positions[..., 2] -= drop[:, None]
    for leg, ankle in zip(legs, ankles, strict=True):
        reach(skeleton, positions, rotations, leg, ankle)
    return with_world_rotations(clip, roots, rotations)


def _place_foot(
    clip: Clip, leg: Leg, rotations: Array, heel: NDArray[np.bool_], toe: NDArray[np.bool_], least: float
) -> Array:
    """Where the ankle (F, 3) goes; turns the foot in ``rotations`` so that its toe stays where it is held."""
    rate = clip.rate
    ankle = clip.positions[:, leg.foot]
    if leg.toe is None:
        return _held(ankle, heel, rate, None)
    ball = clip.positions[:, leg.toe]
    length = np.linalg.norm(clip.skeleton.offsets[leg.toe])
    new_ball = _held(ball, toe, rate, least)
    new_ball[:, 2] = np.maximum(new_ball[:, 2], least)
    new_ankle = _held(ankle + (new_ball - ball), heel, rate, None)
    # The flat foot says where both stand; a heel that comes down before its toe, or stays after it, stands there too.
    new_ankle = _held(new_ball - normalize(new_ball - new_ankle) * length, heel, rate, None)
    direction = _level_at_least(normalize(new_ball - new_ankle), (least - new_ankle[:, 2]) / length)
    new_ankle = np.where(toe[:, None], new_ball - direction * length, new_ankle)
    turn = between(ball - ankle, direction)
    rotations[:, leg.foot] = multiply(turn, rotations[:, leg.foot])
    rotations[:, leg.toe] = multiply(turn, rotations[:, leg.toe])
    return new_ankle


def _level_at_least(directions: Array, slopes: Array) -> Array:
    """Unit directions (F, 3), turned up where they fall more steeply than ``slopes`` (F): no ball is buried."""
    rise = np.maximum(directions[:, 2], np.clip(slopes, -1.0, 0.0))
    flat = normalize(directions[:, :2]) * np.sqrt(1 - rise**2)[:, None]
    return np.concatenate([flat, rise[:, None]], axis=-1)


def _held(track: Array, held: NDArray[np.bool_], rate: float, height: float | None) -> Array:
    """The track (F, 3) brought to rest at one place during each run of ``held``, and smoothly back to itself between.

    The place is the mean of the run's middle half, at ``height`` where one is given.
    """
    runs = runs_of(held)
    if len(runs) == 0:
        return track.copy()
    correction = np.zeros_like(track)
    reach_frames = max(round(BLEND * rate), 1)
    for start, stop in runs:
        place = _place(track, start, stop)
        if height is not None:
            place[2] = height
        correction[start:stop] = place - track[start:stop]
    return track + carried(correction, runs, reach_frames)
