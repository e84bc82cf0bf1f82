"""Retargeting: transfer of motion to a body of any other proportions.

Bones follow the rotations of the source's bones; elbows and knees bend about the rig's own hinges. Displacements of the
hip joints' midpoint and of the ankles scale with leg length, so that steps keep their proportions and knees their bend
direction. Then feet and hands are constrained to their contacts (cf. Gleicher 1998).
"""

from collections.abc import Generator
from typing import Final, Literal, NamedTuple

import numpy as np

from ..jobs.steps import Stepwise
from ..motion import Clip, Skeleton
from ..motion.kinematics import forward_kinematics
from ..motion.limb_ik import Leg, solve_arm_ik, solve_leg_ik, with_world_rotations
from ..motion.proportions import (
    ADULT_LEG_LENGTH_M,
    ANKLE_JOINT_HEIGHT_M,
    TOE_JOINT_HEIGHT_M,
    has_toes,
    leg_length,
    scale_between,
)
from ..motion.roles import is_quadruped
from ..motion.rotations import Array, multiply, normalize
from ..motion.signals import local_floor
from .calibration import Calibration
from .contacts import (
    ContactProbabilities,
    SolePoints,
    contact_frames,
    foot_correction,
    hand_correction,
    hips_drop,
    hips_rise,
    required_lift,
)
from .hinges import align_hinges
from .quadruped import reach_for_paws
from .twist import distribute_twist

MAX_FOOT_RAISE_M: Final = 0.01
"""Largest additional lift of a foot that is already on the ground."""
FOLDED_LEG_RATIOS: Final = (0.15, 0.3)
"""Distances of ankle from hip, relative to leg length, below which a leg is fully folded, and above which not at all.

A folded leg copies the source's bend and ignores its ankle position: if its thigh is longer than its shin, that ankle
position would push the knee into the ground.
"""
ARM_PARTS: Final = ("upper_arm", "forearm", "hand")
"""Parts of an arm, downward."""


@Stepwise
def retarget(
    clip: Clip, calibration: Calibration, contacts: ContactProbabilities | None = None, example: Clip | None = None
) -> Generator[None, None, Clip]:
    """Retarget a clip to the calibration's target; travel scales with the ratio of leg lengths.

    Args:
        clip: motion of the calibration's source.
        calibration: calibration of the clip's skeleton to the target.
        contacts: contact probabilities (F) by joint (``foot.L`` for the heel, ``toe.L``, ``hand.L``). With them, feet
            in contact are as still and as high as the source's, and hands in contact are at the source's positions,
            scaled. A quadruped's paws need no contacts for this.
        example: motion of the source from which its hinges and sole heights are measured; the clip itself by default.
            Parts of a motion are retargeted consistently if they share an example.
    """
    source, target = clip.skeleton, calibration.target
    if is_quadruped(source.roles) and is_quadruped(target.roles):
        roots, world, _, _ = _retarget_ungrounded(clip, calibration)
        return reach_for_paws(clip, target, roots, world, example or clip)
    if calibration.automatic and not source.matches(target):
        calibration = align_hinges(calibration, example or clip)
        yield
    ungrounded = _retarget_ungrounded(clip, calibration)
    yield
    sink = np.zeros(3)
    sink[2] = (
        _sole_excess_height(clip, ungrounded, target)
        if example is None
        else _sole_excess_height(example, _retarget_ungrounded(example, calibration), target)
    )
    yield
    roots, world, _, legs = ungrounded
    result = with_world_rotations(Clip(target, clip.rate, roots, world, clip.name), roots - sink, world)
    if not contacts:
        return result
    feet = _Feet(legs, contacts, scale_between(source, target), -float(sink[2]))
    return _raise_feet(clip, _apply_contacts(clip, result, feet), feet)


class _UngroundedMotion(NamedTuple):
    """A motion on the target before its soles are put on the ground.

    Roots (F, 3), world rotations (F, J, 4), positions (F, J, 3), and the legs of source and target by side.
    """

    roots: Array
    world: Array
    positions: Array
    legs: dict[str, tuple[Leg, Leg]]


