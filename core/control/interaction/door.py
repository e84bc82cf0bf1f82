"""Hinged doors: the opening angle of a leaf as a character walks through, and as the leaf falls shut."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array, inverse, multiply
from ...scene.body_capsules import LIMB_CAPSULES, TRUNK_RADII_M
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class DoorTuning(Tuning):
    open_angle: float = tuned(np.radians(70.0), "rad", 0.5, np.pi / 2)
    """Opening angle from which a door counts as open."""
    max_opening: float = tuned(np.radians(100.0), "rad", 1.0, np.pi)
    """Largest opening angle of a leaf."""
    closing: float = tuned(1.2, "s", 0.1, 10.0)
    """Time in which an unattended door closes to a tenth of its angle."""
    max_leaf_speed: float = tuned(np.radians(140.0), "rad/s", 0.5, 10.0)
    """Largest angular speed of a leaf."""
    handle_distance: float = tuned(0.46, "m", 0.2, 0.8)
    """Distance ahead of the hips at which a character in the passage holds the handle."""
    passed_distance: float = tuned(0.35, "m", 0.0, 1.0)
    """Distance of the root beyond a leaf that is open at a right angle from which the door counts as passed."""
    max_hand_swing: float = tuned(0.06, "rad", 0.005, 0.5)
    """Largest angle by which a hand opens a leaf in a frame of 1/60 s; a body in the way opens it at once."""
    toe_radius: float = tuned(0.08, "m", 0.02, 0.2)
    """Radius about the toe joint that encloses the toes ahead of it."""
    leaf_clearance: float = tuned(0.05, "m", 0.0, 0.2)
    """Distance from the surface of the body to the middle plane of the leaf that it pushes."""


TUNING: Final = DoorTuning()


def pushing_joints(model: ControllerModel) -> tuple[list[int], Array]:
    """Return the pose joints that push a door open: those of trunk, shoulders and legs, since hands use the handle.

    Returns:
        Indices (N) of the joints in the controller's pose, and the radii (N) of the body at them, meters.
    """
    scale = model.skeleton.leg_length / ADULT_LEG_LENGTH_M
    limbs = {part: LIMB_CAPSULES[part][1] for part in ("upper_arm", "thigh", "shin", "foot")} | {
        "toe": TUNING.toe_radius
    }
    radii = TRUNK_RADII_M | {f"{part}.{side}": radius for part, radius in limbs.items() for side in "LR"}
    roles = {model.skeleton.names[joint]: role for role, joint in model.skeleton.roles.items()}
    found = [
        (number, scale * radii[roles[name]]) for number, name in enumerate(model.joints) if roles.get(name) in radii
    ]
    return [number for number, _ in found], np.array([radius for _, radius in found])


def push_door(door: InteractionObject, root_position: Array, body_points: Array, radii: Array, angle: float) -> float:
    """Return the opening angle, radians, counterclockwise, of a door that a character walks through.

    The leaf stays ahead of the body: its angle is at least that required by the hand on the handle and by every point
    of the body. For a point, that is the angle of the tangent from the hinge to a circle about the point, in closed
    form.

    Args:
        door: the closed door, with the side of the approach as its front.
        root_position: (2) root of the character, meters, world.
        body_points: (N, 3) points of the body, meters, world.
        radii: (N) radii of the body at these points, meters.
        angle: opening angle in the previous frame, radians.
    """
    assert door.handle is not None
    sign = opening_sign(door)
    aside, beyond = leaf_coordinates(door, np.append(root_position, 0.0)[None])
    width = door.handle.hinge_distance
    if not -width / 2 <= aside[0] <= 1.5 * width or beyond[0] < -TUNING.handle_distance:
        return angle
    by_hand = float(np.arcsin(np.clip((beyond[0] + TUNING.handle_distance) / width, 0.0, 1.0)))
    by_body = clearing_angles(door, body_points, radii + TUNING.leaf_clearance)
    by_hand = min(by_hand, sign * angle + TUNING.max_hand_swing)
    required = min(max(by_hand, float(by_body.max(initial=0.0))), float(TUNING.max_opening))
    return sign * max(sign * angle, required)


def opening_sign(door: InteractionObject) -> float:
    """Return the sign of a leaf's opening angle: 1 if it opens counterclockwise seen from above, else -1."""
    assert door.handle is not None
    away = -1.0 if door.handle.position[0] > door.handle.hinge[0] else 1.0
    return -away if door.handle.is_pulled else away


def clearing_angles(door: InteractionObject, points: Array, clearances: Array) -> Array:
    """Return the opening angles (...), radians, at which a leaf's middle plane is at given distances from points.

    The angle is zero for points that the leaf does not touch: beyond its end, near its hinge, or on the other side of
    the hinge.

    Args:
        door: the closed door, with the side of the approach as its front.
        points: (..., 3) points, meters, world.
        clearances: (...) distances from the middle plane, meters.
    """
    assert door.handle is not None
    aside, beyond = leaf_coordinates(door, points)
    distances, width = np.hypot(aside, beyond), door.handle.hinge_distance
    touches = (distances > clearances) & (distances < width + clearances) & (aside > 0)
    shares = np.divide(clearances, distances, out=np.zeros_like(distances), where=touches)
    return np.where(touches, np.maximum(np.arctan2(beyond, aside) + np.arcsin(shares), 0.0), 0.0)


def leaf_coordinates(door: InteractionObject, points: Array) -> tuple[Array, Array]:
    """Return horizontal coordinates (...), meters, of points from a door's hinge: along the shut leaf, and behind it.

    Args:
        door: the closed door, with the side of the approach as its front.
        points: (..., 3) points, meters, world.
    """
    assert door.handle is not None
    hinge = door.posed_collider.to_world(door.handle.hinge[None])[0]
    leaf = door.posed_collider.to_world(door.handle.position[None])[0] - hinge
    along = np.array([-door.front_direction[1], door.front_direction[0]])
    along = along if float(along @ leaf[:2]) > 0 else -along
    offset = (points - hinge)[..., :2]
    return offset @ along, -(offset @ door.front_direction)


def opening_angle(current: InteractionObject, closed: InteractionObject) -> float:
    """Return the absolute angle, radians, between the current and the closed state of a door."""
    swing = multiply(current.rotation, inverse(closed.rotation))
    return float(2 * np.arctan2(abs(swing[3]), abs(swing[0])))


def opening_start(angles: Array) -> int:
    """Return the frame from which a door opens to its widest angle without falling shut in between.

    Args:
        angles: (F) absolute opening angles, radians.
    """
    shut = int(np.argmin(angles))
    widest = shut + int(np.argmax(angles[shut:]))
    return widest - int(np.argmin(angles[widest::-1]))
