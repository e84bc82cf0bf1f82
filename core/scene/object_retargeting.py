"""Motion adapted to another object, or to the same one that is larger, lower or elsewhere (NSM section 5.2, steps 2 to
5): contact points follow the object, key joints their contact points, and the whole body its key joints.
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
"""Hips sit and feet stand on an object, and are not beside it, where they are over what they touch by this share of the
way to it."""
RAISED_ANKLE_RATIO: Final = 0.2
"""Height of an ankle over the floor, as a share of the leg's length, from which it is not on the floor."""


def retarget_to_object(
    clip: Clip,
    contacts: Mapping[str, ContactPoint],
    points: Mapping[str, Array],
    object_collider: PosedCollider | AnimatedCollider,
) -> Clip:
    """Return a clip adapted to an object as it is now; bones keep their lengths, feet on the ground their places.

    Args:
        clip: the motion as it was captured.
        contacts: what it touched, by role, see :func:`find_contact_points`.
        points: (3) where contact points are now, in the object's space.
        object_collider: the object as it is now.

    Raises:
        FootfallError: the skeleton has no arms or legs for that.
    """
    about = {
        role: contact for role, contact in contacts.items() if role in points and moves_with_object(clip, role, contact)
    }
    tracks = retarget_key_joints(clip, about, points, object_collider)
    return solve_full_body_ik(
        clip, [EffectorGoal(role, positions, weights) for role, (positions, weights) in tracks.items()]
    )


def moves_with_object(clip: Clip, role: str, contact: ContactPoint) -> bool:
    """Whether a joint goes with an object that it touches: feet beside it stand on the ground, hips beside it over
    them.
    """
    if role.startswith("hand"):
        return True
    offset = np.median(contact.offsets[contact.in_contact], axis=0)
    height = float(np.median(clip.positions[contact.in_contact, clip.skeleton.joint(role), 2]))
    off_the_ground = role.startswith("foot") and height > RAISED_ANKLE_RATIO * clip.skeleton.leg_length
    return bool(off_the_ground or offset[2] > ON_TOP_RATIO * np.linalg.norm(offset))


def mean_jerk(clip: Clip) -> float:
    """How smooth a motion is: the mean size of all joints' third derivative, m/s^3."""
    third = np.diff(clip.positions, n=3, axis=0) * clip.rate**3
    return float(np.linalg.norm(third, axis=-1).mean())
