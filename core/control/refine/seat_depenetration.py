"""Who sits on their seat and not in it: no deeper than flesh gives way, and not leaning through its back."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.limb_ik import turned
from ...motion.rotations import Array, between
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from .depenetration import HORIZONTAL_DIRECTIONS, UPWARD_DIRECTIONS, BodyPart, depenetrate

MAX_ITERATIONS: Final = 3
MIN_SIT_WEIGHT: Final = 0.1
"""Share of sitting from which somebody is on their seat."""
ALLOWED_SEAT_DEPTH_M: Final = 0.02
"""Metres by which who sits sinks in."""
MAX_HIP_LIFT_M, MAX_SPINE_FORWARD_M, MAX_NECK_FORWARD_M = 0.12, 0.05, 0.15
"""Metres by which who sits is moved up and forward, and their neck forward, at most."""
SEAT_BODY_PARTS: Final = (
    (("hips", "thigh"), UPWARD_DIRECTIONS, MAX_HIP_LIFT_M),
    (("spine",), HORIZONTAL_DIRECTIONS, MAX_SPINE_FORWARD_M),
)
"""The parts on a seat and before its back, and the ways that they are moved."""
TRUNK_ROLES: Final = ("spine", "chest", "neck", "head")


def depenetrate_seated(clip: Clip, seats: Sequence[AnimatedCollider], sit_weights: Array) -> Clip:
    """The clip with who sits out of what they sit on.

    Args:
        clip: F frames.
        seats: what they sit on, as it is at each frame.
        sit_weights: (F) how far, from 0 to 1, they are sitting.
    """
    body, count = BodyCapsules.from_skeleton(clip.skeleton), len(clip)
    upright = [np.broadcast_to((sit_weights < MIN_SIT_WEIGHT)[:, None], (count, len(body.radii)))] * len(seats)
    for _ in range(MAX_ITERATIONS):
        before = clip
        for bones, ways, farthest in SEAT_BODY_PARTS:
            spheres = body.sphere_indices(bones)
            # Knees stay where feet that stand leave them, so that thighs rise the less the nearer they are to them.
            share = np.where(np.isin(spheres, body.sphere_indices(("thigh",))), 1.0 - body.bone_fractions[spheres], 1.0)
            part = BodyPart(
                spheres, np.broadcast_to(share, (count, len(spheres))), ways, farthest, ALLOWED_SEAT_DEPTH_M
            )
            way = depenetrate(body, clip, seats, upright, part)
            if way is not None:
                hips = clip.positions[:, clip.skeleton.role("hips")]
                clip = solve_full_body_ik(clip, [EffectorGoal("hips", hips + way, np.ones(count))])
        if "spine" in clip.skeleton.roles and "neck" in clip.skeleton.roles:
            clip = _lean_trunk(body, clip, seats, upright)
        if clip is before:
            break
    return clip


def _lean_trunk(
    body: BodyCapsules, clip: Clip, seats: Sequence[AnimatedCollider], collision_masks: Sequence[NDArray[np.bool_]]
) -> Clip:
    """The clip with the trunk, bent at its lowest joint, out of the backs of seats."""
    trunk = body.sphere_indices(TRUNK_ROLES)
    spine, neck = (clip.positions[:, clip.skeleton.role(role)] for role in ("spine", "neck"))
    length = np.linalg.norm(neck - spine, axis=1, keepdims=True)
    levers = np.linalg.norm(body.sphere_centres(clip)[:, trunk] - spine[:, None], axis=-1) / length
    way = depenetrate(
        body, clip, seats, collision_masks, BodyPart(trunk, levers, HORIZONTAL_DIRECTIONS, MAX_NECK_FORWARD_M)
    )
    if way is None:
        return clip
    return turned(clip, clip.skeleton.role("spine"), between(neck - spine, neck + way - spine))
