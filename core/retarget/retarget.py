"""Retargeting: one body's motion on another body, whatever its proportions.

Bones turn as the bones that they follow turn, elbows and knees about the rig's own hinges; the place between the
thighs, where legs begin on any body, travels by the ratio of the legs' lengths, and so do ankles: steps keep their
proportions, knees their planes. Then feet and hands are put where they touch.
"""

from typing import Final, Literal, NamedTuple

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.kinematics import forward_kinematics
from ..motion.limb_ik import Leg, reach, reach_hand, with_world_rotations
from ..motion.proportions import ADULT_LEG, ANKLE_HEIGHT, TOE_HEIGHT, has_toes, leg_length, scale_between
from ..motion.rotations import Array, multiply, normalize
from ..motion.signals import local_floor
from .calibration import Calibration
from .contacts import Contacts, Soles, foot_correction, hand_correction, held_frames, hips_drop, lift
from .hinges import hinged
from .twist import spread_twist

# Metres by which a foot that has been put on the ground is raised once more at most.
HIGHEST_RISE: Final = 0.01
ARM: Final = ("upper_arm", "forearm", "hand")


def retarget(
    clip: Clip, calibration: Calibration, contacts: Contacts | None = None, example: Clip | None = None
) -> Clip:
    """The clip's motion on the calibration's target, over the same ground scaled by the legs' ratio.

    Args:
        clip: motion of the calibration's source.
        contacts: what touches when, by joint (``foot.L`` is the heel's, ``toe.L``, ``hand.L``): feet then stand as
            still and as high as the source's, and hands are where the source's are, scaled.
        example: motion of the source that says how its knees and elbows bend and how high its soles are; the clip's own
            where not given. Parts of a motion are retargeted alike by the same example.
    """
    source, target = clip.skeleton, calibration.target
    if calibration.automatic and not source.matches(target):
        calibration = hinged(calibration, example or clip)
    carried = _carried(clip, calibration)
    sink = np.zeros(3)
    sink[2] = (
        _sink(clip, carried, target) if example is None else _sink(example, _carried(example, calibration), target)
    )
    roots, world, _, legs = carried
    result = with_world_rotations(Clip(target, clip.rate, roots, world, clip.name), roots - sink, world)
    if not contacts:
        return result
    scale = scale_between(source, target)
    return _raised(clip, _touching(clip, result, legs, contacts, scale), legs, contacts, scale)


class _Carried(NamedTuple):
    """A motion on the target before it is put on its soles: roots (F, 3), world rotations (F, J, 4), places (F, J, 3),
    the source's legs and its own."""

    roots: Array
    world: Array
    places: Array
    legs: dict[str, tuple[Leg, Leg]]


def _carried(clip: Clip, calibration: Calibration) -> _Carried:
    source, target = clip.skeleton, calibration.target
    scale = scale_between(source, target)
    positions, rotations = clip.world
    world = follow(calibration, rotations)
    spread_twist(target, world)
    centre = between_thighs(source, positions) * scale
    at, _ = _kinematics(target, centre, world)
    roots = 2 * centre - between_thighs(target, at)
    at, _ = _kinematics(target, roots, world)
    legs = {side: (Leg.of(source, side), Leg.of(target, side)) for side in "LR" if _has_feet(source, target, side)}
    for theirs, mine in legs.values():
        reach(target, at, world, mine, positions[:, theirs.foot] * scale)
    return _Carried(roots, world, at, legs)


def _sink(clip: Clip, carried: _Carried, target: Skeleton) -> float:
    """Metres by which a carried motion's soles are too high."""
    if not carried.legs:
        return 0.0
    source, scale = clip.skeleton, scale_between(clip.skeleton, target)
    part = "toe" if has_toes(source) and has_toes(target) else "foot"
    theirs = sole_height(source, clip.positions, clip.rate, part)
    return sole_height(target, carried.places, clip.rate, part) - scale * theirs


