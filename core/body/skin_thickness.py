"""Thickness of the flesh between a body's bones and a touched surface, at seat, palms and soles.

It is measured once per rig from the character's mesh, if any, with each part posed as when it touches.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from ..motion import Skeleton
from ..motion.kinematics import world_positions
from ..motion.proportions import has_toes, leg_length
from ..motion.roles import is_quadruped
from ..motion.rotations import Array, cross, from_axis_angle, normalize, rotate, rotation_between
from .bound_skin import BoundSkin
from .capsules import forward_direction
from .skinned_mesh import rest_positions

PELVIS_ROLL_RAD: Final = np.radians(12.0)
"""Backward roll of a seated pelvis relative to standing."""
THIGH_SLOPE_RAD, THIGH_SPREAD_RAD = np.radians(8.0), np.radians(8.0)
"""Slope of seated thighs down toward the knees, and outward spread of each."""
SEAT_SHARE: Final = 0.4
"""Length of the contact area of a seat ahead of the hip joints, and again behind them, as a share of the thigh."""
MOSTLY: Final = 0.5
"""Least vertex weight of a body part for a vertex to count as its skin."""
LOWEST_PERCENT: Final = 1.0
"""Percentile of vertex heights taken as the lowest skin, so that stray vertices, as of a strap, do not count."""
SEAT_RATIOS: Final = (0.06, 0.32)
"""Smallest and largest plausible seat thickness, as shares of leg length; other values come from clothes or props."""
PALM_SHARES: Final = (0.22, 0.5)
"""Start and end of the palm along the hand, 0 at the wrist, 1 at the fingertips."""
PALM_PERCENT: Final = 90.0
"""Percentile of distances from the bone taken as the skin of a palm, outside its hollows."""
DEEPEST_PERCENT: Final = 99.0
"""Percentile of distances from the bone taken as the outermost skin of a hand, at bent fingers."""
MAX_FINGER_DEPTH_RATIO: Final = 0.006
"""Depth to which fingers may sink into the surface under the palm, as a share of leg length."""
HAND_CELLS: Final = 16
"""Number of cells along a hand, and across it, each with its outermost point of skin."""
HAND_RATIOS: Final = (0.08, 0.5)
"""Shortest and longest plausible hands, as shares of leg length."""
PALM_RATIOS: Final = (0.002, 0.1)
"""Smallest and largest plausible thickness of a palm, as shares of leg length."""
SOLE_RATIOS: Final = (-0.04, 0.25)
"""Least and greatest plausible height of the ball joints (or ankles) above the sole, as shares of leg length."""
SOLE_LAYER_RATIO: Final = 0.023
"""Height above a foot's lowest point up to which skin counts as its sole, as a share of leg length."""
SOLE_CELL_RATIO: Final = 0.03
"""Size of the grid cells of a sole, each reduced to its lowest point, as a share of leg length."""
MIN_VERTICES: Final = 6
"""Least number of vertices of a measurable part."""


@dataclass(frozen=True, slots=True, eq=False)
class Palm:
    """The palm of a hand.

    Attributes:
        thickness: distance from the bone to the skin of the palm, meters.
        normal: (3) direction out of the palm at rest, world.
        along: (3) direction from the wrist to the fingers at rest, world.
        skin: (K, 3) points of the palm-side skin at rest, world axes, meters; relative to the wrist, but with depth
            relative to the plane of the palm, onto which protruding fingers are flattened.
    """

    thickness: float
    normal: Array
    along: Array
    skin: Array

    @property
    def points(self) -> Array:
        """Points (K, 3) of the palm-side skin at rest, relative to the wrist, meters, world axes."""
        return self.skin + self.thickness * self.normal


@dataclass(frozen=True, slots=True, eq=False)
class SkinThickness:
    """Measured flesh thicknesses of a body; missing ones are estimated from its proportions.

    Attributes:
        seat: height of a sitting body's hip joints above the seat, meters.
        palms: the palms by side, ``"L"`` and ``"R"``.
        sole: height of the balls of the feet, or of the ankles without these joints, above the sole, meters.
    """

    seat: float | None = None
    palms: Mapping[str, Palm] = field(default_factory=dict)
    sole: float | None = None


def measure_skin(skeleton: Skeleton, skin: BoundSkin) -> SkinThickness:
    """Return the thickness of a character's flesh at seat, palms and soles, where it can be measured."""
    palms = {side: palm for side in "LR" if (palm := _palm(skeleton, skin, side)) is not None}
    return SkinThickness(_seat(skeleton, skin), palms, _sole(skeleton, skin))


