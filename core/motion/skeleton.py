"""The skeleton: names, parents, rest offsets and roles of the joints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from . import roles as role_names
from .rotations import Array

STANDING_LEG_RATIO: Final = 0.9
"""Largest distance from a standing quadruped's hip to its hind paw, as a share of the straight leg."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A tree of joints, parents before children, whose rest pose is all joint rotations at the identity.

    Attributes:
        names: the joints' names (J).
        parents: the parents' indices (J); -1 for the root, which is joint 0.
        offsets: rest offsets from the parent (J, 3), meters, Blender's world (Z up).
        tips: offsets of the bone ends of leaf joints (J, 3), meters; zero without one.
        roles: joint index by role; guessed from the names by default.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    tips: Array
    roles: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.names)
        if (
            count == 0
            or len(self.parents) != count
            or self.offsets.shape != (count, 3)
            or self.tips.shape != (count, 3)
        ):
            raise ValueError("a skeleton needs at least one joint, and one parent, offset and tip per name")
        if self.parents[0] != -1 or any(not 0 <= parent < joint for joint, parent in enumerate(self.parents) if joint):
            raise ValueError("a skeleton's first joint is its only root, and parents come before their children")
        if not self.roles:
            roles = role_names.guess_roles(self.names)
            weapons = role_names.guess_weapons(self.names, self.parents, roles)
            object.__setattr__(self, "roles", roles | weapons)

    def __len__(self) -> int:
        return len(self.names)

    def joint(self, role: str) -> int:
        """Return the index of the joint with a role.

        Raises:
            FootfallError: no joint has the role.
        """
        if role not in self.roles:
            raise FootfallError(
                "This skeleton has no joint recognized as '{body_part}': rename the bone, or choose one in the "
                "panel Rig or a rig.toml",
                body_part=role,
            )
        return self.roles[role]

    def require_roles(self, required: Sequence[str]) -> None:
        """Raise a :class:`FootfallError` that names all roles of ``required`` that no joint has, if there are any."""
        missing = [name for name in required if name not in self.roles]
        if missing:
            raise FootfallError(
                "This skeleton has no joint for {body_parts}, but Footfall needs hips, thighs, shins and feet: "
                "rename the bones, or choose them in the panel Rig or a rig.toml",
                body_parts=", ".join(missing),
            )

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the children of every joint."""
        below: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                below[parent].append(joint)
        return tuple(map(tuple, below))

    @cached_property
    def depth_levels(self) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]:
        """Joint indices of each tree level below the root, and their parents, for computing a whole level at once."""
        depth = [0] * len(self)
        for joint, parent in enumerate(self.parents[1:], start=1):
            depth[joint] = depth[parent] + 1
        parents = np.array(self.parents)
        levels = (np.flatnonzero(np.array(depth) == level) for level in range(1, max(depth) + 1))
        return tuple((joints, parents[joints]) for joints in levels)

    @cached_property
    def mirror_pairs(self) -> tuple[int, ...]:
        """For every joint, the index of its counterpart on the other side, or its own."""
        return tuple(role_names.mirror_pairs(self.names))

    @cached_property
    def bone_vectors(self) -> Array:
        """The vector of each joint's bone at rest (J, 3): the mean of its children's offsets, or its tip.

        A hand's weapon is ignored if the hand has a tip or fingers, and fingers with roles are ignored if it has a tip.
        """
        result = self.tips.copy()
        weapons = {joint for role, joint in self.roles.items() if role in role_names.WEAPON_ROLES.values()}
        fingers = {joint for role, joint in self.roles.items() if role in role_names.FINGER_ROLES}
        for joint, below in enumerate(self.children):
            spared = weapons | fingers if result[joint].any() else weapons
            own = [child for child in below if child not in spared]
            if own or (below and not result[joint].any()):
                result[joint] = self.offsets[own or list(below)].mean(axis=0)
        return result

    @property
    def leg_length(self) -> float:
        """Mean length of thigh and shin together, meters; clips of several actors are scaled by it.

        For a quadruped, it is the mean distance at rest from hip to hind paw: its legs are bent when it stands.
        """
        if role_names.is_quadruped(self.roles):
            return float(np.mean([self._hind_leg_length(side) for side in "LR"]))
        self.require_roles(role_names.LOCOMOTION_ROLES)
        bones = [self.roles[f"{part}.{side}"] for side in "LR" for part in ("shin", "foot")]
        return float(np.linalg.norm(self.offsets[bones], axis=-1).sum() / 2)

    def _hind_leg_length(self, side: str) -> float:
        """Return the distance at rest from a quadruped's hip to its hind paw, meters.

        A leg that is straight at rest, as in the zero pose of captures, counts as bent in standing.
        """
        parts = (f"{part}.{side}" for part in ("toe", "foot", "shin"))
        joint, thigh = next(self.roles[role] for role in parts if role in self.roles), self.joint(f"thigh.{side}")
        bones = [] if f"toe.{side}" in self.roles else [self.bone_vectors[joint]]
        while joint not in (thigh, -1):
            bones.append(self.offsets[joint])
            joint = self.parents[joint]
        straight = float(sum(np.linalg.norm(bone) for bone in bones))
        return min(float(np.linalg.norm(np.sum(bones, axis=0))), STANDING_LEG_RATIO * straight)

    def scaled(self, factor: float) -> "Skeleton":
        """Return a copy of the skeleton with every length multiplied by ``factor``."""
        return Skeleton(self.names, self.parents, self.offsets * factor, self.tips * factor, self.roles)

    def first(self, count: int) -> "Skeleton":
        """Return a skeleton of only the first ``count`` joints, with their roles."""
        roles = {role: joint for role, joint in self.roles.items() if joint < count}
        return Skeleton(self.names[:count], self.parents[:count], self.offsets[:count], self.tips[:count], roles)

    def matches(self, other: "Skeleton") -> bool:
        """Return whether two skeletons have the same joints in the same hierarchy; lengths may differ."""
        return self.names == other.names and self.parents == other.parents
