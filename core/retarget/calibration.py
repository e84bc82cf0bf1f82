"""Calibration: one constant rotation per bone between two skeletons, from a pose that both can take.

Bone axes and rest poses differ between importers, so two skeletons are comparable only in a pose that looks the same.
Both are put into such a pose; the rotations between their joints in it are the constants that convert motion of one
into motion of the other (bind-pose matching).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from ..errors import FootfallError
from ..message import Message
from ..motion import Skeleton
from ..motion.fingers import finger_roles, way_at_rest, with_finger_roles
from ..motion.roles import FINGER_ROLES, WEAPON_ROLES, is_quadruped
from ..motion.rotations import (
    IDENTITY,
    Array,
    from_axis_angle,
    inverse,
    log,
    multiply,
    normalize,
    rotate,
    rotation_about_up,
    rotation_between,
    signed_angle_about,
)
from . import rest_pose
from .legs import require_as_many_legs, require_legs
from .standing_rest import same_body, shared_lean, splayed_sides, standing_rest
from .trunk import JointShares, chain_shares, neck_joints, spine_joints

CalibrationMethod = Literal["AUTOMATIC", "REST", "T_POSE", "A_POSE"]
"""Pose in which the target matches the source's rest pose: by bone directions, at rest, in T-pose or in A-pose."""
ControllerSide = Literal["SOURCE", "TARGET"]
"""The skeleton, source or target, that is a controller's, whose people stand upright; see :mod:`.standing_rest`."""

SAME_CONVENTION_RAD: Final = 0.6
"""Largest roll about its bone by which a joint differs between rest poses of one convention."""
MAX_LIMB_RESIDUAL_DEG: Final = 15.0
"""Residual above which a limb's bone counts as misaligned."""
MAX_OTHER_RESIDUAL_DEG: Final = 100.0
"""Residual above which a shoulder or foot counts as misaligned; their shapes differ between bodies, and are kept."""
LIMB_ROLES: Final = tuple(f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "thigh", "shin"))
"""Roles of the limbs' bones."""
MEASURED_ROLES: Final = (*LIMB_ROLES, *(f"{part}.{side}" for side in "LR" for part in ("shoulder", "foot")))
"""Roles of the bones whose residuals are measured."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Mapping that makes the joints of a target skeleton follow those of a source skeleton.

    Attributes:
        source: the skeleton of the motion.
        target: the skeleton that receives the motion.
        source_joints: for every target joint (J), the indices of the source joints that it follows, with shares; empty
            if it follows its parent.
        rotation_offsets: for every target joint (J), a rotation (4) per followed joint: the target's world rotation is
            the source's times this rotation. A joint that follows its parent has one rotation, relative to its parent.
        residuals: by role, the angle in degrees between the bones' directions in the shared pose.
        automatic: whether limbs were turned to equal directions, so that their roll about the bone is not determined.
        hinges: axes (3) of the target's elbows and knees that its rest pose does not show because the limb is straight,
            by role of the joint in whose frame they are.
        standing: world rotations (K, 4) from the rest pose of the source (K joints) to its standing pose; ``None`` if
            unknown.
        doubts: sentences about bodies whose standing pose is not shown by their rest pose or their motion.
        assumptions: sentences about values derived from proportions instead of motion.
    """

    source: Skeleton
    target: Skeleton
    source_joints: tuple[JointShares, ...]
    rotation_offsets: tuple[Array, ...]
    residuals: Mapping[str, float]
    automatic: bool
    hinges: Mapping[str, Array] = field(default_factory=dict)
    standing: Array | None = None
    doubts: tuple[Message, ...] = ()
    assumptions: tuple[Message, ...] = ()

    @property
    def max_residual(self) -> float:
        """Largest angle, degrees, between corresponding bones in the shared pose; 0 if none could be measured."""
        return max(self.residuals.values(), default=0.0)

    def bad_roles(self) -> tuple[str, ...]:
        """Return the roles whose bones are misaligned, that is, with residuals above their limits, the worst first."""
        over = [(degrees, role) for role, degrees in self.residuals.items() if degrees > residual_limit(role)]
        return tuple(role for _, role in sorted(over, reverse=True))


def residual_limit(role: str) -> float:
    """Return the angle, degrees, between corresponding bones of a role above which they count as misaligned."""
    return MAX_LIMB_RESIDUAL_DEG if role in LIMB_ROLES else MAX_OTHER_RESIDUAL_DEG


