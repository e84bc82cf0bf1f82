"""Fingers closed around a ball: each joint bends until the end of its bone touches the sphere.

This replaces captured finger motion, which fits only the captured hand and ball size.
"""

from typing import Final

import numpy as np

from ..motion.rotations import Array, from_axis_angle, normalize, rotate

FINGER_RADIUS_M: Final = 0.008
"""Radius of an adult's finger."""
BEND_RANGE_RAD: Final = (-0.7, 1.4)
"""Smallest (bent backward) and largest (closed) angle of a finger joint."""


def finger_bends(points: Array, center: Array, radius: float) -> tuple[Array, Array]:
    """Return the axis (3) about which a finger closes on a ball, and the bend (N) of each of its joints, radians.

    Args:
        points: (N + 1, 3) heads of the finger's bones at rest, then its tip, meters.
        center: (3) center of the ball, in the frame of ``points``, meters.
        radius: radius of the ball, meters.
    """
    axis = np.cross(points[1] - points[0], center - points[0])
    if np.linalg.norm(axis) < 1e-9:
        return np.array([1.0, 0.0, 0.0]), np.zeros(len(points) - 1)
    axis = normalize(axis)
    place, turned, bends = points[0].copy(), 0.0, []
    for bone in np.diff(points, axis=0):
        along, to_center = rotate(from_axis_angle(axis, turned), bone), center - place
        length, away = float(np.linalg.norm(bone)), float(np.linalg.norm(to_center))
        reached = radius + FINGER_RADIUS_M
        # The triangle of the joint, the bone's end on the ball, and the ball's center.
        inner = np.arccos(np.clip((away**2 + length**2 - reached**2) / (2.0 * away * length), -1.0, 1.0))
        now = np.arctan2(np.cross(along, to_center) @ axis, along @ to_center)
        bend = float(np.clip(now - inner, *BEND_RANGE_RAD))
        turned += bend
        place = place + rotate(from_axis_angle(axis, bend), along)
        bends.append(bend)
    return axis, np.array(bends)
