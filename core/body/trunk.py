"""The trunk of a person: a tube of sixteen columns with holes for the arms, which divides into the legs."""

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion.rotations import Array
from .control_cage import ControlCage
from .design_pose import DesignPose
from .loops import loop
from .shape import Shape
from .skinned_mesh import Material

COLUMN_COUNT: Final = 16
"""Columns around trunk, neck and head: 0 in front, 4 at the left, 8 behind, 12 at the right."""
COLUMN_ANGLES: Final = np.arange(COLUMN_COUNT) * 2 * np.pi / COLUMN_COUNT
ARM_COLUMNS: Final = {"L": (3, 4, 5), "R": (13, 12, 11)}
"""Columns of the holes for the arms: in front, in the middle, behind."""
SHOULDER_RISES_M: Final = (-0.105, -0.050, 0.000, 0.036)
"""Heights of the four rings of an arm hole above the shoulder joint."""
CHEST_BACK_M: Final = 0.028
"""Distance of the middle of the chest behind the shoulder joints."""
SHOULDER_TILTS_M: Final = ((0.0, 0.0), (0.004, 0.0), (0.014, 0.004), (0.034, 0.008))
"""Tilt of these rings: drop in front and rise behind."""
SLOPE_TILT_M: Final = (0.044, 0.004)
"""Drop in front and rise behind of the ring between shoulders and neck."""
MAX_NECK_RISE_M: Final = 0.080
"""Greatest height of the base of the neck above the shoulder joints."""
NECK_TILT_M: Final = (0.032, 0.026)
"""Drop in front and rise behind of the ring at the base of the neck."""
SHOULDER_WEIGHTS: Final = (0.0, 0.25, 0.5, 0.6, 0.45)
"""Skin weights of the collarbone at the sides of the four shoulder rings and of the ring between them and the neck."""
ARM_WEIGHTS: Final = (0.25, 0.35, 0.4, 0.4, 0.0)
"""Weights of the upper arm at the rim of the arm hole."""
GROIN_SLOPE_M: Final = (-0.045, 0.085, -0.06)
"""Rise of the lowest ring above the hip joints in front, at the sides and behind."""
CROTCH_M: Final = ((0.055, -0.080), (0.012, -0.097), (-0.035, -0.085))
"""Positions of the points between the legs, behind and above the hip joints, from back to front."""
THIGH_WEIGHTS: Final = (0.0, 0.12, 0.3, 0.45, 0.5, 0.45, 0.35, 0.2, 0.0)
"""Weights of a thigh at the lowest ring, from the front past the side to the back."""


@dataclass(frozen=True, slots=True)
class Trunk:
    """The open edge loops of the trunk, to which head, arms and legs are attached.

    Attributes:
        neck: sixteen vertices around the base of the neck.
        arms: ten vertices around each arm, from the armpit past the back.
        legs: twelve vertices around each leg, from the front past the side.
    """

    neck: list[int]
    arms: dict[str, list[int]]
    legs: dict[str, list[int]]


def add_trunk(cage: ControlCage, pose: DesignPose, shape: Shape) -> Trunk:
    rings = [_add_ring(cage, pose, points) for points in _lower_rings(pose, shape)]
    rings += _add_shoulders(cage, pose, shape)
    top = len(rings) - 1
    hole = range(top - 5, top - 2)
    for row, (low, high) in enumerate(itertools.pairwise(rings)):
        for column in range(COLUMN_COUNT):
            following = (column + 1) % COLUMN_COUNT
            if row in hole and any(min(side) <= column < max(side) for side in ARM_COLUMNS.values()):
                continue
            cage.add_face((low[column], low[following], high[following], high[column]), Material.TRUNK)
    arms = {side: _arm_hole(rings[top - 5 : top - 1], columns) for side, columns in ARM_COLUMNS.items()}
    return Trunk(rings[-1], arms, _add_crotch(cage, pose, rings[0]))


def _add_ring(cage: ControlCage, pose: DesignPose, points: Array) -> list[int]:
    return cage.add_points(points, [pose.spine_weights(point[2]) for point in points])


def _hips(pose: DesignPose) -> Array:
    return (pose.at("thigh.L") + pose.at("thigh.R")) / 2


def _shoulders(pose: DesignPose) -> Array:
    return (pose.at("upper_arm.L") + pose.at("upper_arm.R")) / 2


def level_ring(center: Array, side: float, front: float, back: float, exponent: float) -> Array:
    """Return the control points (16, 3), meters, of a level cross-section whose half axes are given in meters."""
    depth = np.where(np.cos(COLUMN_ANGLES) > 0, front, back)
    ahead = depth[:, None] * np.array([0.0, -1.0, 0.0])
    return loop(center, np.array([side, 0.0, 0.0]), ahead, COLUMN_ANGLES, exponent)