def calibrate(
    source: Skeleton,
    target: Skeleton,
    method: CalibrationMethod = "AUTOMATIC",
    target_pose: Array | None = None,
    source_stance: Array | None = None,
    target_stance: Array | None = None,
    controller: ControllerSide | None = None,
) -> Calibration:
    """Return the calibration that converts motion of the source into motion of the target.

    Fingers follow if at least one skeleton has finger roles; in the other one, fingers are identified by name.

    Args:
        source: skeleton of the motion, with roles.
        target: skeleton that receives the motion, with roles.
        method: ``AUTOMATIC`` turns limbs to equal directions, and levels trunk and soles, for any rest poses; with the
            other methods, the target's pose is exactly the source's rest pose, or its T- or A-pose.
        target_pose: world rotations (J, 4) of the target in the shared pose; its rest pose by default.
        source_stance: world rotations (K, 4) of the source (K joints) in a standing pose, such as a
            :class:`.rest_pose_from_motion.Stance`; ``AUTOMATIC`` uses it unless the rest pose stands on level soles.
        target_stance: world rotations (J, 4) of the target in a standing pose, used likewise.
        controller: whether source or target is a controller's skeleton, if either is.

    Raises:
        FootfallError: a joint that locomotion needs has no counterpart, or one body has two legs and the other four.
    """
    require_as_many_legs(source, target)
    require_legs(source)
    require_legs(target)
    if finger_roles(source) or finger_roles(target):
        source, target = with_finger_roles(source), with_finger_roles(target)
    source_joints = _match_joints(source, target)
    mine = np.tile(IDENTITY, (len(target), 1)) if target_pose is None else target_pose
    theirs = np.tile(IDENTITY, (len(source), 1))
    level: Array | None = None
    doubts: tuple[Message, ...] = ()
    assumptions: tuple[Message, ...] = ()
    shown = rest_pose.with_rest_pose(target, mine)
    same = not is_quadruped(source.roles) and same_body(source, shown)
    if method in ("T_POSE", "A_POSE"):
        theirs = rest_pose.make_known_pose(source, "T" if method == "T_POSE" else "A")
    elif method == "AUTOMATIC" and not is_quadruped(source.roles) and not same:
        own_stance = target_stance if target_pose is None else None
        leans = _leans((source, source_stance), (shown, own_stance), controller)
        level = standing_rest(source, source_stance, leans[0], moves=True)
        own = standing_rest(shown, own_stance, leans[1], moves=controller == "TARGET")
        doubts = (*_doubts(source, level), *_doubts(shown, own))
        assumptions = (*_assumptions(source, source_stance, level), *_assumptions(shown, own_stance, own))
        theirs = theirs if level is None else level
        mine = mine if own is None else multiply(own, mine)
    posed_target, posed_source = rest_pose.with_rest_pose(target, mine), rest_pose.with_rest_pose(source, theirs)
    if method != "AUTOMATIC" or (same and not rest_pose.is_standing(source)):
        turn = rest_pose.heading_between(posed_source, posed_target)
        aligned = [np.tile(turn, (max(len(joints), 1), 1)) for joints in source_joints]
    else:
        aligned = _align_directions(posed_source, posed_target, source_joints)
    offsets = tuple(
        multiply(multiply(inverse(theirs[[other for other, _ in joints]]), turns), mine[joint])
        if joints
        else multiply(inverse(mine[[max(target.parents[joint], 0)]]), mine[joint])
        for joint, (joints, turns) in enumerate(zip(source_joints, aligned, strict=True))
    )
    on_four = method == "AUTOMATIC" and _stand_on_four(posed_source, posed_target)
    residuals = {} if on_four else _residuals(posed_source, posed_target, source_joints, aligned)
    found = Calibration(source, target, source_joints, offsets, residuals, method == "AUTOMATIC")
    return replace(found, standing=level, doubts=doubts, assumptions=assumptions)


def _leans(
    source: tuple[Skeleton, Array | None], target: tuple[Skeleton, Array | None], controller: ControllerSide | None
) -> tuple[float | None, float | None]:
    """Return the leans, radians, to give the trunks of source and target; ``None`` leaves a trunk unchanged."""
    if controller is None:
        return None, None
    skeleton, stance = target if controller == "SOURCE" else source
    pose = standing_rest(skeleton, stance)
    lean = shared_lean(skeleton if pose is None else rest_pose.with_rest_pose(skeleton, pose))
    return (lean, None) if controller == "SOURCE" else (None, lean)


def _doubts(skeleton: Skeleton, level: Array | None) -> tuple[Message, ...]:
    """Return sentences about a body whose standing rest is unknown, or none if `level` is known."""
    if level is not None:
        return ()
    return (
        Message(
            "Neither the rest pose nor the motion of the skeleton of '{name}' shows how it stands: check that "
            "trunk and feet are level",
            name=skeleton.names[skeleton.roles.get("hips", 0)],
        ),
    )


