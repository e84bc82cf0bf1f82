"""Elbows of hands that hold something: they can only go about the line from the shoulder to the wrist, and do so where
the upper arm or the forearm would be in a thing.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.limb_ik import with_world_rotations
from ...motion.rotations import Array, from_axis_angle, multiply, normalize, rotate
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import Moving
from .depenetration import APART, SOFT, near_frames, smooth_peak

ANGLES: Final = np.radians(np.arange(0.0, 81.0, 10.0))
"""By how much elbows are turned out, or in."""
CLEAR: Final = 0.004
"""Metres over what flesh gives way from which a turn is large enough."""
HOLDS: Final = 0.5
"""How far a hand holds something whose elbow is looked at."""


def elbows_out(
    body: BodyCapsules,
    clip: Clip,
    things: Sequence[Moving],
    spared: Sequence[NDArray[np.bool_]],
    side: str,
    stays: Array,
) -> Clip:
    """The clip with an arm turned about the line from its shoulder to its wrist, out of things, as far as its hand
    holds something.

    Args:
        body, clip, things, spared: see :func:`.limbs_clear.limbs_clear`.
        side: ``"L"`` or ``"R"``.
        stays: (F) from 0 to 1, how far the hand holds something.
    """
    spheres = body.spheres_of((f"upper_arm.{side}", f"forearm.{side}"))
    first, middle, last = (clip.skeleton.role(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand"))
    shoulder = clip.positions[:, first]
    axis = normalize(clip.positions[:, last] - shoulder)
    own = body.spheres(clip)[:, spheres]

    def excess(rows: NDArray[np.intp], angle: float) -> Array:
        """How much deeper (N) an arm that is turned is in something than flesh gives way, metres."""
        turn = from_axis_angle(axis[rows], np.full(len(rows), angle))[:, None]
        points = shoulder[rows, None] + rotate(turn, own[rows] - shoulder[rows, None])
        deepest = np.zeros(len(rows))
        for thing, free in zip(things, spared, strict=True):
            inside = Moving(thing.collider, thing.positions[rows], thing.rotations[rows]).into(points)
            depths = thing.collider.depths(inside.reshape(-1, 3)).reshape(inside.shape[:2]) + body.radii[spheres]
            deepest = np.maximum(deepest, np.where(free[rows][:, spheres], 0.0, depths).max(axis=1))
        return np.maximum(deepest - SOFT, 0.0)

    near = np.zeros(len(clip), dtype=bool)
    for thing in things:
        near[near_frames(clip, thing)] = True
    rows = np.flatnonzero(near & (stays > HOLDS))
    rows = rows[excess(rows, 0.0) > CLEAR] if len(rows) else rows
    if not len(rows):
        return clip
    angle = _turned(rows, np.stack([[excess(rows, sign * one) for one in ANGLES] for sign in (1.0, -1.0)]), clip)
    rotations = clip.world[1].copy()
    turn = from_axis_angle(axis, stays * angle)
    for joint in (first, middle):
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations)


def _turned(rows: NDArray[np.intp], excess: Array, clip: Clip) -> Array:
    """By how much (F) to turn at some frames (N), of how deep an arm is (2, A, N) that is turned either way by each of
    the angles: for as long as it would be in something to the same side, smoothly.
    """
    enough = excess <= CLEAR
    chosen = np.where(enough.any(axis=1), enough.argmax(axis=1), excess.argmin(axis=1))
    left = np.take_along_axis(excess, chosen[:, None], axis=1)[:, 0]
    about = np.zeros(len(clip), dtype=bool)
    about[rows] = True
    about = np.asarray(
        scipy.ndimage.maximum_filter1d(about, max(round(APART * clip.rate), 1), mode="constant"), dtype=bool
    )
    result = np.zeros(len(clip))
    for start, stop in runs_of(about):
        within = (rows >= start) & (rows < stop)
        cost = ANGLES[chosen[:, within]].max(axis=1) + left[:, within].max(axis=1) / CLEAR
        way = int(cost.argmin())
        amount = np.zeros(len(clip))
        amount[rows[within]] = ANGLES[chosen[way, within]]
        result += (1.0, -1.0)[way] * smooth_peak(amount, clip.rate)
    return result