def foot_part(skeleton: Skeleton) -> Literal["toe", "foot"]:
    """Return the joint whose height above the sole is measured: ``"toe"`` (the ball), or ``"foot"`` without toes."""
    return "toe" if has_toes(skeleton) else "foot"


def seated_pose(skeleton: Skeleton) -> tuple[Array, Array]:
    """Return the joints of a sitting body: positions (J, 3) from the root, meters, and world rotations (J, 4)."""
    rest = rest_positions(skeleton)
    across = normalize(rest[skeleton.joint("thigh.L")] - rest[skeleton.joint("thigh.R")])
    ahead, up = forward_direction(skeleton, rest), np.array([0.0, 0.0, 1.0])
    rotations = np.tile(from_axis_angle(across, -PELVIS_ROLL_RAD), (len(skeleton), 1))
    for side, outward in (("L", across), ("R", -across)):
        thigh, knee = skeleton.joint(f"thigh.{side}"), skeleton.joint(f"shin.{side}")
        level = np.cos(THIGH_SPREAD_RAD) * ahead + np.sin(THIGH_SPREAD_RAD) * outward
        wanted = np.cos(THIGH_SLOPE_RAD) * level - np.sin(THIGH_SLOPE_RAD) * up
        below = _below(skeleton, thigh)
        rotations[below] = rotation_between(rest[knee] - rest[thigh], wanted)
    positions = world_positions(skeleton, np.zeros(3), rotations)
    return positions, rotations


def _seat(skeleton: Skeleton, skin: BoundSkin) -> float | None:
    """Return the height of the hip joints above the lowest skin of a sitting body, meters."""
    roles = skeleton.roles
    thighs = [roles[f"thigh.{side}"] for side in "LR"]
    pelvis = {roles.get("hips", 0), *thighs}
    chosen = skin.shares(pelvis) > MOSTLY
    if chosen.sum() < MIN_VERTICES:
        return None
    positions, rotations = seated_pose(skeleton)
    part = BoundSkin(skin.vertices[chosen], skin.joints[chosen], skin.weights[chosen], skin.keeps_volume[chosen])
    away = part.posed(skeleton, positions, rotations) - positions[thighs].mean(axis=0)
    reach = SEAT_SHARE * leg_length(skeleton) / 2
    on_seat = np.abs(away[:, :2] @ forward_direction(skeleton, positions)[:2]) < reach
    return _plausible(-_low(away[on_seat, 2]), SEAT_RATIOS, skeleton)


def _palm(skeleton: Skeleton, skin: BoundSkin, side: str) -> Palm | None:
    """Measure the palm of a hand whose skin is flat along its bone; ``None`` if it cannot be measured."""
    hand = skeleton.roles.get(f"hand.{side}")
    if hand is None:
        return None
    rest, below = rest_positions(skeleton), set(_below(skeleton, hand))
    points = skin.vertices[skin.shares(below) > MOSTLY] - rest[hand]
    if len(points) < MIN_VERTICES:
        return None
    away = np.linalg.norm(points, axis=1)
    along = normalize(points[away > np.median(away)].mean(axis=0))
    length = _plausible(float(np.percentile(points @ along, 98.0)), HAND_RATIOS, skeleton)
    if length is None:
        return None
    shares = points @ along / length
    inner = points[(shares > PALM_SHARES[0]) & (shares < PALM_SHARES[1])]
    if len(inner) < MIN_VERTICES:
        return None
    flat = inner - (inner @ along)[:, None] * along
    normal = _flat_normal(flat, along, side, skeleton, rest)
    aside = np.abs(flat @ cross(along, normal))
    half_width = float(np.percentile(aside, 75.0))
    palm = float(np.percentile((flat @ normal)[aside <= half_width], PALM_PERCENT))
    deepest = float(np.percentile(points @ normal, DEEPEST_PERCENT))
    sunk = MAX_FINGER_DEPTH_RATIO * leg_length(skeleton)
    thickness = _plausible(max(palm, deepest - sunk), PALM_RATIOS, skeleton)
    return None if thickness is None else Palm(thickness, normal, along, _palm_side(points, normal, along, thickness))


