"""Parametric stools, boxes and doors fitted to a clip, and contact points transferred between objects."""

from collections.abc import Mapping

import numpy as np

from ..core.motion import Clip
from ..core.motion.floor import estimate_floor_height
from ..core.motion.proportions import ADULT_LEG_LENGTH_M
from ..core.motion.rotations import Array
from ..core.scene.affordances import GRIP_HEIGHT_RATIO, Grips, Seat
from ..core.scene.collider import Collider
from ..core.scene.contact_points import ContactPoint, nearest_surface_point
from ..core.scene.object_fitting import (
    PALM_FLESH_M,
    ObjectFit,
    find_grasp_frames,
    fit_object,
    leading_hand,
    palm_positions,
    seat_position,
)
from ..training.interactions.props.doors import Door
from ..training.interactions.props.seats import Stool
from ..training.interactions.props.tables import Box


def fit_proxy_object(clip: Clip, action: str, frame: int, floor_height: float | None = None) -> ObjectFit:
    """Return a stool, box or door made to measure for the body at a frame.

    Args:
        clip: the motion.
        action: one of ``OBJECT_ACTIONS``.
        frame: frame at which the body rests.
        floor_height: height of the floor, meters; estimated from the feet by default.
    """
    ground = estimate_floor_height(clip) if floor_height is None else floor_height
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    if action == "sit":
        height = max(float(seat_position(clip, frame)[2]) - ground, 0.1)
        size = 0.36 * scale
        collider = Collider.from_mesh(*Stool(seat_height=height, size=size, is_round=False).mesh())
        # The measures of the stool are exact, except for those of its voxels.
        exact = Seat(np.array([0.0, 0.0, height]), np.array([0.0, 1.0]), size, size)
        snug = Collider(collider.lower, np.minimum(collider.upper, [np.inf, np.inf, height]))
        return fit_object(clip, snug, action, frame, exact)
    if action == "carry":
        left, right = palm_positions(clip)
        width = max(float(np.linalg.norm((left - right)[frame, :2])) - 2 * PALM_FLESH_M * scale, 0.1)
        start, stop = find_grasp_frames(clip, frame)
        lowest = float(((left + right)[start:stop, 2] / 2).min()) - ground if stop > start else 0.3
        height = float(np.clip(lowest / GRIP_HEIGHT_RATIO, 0.1, 0.75 * width))
        box = Box(width, 0.75 * width, height)
        half = np.array([box.width / 2, box.depth / 2, 0.0])
        at = GRIP_HEIGHT_RATIO * height
        grips = Grips(np.array([[half[0], 0.0, at], [-half[0], 0.0, at]]), np.array([0.0, -1.0]))
        solid = Collider(-half[None], np.array([[half[0], half[1], height]]))
        return fit_object(clip, solid, action, frame, grips)
    hand = palm_positions(clip)["LR".index(leading_hand(clip, frame))][frame]
    door = Door(handle_height=float(np.clip(hand[2] - ground, 0.6, 1.5)))
    return fit_object(clip, Collider.from_mesh(*door.leaf_mesh(), 0.02), action, frame, door.affordance())


def transfer_contact_points(points: Mapping[str, ContactPoint], old: Collider, new: Collider) -> dict[str, Array]:
    """Return contact points (3) on another object, by role: at the same place of its bounding box, on its surface.

    Args:
        points: contacts by role.
        old: the original object.
        new: the other object.
    """
    (low, high), (new_low, new_high) = old.bounds, new.bounds
    size = np.maximum(high - low, 1e-9)
    return {
        role: nearest_surface_point(new, new_low + (contact.point - low) / size * (new_high - new_low))
        for role, contact in points.items()
    }
