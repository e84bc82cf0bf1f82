"""A body as tapered capsules about its bones, and its penetration into objects, vectorized over frames.

Capsules are sampled by spheres (swept sphere volumes; Larsen, Gottschalk, Lin and Manocha 1999).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion import Clip, Skeleton
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.rotations import Array, rotate
from .collider import PROXIMITY_RANGE_M
from .collider_pose import AnimatedCollider, PosedCollider

TRUNK_RADII_M: Final = {"hips": 0.11, "spine": 0.11, "chest": 0.115, "neck": 0.055, "head": 0.08}
"""Radii at the joints of trunk and head of an adult."""
LIMB_CAPSULES: Final = {
    "thigh": ("shin", 0.085, 0.055),
    "shin": ("foot", 0.055, 0.04),
    "foot": ("toe", 0.04, 0.03),
    "upper_arm": ("forearm", 0.05, 0.042),
    "forearm": ("hand", 0.042, 0.03),
    "hand": ("", 0.025, 0.02),
    "weapon": ("", 0.015, 0.01),
}
"""Role of the joint at a bone's end and radii at both ends, meters of an adult; hands and weapons end at their tips."""
MAX_LOW_HIPS_RATIO: Final = 0.01
"""Largest drop from the hip joints to the hips joint, as a share of the leg, at which the pelvis starts at the latter.
"""
SPHERE_SPACING_M: Final = 0.03
"""Largest distance between the spheres of a capsule."""


@dataclass(frozen=True, slots=True, eq=False)
class Capsule:
    """The capsule of one bone.

    Attributes:
        joint: index of the joint.
        end: (3) end of the capsule in the joint's frame, meters.
        radii: radii at both ends, meters.
        start: (3) start of the capsule in the joint's frame, meters; the joint itself by default.
    """

    role: str
    joint: int
    end: Array
    radii: tuple[float, float]
    start: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, eq=False)
