"""Object retargeting: a motion adapted to another object, or to the same object with another size or pose.

Contact points follow the object, key joints their contact points, and the whole body its key joints (NSM section 5.2,
steps 2 to 5; relationship descriptors, Al-Asqhar, Komura and Choi 2013).
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from ..motion import Clip
from ..motion.rotations import Array
from .collider_pose import AnimatedCollider, PosedCollider
from .contact_points import ContactPoint, retarget_key_joints
from .full_body_ik import EffectorGoal, solve_full_body_ik

ON_TOP_RATIO: Final = 0.7
"""Height of a joint above its contact point, as a share of their distance, from which the body is on top of the object.
"""
RAISED_ANKLE_RATIO: Final = 0.2
"""Height of an ankle over the floor, relative to leg length, above which the foot is not on the floor."""


def retarget_to_object(
    clip: Clip,
    contacts: Mapping[str, ContactPoint],
    points: Mapping[str, Array],
    object_collider: PosedCollider | AnimatedCollider,
) -> Clip:
    """Adapt a clip to an object; bones keep their lengths, and feet on the ground keep their positions.

    Args:
        clip: the captured motion.
        contacts: contacts in the captured motion, by role of the key joint.
        points: (3) new contact points by role, in the object's space, meters.
        object_collider: the object at its new pose.

    Raises:
        FootfallError: the skeleton has no arms or legs for the contacts.
    """
    about = {
        role: contact for role, contact in contacts.items() if role in points and moves_with_object(clip, role, contact)
    }
    tracks = retarget_key_joints(clip, about, points, object_collider)
    return solve_full_body_ik(
        clip, [EffectorGoal(role, positions, weights) for role, (positions, weights) in tracks.items()]
    )


def moves_with_object(clip: Clip, role: str, contact: ContactPoint) -> bool:
    """Return whether a key joint in contact moves along when the object is moved.

    Hands always do; feet and hips only on top of it, since feet beside an object stand on the ground.
    """
    if role.startswith("hand"):
        return True
    offset = np.median(contact.offsets[contact.in_contact], axis=0)
    height = float(np.median(clip.positions[contact.in_contact, clip.skeleton.joint(role), 2]))
    off_the_ground = role.startswith("foot") and height > RAISED_ANKLE_RATIO * clip.skeleton.leg_length
    return bool(off_the_ground or offset[2] > ON_TOP_RATIO * np.linalg.norm(offset))


def mean_jerk(clip: Clip) -> float:
    """Return the jerk of the joints in the world, mean over joints and frames, m/s^3 (Flash and Hogan 1985)."""
    third = np.diff(clip.positions, n=3, axis=0) * clip.rate**3
    return float(np.linalg.norm(third, axis=-1).mean())
