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
from ...scene.collider_pose import AnimatedCollider
from .depenetration import ALLOWED_DEPTH_M, MERGE_GAP_S, near_frames, smooth_envelope

SWIVEL_ANGLES_RAD: Final = np.radians(np.arange(0.0, 81.0, 10.0))
"""By how much elbows are turned out, or in."""
CLEAR_DEPTH_M: Final = 0.004
"""Metres over what flesh gives way from which a turn is large enough."""
HOLDING_THRESHOLD: Final = 0.5
"""How far a hand holds something whose elbow is looked at."""


def swivel_elbow(
    body: BodyCapsules,
    clip: Clip,
    colliders: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    side: str,
    holding_weight: Array,
) -> Clip:
    """The clip with an arm turned about the line from its shoulder to its wrist, out of things, as far as its hand
    holds something.

    Args:
        body, clip, things, spared: see :func:`.limbs_clear.limbs_clear`.
        side: ``"L"`` or ``"R"``.
        holding_weight: (F) from 0 to 1, how far the hand holds something.
    """
    spheres = body.sphere_indices((f"upper_arm.{side}", f"forearm.{side}"))
    first, middle, last = (clip.skeleton.role(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand"))
    shoulder = clip.positions[:, first]
    axis = normalize(clip.positions[:, last] - shoulder)
    own = body.sphere_centres(clip)[:, spheres]

    def excess(rows: NDArray[np.intp], angle: float) -> Array:
        """How much deeper (N) an arm that is turned is in something than flesh gives way, metres."""
        turn = from_axis_angle(axis[rows], np.full(len(rows), angle))[:, None]
        points = shoulder[rows, None] + rotate(turn, own[rows] - shoulder[rows, None])
        deepest = np.zeros(len(rows))
        for thing, free in zip(colliders, collision_masks, strict=True):
            inside = AnimatedCollider(thing.collider, thing.positions[rows], thing.rotations[rows]).to_local(points)
            depths = (
                thing.collider.penetration_depths(inside.reshape(-1, 3)).reshape(inside.shape[:2]) + body.radii[spheres]
            )
            deepest = np.maximum(deepest, np.where(free[rows][:, spheres], 0.0, depths).max(axis=1))
        return np.maximum(deepest - ALLOWED_DEPTH_M, 0.0)

    near = np.zeros(len(clip), dtype=bool)
    for thing in colliders:
        near[near_frames(clip, thing)] = True
    rows = np.flatnonzero(near & (holding_weight > HOLDING_THRESHOLD))
    rows = rows[excess(rows, 0.0) > CLEAR_DEPTH_M] if len(rows) else rows
    if not len(rows):
        return clip
    angle = _swivel_angles(
        rows, np.stack([[excess(rows, sign * one) for one in SWIVEL_ANGLES_RAD] for sign in (1.0, -1.0)]), clip
    )
    rotations = clip.world[1].copy()
    turn = from_axis_angle(axis, holding_weight * angle)
    for joint in (first, middle):
        rotations[:, joint] = multiply(turn, rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations)


def _swivel_angles(rows: NDArray[np.intp], penetrations: Array, clip: Clip) -> Array:
    """By how much (F) to turn at some frames (N), of how deep an arm is (2, A, N) that is turned either way by each of
    the angles: for as long as it would be in something to the same side, smoothly.
    """
    enough = penetrations <= CLEAR_DEPTH_M
    chosen = np.where(enough.any(axis=1), enough.argmax(axis=1), penetrations.argmin(axis=1))
    left = np.take_along_axis(penetrations, chosen[:, None], axis=1)[:, 0]
    about = np.zeros(len(clip), dtype=bool)
    about[rows] = True
    about = np.asarray(
        scipy.ndimage.maximum_filter1d(about, max(round(MERGE_GAP_S * clip.rate), 1), mode="constant"), dtype=bool
    )
    result = np.zeros(len(clip))
    for start, stop in runs_of(about):
        within = (rows >= start) & (rows < stop)
        cost = SWIVEL_ANGLES_RAD[chosen[:, within]].max(axis=1) + left[:, within].max(axis=1) / CLEAR_DEPTH_M
        way = int(cost.argmin())
        amount = np.zeros(len(clip))
        amount[rows[within]] = SWIVEL_ANGLES_RAD[chosen[way, within]]
        result += (1.0, -1.0)[way] * smooth_envelope(amount, clip.rate)
    return result