class _Feet(NamedTuple):
    """Feet before their contacts are applied.

    The legs of source and target by side, the contacts, the ratio of leg lengths, and the difference of ankle heights
    above the soles, target minus scaled source, meters.
    """

    legs: dict[str, tuple[Leg, Leg]]
    contacts: ContactProbabilities
    scale: float
    ankle_rise: float

    def sole_points(self, source: Clip, target: Clip, side: str) -> tuple[SolePoints, SolePoints]:
        """Return the sole points of the source's and the target's foot on one side."""
        theirs, mine = self.legs[side]
        return SolePoints.pair(source, theirs, target, mine, self.ankle_rise / self.scale)


def _retarget_ungrounded(clip: Clip, calibration: Calibration) -> _UngroundedMotion:
    """Return the motion of the target with scaled ankle positions, before its soles are put on the ground."""
    source, target = clip.skeleton, calibration.target
    scale = scale_between(source, target)
    positions, rotations = clip.world
    world = map_rotations(calibration, rotations)
    distribute_twist(target, world)
    center = hip_center(source, positions) * scale
    at, _ = _kinematics(target, center, world)
    roots = 2 * center - hip_center(target, at)
    at, _ = _kinematics(target, roots, world)
    sides = "" if is_quadruped(target.roles) else "LR"
    legs = {side: (Leg.of(source, side), Leg.of(target, side)) for side in sides if _has_feet(source, target, side)}
    for theirs, mine in legs.values():
        goal = positions[:, theirs.foot] * scale
        solve_leg_ik(target, at, world, mine, goal + _folded_share(target, at, mine, goal) * (at[:, mine.foot] - goal))
    return _UngroundedMotion(roots, world, at, legs)


def _folded_share(skeleton: Skeleton, positions: Array, leg: Leg, ankle: Array) -> Array:
    """Return how far (F, 1), from 0 to 1, a leg is folded when its ankle is at a goal.

    Args:
        skeleton: skeleton of J joints.
        positions: world positions (F, J, 3), meters.
        leg: the leg's joints.
        ankle: (F, 3) goal of the ankle, meters, world.
    """
    reach = np.linalg.norm(ankle - positions[:, leg.thigh], axis=-1, keepdims=True) / leg.length(skeleton)
    folded, straighter = FOLDED_LEG_RATIOS
    share = np.clip((straighter - reach) / (straighter - folded), 0.0, 1.0)
    return share**2 * (3 - 2 * share)


def _sole_excess_height(clip: Clip, motion: _UngroundedMotion, target: Skeleton) -> float:
    """Return the height, meters, of the soles of a target's motion above the source's scaled soles."""
    if not motion.legs:
        return 0.0
    source, scale = clip.skeleton, scale_between(clip.skeleton, target)
    theirs = sole_height(source, clip.positions, clip.rate, _sole_part(source))
    return sole_height(target, motion.positions, clip.rate, _sole_part(target)) - scale * theirs


def _sole_part(skeleton: Skeleton) -> Literal["toe", "foot"]:
    """Return the part, ``"toe"`` or ``"foot"``, whose joints are nearest to the soles of a skeleton."""
    return "toe" if has_toes(skeleton) else "foot"


def map_rotations(calibration: Calibration, rotations: Array) -> Array:
    """Convert world rotations (F, K, 4) of the source's joints to world rotations (F, J, 4) of the target's joints."""
    target = calibration.target
    world = np.empty((len(rotations), len(target), 4))
    for joint, (followed, offsets) in enumerate(
        zip(calibration.source_joints, calibration.rotation_offsets, strict=True)
    ):
        if not followed:
            world[:, joint] = multiply(world[:, max(target.parents[joint], 0)], offsets[0]) if joint else offsets[0]
            continue
        # Blended by the shares, in one hemisphere.
        turns = [multiply(rotations[:, other], offset) for (other, _), offset in zip(followed, offsets, strict=True)]
        world[:, joint] = turns[0]
        if len(turns) > 1:
            signed = [np.where(np.sum(turn * turns[0], axis=-1, keepdims=True) < 0, -turn, turn) for turn in turns]
            world[:, joint] = normalize(
                np.sum([share * turn for (_, share), turn in zip(followed, signed, strict=True)], axis=0)
            )
    return world


def _kinematics(skeleton: Skeleton, roots: Array, world: Array) -> tuple[Array, Array]:
    """Return joint positions (F, J, 3) and local rotations (F, J, 4) for given root positions and world rotations."""
    clip = with_world_rotations(Clip(skeleton, 1.0, roots, world), roots, world)
    return forward_kinematics(skeleton, roots, clip.rotations)


