"""Elbow swivel: arms whose hands hold an object rotate about the line from shoulder to wrist, out of obstacles.

The swivel angle (Tolani, Goswami and Badler 2000) is the best of a list, to one side per penetration.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.arm_swivel import ArmSwivel
from ...motion.limb_ik import with_world_rotations
from ...motion.rotations import Array, from_axis_angle, rotate
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...tuning import Tuning, tuned
from . import depenetration
from .depenetration import near_frames, smooth_envelope

SWIVEL_ANGLES_RAD: Final = np.radians(np.arange(0.0, 81.0, 10.0))
"""Swivel angles of an elbow to try, to either side."""


@dataclass(frozen=True, slots=True)
class ElbowSwivel(Tuning):
    clear_depth: float = tuned(0.004, "m", 0.0005, 0.05)
    """Largest penetration beyond the allowed depth at which a swivel angle is accepted."""
    holding_threshold: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight above which a hand counts as holding an object, so that its elbow swivels."""


TUNING: Final = ElbowSwivel()


def swivel_elbow(
    body: BodyCapsules,
    clip: Clip,
    colliders: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    side: str,
    holding_weight: Array,
    near: Sequence[NDArray[np.intp]] | None = None,
) -> Clip:
    """Return the motion with an arm rotated about the line from shoulder to wrist, out of obstacles.

    Args:
        body: Capsules of the body.
        clip: The motion, F frames.
        colliders: Animated colliders.
        collision_masks: For each collider (F, S) whether it ignores a sphere of :class:`BodyCapsules`.
        side: ``"L"`` or ``"R"``.
        holding_weight: (F) weight with which the hand holds an object, 0 to 1; it scales the rotation.
        near: For each collider the result of :func:`.depenetration.near_frames`, if it is known.
    """
    spheres = body.sphere_indices((f"upper_arm.{side}", f"forearm.{side}"))
    arm = ArmSwivel.of(clip.skeleton, clip.positions, side)

    def excess(rows: NDArray[np.intp], angle: float) -> Array:
        """Return how deep (N), meters, a rotated arm penetrates beyond the allowed depth at frames `rows` (N)."""
        turn, shoulder = from_axis_angle(arm.axis[rows], np.full(len(rows), angle))[:, None], arm.shoulder[rows, None]
        points = shoulder + rotate(turn, body.sphere_centres(clip, spheres, rows) - shoulder)
        deepest = np.zeros(len(rows))
        for obstacle, ignored, close in zip(colliders, collision_masks, is_near, strict=True):
            met = np.flatnonzero(close[rows])
            if not len(met):
                continue
            some = rows[met]
            moving = AnimatedCollider(obstacle.collider, obstacle.positions[some], obstacle.rotations[some])
            inside = moving.to_local(points[met])
            depths = (
                obstacle.collider.penetration_depths(inside.reshape(-1, 3)).reshape(inside.shape[:2])
                + body.radii[spheres]
            )
            deepest[met] = np.maximum(deepest[met], np.where(ignored[some][:, spheres], 0.0, depths).max(axis=1))
        return np.maximum(deepest - depenetration.TUNING.allowed_depth, 0.0)

    is_near = np.zeros((len(colliders), len(clip)), dtype=bool)
    for number, collider in enumerate(colliders):
        is_near[number, near_frames(clip, collider) if near is None else near[number]] = True
    rows = np.flatnonzero(is_near.any(axis=0) & (holding_weight > TUNING.holding_threshold))
    rows = rows[excess(rows, 0.0) > TUNING.clear_depth] if len(rows) else rows
    if not len(rows):
        return clip
    angle = _swivel_angles(rows, np.stack([_penetrations(rows, excess, sign) for sign in (1.0, -1.0)]), clip)
    rotations = clip.world[1].copy()
    arm.turn(rotations, holding_weight * angle)
    return with_world_rotations(clip, clip.root_positions, rotations)


def _penetrations(rows: NDArray[np.intp], excess: Callable[[NDArray[np.intp], float], Array], sign: float) -> Array:
    """Return the penetrations (A, N), meters, at N frames and A angles to a side, infinite after the first clear angle.

    Args:
        rows: (N) the frames.
        excess: returns the penetrations at some frames for an angle, radians.
        sign: side of the angles, 1 or -1.
    """
    result, left = np.full((len(SWIVEL_ANGLES_RAD), len(rows)), np.inf), np.arange(len(rows))
    for depths, angle in zip(result, SWIVEL_ANGLES_RAD, strict=True):
        depths[left] = excess(rows[left], sign * angle)
        left = left[depths[left] > TUNING.clear_depth]
        if not len(left):
            break
    return result


def _swivel_angles(rows: NDArray[np.intp], penetrations: Array, clip: Clip) -> Array:
    """Return smooth swivel angles (F), radians, from the penetrations (2, A, N) at A angles to either side at N frames.

    Each penetration is resolved to one side.
    """
    is_clear = penetrations <= TUNING.clear_depth
    chosen = np.where(is_clear.any(axis=1), is_clear.argmax(axis=1), penetrations.argmin(axis=1))
    remaining = np.take_along_axis(penetrations, chosen[:, None], axis=1)[:, 0]
    penetrating = np.zeros(len(clip), dtype=bool)
    penetrating[rows] = True
    gap = max(round(depenetration.TUNING.merge_gap * clip.rate), 1)
    penetrating = np.asarray(scipy.ndimage.maximum_filter1d(penetrating, gap, mode="constant"), dtype=bool)
    result = np.zeros(len(clip))
    for start, stop in runs_of(penetrating):
        within = (rows >= start) & (rows < stop)
        cost = SWIVEL_ANGLES_RAD[chosen[:, within]].max(axis=1) + remaining[:, within].max(axis=1) / TUNING.clear_depth
        best_side = int(cost.argmin())
        amount = np.zeros(len(clip))
        amount[rows[within]] = SWIVEL_ANGLES_RAD[chosen[best_side, within]]
        result += (1.0, -1.0)[best_side] * smooth_envelope(amount, clip.rate)
    return result
