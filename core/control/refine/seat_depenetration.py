"""Seat depenetration: a seated body rests on its seat and does not lean through the backrest."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.limb_ik import rotate_joint
from ...motion.rotations import Array, rotation_between
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...tuning import Tuning, tuned
from ..passes.depenetration import HORIZONTAL_DIRECTIONS, MAX_ITERATIONS, UPWARD_DIRECTIONS, BodyPart, depenetrate
from . import collision_mask


@dataclass(frozen=True, slots=True)
class SeatDepenetration(Tuning):
    """Tuned numbers of the depenetration of seated bodies."""

    allowed_depth: float = tuned(0.02, "m", 0.0, 0.1)
    """Allowed penetration depth of a seated body, larger than elsewhere since seats yield, too."""
    max_hip_lift: float = tuned(0.12, "m", 0.0, 0.5)
    """Largest distance by which a seated body is lifted."""
    max_spine_forward: float = tuned(0.05, "m", 0.0, 0.3)
    """Largest forward displacement of a seated body's spine."""
    max_neck_forward: float = tuned(0.15, "m", 0.0, 0.4)
    """Largest forward displacement of a seated body's neck."""
    max_lifted_fraction: float = tuned(0.3, "1", 0.0, 1.0)
    """Position along the thigh, from 0 at the hip to 1, up to which its penetration lifts the hips."""


TUNING: Final = SeatDepenetration()
SEAT_BODY_PARTS: Final = (
    (("hips", "thigh"), UPWARD_DIRECTIONS, TUNING.max_hip_lift),
    (("spine",), HORIZONTAL_DIRECTIONS, TUNING.max_spine_forward),
)
"""For each part of a seated body: bones, directions in which it may be pushed, and largest displacement, meters."""
TRUNK_ROLES: Final = ("spine", "chest", "neck", "head")


@Stepwise
def depenetrate_seated(
    clip: Clip, seats: Sequence[AnimatedCollider], sit_weights: Array
) -> Generator[None, None, Clip]:
    """Return the motion with penetrations of the seated body into its seat resolved.

    The hips and thighs are lifted, the spine is moved forward and the trunk leans.

    Args:
        clip: The motion, F frames.
        seats: Animated colliders of the seats.
        sit_weights: (F) weights of the action *sit*, 0 to 1.
    """
    body, count = BodyCapsules.from_skeleton(clip.skeleton), len(clip)
    stands = (sit_weights < collision_mask.TUNING.min_sit_weight)[:, None]
    not_sitting = [np.broadcast_to(stands, (count, len(body.radii)))] * len(seats)
    for _ in range(MAX_ITERATIONS):
        before = clip
        for roles, directions, max_shift in SEAT_BODY_PARTS:
            spheres = body.sphere_indices(roles)
            # Planted feet hold the knees in place: a thigh is lifted less toward its knee, and no knee lifts the hips.
            along = body.bone_fractions[spheres]
            lifted = np.where(along <= TUNING.max_lifted_fraction, 1.0 - along, 0.0)
            share = np.where(np.isin(spheres, body.sphere_indices(("thigh",))), lifted, 1.0)
            part = BodyPart(
                spheres, np.broadcast_to(share, (count, len(spheres))), directions, max_shift, TUNING.allowed_depth
            )
            displacement = depenetrate(body, clip, seats, not_sitting, part)
            yield
            if displacement is not None:
                hips = clip.positions[:, clip.skeleton.joint("hips")]
                goal = EffectorGoal("hips", hips + displacement, np.ones(count))
                clip = yield from solve_full_body_ik.steps(clip, [goal])
        clip = lean_trunk(clip, seats, not_sitting)
        yield
        if clip is before:
            break
    return clip


def lean_trunk(clip: Clip, obstacles: Sequence[AnimatedCollider], collision_masks: Sequence[NDArray[np.bool_]]) -> Clip:
    """Return a motion with the trunk leaned out of obstacles, such as the backs of seats, about its lowest joint.

    Args:
        clip: the motion, F frames.
        obstacles: animated colliders.
        collision_masks: for each obstacle, mask (F, S) of spheres of :class:`BodyCapsules` that it lets through.
    """
    if "spine" not in clip.skeleton.roles or "neck" not in clip.skeleton.roles:
        return clip
    body = BodyCapsules.from_skeleton(clip.skeleton)
    trunk = body.sphere_indices(TRUNK_ROLES)
    spine, neck = (clip.positions[:, clip.skeleton.joint(role)] for role in ("spine", "neck"))
    length = np.linalg.norm(neck - spine, axis=1, keepdims=True)
    levers = np.linalg.norm(body.sphere_centres(clip)[:, trunk] - spine[:, None], axis=-1) / length
    displacement = depenetrate(
        body, clip, obstacles, collision_masks, BodyPart(trunk, levers, HORIZONTAL_DIRECTIONS, TUNING.max_neck_forward)
    )
    if displacement is None:
        return clip
    return rotate_joint(clip, clip.skeleton.joint("spine"), rotation_between(neck - spine, neck + displacement - spine))
