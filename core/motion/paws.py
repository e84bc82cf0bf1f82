"""Paws: the four ends of a quadruped's legs, and the chains of bones that lead to them.

Legs of animals have two, three or four bones between hip and paw: hock and wrist are off the ground. A paw is the leg's
toe joint, else its foot joint, else the tip of its last bone. Knees bend forward, hocks and elbows backward; the rest
pose of a standing animal shows the bend direction of each joint.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..message import Message
from .clip import Clip
from .roles import PAW_CONTACTS
from .rotations import UP, Array, length, normalize, rotate, wrap_angle
from .skeleton import Skeleton

LOWER_LEG_PARTS: Final = ("toe", "foot", "shin")
"""Parts of a leg that can be its last one above the paw, from the lowest upward."""
MIN_HINGE_RAD: Final = 0.35
"""Bend at rest above which a leg's joint counts as a hinge; wrists are nearly straight and bend both ways."""
MIN_HINGE_HEIGHT_RATIO: Final = 0.2
"""Height over the paw, relative to the leg, below which a joint is not a hinge: it yields while the paw stands."""
MIN_SHOWN_RAD: Final = 0.03
"""Bend at rest below which a leg is straight and shows no bend direction."""
MIN_UPRIGHT_COSINE: Final = 0.7
"""Least cosine of the angle between the vertical and the legs of a standing animal."""
MAX_UNEVEN_RATIO: Final = 0.35
"""Largest difference in height between the paws of a standing animal, relative to leg length."""


@dataclass(frozen=True, slots=True, eq=False)
class LegChain:
    """The chain of bones from a hip, or a shoulder, to a paw.

    Attributes:
        joints: indices of the joints that rotate, from hip or shoulder downward.
        tip: (3) offset of the paw from the last of these joints, in that joint's frame, meters.
        paw: index of the paw's joint; ``None`` if the paw is the tip of a bone.
        carrier: index of the joint that carries both legs of the pair.
        left: (3) direction to the body's left, in the carrier's frame.
        sides: for each joint between the first and the paw, 1 if it bends forward (knees), -1 if it bends backward
            (hocks, elbows), 0 if it is not a hinge or its direction is unknown.
    """

    joints: tuple[int, ...]
    tip: Array
    paw: int | None
    carrier: int = 0
    left: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    sides: tuple[float, ...] = ()

    @staticmethod
    def of(skeleton: Skeleton, contact: str) -> "LegChain":
        """Return the chain to a paw, one of ``roles.PAW_CONTACTS``.

        Raises:
            FootfallError: the skeleton lacks a joint of the leg.
        """
        end, paw = lowest_joint(skeleton, contact)
        upward = [end, *ancestors(skeleton, end)]
        joints = upward[: upward.index(skeleton.joint(_leg_role(contact, "thigh"))) + 1]
        carrier, left = _carrier(skeleton, _leg_role(contact, "thigh"))
        down, tip = (
            (joints[::-1], skeleton.bone_vectors[end]) if paw is None else (joints[:0:-1], skeleton.offsets[end])
        )
        bones = np.stack([*skeleton.offsets[down[1:]], tip])
        sides = _sides(bones, left, contact) if stands_on_four(skeleton) else (0.0,) * (len(down) - 1)
        return LegChain(tuple(down), tip, paw, carrier, left, sides)

    def length(self, skeleton: Skeleton) -> float:
        """Return the length of the straight leg, meters."""
        bones = np.linalg.norm(skeleton.offsets[list(self.joints[1:])], axis=-1)
        return float(bones.sum() + np.linalg.norm(self.tip))

    def paw_positions(self, positions: Array, rotations: Array) -> Array:
        """Return the paw's world positions (F, 3), meters, from world positions (F, J, 3) and rotations (F, J, 4)."""
        last = self.joints[-1]
        return positions[:, last] + rotate(rotations[:, last], np.broadcast_to(self.tip, positions[:, last].shape))


def _carrier(skeleton: Skeleton, role: str) -> tuple[int, Array]:
    """Return the joint that carries a pair of legs, and the left direction (3) there.

    `role` is that of a leg's first joint.
    """
    tops = [skeleton.joint(f"{role[:-1]}{side}") for side in "LR"]
    left, right = ([top, *ancestors(skeleton, top)] for top in tops)
    carrier = next((joint for joint in left[1:] if joint in right), 0)
    across = np.zeros(3)
    for one, other in zip(left[: left.index(carrier)][::-1], right[: right.index(carrier)][::-1], strict=False):
        across = across + skeleton.offsets[one] - skeleton.offsets[other]
        if length(across) > 1e-6:
            break
    return carrier, normalize(across)