def _assumptions(skeleton: Skeleton, stance: Array | None, level: Array | None) -> tuple[Message, ...]:
    """Return sentences about a body whose soles' level is assumed, because no motion shows it.

    Args:
        skeleton: skeleton of the body.
        stance: its standing pose in motion, if known.
        level: its standing rest, if known.
    """
    if level is None or stance is not None or not splayed_sides(skeleton):
        return ()
    return (
        Message(
            "The legs of the skeleton of '{name}' are splayed in its rest pose: its soles are assumed to be "
            "tilted with them",
            name=skeleton.names[skeleton.roles.get("hips", 0)],
        ),
    )


def calibrate_with_yaw(
    source: Skeleton,
    target: Skeleton,
    yaw: float,
    method: CalibrationMethod = "AUTOMATIC",
    target_pose: Array | None = None,
    source_stance: Array | None = None,
    controller: ControllerSide | None = None,
) -> Calibration:
    """Return the calibration to a target that stands rotated about the world's up axis, as if it were not rotated.

    Args:
        source: skeleton of the motion, with roles.
        target: skeleton that receives the motion, with roles.
        yaw: rotation of the target about the up axis, radians.
        method: pose in which the two match.
        target_pose: world rotations (J, 4) of the target in the shared pose; its rest pose by default.
        source_stance: world rotations (J, 4) of the source in a standing pose.
        controller: whether source or target is a controller's skeleton, if either is.
    """
    back, forth = rotation_about_up(-yaw), rotation_about_up(yaw)
    offsets, tips = (rotate(back, vectors) for vectors in (target.offsets, target.tips))
    unturned = Skeleton(target.names, target.parents, offsets, tips, target.roles)
    shown = None if target_pose is None else multiply(multiply(back, target_pose), forth)
    found = calibrate(source, unturned, method, shown, source_stance, controller=controller)
    turns = tuple(
        multiply(offset, back) if joints else multiply(multiply(forth, offset), back)
        for joints, offset in zip(found.source_joints, found.rotation_offsets, strict=True)
    )
    return replace(found, target=target, rotation_offsets=turns)


def _stand_on_four(source: Skeleton, target: Skeleton) -> bool:
    """Return whether both skeletons are quadrupeds standing at rest, which match whatever their bones' directions."""
    return all(is_quadruped(body.roles) and rest_pose.is_standing(body) for body in (source, target))


def _match_joints(source: Skeleton, target: Skeleton) -> tuple[JointShares, ...]:
    """Return the source's joints that each joint of the target follows, by position in the trunk or by role.

    If both skeletons have equal trees of joints, every joint follows its counterpart.

    Raises:
        FootfallError: the hips have no counterpart.
    """
    if source.matches(target):
        return tuple(((joint, 1.0),) for joint in range(len(target)))
    result: list[JointShares] = [()] * len(target)
    heads = "head" in source.roles and "head" in target.roles
    for mine, theirs, carries in (
        (spine_joints(target), spine_joints(source), True),
        (neck_joints(target), neck_joints(source), not heads),
    ):
        for joint, followed in zip(mine, chain_shares(source, theirs, target, mine, carries), strict=True):
            result[joint] = followed
    for role, joint in target.roles.items():
        if not result[joint] and role in source.roles:
            result[joint] = ((source.roles[role], 1.0),)
    if not result[0] and target.roles.get("hips") == 0:
        raise FootfallError("The rig has no bone for the hips: choose one in the panel Rig")
    return tuple(result)


def _align_directions(source: Skeleton, target: Skeleton, source_joints: Sequence[JointShares]) -> list[Array]:
    """Return, for each target joint, the rotations (K, 4) at rest that make it match each of the K joints it follows.

    If both rest poses are standing poses, trunk, shoulders and soles count as matching at rest, and limbs are turned to
    equal directions by the smallest rotation; for quadrupeds, all bones count as matching. Otherwise every bone is
    turned to an equal direction. If hips, chest and legs, whose roll is visible from their sides or toes, then still
    disagree, the rest poses follow different conventions, and a second direction is aligned, too.
    """
    role_of = {joint: role for role, joint in target.roles.items()}
    pointing = {target.roles[role] for role in (*WEAPON_ROLES.values(), *FINGER_ROLES) if role in target.roles}
    turn = rest_pose.heading_between(source, target)
    standing = rest_pose.is_standing(source) and rest_pose.is_standing(target)
    if _stand_on_four(source, target):
        return [np.tile(turn, (max(len(joints), 1), 1)) for joints in source_joints]
    result: list[Array] = []
    for joint, joints in enumerate(source_joints):
        role, parent = role_of.get(joint, ""), target.parents[joint]
        base = result[parent][-1] if joint and len(result[parent]) else turn
        if not joints:
            # The joint follows its parent, and its children are aligned from there.
            result.append(np.array([base]))
        elif joint in pointing:
            # Both have equal directions, whatever their pose in the hand.
            bone = rotate(base, target.bone_vectors[joint])
            turns = [rotation_between(bone, source.bone_vectors[other]) for other, _ in joints]
            result.append(multiply(np.array(turns), base))
        elif standing:
            result.append(
                np.array([_align_standing(source, target, joint, other, role, base, turn) for other, _ in joints])
            )
        else:
            result.append(
                np.array([_align_pointing(source, target, joint, other, role, base, turn) for other, _ in joints])
            )
        if role.startswith("hand."):
            result[joint] = _with_palm(source, target, role[-1], result[joint])
    return result