def _palm_side(points: Array, normal: Array, along: Array, thickness: float) -> Array:
    """Return the points (K, 3) of a hand's skin that are on the side of its palm, meters from the palm's plane.

    Args:
        points: (P, 3) skin of the hand, from its bone.
        normal: (3) direction out of the palm.
        along: (3) direction of the hand.
        thickness: distance from the bone to the plane of the palm, meters.
    """
    axes = np.stack([along, cross(along, normal), -normal])
    places = points @ axes.T
    low, size = places[:, :2].min(axis=0), np.ptp(places[:, :2], axis=0) / HAND_CELLS
    outermost = _lowest_of_cells(places, np.minimum((places[:, :2] - low) // size, HAND_CELLS - 1))
    behind = np.maximum(outermost[:, 2] + thickness, 0.0)
    return np.column_stack([outermost[:, :2], behind]) @ axes


def _flat_normal(points: Array, along: Array, side: str, skeleton: Skeleton, rest: Array) -> Array:
    """Return the direction (3) out of a palm: the thin direction of a hand, on the side facing hanging thighs.

    Args:
        points: (P, 3) skin of the hand, from its bone and perpendicular to it.
        along: (3) direction of the hand.
        side: ``"L"`` or ``"R"``.
        skeleton: skeleton of the body.
        rest: (J, 3) positions of the skeleton's joints at rest.
    """
    _, vectors = np.linalg.eigh(np.cov((points - points.mean(axis=0)).T))
    # Of the three axes the first is the bone itself, along which the points have no spread.
    thin = normalize(vectors[:, 1] - (vectors[:, 1] @ along) * along)
    inward = rest[skeleton.joint("thigh.R")] - rest[skeleton.joint("thigh.L")]
    inward = normalize(inward if side == "L" else -inward)
    # The arm is rotated from its hanging direction to the hand's direction.
    facing = rotate(rotation_between(np.array([0.0, 0.0, -1.0]), along), inward)
    return thin if float(thin @ facing) >= 0.0 else -thin


def sole_points(skeleton: Skeleton, skin: BoundSkin) -> dict[str, Array]:
    """Return the lowest skin points (K, 3) of each foot at rest, meters from the foot's joint, by that joint's role.

    Feet without skin, and the paws of animals, have no points.
    """
    if is_quadruped(skeleton.roles):
        return {}
    rest, found = rest_positions(skeleton), dict[str, Array]()
    for role in ("foot.L", "foot.R"):
        if role in skeleton.roles:
            joint = skeleton.roles[role]
            points, leg = _foot_skin(skeleton, skin, role) - rest[joint], leg_length(skeleton)
            sole = _lowest_of_cells(points, np.floor(points[:, :2] / (SOLE_CELL_RATIO * leg)))
            if len(sole):
                found[role] = sole[sole[:, 2] < sole[:, 2].min() + SOLE_LAYER_RATIO * leg]
    return found


def _lowest_of_cells(points: Array, cells: Array) -> Array:
    """Return the lowest point of a skin (V, 3) in each cell; ``cells`` (V, 2) gives each point's cell.

    Returns:
        (K, 3) points, one for each occupied cell.
    """
    order = np.argsort(points[:, 2], kind="stable")
    _, lowest = np.unique(cells[order], axis=0, return_index=True)
    return points[order[lowest]]


def _sole(skeleton: Skeleton, skin: BoundSkin) -> float | None:
    """Return the height, meters, of the balls (or ankles) above the lowest skin of the feet at rest."""
    rest, part, heights = rest_positions(skeleton), foot_part(skeleton), []
    for side in "LR":
        points = _foot_skin(skeleton, skin, f"foot.{side}")
        if len(points) < MIN_VERTICES:
            return None
        heights.append(float(rest[skeleton.joint(f"{part}.{side}"), 2]) - _low(points[:, 2]))
    return _plausible(float(np.mean(heights)), SOLE_RATIOS, skeleton)


def _foot_skin(skeleton: Skeleton, skin: BoundSkin, role: str) -> Array:
    """Return the skin (V, 3), at rest, of a foot and the joints below it, meters from the root."""
    return skin.vertices[skin.shares(set(_below(skeleton, skeleton.joint(role)))) > MOSTLY]


def _low(heights: Array) -> float:
    """Return the lowest of ``heights``, meters, ignoring outliers; NaN if ``heights`` is empty."""
    return float(np.percentile(heights, LOWEST_PERCENT)) if len(heights) else float("nan")


def _plausible(value: float, ratios: tuple[float, float], skeleton: Skeleton) -> float | None:
    """Return ``value``, meters, if its ratio to the leg length is plausible; otherwise ``None``."""
    low, high = (ratio * leg_length(skeleton) for ratio in ratios)
    return value if low < value < high else None


def _below(skeleton: Skeleton, joint: int) -> list[int]:
    """Return a joint and its descendants."""
    found = [joint]
    for number in range(joint + 1, len(skeleton)):
        if skeleton.parents[number] in found:
            found.append(number)
    return found
