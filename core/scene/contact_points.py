"""Where a body touches an object, and how its key joints follow when the object is another one (NSM section 5.2, steps
2 to 4; relationship descriptors, Al-Asqhar et al. 2013).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.blending import blend_corrections
from ..motion.rotations import Array
from ..motion.signals import drop_short_runs, runs_of
from .collider import Collider
from .collider_pose import AnimatedCollider, PosedCollider

KEY_JOINTS: Final = ("hips", "hand.L", "hand.R", "foot.L", "foot.R")
CONTACT_DISTANCE_M: Final = {"hips": 0.22, "hand": 0.16, "foot": 0.16}
"""Metres from the surface within which a key joint touches: joints lie within the flesh, hips most of all."""
MIN_CONTACT_S: Final = 0.2
"""Seconds; who is near for less passes by."""
CONTACT_BLEND_S: Final = 1.0
"""Seconds over which a joint goes from its own way to that which the object asks for."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactPoint:
    """One key joint's contact.

    Attributes:
        point: (3) on the surface, in the object's space.
        touching: (F) when the joint is near.
        offsets: (F, 3) from the point to the joint, turned as the object is; what the joint keeps.
    """

    point: Array
    in_contact: NDArray[np.bool_]
    offsets: Array


def find_contact_points(clip: Clip, object_collider: PosedCollider | AnimatedCollider) -> dict[str, ContactPoint]:
    """Return the contacts of a clip's key joints with an object, by role: one point each, where the joint is nearest
    while it touches; none of joints that never do.
    """
    result: dict[str, ContactPoint] = {}
    for role in KEY_JOINTS:
        if role not in clip.skeleton.roles:
            continue
        track = object_collider.to_local(clip.positions[:, clip.skeleton.roles[role]])
        distances = object_collider.collider.distances(track)
        touching = drop_short_runs(
            (distances < CONTACT_DISTANCE_M[role.partition(".")[0]])[:, None], max(round(MIN_CONTACT_S * clip.rate), 1)
        )[:, 0]
        if touching.any():
            frame = int(np.argmin(np.where(touching, distances, np.inf)))
            point = nearest_surface_point(object_collider.collider, track[frame])
            result[role] = ContactPoint(point, touching, track - point)
    return result


def nearest_surface_point(collider: Collider, point: Array) -> Array:
    """Return the point (3) of an object's surface nearest to a point (3); from within, where it is the shortest way
    out along an axis.
    """
    nearest = collider.nearest_points(point[None])[0]
    return nearest + collider.exit_vectors(nearest[None])[0]


def retarget_key_joints(
    clip: Clip,
    contacts: Mapping[str, ContactPoint],
    points: Mapping[str, Array],
    object_collider: PosedCollider | AnimatedCollider,
) -> dict[str, tuple[Array, Array]]:
    """Where key joints go when their contact points are elsewhere: by role, positions (F, 3), metres, world, and how
    much they matter (F), 1 while they touch.

    Args:
        clip: the motion as it was captured.
        contacts: what it touched.
        points: (3) the contact points now, in the object's space.
        object_collider: the object, and where it is now.
    """
    result: dict[str, tuple[Array, Array]] = {}
    span = max(round(CONTACT_BLEND_S * clip.rate), 1)
    for role, contact in contacts.items():
        own = clip.positions[:, clip.skeleton.joint(role)]
        wanted = object_collider.to_world(points[role] + contact.offsets)
        runs = runs_of(contact.in_contact)
        correction = np.where(contact.in_contact[:, None], wanted - own, 0.0)
        weights = blend_corrections(contact.in_contact[:, None].astype(float), runs, span)[:, 0]
        result[role] = (own + blend_corrections(correction, runs, span), weights)
    return result
