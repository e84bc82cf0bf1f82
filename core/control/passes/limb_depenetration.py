"""Limb depenetration: each arm and each leg is moved out of obstacles separately.

Elbows and knees swing out, and hands and feet follow unless they hold an object or are in contact. A foot in contact is
displaced by the same amount for the whole contact, with blends in between (footskate cleanup, Kovar, Schreiner and
Gleicher 2002).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.limb_ik import Leg, rotate_joint, solve_arm_ik, solve_leg_ik, swing_limb, with_world_rotations
from ...motion.rotations import Array, length, rotation_between
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...tuning import Tuning, tuned
from .depenetration import ALL_DIRECTIONS, HORIZONTAL_DIRECTIONS, MAX_ITERATIONS, BodyPart, depenetrate, near_frames
from .elbow_swivel import swivel_elbow

ARM_ROLES: Final = ("upper_arm", "forearm", "hand")
LEG_ROLES: Final = ("thigh", "shin", "foot")


@dataclass(frozen=True, slots=True)
class LimbDepenetration(Tuning):
    max_arm_shift: float = tuned(0.35, "m", 0.0, 1.0)
    """Largest displacement of an elbow or hand."""
    max_hand_shift: float = tuned(0.12, "m", 0.0, 0.5)
    """Largest displacement of the fingertips, made by rotating the hand about its wrist."""
    max_leg_shift: float = tuned(0.2, "m", 0.0, 1.0)
    """Largest displacement of a knee or foot."""
    foot_blend: int = tuned(24, "frames", 1, 120)
    """Largest number of frames over which a foot blends to its displaced contact."""


TUNING: Final = LimbDepenetration()


@Stepwise
def depenetrate_limbs(
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    holding_weights: dict[str, Array],
    foot_contacts: NDArray[np.bool_],
) -> Generator[None, None, Clip]:
    """Return the motion with arms and legs moved out of the obstacles that they penetrate.

    Args:
        clip: The motion, F frames.
        obstacles: Animated colliders.
        collision_masks: For each obstacle, mask (F, S) of spheres of :class:`BodyCapsules` that it lets through.
        holding_weights: By role of each hand, weight (F), 0 to 1, with which it stays in place because it holds an
            object.
        foot_contacts: (F, 2) whether the left and the right foot are in contact.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    near = [near_frames(clip, obstacle) for obstacle in obstacles]  # The hips stay where they are.
    met = [at for at, frames in enumerate(near) if len(frames)]
    obstacles, collision_masks = [obstacles[at] for at in met], [collision_masks[at] for at in met]
    near = [near[at] for at in met]
    limbs = [(limb, side) for side in "LR" for limb in (LEG_ROLES, ARM_ROLES) if _has_limb(clip, limb, side)]
    for _ in range(MAX_ITERATIONS if obstacles else 0):
        moved = []  # No limb moves another one, so that a limb that is clear stays clear.
        for limb, side in limbs:
            before = clip
            if limb is LEG_ROLES:
                foot_contact = foot_contacts[:, "LR".index(side)]
                clip = _depenetrate_leg(body, clip, obstacles, collision_masks, near, side, foot_contact)
                yield
            else:
                holding_weight = holding_weights.get(f"hand.{side}", np.zeros(len(clip)))
                clip = _depenetrate_arm(body, clip, obstacles, collision_masks, near, side, holding_weight)
                yield
                clip = swivel_elbow(body, clip, obstacles, collision_masks, side, holding_weight, near)
                yield
                clip = _depenetrate_hand(body, clip, obstacles, collision_masks, near, side)
                yield
            if clip is not before:
                moved.append((limb, side))
        limbs = moved
    return clip


def _has_limb(clip: Clip, limb: tuple[str, str, str], side: str) -> bool:
    """Return whether the skeleton has all joints of a limb."""
    return all(f"{part}.{side}" in clip.skeleton.roles for part in limb)


def _depenetrate_arm(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    near: Sequence[NDArray[np.intp]],
    side: str,
    holding_weight: Array,
) -> Clip:
    """Return the motion with an arm moved out of obstacles; the hand stays in place by the weight (F) of its hold."""
    displacement = depenetrate(
        body,
        clip,
        obstacles,
        collision_masks,
        _limb_body_part(body, ARM_ROLES, side, holding_weight, ALL_DIRECTIONS, TUNING.max_arm_shift),
        near,
    )
    if displacement is None:
        return clip
    return _move_limb(clip, ARM_ROLES, side, displacement, (1 - holding_weight)[:, None] * displacement)


