"""Quality of a bake as the rig shows it: posture, soles, joints bent backward, and deviations from the plan."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..motion import Skeleton
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.roles import is_quadruped
from ..motion.rotations import UP, Array, inverse, normalize, rotate
from ..motion.signals import Mask
from ..retarget.rest_pose import is_standing
from .planned_motion import UNITS_PER_METER, PlannedMotion, travel_speeds
from .quality import SEEN_LIMITS, MeasureLimits, MeasureTrace

SIDES: Final = ("foot.L", "foot.R")
FLIP_CHAINS: Final = (
    ("upper_arm", "forearm", "hand"),
    ("thigh", "shin", "foot"),
    ("front_thigh", "front_shin", "front_foot"),
)
"""Roles of the limbs around hinges, without their side."""
LEVEL_SLOPE: Final = 0.1
"""Largest slope, rise over run, of a sole's skin at rest that counts as level."""
SPEED_RATIOS: Final = (1.3, 1.6)
"""Factors of the largest planned hip speed: speeds up to the first are good, beyond the second bad."""
SPEED_MARGINS_M_S: Final = (0.5, 1.0)
"""Speeds added to the limits of :data:`SPEED_RATIOS`."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownMotion:
    """A motion as the evaluated rig shows it, at the N sampled frames of its plan.

    Attributes:
        skeleton: the rig's body at rest.
        positions: (N, J, 3) positions of the rig's joints, meters, world.
        rotations: (N, J, 4) rotations of the rig's joints from rest, world.
        soles: (K, 3) points of the sole's skin at rest, from the foot's joint, meters, world, by role of the foot.
        blended: (N) whether the rig shows a blend with other animation at the frame.
    """

    skeleton: Skeleton
    positions: Array
    rotations: Array
    soles: dict[str, Array]
    blended: Mask


def rig_traces(plan: PlannedMotion, shown: ShownMotion) -> list[MeasureTrace]:
    """Return posture, soles, bent-back joints, deviation and speed of the shown rig at the plan's N sampled frames."""
    own = ~shown.blended
    size = shown.skeleton.leg_length / ADULT_LEG_LENGTH_M
    return [
        *_posture(plan, shown, own),
        *_soles(plan, shown, size),
        *_flips(shown),
        _off_plan(plan, shown, own, size),
        _travel(plan, shown),
    ]


def _posture(plan: PlannedMotion, shown: ShownMotion, own: Mask) -> list[MeasureTrace]:
    """Return the angles (N, U) between bones' upward directions and the planned ones; empty without a standing rest."""
    skeleton = shown.skeleton
    roles = [role for role in plan.upright if role in skeleton.roles]
    if not roles or not (is_standing(skeleton) or is_quadruped(skeleton.roles)):
        return []
    rotations = shown.rotations[:, [skeleton.roles[role] for role in roles]]
    up = rotate(rotations, np.broadcast_to(UP, (*rotations.shape[:2], 3)))
    wanted = normalize(np.array(plan.directions, dtype=float)[:, [plan.upright.index(role) for role in roles]])
    return [
        MeasureTrace("posture", tuple(roles), np.where(own[:, None], _angles(up, wanted), np.nan), _limits("posture"))
    ]


def _soles(plan: PlannedMotion, shown: ShownMotion, size: float) -> list[MeasureTrace]:
    """Return the tilt (N, 2) of flat soles, degrees, and the distance from their skin to the ground, mm."""
    skeleton = shown.skeleton
    if not all(role in skeleton.roles for role in SIDES) or is_quadruped(skeleton.roles):
        return []
    floors = np.array([[np.nan if z is None else z / UNITS_PER_METER for z in row] for row in plan.floors])
    tilt, gap = np.full(floors.shape, np.nan), np.full(floors.shape, np.nan)
    for column, role in enumerate(SIDES):
        joint, points = skeleton.roles[role], shown.soles.get(role, np.zeros((0, 3)))
        rows = np.flatnonzero(np.isfinite(floors[:, column]))
        turns = shown.rotations[rows, joint]
        level = sole_normal(points)
        tilt[rows, column] = _angles(rotate(turns, np.broadcast_to(level, (len(rows), 3))), UP)
        if len(points):
            lowest = rotate(turns[:, None], np.broadcast_to(points, (len(rows), *points.shape)))[..., 2].min(axis=1)
            gap[rows, column] = 1000 * (shown.positions[rows, joint, 2] + lowest - floors[rows, column])
    usable = is_standing(skeleton) or bool(shown.soles)
    found = [MeasureTrace("sole_tilt", SIDES, tilt, _limits("sole_tilt"))] if usable else []
    return [*found, MeasureTrace("sole_gap", SIDES, np.abs(gap), _limits("sole_gap", size))]


