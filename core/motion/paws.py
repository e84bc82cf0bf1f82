"""Paws: the four ends of a quadruped's legs, and the chains of bones that lead to them.

Legs of animals have two, three or four bones between hip and paw: hock and wrist are off the ground. A paw is the joint
with the lowest role of its leg (toe, else foot), or the tip of the leg's last bone.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..message import Message
from .clip import Clip
from .roles import PAW_CONTACTS
from .rotations import Array, rotate
from .skeleton import Skeleton

LOWER_LEG_PARTS: Final = ("toe", "foot", "shin")
"""Parts of a leg that can end in its paw, upward."""


@dataclass(frozen=True, slots=True, eq=False)
class LegChain:
    """The chain of bones from a hip, or a shoulder, to a paw.

    Attributes:
        joints: indices of the joints that turn, downward.
        tip: offset (3) of the paw from the last of them in its frame, meters.
        paw: index of the paw's joint; ``None`` if the paw is the tip of a bone.
    """

    joints: tuple[int, ...]
    tip: Array
    paw: int | None

    @staticmethod
    def of(skeleton: Skeleton, contact: str) -> "LegChain":
        """Return the chain to a paw, one of ``roles.PAW_CONTACTS``.

        Raises:
            FootfallError: a joint of the leg is not known.
        """
        end, paw = lowest_joint(skeleton, contact)
        upward = [end, *ancestors(skeleton, end)]
        joints = upward[: upward.index(skeleton.joint(_leg_role(contact, "thigh"))) + 1]
        if paw is None:
            return LegChain(tuple(joints[::-1]), skeleton.bone_vectors[end], None)
        return LegChain(tuple(joints[:0:-1]), skeleton.offsets[end], paw)

    def length(self, skeleton: Skeleton) -> float:
        """Return the length of the straight leg, meters."""
        bones = np.linalg.norm(skeleton.offsets[list(self.joints[1:])], axis=-1)
        return float(bones.sum() + np.linalg.norm(self.tip))

    def paw_positions(self, positions: Array, rotations: Array) -> Array:
        """Return the paw (F, 3), meters, of joint positions (F, J, 3) and world rotations (F, J, 4)."""
        last = self.joints[-1]
        return positions[:, last] + rotate(rotations[:, last], np.broadcast_to(self.tip, positions[:, last].shape))


def leg_chains(skeleton: Skeleton) -> list[LegChain]:
    """Return the chains of the four legs, in the order of ``roles.PAW_CONTACTS``."""
    return [LegChain.of(skeleton, contact) for contact in PAW_CONTACTS]


def paw_tracks(clip: Clip) -> Array:
    """Return the world positions (F, 4, 3) of a quadruped's paws, meters, in the order of ``roles.PAW_CONTACTS``."""
    return np.stack([chain.paw_positions(*clip.world) for chain in leg_chains(clip.skeleton)], axis=1)


def lowest_joint(skeleton: Skeleton, contact: str) -> tuple[int, int | None]:
    """Return the last joint of a leg with a role, and the same if it is the paw; ``None`` if the paw is its bone's tip.

    Args:
        skeleton: a quadruped's.
        contact: one of ``roles.PAW_CONTACTS``.
    """
    for part in LOWER_LEG_PARTS:
        joint = skeleton.roles.get(_leg_role(contact, part))
        if joint is not None:
            has_tip = part != "toe" and bool(np.linalg.norm(skeleton.bone_vectors[joint]) > 1e-6)
            return joint, None if has_tip else joint
    return skeleton.joint(_leg_role(contact, "shin")), None


def chest_joint(skeleton: Skeleton) -> int:
    """Return the joint that carries both front legs of a quadruped."""
    right = (skeleton.joint("front_thigh.R"), *ancestors(skeleton, skeleton.joint("front_thigh.R")))
    return next(joint for joint in ancestors(skeleton, skeleton.joint("front_thigh.L")) if joint in right)


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the joints above a joint, its parent first."""
    found: list[int] = []
    while (joint := skeleton.parents[joint]) >= 0:
        found.append(joint)
    return found


def _leg_role(contact: str, part: str) -> str:
    """Return the role of a part of the leg of a contact."""
    return contact.replace("foot", part)


def require_four_legs(skeleton: Skeleton) -> None:
    """Raise a :class:`FootfallError` that names the legs of a quadruped that are not mapped."""
    parts = ("thigh", "shin")
    missing = [leg for leg, role in _LEGS if any(role.format(part) not in skeleton.roles for part in parts)]
    if missing:
        raise FootfallError(
            "A walk on four legs needs all four, and {join} is not mapped: map its bones in the panel "
            "Rig, or in a rig.toml beside the clips",
            join=Message.joined(", ", missing),
        )


def require_whole_legs(skeleton: Skeleton) -> None:
    """Raise a :class:`FootfallError` that names the missing legs of a skeleton with a front leg; others are bipeds."""
    if any(f"front_thigh.{side}" in skeleton.roles and f"front_shin.{side}" in skeleton.roles for side in "LR"):
        require_four_legs(skeleton)


_LEGS: Final = (
    (Message("the left hind leg"), "{}.L"),
    (Message("the right hind leg"), "{}.R"),
    (Message("the left front leg"), "front_{}.L"),
    (Message("the right front leg"), "front_{}.R"),
)
"""The legs, and the roles of their parts."""