def _with_palm(source: Skeleton, target: Skeleton, side: str, aligned: Array) -> Array:
    """Roll a hand's rotations (K, 4) so that the knuckles of source and target align, if both have knuckles.

    Rest poses differ in the facing of palms, toward which fingers bend.
    """
    knuckles = f"index.{side}", f"pinky.{side}"
    if not all(role in skeleton.roles for role in knuckles for skeleton in (source, target)):
        return aligned
    (mine, my_bone), (theirs, their_bone) = (_knuckle_line(skeleton, side, knuckles) for skeleton in (target, source))
    lines = rotate(multiply(rotation_between(rotate(aligned, my_bone), their_bone), aligned), mine)
    angles = [signed_angle_about(normalize(their_bone), line, theirs) for line in lines]
    return multiply(from_axis_angle(normalize(their_bone), np.array(angles)), aligned)


def _knuckle_line(skeleton: Skeleton, side: str, knuckles: tuple[str, str]) -> tuple[Array, Array]:
    """Return two vectors (3) at rest: from a hand's first knuckle to the last, and from the hand to their midpoint."""
    hand = skeleton.joint(f"hand.{side}")
    first, last = (way_at_rest(skeleton, hand, skeleton.joint(role)) for role in knuckles)
    return last - first, (first + last) / 2


def _align_standing(
    source: Skeleton, target: Skeleton, joint: int, other: int, role: str, base: Array, turn: Array
) -> Array:
    """Return the rotation (4) that aligns a target joint with a source joint if both rest poses stand."""
    if role in LIMB_ROLES and rest_pose.NEXT_ROLE[role] in source.roles and rest_pose.NEXT_ROLE[role] in target.roles:
        return multiply(
            rotation_between(
                rotate(base, rest_pose.bone_vector(target, joint, role)), rest_pose.bone_vector(source, other, role)
            ),
            base,
        )
    if role.startswith("foot."):
        toe = f"toe.{role[-1]}"
        if toe in source.roles and toe in target.roles:
            up, own = (
                rest_pose.up_axis(source),
                rotate(turn, rest_pose.bone_vector(target, joint, role)),
            )
            angle = signed_angle_about(up, own, rest_pose.bone_vector(source, other, role))
            return multiply(from_axis_angle(up, angle), turn)
        return turn
    if role.startswith(("toe.", "hand.")) or not role:
        return base
    return turn


def _align_pointing(
    source: Skeleton, target: Skeleton, joint: int, other: int, role: str, base: Array, turn: Array
) -> Array:
    """Return the rotation (4) that aligns a joint's bone with the source's, and its roll if the conventions differ."""
    if rest_pose.NEXT_ROLE.get(role) not in target.roles or rest_pose.NEXT_ROLE.get(role) not in source.roles:
        role = ""  # no bone in common
    if joint == 0 and not role:
        return base
    mine, theirs = rest_pose.bone_frame(target, role), rest_pose.bone_frame(source, role)
    mine_aim, their_aim = rest_pose.bone_vector(target, joint, role), rest_pose.bone_vector(source, other, role)
    if mine is None or theirs is None:
        return multiply(rotation_between(rotate(base, mine_aim), their_aim), base)
    both = multiply(theirs, inverse(mine))
    plain = turn if role == "hips" else multiply(rotation_between(rotate(turn, mine_aim), their_aim), turn)
    differ = np.linalg.norm(log(multiply(inverse(plain), both))) > SAME_CONVENTION_RAD
    return both if differ else plain


def _residuals(
    source: Skeleton, target: Skeleton, source_joints: Sequence[JointShares], aligned: Sequence[Array]
) -> dict[str, float]:
    """Return by role the angles, degrees, between the bones of source and target in the shared pose.

    Only bones that both skeletons have are measured.
    """
    result: dict[str, float] = {}
    for role in MEASURED_ROLES:
        after = rest_pose.NEXT_ROLE[role]
        if not all(name in skeleton.roles for name in (role, after) for skeleton in (source, target)):
            continue
        joint = target.roles[role]
        if not source_joints[joint]:
            continue
        mine = normalize(rotate(aligned[joint][0], rest_pose.bone_vector(target, joint, role)))
        theirs = normalize(rest_pose.bone_vector(source, source.roles[role], role))
        result[role] = float(np.degrees(np.arctan2(np.linalg.norm(np.cross(mine, theirs)), mine @ theirs)))
    return result
