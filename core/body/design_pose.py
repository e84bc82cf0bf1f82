"""The pose in which a body's surface is built: upright, arms half lowered, midway between common poses."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ..motion import Skeleton
from ..motion.kinematics import world_positions
from ..motion.proportions import (
    ADULT_LEG_LENGTH_M,
    ANKLE_JOINT_HEIGHT_M,
    TOE_JOINT_HEIGHT_M,
    has_toes,
    leg_length,
)
from ..motion.rotations import (
    IDENTITY,
    UP,
    Array,
    from_axis_angle,
    inverse,
    multiply,
    normalize,
    rotate,
    rotation_about_up,
    rotation_between,
)
from ..retarget.rest_pose import body_rotation, bone_vector, is_standing, make_known_pose, with_rest_pose
from .control_cage import Weights

ADULT_NECK_HEIGHT_M: Final = 1.50
"""Height of the neck joint of an adult of 1.75 m; all lengths in this package are for this size."""
ADULT_HEAD_TOP_M: Final = 0.28
"""Height of the top of an adult's head above the neck joint."""
REQUIRED_ROLES: Final = (
    "hips",
    "neck",
    "head",
    *(f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")),
)
"""Roles required for a person's skeleton."""
Direction = tuple[float, float, float]
ARM_DIRECTIONS: Final[tuple[Direction, Direction]] = ((0.62, 0.02, -0.79), (0.56, -0.16, -0.81))
"""Directions of the left upper arm and forearm in the design pose, as components left, back and up."""
RELAXED_ARM_DIRECTIONS: Final[tuple[Direction, Direction]] = ((0.12, 0.03, -0.99), (0.06, -0.25, -0.97))
"""The same directions for hanging arms."""
LEG_DIRECTION: Final = (0.0, 0.0, -1.0)
MIRROR: Final = np.array([-1.0, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class DesignPose:
    """Joints of a person in the design pose: facing -Y, soles at height 0.

    Attributes:
        skeleton: skeleton of the joints.
        positions: (J, 3) positions, meters.
        rotations: (J, 4) rotations from the rest pose.
    """

    skeleton: Skeleton
    positions: Array
    rotations: Array

    @staticmethod
    def of(skeleton: Skeleton) -> "DesignPose | None":
        """Return a skeleton's joints in the design pose; ``None`` if it is not human, or does not stand at rest."""
        if not _is_standing_person(skeleton):
            return None
        rotations = _design_rotations(skeleton)
        positions = world_positions(skeleton, np.zeros(3), rotations)
        pose = DesignPose(skeleton, positions, rotations)
        positions[:, 2] += _sole_depth(skeleton) - min(positions[foot, 2] for foot in pose.balls)
        return pose

    @property
    def balls(self) -> list[int]:
        """Joint indices of the left and the right ball of the foot, or of the ankles without toe joints."""
        roles = self.skeleton.roles
        return [roles.get(f"toe.{side}", roles[f"foot.{side}"]) for side in "LR"]

    @cached_property
    def scale(self) -> float:
        """Size of the body relative to an adult's, by the height of the neck joint above the soles."""
        rise = self.at("neck")[2] - min(self.positions[ball, 2] for ball in self.balls)
        return float(rise + _sole_depth(self.skeleton)) / ADULT_NECK_HEIGHT_M

    def at(self, role: str) -> Array:
        """Return the position (3), meters, of the joint with a role in the design pose."""
        return self.positions[self.skeleton.joint(role)]

    @property
    def head_top(self) -> float:
        """Height of the top of the head above the soles, meters."""
        head = self.skeleton.joint("head")
        tip = float(rotate(self.rotations[head], self.skeleton.tips[head])[2] + self.positions[head, 2])
        usual = self.at("neck")[2] + ADULT_HEAD_TOP_M * self.scale
        return tip if abs(tip - usual) < 0.1 * self.scale else float(usual)

    @cached_property
    def spine(self) -> Sequence[int]:
        """Joint indices from the hips up to the head; of several joints at one place, only the last."""
        chain, joint = [], self.skeleton.joint("head")
        while joint >= 0:
            chain.append(joint)
            joint = self.skeleton.parents[joint] if joint != self.skeleton.joint("hips") else -1
        chain.reverse()
        apart = [np.linalg.norm(self.skeleton.offsets[following]) > 1e-3 for following in chain[1:]]
        return [chain[0], *(joint for joint, far in zip(chain[1:], [*apart[1:], True], strict=True) if far)]

    def spine_weights(self, height: float) -> Weights:
        """Return the trunk's skin weights, by joint from hips to head, at a height above the soles, meters."""
        # Horizontal or hanging bones span no height.
        heights = np.maximum.accumulate([self.positions[joint, 2] for joint in self.spine[1:]])
        spans = np.diff([heights[0] - 0.12 * self.scale, *heights, heights[-1] + 0.12 * self.scale])
        shares = np.ones(len(self.spine))
        for number, at in enumerate(heights):
            reach = 0.5 * max(min(spans[number], spans[number + 1]), 1e-3 * self.scale)
            over = float(np.clip((height - at) / (2 * reach) + 0.5, 0.0, 1.0))
            over = over * over * (3 - 2 * over)
            shares[: number + 1] *= 1 - over
            shares[number + 1 :] *= over
        return {joint: float(share) for joint, share in zip(self.spine, shares, strict=True) if share > 1e-6}


def relaxed_rotations(skeleton: Skeleton) -> Array | None:
    """Return the world rotations (J, 4) with which a human skeleton stands upright with hanging arms; identity at rest.

    The result is ``None`` if the skeleton is not human, or its rest pose does not stand.
    """
    if not _is_standing_person(skeleton):
        return None
    return _design_rotations(skeleton, RELAXED_ARM_DIRECTIONS)


def upright_rotations(skeleton: Skeleton, stance: Array) -> Array | None:
    """Return the world rotations (J, 4) of a T-pose facing -Y, for a skeleton that does not stand in its rest pose.

    The result is ``None`` if the skeleton stands at rest, or is not human.

    Args:
        skeleton: any skeleton.
        stance: world rotations (J, 4) in a standing pose.
    """
    upright = with_rest_pose(skeleton, stance)
    if _is_standing_person(skeleton) or not _is_standing_person(upright):
        return None
    return multiply(_heading(upright), multiply(make_known_pose(upright, "T"), stance))


def _heading(skeleton: Skeleton) -> Array:
    """Return the rotation (4) about the vertical axis that makes a skeleton face -Y."""
    left = rotate(body_rotation(skeleton), np.eye(3)[0])
    return rotation_about_up(-np.arctan2(left[1], left[0]))


def _is_standing_person(skeleton: Skeleton) -> bool:
    return all(role in skeleton.roles for role in REQUIRED_ROLES) and is_standing(skeleton)


def _sole_depth(skeleton: Skeleton) -> float:
    """Return the usual height, meters, of the balls of the feet (or the ankles, without balls) above the soles."""
    usual = TOE_JOINT_HEIGHT_M if has_toes(skeleton) else ANKLE_JOINT_HEIGHT_M
    return usual * leg_length(skeleton) / ADULT_LEG_LENGTH_M


def _design_rotations(skeleton: Skeleton, arms: tuple[Direction, Direction] = ARM_DIRECTIONS) -> Array:
    """Return the world rotations (J, 4) of the design pose for a skeleton that stands at rest."""
    ahead = _heading(skeleton)
    rotations = np.tile(IDENTITY, (len(skeleton), 1))
    goals = _limb_rotations(skeleton, ahead, arms) | _trunk_rotations(skeleton, ahead)
    for joint, parent in enumerate(skeleton.parents):
        rotations[joint] = goals.get(joint, rotations[parent] if parent >= 0 else ahead)
    return rotations


def _trunk_rotations(skeleton: Skeleton, ahead: Array) -> dict[int, Array]:
    """Return world rotations (4), by joint, that put the neck straight above the hips and level the hips and head."""
    hips, neck = skeleton.joint("hips"), skeleton.joint("neck")
    chain, joint = [], skeleton.parents[neck]
    while joint not in (hips, -1):
        chain.append(joint)
        joint = skeleton.parents[joint]
    first, *others = reversed([neck, *chain])
    # The first joint's position follows the hips, the others' the trunk.
    low, bent = (rotate(ahead, skeleton.offsets[joints].sum(axis=0)) for joints in ([first], others))
    length = max(float(np.hypot(bent[1], bent[2])), abs(float(low[1])), 1e-9)
    lean = np.arctan2(bent[1], bent[2]) + np.arcsin(low[1] / length)
    upright = multiply(from_axis_angle(np.eye(3)[0], float(lean)), ahead)
    return {hips: ahead, **dict.fromkeys(chain, upright), neck: ahead, skeleton.joint("head"): ahead}


def _limb_rotations(skeleton: Skeleton, ahead: Array, arms: tuple[Direction, Direction]) -> dict[int, Array]:
    """Return the world rotations (4) of arms, legs and feet in the design pose, by joint."""
    rotations: dict[int, Array] = {}
    for side, mirror in (("L", np.ones(3)), ("R", MIRROR)):
        out = mirror * np.eye(3)[0]
        for part, natural, goal in (
            ("upper_arm", out, arms[0]),
            ("forearm", out, arms[1]),
            ("thigh", -UP, LEG_DIRECTION),
            ("shin", -UP, LEG_DIRECTION),
        ):
            role = f"{part}.{side}"
            joint = skeleton.joint(role)
            bone = rotate(ahead, bone_vector(skeleton, joint, role))
            lowered = rotation_between(natural, normalize(mirror * np.array(goal)))
            rotations[joint] = multiply(multiply(lowered, inverse(rotation_between(natural, bone))), ahead)
        rotations[skeleton.joint(f"foot.{side}")] = ahead
    return rotations
