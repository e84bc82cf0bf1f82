"""The bodies of the procedural motion: an adult and a dog, in meters, facing -Y at rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...core.motion.limb_ik import Leg
from ...core.motion.rotations import Array
from ...core.motion.skeleton import Skeleton

Joint = tuple[str, str | None, tuple[float, float, float]]
"""A joint's name, its parent's and its rest offset from it, meters."""


@dataclass(frozen=True, slots=True)
class Sole:
    """The contact surface of a foot with the ground; offsets are for toes along +Y, meters.

    Attributes:
        ankle: height of the foot joint over the ground with a flat foot.
        ball: (3) offset from the foot joint to the joint of the toes; zero for a paw, which does not roll.
        heel: (3) offset from the foot joint to the heel's pivot point after a strike.
    """

    ankle: float
    ball: tuple[float, float, float]
    heel: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton, its legs by the side of their strikes ("L", "R"; front legs "FL", "FR"), and its soles.

    Attributes:
        width: distance from the body's middle to the middle of a standing foot, meters.
        bend: lowering of the hips from straight legs, meters.
    """

    skeleton: Skeleton
    legs: Mapping[str, Leg]
    sole: Sole
    width: float
    bend: float

    def leg_root(self, side: str) -> Array:
        """Return the position of the upper end of a leg at rest (3), relative to the root, meters."""
        joint, place = self.legs[side].thigh, np.zeros(3)
        while joint > 0:
            place = place + self.skeleton.offsets[joint]
            joint = self.skeleton.parents[joint]
        return place

    @cached_property
    def height(self) -> float:
        """Height of the root over level ground, meters."""
        sides = [-self.leg_root(side)[2] + leg.length(self.skeleton) for side, leg in self.legs.items()]
        return min(sides) + self.sole.ankle - self.bend


PERSON: Final[Sequence[Joint]] = [
    ("hips", None, (0.0, 0.0, 0.0)),
    *(
        joint
        for side, x in (("L", 1.0), ("R", -1.0))
        for joint in (
            (f"thigh.{side}", "hips", (0.09 * x, 0.0, -0.08)),
            (f"shin.{side}", f"thigh.{side}", (0.0, 0.0, -0.43)),
            (f"foot.{side}", f"shin.{side}", (0.0, 0.0, -0.41)),
            (f"toe.{side}", f"foot.{side}", (0.0, -0.13, -0.045)),
        )
    ),
    ("spine", "hips", (0.0, 0.0, 0.11)),
    ("chest", "spine", (0.0, 0.0, 0.23)),
    ("neck", "chest", (0.0, 0.0, 0.2)),
    ("head", "neck", (0.0, 0.0, 0.1)),
    *(
        joint
        for side, x in (("L", 1.0), ("R", -1.0))
        for joint in (
            (f"shoulder.{side}", "chest", (0.03 * x, 0.0, 0.13)),
            (f"upper_arm.{side}", f"shoulder.{side}", (0.14 * x, 0.0, 0.0)),
            (f"forearm.{side}", f"upper_arm.{side}", (0.0, 0.0, -0.29)),
            (f"hand.{side}", f"forearm.{side}", (0.0, 0.0, -0.25)),
        )
    ),
]
"""An adult with hanging arms and a leg length of 0.84 m."""

DOG: Final[Sequence[Joint]] = [
    ("hips", None, (0.0, 0.0, 0.0)),
    *(
        joint
        for side, x in (("L", 1.0), ("R", -1.0))
        for joint in (
            (f"thigh.{side}", "hips", (0.06 * x, 0.04, -0.02)),
            (f"shin.{side}", f"thigh.{side}", (0.0, -0.07, -0.19)),
            (f"foot.{side}", f"shin.{side}", (0.0, 0.09, -0.22)),
        )
    ),
    ("spine", "hips", (0.0, -0.2, 0.02)),
    ("chest", "spine", (0.0, -0.25, 0.0)),
    ("neck", "chest", (0.0, -0.12, 0.06)),
    ("head", "neck", (0.0, -0.12, 0.14)),
    *(
        joint
        for side, x in (("L", 1.0), ("R", -1.0))
        for joint in (
            (f"front_thigh.{side}", "chest", (0.06 * x, -0.02, -0.06)),
            (f"front_shin.{side}", f"front_thigh.{side}", (0.0, 0.05, -0.17)),
            (f"front_foot.{side}", f"front_shin.{side}", (0.0, -0.05, -0.21)),
        )
    ),
    ("tail", "hips", (0.0, 0.12, 0.02)),
]
"""A dog with a hind leg length of 0.44 m: the joint of a foot is the paw."""

TIPS: Final = {
    "toe.L": (0.0, -0.06, 0.0),
    "toe.R": (0.0, -0.06, 0.0),
    "hand.L": (0.0, 0.0, -0.1),
    "hand.R": (0.0, 0.0, -0.1),
    "tail": (0.0, 0.2, -0.05),
}


def skeleton(joints: Sequence[Joint], head: tuple[float, float, float]) -> Skeleton:
    """Return a skeleton with its roles as joint names; ``head`` is the tip of the head."""
    names = tuple(name for name, _, _ in joints)
    parents = tuple(-1 if parent is None else names.index(parent) for _, parent, _ in joints)
    tips = np.array([(TIPS | {"head": head}).get(name, (0.0, 0.0, 0.0)) for name in names])
    offsets = np.array([offset for _, _, offset in joints])
    return Skeleton(names, parents, offsets, tips, {name: joint for joint, name in enumerate(names)})


def adult() -> Body:
    """Return the biped."""
    person = skeleton(PERSON, (0.0, 0.0, 0.2))
    sole = Sole(0.08, (0.0, 0.13, -0.045), (0.0, -0.05, -0.08))
    return Body(person, {side: Leg.of(person, side) for side in "LR"}, sole, 0.09, 0.012)


def dog() -> Body:
    """Return the quadruped."""
    beast = skeleton(DOG, (0.0, -0.15, -0.03))
    hind = {side: Leg.of(beast, side) for side in "LR"}
    front = {
        f"F{side}": Leg(*(beast.joint(f"front_{part}.{side}") for part in ("thigh", "shin", "foot")), toe=None)
        for side in "LR"
    }
    return Body(beast, hind | front, Sole(0.03, (0.0, 0.0, 0.0), (0.0, 0.0, -0.03)), 0.06, 0.03)
