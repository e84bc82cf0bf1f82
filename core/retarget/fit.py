"""A clip on a skeleton of other bone lengths: one network skeleton for many actors, one controller for many rigs."""

from typing import Final

import numpy as np

from ..errors import FootfallError
from ..labelling.sensors import ADULT_LEG
from ..labelling.signals import local_floor
from ..motion import Clip, Skeleton
from ..motion.kinematics import forward_kinematics
from ..motion.limb import Leg, reach, with_world_rotations
from ..motion.roles import LOCOMOTION
from ..motion.rotations import IDENTITY, Array, between, from_matrix, inverse, log, multiply, normalize, rotate

# How high the ball of a standing foot lies over the ground, for an adult's leg: the median of the CMU clips.
TOE_HEIGHT: Final = 0.035
# Rest poses of one convention differ by less than this, radians, in how a joint is turned about its bone.
SAME_CONVENTION: Final = 0.6
# Which joint a bone leads to.
NEXT: Final = {
    "hips": "spine",
    "spine": "chest",
    "chest": "neck",
    "neck": "head",
    **{
        f"{part}.{side}": f"{following}.{side}"
        for side in "LR"
        for part, following in (
            ("shoulder", "upper_arm"),
            ("upper_arm", "forearm"),
            ("forearm", "hand"),
            ("thigh", "shin"),
            ("shin", "foot"),
            ("foot", "toe"),
        )
    },
}


def scale_between(source: Skeleton, target: Skeleton) -> float:
    """By how much a motion grows when it goes from one skeleton to the other: the ratio of the legs' lengths."""
    return target.leg_length / source.leg_length


def fit_clip(clip: Clip, skeleton: Skeleton, ground: float = 0.0) -> Clip:
    """The clip's motion on another skeleton, standing on the plane ``z = ground``.

    Bones keep their world directions; the way of the place between the thighs, where legs begin on any skeleton, and
    the ankles' positions are scaled by the ratio of the legs' lengths, so that steps keep their proportions and a
    planted foot stays planted.

    Raises:
        FootfallError: a joint of the skeleton has no counterpart, by name or by role, that locomotion needs.
    """
    sources = counterparts(clip.skeleton, skeleton)
    scale = scale_between(clip.skeleton, skeleton)
    positions, rotations = clip.world
    aligned = rest_alignments(clip.skeleton, skeleton, sources)
    world = np.empty((len(clip), len(skeleton), 4))
    for joint, source in enumerate(sources):
        if source is None:
            world[:, joint] = world[:, skeleton.parents[joint]]
        else:
            world[:, joint] = multiply(rotations[:, source], aligned[joint])
    between_hips = _between_thighs(clip.skeleton, positions) * scale
    fitted = with_world_rotations(Clip(skeleton, clip.rate, between_hips, world, clip.name), between_hips, world)
    at, world = (array.copy() for array in forward_kinematics(skeleton, between_hips, fitted.rotations))
    shift = between_hips - _between_thighs(skeleton, at)
    roots = between_hips + shift
    at += shift[:, None]
    for side in "LR":
        reach(skeleton, at, world, Leg.of(skeleton, side), positions[:, clip.skeleton.role(f"foot.{side}")] * scale)
    drop = sole_height(skeleton, at, clip.rate) - ground
    return with_world_rotations(fitted, roots - np.array([0.0, 0.0, drop]), world)


def _between_thighs(skeleton: Skeleton, positions: Array) -> Array:
    """The place (F, 3) between the thighs of positions (F, J, 3)."""
    return positions[:, [skeleton.role("thigh.L"), skeleton.role("thigh.R")]].mean(axis=1)


def rest_alignments(source: Skeleton, target: Skeleton, sources: list[int | None]) -> Array:
    """Rotations (J, 4) that turn each joint of ``target`` at rest as its counterpart is turned at rest.

    Its bone is turned to the counterpart's by the smallest rotation from there. Where hips, chest and legs, whose sides
    or toes say how they are turned about their bones, then still disagree, the rest poses follow different conventions
    (in ACCAD's the pelvis looks along X and the toes along -Y), and both directions are aligned.
    """
    role_of = {joint: role for role, joint in target.roles.items()}
    result = np.tile(IDENTITY, (len(target), 1))
    for joint, counterpart in enumerate(sources):
        base = result[target.parents[joint]] if joint else IDENTITY
        role = role_of.get(joint, "")
        if NEXT.get(role) not in target.roles or NEXT.get(role) not in source.roles:
            role = ""  # no bone that both have
        if counterpart is None or (joint == 0 and not role):
            result[joint] = base
            continue
        mine, theirs = rest_frame(target, role), rest_frame(source, role)
        if mine is None or theirs is None:
            smallest = between(rotate(base, rest_aim(target, joint, role)), rest_aim(source, counterpart, role))
            result[joint] = multiply(smallest, base)
            continue
        both = multiply(theirs, inverse(mine))
        plain = IDENTITY
        if role != "hips":
            plain = between(rest_aim(target, joint, role), rest_aim(source, counterpart, role))
        differ = np.linalg.norm(log(multiply(inverse(plain), both))) > SAME_CONVENTION
        result[joint] = both if differ else plain
    return result


def rest_aim(skeleton: Skeleton, joint: int, role: str) -> Array:
    """Where a joint's bone points at rest (3): to the first joint away from it on the way to the next role.

    Where there is no next role, it points to the mean of its children, or to its tip.
    """
    step = skeleton.roles.get(NEXT.get(role, ""), -1)
    aim = skeleton.aims[max(step, joint)]
    while step > joint:
        if np.linalg.norm(skeleton.offsets[step]) > 1e-3:
            aim = skeleton.offsets[step]
        step = skeleton.parents[step]
    return aim


def rest_frame(skeleton: Skeleton, role: str) -> Array | None:
    """How a joint is turned at rest (4): its bone, and across the body or along the toes; ``None`` where unknown."""
    roles, side = skeleton.roles, role[-1:]
    across = {"hips": "thigh", "chest": "upper_arm"}.get(role)
    if across:
        pair = [roles.get(f"{across}.{side}") for side in "LR"]
        if role not in roles or None in pair or NEXT[role] not in roles:
            return None
        left, right = (_rest_place(skeleton, joint) for joint in pair if joint is not None)
        second = left - right
    elif role.startswith(("thigh.", "shin.")) and f"toe.{side}" in roles:
        second = skeleton.offsets[roles[f"toe.{side}"]]
    elif role.startswith("foot.") and f"toe.{side}" in roles:
        second = skeleton.offsets[roles[role]]
    else:
        return None
    first = normalize(rest_aim(skeleton, roles[role], role))
    second = normalize(second - (second @ first) * first)
    return from_matrix(np.stack([first, second, np.cross(first, second)], axis=-1))


def _rest_place(skeleton: Skeleton, joint: int) -> Array:
    """A joint's place (3) in the zero pose."""
    place = np.zeros(3)
    while joint > 0:
        place = place + skeleton.offsets[joint]
        joint = skeleton.parents[joint]
    return place


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