def _lower_rings(pose: DesignPose, shape: Shape) -> list[Array]:
    """Return the points (16, 3) of the rings from the groin to the ribs."""
    low, high, scale = _hips(pose), _shoulders(pose), pose.scale
    rings = []
    for ring in shape.trunk:
        middle = low + ring.rise * (high - low)
        middle[1] = low[1] + ring.rise**2 * (high[1] + CHEST_BACK_M * scale - low[1])
        points = level_ring(middle, scale * ring.side, scale * ring.front, scale * ring.back, ring.exponent)
        slope = _groin_slope() * max(1.0 - 2.2 * ring.rise, 0.0)
        points[:, 2] += scale * slope
        rings.append(points)
    rings[0][COLUMN_COUNT // 2, 1] -= 0.02 * scale
    return rings


def _groin_slope() -> Array:
    """Return the height, meters, by which each column of the lowest ring is raised (16)."""
    front, side, back = GROIN_SLOPE_M
    level = np.sin(COLUMN_ANGLES) ** 2
    return np.where(np.cos(COLUMN_ANGLES) > 0, front, back) * (1 - level) + side * level


def _add_shoulders(cage: ControlCage, pose: DesignPose, shape: Shape) -> list[list[int]]:
    """Add the four shoulder rings, the slope above them and the base of the neck.

    Return their vertices, loop by loop.
    """
    scale, middle, neck = pose.scale, _shoulders(pose), pose.at("neck")
    rings = []
    for number, rise in enumerate(SHOULDER_RISES_M):
        center = middle + scale * np.array([0.0, CHEST_BACK_M, rise])
        side, front, back = shape.shoulder_side[number], shape.chest_front[number], shape.chest_back[number]
        points = level_ring(center, scale * side, scale * front, scale * back, 2.4 + 0.5 * number)
        points[:, 2] += scale * _tilt(SHOULDER_TILTS_M[number])
        if number == 0:
            points[[1, 2, 14, 15], 1] -= scale * shape.bust * np.array([0.6, 1.0, 1.0, 0.6])
        rings.append(cage.add_points(points, [_shoulder_weights(pose, number, p, c) for c, p in enumerate(points)]))
    slope = 0.55 * middle + 0.45 * neck + scale * np.array([0.0, 0.008, 0.0])
    slope[2] = middle[2] + scale * 0.060
    points = level_ring(slope, scale * 0.104, scale * 0.052, scale * 0.080, 2.2)
    points[:, 2] += scale * _tilt(SLOPE_TILT_M)
    rings.append(cage.add_points(points, [_shoulder_weights(pose, 4, p, c) for c, p in enumerate(points)]))
    base = neck + scale * np.array([0.0, -0.010, -0.006])
    base[2] = min(base[2], middle[2] + scale * MAX_NECK_RISE_M)
    points = level_ring(base, scale * shape.neck * 1.12, scale * 0.050, scale * 0.060, 2.0)
    points[:, 2] += scale * _tilt(NECK_TILT_M)
    rings.append(_add_ring(cage, pose, points))
    return rings


def _tilt(fall_and_rise: tuple[float, float]) -> Array:
    """Return the height, meters, by which each column of a tilted ring is raised (16): negative in front."""
    cosine = np.cos(COLUMN_ANGLES)
    return -cosine * np.where(cosine > 0, *fall_and_rise)


def _shoulder_weights(pose: DesignPose, number: int, point: Array, column: int) -> dict[int, float]:
    """Return the weights, by joint, of a vertex in the shoulders' rings."""
    side = "L" if point[0] > 0 else "R"
    sideways = abs(np.sin(COLUMN_ANGLES[column])) ** 2
    collar = SHOULDER_WEIGHTS[number] * sideways if f"shoulder.{side}" in pose.skeleton.roles else 0.0
    arm = ARM_WEIGHTS[number] if column in ARM_COLUMNS[side] else 0.0
    weights = {joint: share * (1 - collar) * (1 - arm) for joint, share in pose.spine_weights(point[2]).items()}
    for role, share in ((f"shoulder.{side}", collar * (1 - arm)), (f"upper_arm.{side}", arm)):
        if share:
            weights[pose.skeleton.joint(role)] = share
    return weights


def _arm_hole(rings: list[list[int]], columns: tuple[int, int, int]) -> list[int]:
    """Return the ten vertices around an arm, from the armpit past the back and the top to the front."""
    front, middle, back = columns
    low, lower, upper, high = rings
    return [
        low[middle], low[back], lower[back], upper[back], high[back],
        high[middle], high[front], upper[front], lower[front], low[front],
    ]  # fmt: skip


def _add_crotch(cage: ControlCage, pose: DesignPose, ring: list[int]) -> dict[str, list[int]]:
    """Add the points between the legs, and return the loop of each leg by side."""
    middle, hips = _hips(pose), pose.skeleton.joint("hips")
    left, right = (pose.skeleton.joint(f"thigh.{side}") for side in "LR")
    points = np.array([middle + pose.scale * np.array([0.0, y, z]) for y, z in CROTCH_M])
    crotch = cage.add_points(points, [{hips: 0.7, left: 0.15, right: 0.15}] * len(points))
    loops = {"L": [*ring[:9], *crotch], "R": [ring[-number % COLUMN_COUNT] for number in range(9)] + crotch}
    for side, loop_ in loops.items():
        thigh = pose.skeleton.joint(f"thigh.{side}")
        for vertex, share in zip(loop_, THIGH_WEIGHTS, strict=False):
            cage.share(vertex, thigh, share)
    return loops