def _sides(bones: Array, left: Array, contact: str) -> tuple[float, ...]:
    """Return the bend direction of each joint of a standing leg (see ``sides``), from the leg's bones (N, 3) at rest.

    Clearly bent joints well above the ground are hinges. If there are none, the most bent joint is the hinge; in a
    straight leg, it is the first joint (knee or elbow).
    """
    angles = np.arctan2(bones @ np.cross(left, UP), -bones[:, 2])
    heights = -np.cumsum(bones[::-1, 2])[::-1]
    bends = np.where(heights[1:] > MIN_HINGE_HEIGHT_RATIO * heights[0], wrap_angle(np.diff(angles)), 0.0)
    most = float(np.abs(bends).max(initial=0.0))
    if most < MIN_SHOWN_RAD:
        knee = -1.0 if contact.startswith("front") else 1.0
        return (knee, *(0.0 for _ in bends[1:])) if len(bends) else ()
    hinges = np.abs(bends) >= min(MIN_HINGE_RAD, most)
    return tuple(np.where(hinges, -np.sign(bends), 0.0).tolist())


def stands_on_four(skeleton: Skeleton) -> bool:
    """Return whether a quadruped stands in its rest pose, with upright legs and paws on one level.

    In some files all bones of the rest pose lie along one axis, so that it shows only their lengths.
    """
    at = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        at[joint] = at[parent] + skeleton.offsets[joint]
    lines, paws = [], []
    for contact in PAW_CONTACTS:
        joint, paw = lowest_joint(skeleton, contact)
        end = at[joint] + (skeleton.bone_vectors[joint] if paw is None else 0.0)
        lines.append(end - at[skeleton.joint(_leg_role(contact, "thigh"))])
        paws.append(end)
    reach = length(np.array(lines))
    upright = -np.array(lines)[:, 2] > MIN_UPRIGHT_COSINE * reach
    return bool(upright.all() and np.ptp(np.array(paws)[:, 2]) < MAX_UNEVEN_RATIO * reach.mean())


def leg_chains(skeleton: Skeleton) -> list[LegChain]:
    """Return the chains of the four legs, in the order of ``roles.PAW_CONTACTS``."""
    return [LegChain.of(skeleton, contact) for contact in PAW_CONTACTS]


def paw_tracks(clip: Clip) -> Array:
    """Return the world positions (F, 4, 3) of a quadruped's paws, meters, in the order of ``roles.PAW_CONTACTS``."""
    return np.stack([chain.paw_positions(*clip.world) for chain in leg_chains(clip.skeleton)], axis=1)


def lowest_joint(skeleton: Skeleton, contact: str) -> tuple[int, int | None]:
    """Return the indices of a leg's lowest joint with a role and of its paw, ``None`` if the paw is that joint's tip.

    Args:
        skeleton: skeleton of a quadruped.
        contact: one of ``roles.PAW_CONTACTS``.
    """
    for part in LOWER_LEG_PARTS:
        joint = skeleton.roles.get(_leg_role(contact, part))
        if joint is not None:
            has_tip = part != "toe" and bool(np.linalg.norm(skeleton.bone_vectors[joint]) > 1e-6)
            return joint, None if has_tip else joint
    return skeleton.joint(_leg_role(contact, "shin")), None


def chest_joint(skeleton: Skeleton) -> int:
    """Return the index of the joint from which both front legs of a quadruped branch off."""
    right = (skeleton.joint("front_thigh.R"), *ancestors(skeleton, skeleton.joint("front_thigh.R")))
    return next(joint for joint in ancestors(skeleton, skeleton.joint("front_thigh.L")) if joint in right)


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """Return the indices of a joint's ancestors, the parent first."""
    found: list[int] = []
    while (joint := skeleton.parents[joint]) >= 0:
        found.append(joint)
    return found


def _leg_role(contact: str, part: str) -> str:
    return contact.replace("foot", part)


def require_four_legs(skeleton: Skeleton) -> None:
    """Raise a :class:`FootfallError` that names those legs of a quadruped that have no roles."""
    parts = ("thigh", "shin")
    missing = [leg for leg, role in _LEGS if any(role.format(part) not in skeleton.roles for part in parts)]
    if missing:
        raise FootfallError(
            "A walk on four legs needs the bones of all four, but {legs} has none: choose them in the panel "
            "Rig, or in a rig.toml beside the clips",
            legs=Message.joined(", ", missing),
        )


def require_whole_legs(skeleton: Skeleton) -> None:
    """Raise a :class:`FootfallError` that names the missing legs of a skeleton with front legs; bipeds pass."""
    if any(f"front_thigh.{side}" in skeleton.roles and f"front_shin.{side}" in skeleton.roles for side in "LR"):
        require_four_legs(skeleton)


_LEGS: Final = (
    (Message("the left hind leg"), "{}.L"),
    (Message("the right hind leg"), "{}.R"),
    (Message("the left front leg"), "front_{}.L"),
    (Message("the right front leg"), "front_{}.R"),
)
"""The four legs by name, and the pattern of their roles."""