class BodyCapsules:
    """The capsules of a body with known roles."""

    capsules: tuple[Capsule, ...]

    @staticmethod
    def from_skeleton(skeleton: Skeleton) -> "BodyCapsules":
        """Create capsules for a skeleton's bones that have a role, scaled by the length of its legs."""
        roles, scale = skeleton.roles, skeleton.leg_length / ADULT_LEG_LENGTH_M
        found: list[Capsule] = []

        def add(role: str, end: Array, radii: tuple[float, float]) -> None:
            start = _pelvis_start(skeleton, end) if role == "hips" else np.zeros(3)
            if np.linalg.norm(end - start) > 1e-6:
                found.append(Capsule(role, roles[role], end, (scale * radii[0], scale * radii[1]), start))

        spine = [role for role in TRUNK_RADII_M if role in roles]
        for lower, upper in pairwise(spine):
            add(lower, _rest_offset(skeleton, roles[lower], roles[upper]), (TRUNK_RADII_M[lower], TRUNK_RADII_M[upper]))
        if spine and spine[-1] == "head":
            add("head", skeleton.bone_vectors[roles["head"]], (TRUNK_RADII_M["head"], TRUNK_RADII_M["head"]))
        for side in "LR":
            for part, (ends, *radii) in LIMB_CAPSULES.items():
                role, end = f"{part}.{side}", f"{ends}.{side}"
                if role in roles:
                    joint = roles[role]
                    known = _rest_offset(skeleton, joint, roles[end]) if end in roles else skeleton.bone_vectors[joint]
                    add(role, known, (radii[0], radii[1]))
        return BodyCapsules(tuple(found))

    @property
    def roles(self) -> tuple[str, ...]:
        """Roles of the bones (B)."""
        return tuple(capsule.role for capsule in self.capsules)

    @cached_property
    def sphere_capsules(self) -> NDArray[np.intp]:
        """Index of the capsule to which each sphere (S) belongs."""
        return np.repeat(np.arange(len(self.capsules)), [len(shares) for shares in self._capsule_fractions])

    def sphere_indices(self, roles: Iterable[str]) -> NDArray[np.intp]:
        """Return the indices of the spheres of bones given by their roles or, for both sides, by their body parts."""
        wanted = set(roles)
        bones = [n for n, role in enumerate(self.roles) if role in wanted or role.partition(".")[0] in wanted]
        return np.flatnonzero(np.isin(self.sphere_capsules, bones))

    @cached_property
    def bone_fractions(self) -> Array:
        """Position (S) of each sphere along its bone, from 0 to 1."""
        return np.concatenate(self._capsule_fractions)

    @cached_property
    def radii(self) -> Array:
        """Radii (S) of the spheres, meters."""
        ends = [capsule.radii for capsule in self.capsules]
        return np.concatenate(
            [a + (b - a) * shares for (a, b), shares in zip(ends, self._capsule_fractions, strict=True)]
        )

    def sphere_centres(
        self, clip: Clip, indices: NDArray[np.intp] | None = None, frames: NDArray[np.intp] | None = None
    ) -> Array:
        """Return the centers (F, S, 3) of the spheres in the world, meters.

        Args:
            clip: the motion.
            indices: indices of the spheres; all by default.
            frames: indices of the frames; all by default.
        """
        positions, rotations = clip.world if frames is None else (part[frames] for part in clip.world)
        joints, places = self._sphere_places
        if indices is not None:
            joints, places = joints[indices], places[indices]
        return positions[:, joints] + rotate(rotations[:, joints], places[None])

    @cached_property
    def _sphere_places(self) -> tuple[NDArray[np.intp], Array]:
        """Joint (S) of each sphere, and its center (S, 3) in that joint's frame, meters."""
        joints = np.array([capsule.joint for capsule in self.capsules])[self.sphere_capsules]
        ends, starts = (
            np.array(points)[self.sphere_capsules]
            for points in ([capsule.end for capsule in self.capsules], [capsule.start for capsule in self.capsules])
        )
        return joints, starts + self.bone_fractions[:, None] * (ends - starts)

    def sphere_penetrations(
        self, clip: Clip, obstacle: PosedCollider | AnimatedCollider, indices: NDArray[np.intp] | None = None
    ) -> Array:
        """Return the penetration depth (F, S) of each sphere into an object, meters; 0 outside.

        Args:
            clip: the motion.
            obstacle: the object.
            indices: indices of the spheres to measure; all by default.
        """
        return self.depths(obstacle.to_local(self.sphere_centres(clip, indices)), obstacle, indices)

    def depths(
        self, inside: Array, obstacle: PosedCollider | AnimatedCollider, indices: NDArray[np.intp] | None = None
    ) -> Array:
        """Return the penetration depth (F, S) of each sphere into an object, meters; 0 outside.

        Args:
            inside: (F, S, 3) centers of the spheres in the object's space, meters.
            obstacle: the object.
            indices: indices of the spheres; all by default.
        """
        radii = self.radii if indices is None else self.radii[indices]
        depths = obstacle.collider.penetration_depths(inside.reshape(-1, 3)).reshape(inside.shape[:-1])
        # Some spheres of a giant are larger than the range of a collider's proximity grid.
        far = np.isneginf(depths) & (radii > PROXIMITY_RANGE_M)
        if far.any():
            depths[far] = -obstacle.collider.distances(inside[far])
        return np.maximum(radii + depths, 0.0)

    def bone_penetrations(self, clip: Clip, obstacle: PosedCollider | AnimatedCollider) -> Array:
        """Return the penetration depth (F, B) of each bone into an object, meters; 0 outside."""
        spheres = self.sphere_penetrations(clip, obstacle)
        starts = np.flatnonzero(np.diff(self.sphere_capsules, prepend=-1))
        return np.maximum.reduceat(spheres, starts, axis=1)

    @cached_property
    def _capsule_fractions(self) -> list[Array]:
        """Positions of the spheres along each capsule, from 0 to 1."""
        lengths = [float(np.linalg.norm(capsule.end - capsule.start)) for capsule in self.capsules]
        return [np.linspace(0.0, 1.0, max(int(np.ceil(length / SPHERE_SPACING_M)), 1) + 1) for length in lengths]


def _pelvis_start(skeleton: Skeleton, end: Array) -> Array:
    """Return the start (3) of the pelvis in the hips joint's frame: at that joint, but no lower than the hip joints.

    In rigs the hips joint, which moves the body, may be between the legs or as low as the knees.

    Args:
        skeleton: the skeleton.
        end: (3) end of the pelvis in the joint's frame, meters.
    """
    thighs = [f"thigh.{side}" for side in "LR"]
    length = float(np.linalg.norm(end))
    if length < 1e-6 or any(role not in skeleton.roles for role in thighs):
        return np.zeros(3)
    hips = skeleton.roles["hips"]
    center = np.mean([_rest_offset(skeleton, hips, skeleton.roles[role]) for role in thighs], axis=0)
    return center if float(center @ end) / length > MAX_LOW_HIPS_RATIO * skeleton.leg_length else np.zeros(3)


def _rest_offset(skeleton: Skeleton, joint: int, descendant: int) -> Array:
    """Return the offset (3) at rest from a joint to another; zero if the other is not its descendant."""
    offset, current = np.zeros(3), descendant
    while current != joint:
        if current < 0:
            return np.zeros(3)
        offset = offset + skeleton.offsets[current]
        current = skeleton.parents[current]
    return offset
