"""Doors that are pushed open by who walks through, and fall shut behind them."""

from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...scene.body_capsules import ADULT_LEG_M, LIMB_CAPSULES, TRUNK_RADII_M
from ...scene.interaction_object import InteractionObject

OPEN_ANGLE_RAD: Final = np.radians(70.0)
"""A door is open from here on; ..."""
MAX_OPENING_RAD: Final = np.radians(100.0)
"""... farther it does not go; ..."""
CLOSING_S: Final = 1.2
"""... and shut it falls in seconds, to a tenth, once somebody is through."""
HANDLE_DISTANCE_M: Final = 0.46
"""Metres before the hips at which who walks through a door has its handle."""
PASSED_DISTANCE_M: Final = 0.35
"""Metres beyond a door's leaf, when it is wide open, at which somebody is through."""
MAX_HAND_SWING_RAD: Final = 0.06
"""Radians in a frame (at 60 a second) by which a hand swings a door; a body that would be in it swings it at once."""
TOE_RADIUS_M: Final = 0.08
"""Metres by which toes are ahead of their joint, and somewhat more."""
LEAF_CLEARANCE_M: Final = 0.05
"""Metres between a body's flesh and the middle of a leaf that it pushes."""


def pushing_joints(model: ControllerModel) -> tuple[list[int], Array]:
    """The joints (N) of a controller's pose that push a door, and how thick (N) somebody is there, metres: trunk,
    shoulders and legs; hands have a handle.
    """
    size = model.skeleton.leg_length / ADULT_LEG_M
    limbs = {part: LIMB_CAPSULES[part][1] for part in ("upper_arm", "thigh", "shin", "foot")} | {"toe": TOE_RADIUS_M}
    thick = TRUNK_RADII_M | {f"{part}.{side}": radius for part, radius in limbs.items() for side in "LR"}
    roles = {model.skeleton.names[joint]: role for role, joint in model.skeleton.roles.items()}
    found = [
        (number, size * thick[roles[name]]) for number, name in enumerate(model.joints) if roles.get(name) in thick
    ]
    return [number for number, _ in found], np.array([radius for _, radius in found])


def push_door(door: InteractionObject, root_position: Array, body_points: Array, radii: Array, angle: float) -> float:
    """How far a door is open, radians, counter-clockwise, whose leaf is pushed: it is ahead of who walks through.

    Args:
        door: shut, seen from where they come from.
        root_position: (2) where they are, metres, world.
        body_points: (N, 3) points of their body, each so thick (N).
        angle: how far it is open already.
    """
    assert door.handle is not None
    # The leaf swings away from who comes; where its hinge is decides which way round that is.
    sign = -1.0 if door.handle.position[0] > door.handle.hinge[0] else 1.0
    aside, beyond = _leaf_coordinates(door, np.append(root_position, 0.0)[None])
    width = door.handle.hinge_distance
    if not -width / 2 <= aside[0] <= 1.5 * width or beyond[0] < -HANDLE_DISTANCE_M:
        return angle
    by_hand = float(np.arcsin(np.clip((beyond[0] + HANDLE_DISTANCE_M) / width, 0.0, 1.0)))
    aside, beyond = _leaf_coordinates(door, body_points)
    away, room = np.hypot(aside, beyond), radii + LEAF_CLEARANCE_M
    met = (away > room) & (away < width + room) & (aside > 0)
    by_body = np.arctan2(beyond, aside)[met] + np.arcsin(room[met] / away[met])
    by_hand = min(by_hand, sign * angle + MAX_HAND_SWING_RAD)
    least = min(max(by_hand, float(by_body.max(initial=0.0))), float(MAX_OPENING_RAD))
    return sign * max(sign * angle, least)


def _leaf_coordinates(door: InteractionObject, points: Array) -> tuple[Array, Array]:
    """Points (N, 3) from a shut door's hinge: along the leaf (N), and beyond it (N), metres."""
    assert door.handle is not None
    hinge = door.posed_collider.to_world(door.handle.hinge[None])[0]
    leaf = door.posed_collider.to_world(door.handle.position[None])[0] - hinge
    along = np.array([-door.front_direction[1], door.front_direction[0]])
    along = along if float(along @ leaf[:2]) > 0 else -along
    offset = (points - hinge)[:, :2]
    return offset @ along, -(offset @ door.front_direction)