def sole_normal(points: Array) -> Array:
    """Return the unit normal (3) of the plane through a sole's skin points (K, 3), meters, at rest, world.

    It is straight up for fewer than four points, and for a plane that is level but for arches and rounded edges.
    """
    if len(points) < 4:
        return UP
    centered = points - points.mean(axis=0)
    slopes, _, rank, _ = np.linalg.lstsq(np.column_stack([centered[:, :2], np.ones(len(points))]), centered[:, 2])
    if rank < 3 or np.hypot(*slopes[:2]) < LEVEL_SLOPE:
        return UP
    return normalize(np.array([-slopes[0], -slopes[1], 1.0]))


def _flips(shown: ShownMotion) -> list[MeasureTrace]:
    """Return the traces of knees and elbows bent backward, degrees."""
    roles = shown.skeleton.roles
    found = {}
    for parts in FLIP_CHAINS:
        for side in "LR":
            names = [f"{part}.{side}" for part in parts]
            if all(name in roles for name in names):
                found[names[1]] = backward_bend(shown, *(roles[name] for name in names))
    if not found:
        return []
    return [MeasureTrace("joint_flip", tuple(found), np.stack([*found.values()], axis=-1), _limits("joint_flip"))]


def backward_bend(shown: ShownMotion, first: int, middle: int, last: int) -> Array:
    """Return the angle (N), degrees, by which a knee or elbow bends backward; 0 in frames without backward bend.

    Backward is against the motion's mean bend; ``first``, ``middle``, ``last`` are joint indices of the limb, root on.
    """
    positions, rotations = shown.positions, shown.rotations
    upper = normalize(positions[:, middle] - positions[:, first])
    lower = normalize(positions[:, last] - positions[:, middle])
    across = rotate(inverse(rotations[:, first]), np.cross(upper, lower))
    usual = normalize(across.sum(axis=0))
    angle = np.degrees(np.arctan2(np.linalg.norm(across, axis=-1), np.sum(upper * lower, axis=-1)))
    share = across @ usual / np.maximum(np.linalg.norm(across, axis=-1), 1e-9)
    return np.maximum(-angle * share, 0.0)


def _off_plan(plan: PlannedMotion, shown: ShownMotion, own: Mask, size: float) -> MeasureTrace:
    """Return the distances (N, P), cm, of joints from their planned positions."""
    roles = [role for role in plan.placed if role in shown.skeleton.roles]
    wanted = np.array(plan.places, dtype=float)[:, [plan.placed.index(role) for role in roles]] / UNITS_PER_METER
    away = 100 * np.linalg.norm(shown.positions[:, [shown.skeleton.roles[role] for role in roles]] - wanted, axis=-1)
    return MeasureTrace("off_plan", tuple(roles), np.where(own[:, None], away, np.nan), _limits("off_plan", size))


def _travel(plan: PlannedMotion, shown: ShownMotion) -> MeasureTrace:
    """Return the speed (N, 1) of the hips, m/s, with limits from the plan."""
    speeds = travel_speeds(shown.positions[:, shown.skeleton.joint("hips")], plan.rate / plan.step)
    good, bad = (ratio * plan.speed + margin for ratio, margin in zip(SPEED_RATIOS, SPEED_MARGINS_M_S, strict=True))
    return MeasureTrace("travel_speed", ("hips",), speeds[:, None], MeasureLimits("m/s", plan.speed, good, bad))


def _limits(measure: str, size: float = 1.0) -> MeasureLimits:
    usual = SEEN_LIMITS[measure]
    return MeasureLimits(usual.unit, usual.typical * size, usual.good * size, usual.bad * size)


def _angles(one: Array, other: Array) -> Array:
    """Return the angles (...) between unit vectors (..., 3), degrees."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(one, other), axis=-1), np.sum(one * other, axis=-1)))
