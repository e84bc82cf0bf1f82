"""Arms and legs of a person: tubes from the loops at the trunk to wrists and ankles."""

from typing import Final

import numpy as np

from ..motion.rotations import Array, normalize, rotate, rotation_between
from .control_cage import ControlCage
from .design_pose import MIRROR, DesignPose
from .loops import loop, smoothing_loss, superellipse
from .shape import LimbRing, Shape
from .skinned_mesh import Material

ARM_ANGLES: Final = np.arange(10) * 2 * np.pi / 10 + np.pi
"""Angles from the outside toward the back; the first is at the armpit."""
LEG_ANGLES: Final = (np.arange(12) - 1) * 2 * np.pi / 12
"""Angles from the front toward the outside; the first is beside the crotch."""
UPPER_ARM: Final = (
    LimbRing(0.25, 0.060, 0.062, 0.064, 0.85),
    LimbRing(0.48, 0.050, 0.054, 0.054, 1.0),
    LimbRing(0.70, 0.046, 0.050, 0.048, 1.0),
    LimbRing(0.88, 0.041, 0.042, 0.044, 1.0),
)
"""Rings of the upper arm, with its weights relative to collarbone and trunk."""
ARMPIT_SLANT_M: Final = (0.036, 0.014, 0.0, 0.0)
"""Half of the distance along the arm by which each of these rings is farther out at the armpit than on top."""
FOREARM: Final = (
    LimbRing(0.00, 0.040, 0.039, 0.045, 0.5),
    LimbRing(0.13, 0.041, 0.045, 0.041, 0.92),
    LimbRing(0.32, 0.041, 0.046, 0.040, 1.0),
    LimbRing(0.62, 0.033, 0.037, 0.034, 1.0),
    LimbRing(0.88, 0.024, 0.031, 0.029, 1.0),
)
"""Rings of the forearm, with its weights relative to the upper arm."""
FOREARM_TWIST: Final = (0.0, 0.0, 0.05, 0.18, 0.38)
"""Skin weights of the hand joint at these rings, which spread the wrist's twist along the forearm."""
THIGH: Final = (
    LimbRing(0.21, 0.088, 0.088, 0.094, 0.92),
    LimbRing(0.42, 0.081, 0.086, 0.082, 1.0),
    LimbRing(0.66, 0.069, 0.075, 0.066, 1.0),
    LimbRing(0.88, 0.056, 0.062, 0.054, 1.0),
)
"""Rings of the thigh, with its weights relative to the hips."""
SHIN: Final = (
    LimbRing(0.00, 0.052, 0.061, 0.048, 0.5),
    LimbRing(0.13, 0.050, 0.053, 0.052, 0.92),
    LimbRing(0.34, 0.055, 0.047, 0.068, 1.0),
    LimbRing(0.60, 0.047, 0.043, 0.058, 1.0),
    LimbRing(0.86, 0.034, 0.037, 0.041, 1.0),
)
"""Rings of the shin from the knee; the last is above the ankle, at :data:`ANKLE_RING_HEIGHT_M`."""
ANKLE_RING_HEIGHT_M: Final = 0.125
CALF_OUTWARD_M: Final = 0.006
"""Distance of the calf's middle from the bone, outward."""


def add_arm(cage: ControlCage, pose: DesignPose, shape: Shape, side: str, rim: list[int]) -> list[int]:
    """Add an arm to the cage, from ``rim``, its hole in the trunk, and return the loop of ten vertices at the wrist."""
    roles = pose.skeleton.roles
    upper, fore, hand = (roles[f"{part}.{side}"] for part in ("upper_arm", "forearm", "hand"))
    trunk = roles.get(f"shoulder.{side}", pose.skeleton.parents[upper])
    size = pose.scale * shape.arm
    for ring, slant in zip(UPPER_ARM, ARMPIT_SLANT_M, strict=True):
        axis, out, _ = arm_frame(pose, side, "upper_arm", "forearm")
        points = _arm_ring(pose, side, "upper_arm", "forearm", ring, size)
        along = (points - pose.positions[upper]) @ out / size
        points = points - pose.scale * slant * np.clip(along / ring.side, -1.0, 1.0)[:, None] * axis
        rim = _join(cage, rim, points, [{upper: ring.weight, trunk: 1 - ring.weight}] * 10, side)
    for ring, twist in zip(FOREARM, FOREARM_TWIST, strict=True):
        points = _arm_ring(pose, side, "forearm", "hand", ring, size)
        if ring.along == 0.0:
            points = _bisected(pose, side, ring, size)
        weights = {fore: ring.weight * (1 - twist), upper: 1 - ring.weight, hand: ring.weight * twist}
        rim = _join(cage, rim, points, [weights] * 10, side)
    return rim