def _depenetrate_hand(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    near: Sequence[NDArray[np.intp]],
    side: str,
) -> Clip:
    """Return the motion with a hand rotated about its wrist, out of obstacles."""
    spheres = body.sphere_indices((f"hand.{side}",))
    levers = np.broadcast_to(body.bone_fractions[spheres], (len(clip), len(spheres)))
    displacement = depenetrate(
        body, clip, obstacles, collision_masks, BodyPart(spheres, levers, ALL_DIRECTIONS, TUNING.max_hand_shift), near
    )
    if displacement is None:
        return clip
    tip = body.sphere_centres(clip, spheres[-1:])[:, 0] - clip.positions[:, clip.skeleton.joint(f"hand.{side}")]
    # No rotation displaces a hand along itself, and against its direction it would turn over within a frame.
    along = np.sum(displacement * tip, axis=1, keepdims=True) / np.sum(tip * tip, axis=1, keepdims=True)
    across = displacement - along * tip
    return rotate_joint(clip, clip.skeleton.joint(f"hand.{side}"), rotation_between(tip, tip + across))


def _depenetrate_leg(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    near: Sequence[NDArray[np.intp]],
    side: str,
    foot_contact: NDArray[np.bool_],
) -> Clip:
    """Return the motion with a leg moved out of obstacles; a foot is displaced equally throughout a contact."""
    displacement = depenetrate(
        body,
        clip,
        obstacles,
        collision_masks,
        _limb_body_part(body, LEG_ROLES, side, np.zeros(len(clip)), HORIZONTAL_DIRECTIONS, TUNING.max_leg_shift),
        near,
    )
    if displacement is None:
        return clip
    foot_displacement = displacement.copy()
    for start, stop in runs_of(foot_contact):
        foot_displacement[start:stop] = displacement[
            start + int(np.linalg.norm(displacement[start:stop], axis=1).argmax())
        ]
    if foot_contact.any():
        blended = blend_corrections(foot_displacement, runs_of(foot_contact), TUNING.foot_blend)
        # A foot in the air gets as much of its own displacement as the blend is shorter, so that it never jumps.
        own, given = length(displacement), length(blended)
        lacks = np.where(foot_contact, 0.0, np.maximum(1.0 - given / np.maximum(own, 1e-9), 0.0))
        foot_displacement = blended + lacks[:, None] * displacement
    return _move_limb(clip, LEG_ROLES, side, foot_displacement, foot_displacement)


def _limb_body_part(
    body: BodyCapsules,
    limb: tuple[str, str, str],
    side: str,
    holding_weight: Array,
    directions: tuple[tuple[int, float], ...],
    max_shift: float,
) -> BodyPart:
    """Return the body part of a limb: its middle joint has lever 1, its end 1 minus its holding weight (F)."""
    spheres = body.sphere_indices([f"{part}.{side}" for part in limb])
    along = body.bone_fractions[spheres]
    part = np.array([limb.index(body.roles[bone].partition(".")[0]) for bone in body.sphere_capsules[spheres]])
    free_share = (1 - holding_weight)[:, None]
    levers = np.where(part == 0, along, np.where(part == 1, 1 - along + along * free_share, free_share))
    return BodyPart(spheres, levers, directions, max_shift)


def _move_limb(clip: Clip, limb: tuple[str, str, str], side: str, middle_shift: Array, end_shift: Array) -> Clip:
    """Return the motion with a limb's middle joint and its end moved by (F, 3) meters each."""
    positions, rotations = (array.copy() for array in clip.world)
    first, bent, last = (clip.skeleton.joint(f"{part}.{side}") for part in limb)
    target = positions[:, last] + end_shift
    swing_limb(positions, rotations, (first, bent, last), middle_shift)
    if limb is ARM_ROLES:
        solve_arm_ik(clip.skeleton, positions, rotations, side, target)
    else:
        solve_leg_ik(clip.skeleton, positions, rotations, Leg.of(clip.skeleton, side), target)
    return with_world_rotations(clip, clip.root_positions, rotations)