def follow(calibration: Calibration, rotations: Array) -> Array:
    """World rotations (F, J, 4) of the target's joints from those of the source's (F, K, 4)."""
    target = calibration.target
    world = np.empty((len(rotations), len(target), 4))
    for joint, (followed, offsets) in enumerate(zip(calibration.follows, calibration.offsets, strict=True)):
        if not followed:
            world[:, joint] = multiply(world[:, max(target.parents[joint], 0)], offsets[0]) if joint else offsets[0]
            continue
        turns = [multiply(rotations[:, other], offset) for (other, _), offset in zip(followed, offsets, strict=True)]
        world[:, joint] = turns[0]
        if len(turns) > 1:
            signed = [np.where(np.sum(turn * turns[0], axis=-1, keepdims=True) < 0, -turn, turn) for turn in turns]
            world[:, joint] = normalize(
                np.sum([share * turn for (_, share), turn in zip(followed, signed, strict=True)], axis=0)
            )
    return world


def _kinematics(skeleton: Skeleton, roots: Array, world: Array) -> tuple[Array, Array]:
    clip = with_world_rotations(Clip(skeleton, 1.0, roots, world), roots, world)
    at, turned = forward_kinematics(skeleton, roots, clip.rotations)
    return at, turned


def _has_feet(source: Skeleton, target: Skeleton, side: str) -> bool:
    return all(f"foot.{side}" in skeleton.roles for skeleton in (source, target))


def between_thighs(skeleton: Skeleton, positions: Array) -> Array:
    """The place (F, 3) between the thighs of positions (F, J, 3)."""
    return positions[:, [skeleton.role("thigh.L"), skeleton.role("thigh.R")]].mean(axis=1)


def sole_height(skeleton: Skeleton, positions: Array, rate: float, part: Literal["toe", "foot"]) -> float:
    """The height, metres, of the plane on which feet (F, J, 3) stand: their balls' or ankles' floor less their own
    height over the sole."""
    joints = [skeleton.role(f"{part}.{side}") for side in "LR"]
    above = TOE_HEIGHT if part == "toe" else ANKLE_HEIGHT
    return float(np.median(local_floor(positions[:, joints, 2], rate))) - above * leg_length(skeleton) / ADULT_LEG


def _touching(source: Clip, target: Clip, legs: dict[str, tuple[Leg, Leg]], contacts: Contacts, scale: float) -> Clip:
    """The target with its feet and hands put where they touch."""
    skeleton, rate, frames = target.skeleton, target.rate, len(target)
    positions, rotations = (array.copy() for array in target.world)
    ankles: list[Array] = []
    mine = [leg for _, leg in legs.values()]
    for side, (their_leg, my_leg) in legs.items():
        heel, ball = (held_frames(contacts, f"{part}.{side}", frames) for part in ("foot", "toe"))
        theirs, own = Soles.pair(source, their_leg, target, my_leg)
        shift = foot_correction(theirs, own, heel, ball, scale, rate)
        ankles.append(positions[:, my_leg.foot] + shift)
    drop = hips_drop(target, mine, ankles)
    roots = target.root_positions - np.stack([np.zeros(frames), np.zeros(frames), drop], axis=-1)
    positions[..., 2] -= drop[:, None]
    for leg, ankle in zip(mine, ankles, strict=True):
        reach(skeleton, positions, rotations, leg, ankle)
    for side in "LR":
        touching = held_frames(contacts, f"hand.{side}", frames)
        if touching.any() and all(
            f"{part}.{side}" in body.roles for part in ARM for body in (source.skeleton, skeleton)
        ):
            hand = skeleton.roles[f"hand.{side}"]
            wanted = source.positions[:, source.skeleton.roles[f"hand.{side}"]] * scale
            own = positions[:, hand].copy()
            reach_hand(skeleton, positions, rotations, side, own + hand_correction(wanted, own, touching, rate))
    return with_world_rotations(target, roots, rotations)


def _raised(source: Clip, target: Clip, legs: dict[str, tuple[Leg, Leg]], contacts: Contacts, scale: float) -> Clip:
    """The target with its feet nowhere below the ground: heels are found anew in feet that have been moved."""
    positions, rotations = (array.copy() for array in target.world)
    for side, (their_leg, my_leg) in legs.items():
        held = tuple(held_frames(contacts, f"{part}.{side}", len(target)) for part in ("foot", "toe"))
        theirs, own = Soles.pair(source, their_leg, target, my_leg)
        rise = np.minimum(lift(theirs, own, held, scale, np.zeros(len(target)), target.rate), HIGHEST_RISE)
        up = np.stack([np.zeros(len(rise)), np.zeros(len(rise)), rise], axis=-1)
        reach(target.skeleton, positions, rotations, my_leg, positions[:, my_leg.foot] + up)
    return with_world_rotations(target, target.root_positions, rotations)