def arm_frame(pose: DesignPose, side: str, part: str, following: str) -> tuple[Array, Array, Array]:
    """Return an arm bone's directions (3): along it, ``part`` to ``following``, out of the body, and to the thumb."""
    axis = normalize(pose.at(f"{following}.{side}") - pose.at(f"{part}.{side}"))
    sideways = np.array([1.0, 0.0, 0.0]) * (MIRROR[0] if side == "R" else 1.0)
    turn = rotation_between(sideways, axis)
    return axis, rotate(turn, np.array([0.0, 0.0, 1.0])), rotate(turn, np.array([0.0, -1.0, 0.0]))


def _arm_ring(pose: DesignPose, side: str, part: str, following: str, ring: LimbRing, size: float) -> Array:
    """Return the points (10, 3) of a cross-section of an arm's bone, meters."""
    _, out, thumb = arm_frame(pose, side, part, following)
    start, end = pose.at(f"{part}.{side}"), pose.at(f"{following}.{side}")
    return arm_loop(start + ring.along * (end - start), out, thumb, ring, size)


def arm_loop(center: Array, out: Array, thumb: Array, ring: LimbRing, size: float, exponent: float = 2.0) -> Array:
    """Return the points (10, 3), meters, of a cross-section of an arm or a hand across the directions out and thumb."""
    depth = np.where(np.sin(ARM_ANGLES) > 0, ring.front, -ring.back)
    sine, cosine = superellipse(ARM_ANGLES, exponent)
    across = np.abs(sine) * depth
    return center + size / smoothing_loss(10) * (across[:, None] * thumb + cosine[:, None] * ring.side * out)


def _bisected(pose: DesignPose, side: str, ring: LimbRing, size: float) -> Array:
    """Return the points (10, 3) of the elbow's cross-section, in the plane that bisects the angle of the two bones."""
    first, second = (np.array(arm_frame(pose, side, *bone)) for bone in (("upper_arm", "forearm"), ("forearm", "hand")))
    _, out, thumb = (normalize(axis) for axis in first + second)
    return arm_loop(pose.at(f"forearm.{side}"), out, thumb, ring, size)


def add_leg(cage: ControlCage, pose: DesignPose, side: str, rim: list[int]) -> list[int]:
    """Add a leg, starting at ``rim``, its loop on the trunk, and return the loop of twelve vertices above the ankle."""
    roles = pose.skeleton.roles
    thigh, shin, hips = roles[f"thigh.{side}"], roles[f"shin.{side}"], roles["hips"]
    hip, knee, ankle = (pose.at(f"{part}.{side}") for part in ("thigh", "shin", "foot"))
    size, mirror = pose.scale, MIRROR if side == "R" else np.ones(3)
    for ring in THIGH:
        points = leg_loop(hip + ring.along * (knee - hip), ring, size, mirror)
        rim = _join(cage, rim, points, [{thigh: ring.weight, hips: 1 - ring.weight}] * 12, side, down=True)
    low = np.array([ankle[0], ankle[1], pose.scale * ANKLE_RING_HEIGHT_M])
    for ring in SHIN:
        center = knee + ring.along / SHIN[-1].along * (low - knee)
        center = center + mirror * np.array([CALF_OUTWARD_M * pose.scale, 0.0, 0.0]) * (0.2 < ring.along < 0.7)
        weights = {shin: ring.weight, thigh: 1 - ring.weight}
        rim = _join(cage, rim, leg_loop(center, ring, size, mirror), [weights] * 12, side, down=True)
    return rim


def leg_loop(center: Array, ring: LimbRing, size: float, mirror: Array) -> Array:
    """Return the points (12, 3), meters, of a level cross-section of a leg; ``mirror`` (3) negates X on the right."""
    depth = np.where(np.cos(LEG_ANGLES) > 0, ring.front, ring.back)[:, None]
    across = mirror * np.array([size * ring.side, 0.0, 0.0])
    return loop(center, across, size * depth * np.array([0.0, -1.0, 0.0]), LEG_ANGLES)


def _join(
    cage: ControlCage, rim: list[int], points: Array, weights: list[dict[int, float]], side: str, down: bool = False
) -> list[int]:
    """Add the next loop of a tube at ``points``, connect it to ``rim``, and return its vertices."""
    added = cage.add_points(points, weights)
    first, second = (rim, added) if (side == "L") != down else (added, rim)
    cage.bridge(first, second, Material.of_side(side))
    return added