def _has_feet(source: Skeleton, target: Skeleton, side: str) -> bool:
    """Return whether both skeletons have a foot on this side."""
    return all(f"foot.{side}" in skeleton.roles for skeleton in (source, target))


def hip_center(skeleton: Skeleton, positions: Array) -> Array:
    """Return the midpoint (F, 3) between both hip joints, in the frame and unit of ``positions`` (F, J, 3)."""
    return positions[:, [skeleton.joint("thigh.L"), skeleton.joint("thigh.R")]].mean(axis=1)


def sole_height(skeleton: Skeleton, positions: Array, rate: float, part: Literal["toe", "foot"]) -> float:
    """Return the height, meters, world, of the plane on which feet stand.

    It is the lowest level of balls or ankles, minus the height of these joints above an adult's sole, scaled to the
    leg length.

    Args:
        skeleton: skeleton of J joints.
        positions: world positions (F, J, 3), meters.
        rate: frames per second.
        part: ``"toe"`` for balls, ``"foot"`` for ankles.
    """
    joints = [skeleton.joint(f"{part}.{side}") for side in "LR"]
    above = TOE_JOINT_HEIGHT_M if part == "toe" else ANKLE_JOINT_HEIGHT_M
    return (
        float(np.median(local_floor(positions[:, joints, 2], rate))) - above * leg_length(skeleton) / ADULT_LEG_LENGTH_M
    )


def ground_height(clip: Clip) -> float:
    """Return the height, meters, world, of the ground on which a character stands.

    It is estimated from balls or ankles and their usual height above the sole, as in :func:`sole_height`.
    """
    return sole_height(clip.skeleton, clip.positions, clip.rate, _sole_part(clip.skeleton))


def _apply_contacts(source: Clip, target: Clip, feet: _Feet) -> Clip:
    """Return the target's motion with its feet and hands moved to meet the source's contacts."""
    skeleton, rate, frames = target.skeleton, target.rate, len(target)
    positions, rotations = (array.copy() for array in target.world)
    ankles: list[Array] = []
    mine = [leg for _, leg in feet.legs.values()]
    for side, (_, my_leg) in feet.legs.items():
        heel, ball = (contact_frames(feet.contacts, f"{part}.{side}", frames) for part in ("foot", "toe"))
        theirs, own = feet.sole_points(source, target, side)
        shift = foot_correction(theirs, own, heel, ball, feet.scale, rate)
        ankles.append(positions[:, my_leg.foot] + shift)
    drop = hips_drop(target, mine, ankles) - hips_rise(target, mine, ankles)
    roots = target.root_positions - np.stack([np.zeros(frames), np.zeros(frames), drop], axis=-1)
    positions[..., 2] -= drop[:, None]
    for leg, ankle in zip(mine, ankles, strict=True):
        solve_leg_ik(skeleton, positions, rotations, leg, ankle)
    for side in "LR":
        touching = contact_frames(feet.contacts, f"hand.{side}", frames)
        if touching.any() and all(
            f"{part}.{side}" in body.roles for part in ARM_PARTS for body in (source.skeleton, skeleton)
        ):
            hand = skeleton.roles[f"hand.{side}"]
            goal = source.positions[:, source.skeleton.roles[f"hand.{side}"]] * feet.scale
            own = positions[:, hand].copy()
            solve_arm_ik(skeleton, positions, rotations, side, own + hand_correction(goal, own, touching, rate))
    return with_world_rotations(target, roots, rotations)


def _raise_feet(source: Clip, target: Clip, feet: _Feet) -> Clip:
    """Return the target's motion with its feet raised to the ground; the heels of moved feet are measured again."""
    positions, rotations = (array.copy() for array in target.world)
    for side, (_, my_leg) in feet.legs.items():
        held = tuple(contact_frames(feet.contacts, f"{part}.{side}", len(target)) for part in ("foot", "toe"))
        theirs, own = feet.sole_points(source, target, side)
        lift = required_lift(theirs, own, held, feet.scale, np.zeros(len(target)), target.rate)
        rise = np.minimum(lift, MAX_FOOT_RAISE_M)
        up = np.stack([np.zeros(len(rise)), np.zeros(len(rise)), rise], axis=-1)
        solve_leg_ik(target.skeleton, positions, rotations, my_leg, positions[:, my_leg.foot] + up)
    return with_world_rotations(target, target.root_positions, rotations)
