"""Doors that are pushed open by who walks through, and fall shut behind them."""

from typing import Final

import numpy as np

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...scene.body_capsules import LEG, LIMBS, TRUNK
from ...scene.interaction_object import Thing

SWUNG: Final = np.radians(70.0)
"""A door is open from here on; ..."""
WIDEST: Final = np.radians(100.0)
"""... farther it does not go; ..."""
FALLS: Final = 1.2
"""... and shut it falls in seconds, to a tenth, once somebody is through."""
PUSHED: Final = 0.46
"""Metres before the hips at which who walks through a door has its handle."""
THROUGH: Final = 0.35
"""Metres beyond a door's leaf, when it is wide open, at which somebody is through."""
FASTEST: Final = 0.06
"""Radians in a frame (at 60 a second) by which a hand swings a door; a body that would be in it swings it at once."""
TOES: Final = 0.08
"""Metres by which toes are ahead of their joint, and somewhat more."""
ROOM: Final = 0.05
"""Metres between a body's flesh and the middle of a leaf that it pushes."""


def pushing(model: ControllerModel) -> tuple[list[int], Array]:
    """The joints (N) of a controller's pose that push a door, and how thick (N) somebody is there, metres: trunk,
    shoulders and legs; hands have a handle.
    """
    size = model.skeleton.leg_length / LEG
    limbs = {part: LIMBS[part][1] for part in ("upper_arm", "thigh", "shin", "foot")} | {"toe": TOES}
    thick = TRUNK | {f"{part}.{side}": radius for part, radius in limbs.items() for side in "LR"}
    roles = {model.skeleton.names[joint]: role for role, joint in model.skeleton.roles.items()}
    found = [
        (number, size * thick[roles[name]]) for number, name in enumerate(model.joints) if roles.get(name) in thick
    ]
    return [number for number, _ in found], np.array([radius for _, radius in found])


def pushed(door: Thing, place: Array, body: Array, thick: Array, angle: float) -> float:
    """How far a door is open, radians, counter-clockwise, whose leaf is pushed: it is ahead of who walks through.

    Args:
        door: shut, seen from where they come from.
        place: (2) where they are, metres, world.
        body: (N, 3) points of their body, each so thick (N).
        angle: how far it is open already.
    """
    assert door.handle is not None
    # The leaf swings away from who comes; where its hinge is decides which way round that is.
    sign = -1.0 if door.handle.position[0] > door.handle.hinge[0] else 1.0
    aside, beyond = _seen(door, np.append(place, 0.0)[None])
    width = door.handle.reach
    if not -width / 2 <= aside[0] <= 1.5 * width or beyond[0] < -PUSHED:
        return angle
    by_hand = float(np.arcsin(np.clip((beyond[0] + PUSHED) / width, 0.0, 1.0)))
    aside, beyond = _seen(door, body)
    away, room = np.hypot(aside, beyond), thick + ROOM
    met = (away > room) & (away < width + room) & (aside > 0)
    by_body = np.arctan2(beyond, aside)[met] + np.arcsin(room[met] / away[met])
    by_hand = min(by_hand, sign * angle + FASTEST)
    least = min(max(by_hand, float(by_body.max(initial=0.0))), float(WIDEST))
    return sign * max(sign * angle, least)


def _seen(door: Thing, points: Array) -> tuple[Array, Array]:
    """Points (N, 3) from a shut door's hinge: along the leaf (N), and beyond it (N), metres."""
    assert door.handle is not None
    hinge = door.placed.out(door.handle.hinge[None])[0]
    leaf = door.placed.out(door.handle.position[None])[0] - hinge
    along = np.array([-door.front[1], door.front[0]])
    along = along if float(along @ leaf[:2]) > 0 else -along
    offset = (points - hinge)[:, :2]
    return offset @ along, -(offset @ door.front)
