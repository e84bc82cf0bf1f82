"""Feet for edits of motion: the ankles of bipeds, and the paws of quadrupeds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion import Clip, Skeleton
from ...motion.contacts import FootContacts
from ...motion.limb_ik import Leg
from ...motion.paws import leg_chains
from ...motion.roles import PAW_CONTACTS, is_quadruped
from ...motion.root_frame import root_track, yaw_of
from ...motion.rotations import Array, rotate
from ...motion.signals import runs_of


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """A foot: the point that an edit positions, and the foot's contact columns.

    Attributes:
        name: ``"L"`` or ``"R"``; ``"front_L"`` or ``"front_R"`` of a front paw.
        joint: the joint that carries the point and defines the foot's rotation.
        tip: offset (3) of the point from the joint, in the joint's frame, meters.
        columns: the foot's columns in ``FootContacts``.
    """

    name: str
    joint: int
    tip: Array
    columns: slice

    def places(self, clip: Clip) -> Array:
        """Return the positions (F, 3) of the foot's point, meters, world."""
        positions, rotations = (part[:, self.joint] for part in clip.world)
        return positions + rotate(rotations, np.broadcast_to(self.tip, positions.shape))

    def turns(self, clip: Clip) -> Array:
        """Return the rotations (F, 4) of the foot, quaternions, world."""
        return clip.world[1][:, self.joint]

    def yaw(self, clip: Clip, frame: int) -> float:
        """Return the yaw, radians, of the direction from ankle to toe at a frame; for a paw, the yaw of the body."""
        toe = clip.skeleton.roles.get(f"toe.{self.name}")
        if toe is None or is_quadruped(clip.skeleton.roles):
            return float(root_track(clip.cut(frame, frame + 1)).yaws[0])
        return float(yaw_of((clip.positions[frame, toe] - clip.positions[frame, self.joint])[:2]))

    def runs(self, contacts: FootContacts) -> NDArray[np.intp]:
        """Return the frame ranges (R, 2), first frame and frame after the last, of the foot's contacts."""
        return runs_of(np.asarray(contacts.held[:, self.columns].any(axis=1)))


def feet_of(skeleton: Skeleton) -> list[Foot]:
    """Return the two feet of a biped, or the four feet of a quadruped in the order of ``roles.PAW_CONTACTS``."""
    if not is_quadruped(skeleton.roles):
        joints = [Leg.of(skeleton, side).foot for side in "LR"]
        return [Foot(side, joints[at], np.zeros(3), slice(2 * at, 2 * at + 2)) for at, side in enumerate("LR")]
    feet = list[Foot]()
    for column, (contact, chain) in enumerate(zip(PAW_CONTACTS, leg_chains(skeleton), strict=True)):
        name = contact.replace("foot.", "")
        joint, tip = (chain.joints[-1], chain.tip) if chain.paw is None else (chain.paw, np.zeros(3))
        feet.append(Foot(name, joint, tip, slice(column, column + 1)))
    return feet


def foot_named(skeleton: Skeleton, name: str) -> Foot:
    """Return the foot with a name, such as ``"L"``.

    Raises:
        FootfallError: the body has no such foot.
    """
    found = next((foot for foot in feet_of(skeleton) if foot.name == name), None)
    if found is None:
        raise FootfallError("Only four-legged characters have front feet: remove the edited steps of front feet")
    return found
