"""The choice of a position on another object where a carried object is put down."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion.rotations import Array, rotate
from ...scene.affordances import find_placement_surfaces, placement_poses
from ...scene.collider_pose import PosedCollider
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned
from ..navigation.approach_pose import blocking_penalty, shortest_way


@dataclass(frozen=True, slots=True)
class PuttingDownTuning(Tuning):
    placement_gap: float = tuned(0.002, "m", 0.0, 0.02)
    """Gap between a placed object and its support."""
    edge_clearance: float = tuned(0.03, "m", 0.0, 0.2)
    """Distance of a placed object from the edge of its support."""
    stand_distance: float = tuned(0.3, "m", 0.1, 1.0)
    """Room that the character needs in front of the support's edge."""


TUNING: Final = PuttingDownTuning()


def find_put_down(
    support: InteractionObject, carried: InteractionObject, others: Sequence[PosedCollider]
) -> tuple[Array, Array]:
    """Return the position (3), meters, world, for a carried object on a support, and the direction (2) to its bearer.

    The position is near an edge with free space in front of it, and as close as possible to the object's current place.

    Args:
        support: the object on which the carried object is put.
        carried: the carried object.
        others: the colliders of all objects except the carried one.

    Raises:
        FootfallError: there is no room for the object.
    """
    lower, upper = carried.collider.bounds
    width, depth = (float(size) for size in (upper - lower)[:2])
    spots = [
        (support.posed_collider.to_world(place[None])[0], rotate(support.rotation, np.append(side, 0.0))[:2])
        for top in find_placement_surfaces(support.collider)
        for place, side in placement_poses(top, width, depth, TUNING.edge_clearance)
    ]
    if not spots:
        raise FootfallError(
            "There is no room for '{object}' on '{surface}': choose a larger object to put it on",
            object=carried.name,
            surface=support.name,
        )

    def detour(spot: tuple[Array, Array]) -> float:
        place, side = spot
        stand = place[:2] + (depth / 2 + TUNING.edge_clearance + TUNING.stand_distance) * side
        return float(np.linalg.norm(stand - carried.position[:2])) + blocking_penalty(stand, others)

    place, side = spots[shortest_way([detour(spot) for spot in spots])]
    return np.append(place[:2], _surface_height(support, place) + TUNING.placement_gap), side


def _surface_height(support: InteractionObject, place: Array) -> float:
    """Return the height of a support's mesh at a position (3), meters, world; its collider can be a voxel higher."""
    if support.surface is None:
        return float(place[2])
    local = support.posed_collider.to_local(place[None])[0]
    return float(support.position[2]) + support.surface.height_below(local)
