"""Contacts of key joints with an object, and the motion of key joints that follow them (NSM section 5.2, steps 2 to 4).

Relationship descriptors, Al-Asqhar, Komura and Choi 2013.
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
"""Roles of the joints whose contacts are preserved."""
CONTACT_DISTANCE_M: Final = {"hips": 0.22, "hand": 0.16, "foot": 0.16}
"""Distance from the surface within which a key joint is in contact; joints are inside the flesh, hips deepest."""
MIN_CONTACT_S: Final = 0.2
"""Shortest duration of a contact; a joint that is near the object for less time is ignored."""
CONTACT_BLEND_S: Final = 1.0
"""Time over which a joint blends from its captured trajectory to its contact point's."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactPoint:
    """The contact of one key joint.

    Attributes:
        point: (3) contact point on the surface, in object space, meters.
        in_contact: (F) whether the joint is in contact with the object.
        offsets: (F, 3) preserved offsets from the point to the joint, in object space, meters.
    """

    point: Array
    in_contact: NDArray[np.bool_]
    offsets: Array


def find_contact_points(clip: Clip, object_collider: PosedCollider | AnimatedCollider) -> dict[str, ContactPoint]:
    """Return the contacts of key joints with an object, by role of the joint; joints without contact are missing.

    Each joint in contact has one contact point, at its nearest approach.
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
    """Return the point (3) of a collider's surface nearest to ``point`` (3), object space, meters.

    For a point inside, it is the nearest exit along an axis.
    """
    nearest = collider.nearest_points(point[None])[0]
    return nearest + collider.exit_vectors(nearest[None])[0]


def retarget_key_joints(
    clip: Clip,
    contacts: Mapping[str, ContactPoint],
    points: Mapping[str, Array],
    object_collider: PosedCollider | AnimatedCollider,
) -> dict[str, tuple[Array, Array]]:
    """Return, by role, world positions (F, 3), m, of key joints that follow their contact points, and weights (F).

    Args:
        clip: the captured motion.
        contacts: contacts of the clip by role.
        points: (3) new contact points by role, in object space, meters.
        object_collider: the object at its new pose.

    Returns:
        Weights are 1 during contacts and blend to 0 between them.
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
