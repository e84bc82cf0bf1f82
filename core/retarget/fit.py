"""A clip on a skeleton of other bone lengths: one network skeleton for many actors, one controller for many rigs."""

import numpy as np

from ..errors import FootfallError
from ..labelling.contacts import ADULT_LEG, local_floor
from ..motion import Clip, Skeleton
from ..motion.kinematics import forward_kinematics
from ..motion.limb import Leg, reach, with_world_rotations
from ..motion.roles import LOCOMOTION
from ..motion.rotations import Array, between, multiply

# How high the ball of a standing foot lies over the ground, for an adult's leg: the median of the CMU clips.
TOE_HEIGHT = 0.035


def scale_between(source: Skeleton, target: Skeleton) -> float:
    """By how much a motion grows when it goes from one skeleton to the other: the ratio of the legs' lengths."""
    return target.leg_length / source.leg_length


def fit_clip(clip: Clip, skeleton: Skeleton, ground: float = 0.0) -> Clip:
    """The clip's motion on another skeleton, standing on the plane ``z = ground``.

    Bones keep their world directions; the root's way and the ankles' positions about the hips are scaled by the ratio
    of the legs' lengths, so that steps keep their proportions and a planted foot stays planted.

    Raises:
        FootfallError: a joint of the skeleton has no counterpart, by name or by role, that locomotion needs.
    """
    sources = counterparts(clip.skeleton, skeleton)
    scale = scale_between(clip.skeleton, skeleton)
    positions, rotations = clip.world
    aims, source_aims = skeleton.aims, clip.skeleton.aims
    world = np.empty((len(clip), len(skeleton), 4))
    for joint, source in enumerate(sources):
        if source is None:
            world[:, joint] = world[:, skeleton.parents[joint]]
        else:
            world[:, joint] = multiply(rotations[:, source], between(aims[joint], source_aims[source]))
    hips = positions[:, clip.skeleton.role("hips")]
    root = skeleton.role("hips")
    roots = hips * scale
    fitted = with_world_rotations(Clip(skeleton, clip.rate, roots, world, clip.name), roots, world)
    at, world = (array.copy() for array in forward_kinematics(skeleton, roots, fitted.rotations))
    roots = roots + (roots - at[:, root])
    at += (roots - at[:, 0])[:, None]
    for side in "LR":
        ankle = positions[:, clip.skeleton.role(f"foot.{side}")]
        reach(skeleton, at, world, Leg.of(skeleton, side), at[:, root] + (ankle - hips) * scale)
    drop = sole_height(skeleton, at, clip.rate) - ground
    return with_world_rotations(fitted, roots - np.array([0.0, 0.0, drop]), world)


def sole_height(skeleton: Skeleton, positions: Array, rate: float) -> float:
    """The height, metres, of the plane on which feet (F, J, 3) stand: their toes' floor less the ball's own height."""
    toes = [skeleton.roles.get(f"toe.{side}", skeleton.role(f"foot.{side}")) for side in "LR"]
    floor = local_floor(positions[:, toes, 2], rate)
    return float(np.median(floor)) - TOE_HEIGHT * skeleton.leg_length / ADULT_LEG


def counterparts(source: Skeleton, target: Skeleton) -> list[int | None]:
    """For every joint of ``target`` the joint of ``source`` it follows: of the same name, else of the same role.

    Raises:
        FootfallError: hips, a thigh, a shin or a foot has none.
    """
    target.require(LOCOMOTION)
    source.require(LOCOMOTION)
    role_of = {joint: role for role, joint in target.roles.items()}
    result: list[int | None] = []
    for joint, name in enumerate(target.names):
        if name in source.names:
            result.append(source.names.index(name))
        else:
            result.append(source.roles.get(role_of.get(joint, ""), None))
    if result[0] is None:
        result[0] = source.role("hips")
    missing = [target.names[target.role(role)] for role in LOCOMOTION if result[target.role(role)] is None]
    if missing:
        raise FootfallError(f"No bone to follow for {', '.join(missing)}: map these bones to the source's.")
    return result
