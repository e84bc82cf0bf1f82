"""Arms and legs led round things: each limb by itself, on one side of what it would be in.

Elbows and knees swing out, hands and feet go along unless they hold something or stand; a foot that stands is put down
elsewhere for as long as it stands.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.blending import carried
from ...motion.limb_ik import Leg, reach, reach_hand, swing, turned, with_world_rotations
from ...motion.rotations import Array, between
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from .depenetration import ALL_DIRECTIONS, HORIZONTAL_DIRECTIONS, BodyPart, depenetrate
from .elbow_swivel import swivel_elbow

MAX_ITERATIONS: Final = 3
ARM_ROLES: Final = ("upper_arm", "forearm", "hand")
LEG_ROLES: Final = ("thigh", "shin", "foot")
MAX_ARM_SHIFT_M, MAX_HAND_SHIFT_M, MAX_LEG_SHIFT_M = 0.35, 0.12, 0.2
"""Metres by which arms, fingertips and legs are moved, at most."""
FOOT_BLEND_FRAMES: Final = 24
"""Frames over which a foot comes to where it stands elsewhere, at most."""


def depenetrate_limbs(
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    holding_weights: dict[str, Array],
    foot_contacts: NDArray[np.bool_],
) -> Clip:
    """The clip with arms and legs out of the things that they would be in.

    Args:
        clip: F frames.
        obstacles: as they are at each frame.
        collision_masks: for each thing (F, S) the spheres of :class:`BodyCapsules` that may be in it, or about it.
        holding_weights: how much (F), from 0 to 1, a hand stays where it is, by role.
        foot_contacts: (F, 2) whether feet stand, left and right.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    for _ in range(MAX_ITERATIONS):
        before = clip
        for number, side in enumerate("LR"):
            if _has_limb(clip, LEG_ROLES, side):
                clip = _depenetrate_leg(body, clip, obstacles, collision_masks, side, foot_contacts[:, number])
            if _has_limb(clip, ARM_ROLES, side):
                stays = holding_weights.get(f"hand.{side}", np.zeros(len(clip)))
                clip = _depenetrate_arm(body, clip, obstacles, collision_masks, side, stays)
                clip = swivel_elbow(body, clip, obstacles, collision_masks, side, stays)
                clip = _depenetrate_hand(body, clip, obstacles, collision_masks, side)
        if clip is before:
            break
    return clip


def _has_limb(clip: Clip, limb: tuple[str, str, str], side: str) -> bool:
    return all(f"{part}.{side}" in clip.skeleton.roles for part in limb)


def _depenetrate_arm(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    side: str,
    holding_weight: Array,
) -> Clip:
    """An arm, whose hand stays where it is as far (F) as it holds something."""
    way = depenetrate(
        body,
        clip,
        obstacles,
        collision_masks,
        _limb_body_part(body, ARM_ROLES, side, holding_weight, ALL_DIRECTIONS, MAX_ARM_SHIFT_M),
    )
    if way is None:
        return clip
    return _move_limb(clip, ARM_ROLES, side, way, (1 - holding_weight)[:, None] * way)


def _depenetrate_hand(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    side: str,
) -> Clip:
    """A hand, turned about its wrist."""
    spheres = body.sphere_indices((f"hand.{side}",))
    levers = np.broadcast_to(body.bone_fractions[spheres], (len(clip), len(spheres)))
    way = depenetrate(
        body, clip, obstacles, collision_masks, BodyPart(spheres, levers, ALL_DIRECTIONS, MAX_HAND_SHIFT_M)
    )
    if way is None:
        return clip
    tip = body.sphere_centres(clip)[:, spheres[-1]] - clip.positions[:, clip.skeleton.role(f"hand.{side}")]
    return turned(clip, clip.skeleton.role(f"hand.{side}"), between(tip, tip + way))


def _depenetrate_leg(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    side: str,
    foot_contact: NDArray[np.bool_],
) -> Clip:
    """A leg; where its foot stands, it does so elsewhere for as long as it stands."""
    way = depenetrate(
        body,
        clip,
        obstacles,
        collision_masks,
        _limb_body_part(body, LEG_ROLES, side, np.zeros(len(clip)), HORIZONTAL_DIRECTIONS, MAX_LEG_SHIFT_M),
    )
    if way is None:
        return clip
    stood = way.copy()
    for start, stop in runs_of(foot_contact):
        stood[start:stop] = way[start + int(np.linalg.norm(way[start:stop], axis=1).argmax())]
    if foot_contact.any():
        carried_on = carried(stood, runs_of(foot_contact), FOOT_BLEND_FRAMES)
        more = ~foot_contact & (np.linalg.norm(way, axis=1) > np.linalg.norm(carried_on, axis=1))
        stood = np.where(more[:, None], way, carried_on)
    return _move_limb(clip, LEG_ROLES, side, stood, stood)


def _limb_body_part(
    body: BodyCapsules,
    limb: tuple[str, str, str],
    side: str,
    holding_weight: Array,
    directions: tuple[tuple[int, float], ...],
    max_shift: float,
) -> BodyPart:
    """A limb whose middle joint is moved by 1, and its end so far as it does not stay (F)."""
    spheres = body.sphere_indices([f"{part}.{side}" for part in limb])
    along = body.bone_fractions[spheres]
    part = np.array([limb.index(body.roles[bone].partition(".")[0]) for bone in body.sphere_capsules[spheres]])
    goes = (1 - holding_weight)[:, None]
    levers = np.where(part == 0, along, np.where(part == 1, 1 - along + along * goes, goes))
    return BodyPart(spheres, levers, directions, max_shift)


def _move_limb(clip: Clip, limb: tuple[str, str, str], side: str, middle_shift: Array, end_shift: Array) -> Clip:
    """The clip with a limb's middle joint led one way (F, 3), and its end brought another from where it is."""
    positions, rotations = (array.copy() for array in clip.world)
    first, bent, last = (clip.skeleton.role(f"{part}.{side}") for part in limb)
    target = positions[:, last] + end_shift
    swing(positions, rotations, (first, bent, last), middle_shift)
    if limb is ARM_ROLES:
        reach_hand(clip.skeleton, positions, rotations, side, target)
    else:
        reach(clip.skeleton, positions, rotations, Leg.of(clip.skeleton, side), target)
    return with_world_rotations(clip, clip.root_positions, rotations)
