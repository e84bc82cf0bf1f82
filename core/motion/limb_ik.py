"""Two-bone IK of legs and arms, vectorized over frames."""

from dataclasses import dataclass, replace

import numpy as np
import scipy

from .clip import Clip, lateral_axis
from .kinematics import local_rotations
from .rotations import Array, cross, inverse, length, multiply, normalize, rotate, rotation_between
from .skeleton import Skeleton

MAX_REACH_RATIO = 0.9997
"""Largest extension of a limb, as a share of its length; it leaves 3 degrees of knee flexion, as in people."""
SOFT_REACH_RATIO = 0.997
"""Extension of a leg, as a share of its length, above which :func:`soft_reach` slows it down."""
POSITION_TOLERANCE_M = 1e-6
"""Distance of an ankle from its target below which IK is skipped."""
OVERSTRETCHED_KNEE_RATIO = 0.15
"""Largest distance of an overstretched knee behind the line from hip to ankle, relative to the thigh."""
STRAIGHT_ELBOW_OFFSET_RATIO = 0.08
"""Distance of an elbow from the line between shoulder and wrist, relative to the upper arm, at which half of its bend
direction comes from neighboring frames.
"""
ELBOW_SMOOTHING_FRAMES = 8.0
"""Standard deviation of the Gaussian over neighboring frames that gives a straight elbow its bend direction."""


@dataclass(frozen=True, slots=True)
class Leg:
    """Joint indices of one leg: thigh, shin and foot, and the toe if there is one."""

    thigh: int
    shin: int
    foot: int
    toe: int | None

    @staticmethod
    def of(skeleton: Skeleton, side: str) -> "Leg":
        """Return the joint indices of a skeleton's leg on side ``"L"`` or ``"R"``.

        Raises:
            FootfallError: the skeleton lacks a joint of the leg.
        """
        thigh, shin, foot = (skeleton.joint(f"{part}.{side}") for part in ("thigh", "shin", "foot"))
        return Leg(thigh, shin, foot, skeleton.roles.get(f"toe.{side}"))

    def length(self, skeleton: Skeleton) -> float:
        """Return the length of thigh and shin together, meters."""
        return float(np.linalg.norm(skeleton.offsets[[self.shin, self.foot]], axis=-1).sum())


def solve_leg_ik(skeleton: Skeleton, positions: Array, rotations: Array, leg: Leg, target: Array) -> None:
    """Move an ankle to ``target`` by bending and swinging the leg; the arrays are changed in place.

    Analytic two-bone IK with a pole vector, as in Tolani, Goswami and Badler 2000. The knee keeps its bend direction; a
    straight leg bends forward. The foot keeps its world rotation, and the toe moves along with it. If a target is out
    of reach, the leg extends toward it. A leg whose ankle is already at its target is left unchanged.

    Args:
        skeleton: skeleton of J joints.
        positions: world positions (F, J, 3), meters; the leg's joints are changed.
        rotations: world rotations (F, J, 4); thigh and shin are changed.
        leg: the leg's joints.
        target: world position of the ankle (F, 3), meters.
    """
    forward = rotate(rotations[:, leg.thigh], np.broadcast_to(rest_forward_direction(skeleton), target.shape))
    knee = _knee_pole(positions[:, leg.thigh], positions[:, leg.shin], positions[:, leg.foot], forward)
    _solve_two_bone_ik(positions, rotations, (leg.thigh, leg.shin, leg.foot), target, knee)
    if leg.toe is not None:
        ankle = positions[:, leg.foot]
        positions[:, leg.toe] = ankle + rotate(rotations[:, leg.foot], skeleton.offsets[leg.toe])


def bend_knee_forward(skeleton: Skeleton, positions: Array, rotations: Array, leg: Leg) -> None:
    """Mirror a person's knee, in place, to the front in frames where it bends backward, as in blends of fast poses.

    Hip and ankle stay, so that the foot does not jump where the knee begins or ends to bend backward.

    Args:
        skeleton: skeleton of J joints.
        positions: world positions (F, J, 3), meters; the knee's is changed.
        rotations: world rotations (F, J, 4); those of thigh and shin are changed.
        leg: the leg's joints.
    """
    hip, knee, ankle = (positions[:, joint] for joint in (leg.thigh, leg.shin, leg.foot))
    ahead = rotate(rotations[:, leg.thigh], np.broadcast_to(rest_forward_direction(skeleton), hip.shape))
    ahead = _perpendicular(ahead, normalize(ankle - hip))
    behind = np.maximum(-np.sum((knee - hip) * ahead, axis=-1, keepdims=True), 0.0)
    moved = knee + 2 * behind * ahead
    for joint, before, after in ((leg.thigh, knee - hip, moved - hip), (leg.shin, ankle - knee, ankle - moved)):
        rotations[:, joint] = multiply(rotation_between(before, after), rotations[:, joint])
    positions[:, leg.shin] = moved


def solve_arm_ik(
    skeleton: Skeleton, positions: Array, rotations: Array, side: str, target: Array, consecutive: bool = True
) -> None:
    """Move a wrist to ``target`` by bending and swinging the arm; the arrays are changed in place.

    It works like :func:`solve_leg_ik`. A straight elbow bends as in neighboring frames, or backward if it is straight
    in all of them. Joints below the hand keep their ``positions``: the caller computes them from the rotations.

    Args:
        skeleton: skeleton of J joints.
        positions: world positions (F, J, 3), meters; the arm's joints are changed.
        rotations: world rotations (F, J, 4); upper arm and forearm are changed.
        side: ``"L"`` or ``"R"``.
        target: world position of the wrist (F, 3), meters.
        consecutive: whether the frames are consecutive; if not, straight elbows take no bend direction from neighbors.
    """
    first, middle, last = (skeleton.joint(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand"))
    bone, line = positions[:, middle] - positions[:, first], normalize(positions[:, last] - positions[:, first])
    across = (bone - np.sum(bone * line, axis=-1, keepdims=True) * line) / np.linalg.norm(bone, axis=-1, keepdims=True)
    # The elbow's bend direction hardly changes in the upper arm's frame: straight arms take it from neighboring frames.
    own = rotate(inverse(rotations[:, first]), across)
    steady = own
    if consecutive:
        steady = scipy.ndimage.gaussian_filter1d(own, ELBOW_SMOOTHING_FRAMES, axis=0, mode="nearest")
    steady = steady - STRAIGHT_ELBOW_OFFSET_RATIO**2 * rest_forward_direction(skeleton)
    loose = STRAIGHT_ELBOW_OFFSET_RATIO**2 / (
        STRAIGHT_ELBOW_OFFSET_RATIO**2 + np.square(own).sum(axis=-1, keepdims=True)
    )
    elbow = rotate(rotations[:, first], (1 - loose) * normalize(own) + loose * normalize(steady))
    # The bend direction moves with the arm: a direction fixed in the world would flip when the arm passes over it.
    elbow = rotate(rotation_between(line, target - positions[:, first]), elbow)
    _solve_two_bone_ik(positions, rotations, (first, middle, last), target, elbow)


def soft_reach(distance: Array, length: float) -> Array:
    """Return the distance (F), meters, from hip to ankle that a leg reaches for each distance to its target.

    The last half percent of a leg's length straightens the knee by 11 degrees, so a hard limit would make it pop.

    Args:
        distance: (F) distance from the hip to the ankle's target, meters.
        length: length of the straight leg, meters.
    """
    soft, margin = SOFT_REACH_RATIO * length, (MAX_REACH_RATIO - SOFT_REACH_RATIO) * length
    beyond = np.maximum(distance - soft, 0.0)
    return np.where(beyond > 0.0, soft - margin * np.expm1(-beyond / margin), distance)


def within_soft_reach(hip: Array, ankle: Array, length: float) -> Array:
    """Return ankles (F, 3) pulled toward their hips (F, 3) to within :func:`soft_reach`; all in meters.

    Args:
        hip: (F, 3) hip positions.
        ankle: (F, 3) target positions of the ankle.
        length: length of the straight leg.
    """
    line = ankle - hip
    distance = np.linalg.norm(line, axis=-1)
    return hip + line * (soft_reach(distance, length) / np.maximum(distance, 1e-12))[:, None]


def swing_limb(positions: Array, rotations: Array, joints: tuple[int, int, int], displacement: Array) -> None:
    """Rotate a limb about its first joint so that its middle joint moves by about ``displacement``.

    The limb stays as bent as it is. Joints below it keep their ``positions``: recompute them from the rotations.

    Args:
        positions: world positions (F, J, 3), meters; middle and last joint are changed.
        rotations: world rotations (F, J, 4); first and middle joint are changed.
        joints: first, middle and last joint of the limb.
        displacement: (F, 3) displacement of the middle joint, meters, world; bone lengths are kept.
    """
    first, middle, last = joints
    bone = positions[:, middle] - positions[:, first]
    turn = rotation_between(bone, bone + displacement)
    for joint in (middle, last):
        positions[:, joint] = positions[:, first] + rotate(turn, positions[:, joint] - positions[:, first])
    for joint in (first, middle):
        rotations[:, joint] = multiply(turn, rotations[:, joint])


def _solve_two_bone_ik(
    positions: Array, rotations: Array, joints: tuple[int, int, int], target: Array, pole: Array
) -> None:
    """Solve two-bone IK by the law of cosines, changing the arrays in place.

    The middle joint bends toward ``pole`` (F, 3).
    """
    first, middle, last = joints
    away = length(target - positions[:, last]) > POSITION_TOLERANCE_M
    if not away.any():
        return
    hip, knee, ankle = positions[away, first], positions[away, middle], positions[away, last]
    upper, lower = length(knee - hip)[:, None], length(ankle - knee)[:, None]
    line = target[away] - hip
    distance = length(line)[:, None]
    span = np.clip(distance, np.abs(upper - lower) * 1.001 + 1e-6, (upper + lower) * MAX_REACH_RATIO)
    along = normalize(np.where(distance > 1e-9, line, ankle - hip))
    bend = _perpendicular(pole[away], along)
    share = (upper**2 + span**2 - lower**2) / (2 * span)
    rise = np.sqrt(np.maximum(upper**2 - share**2, 0))
    new_knee = hip + along * share + bend * rise
    new_ankle = hip + along * span
    turn = rotation_between(knee - hip, new_knee - hip)
    rotations[away, first] = multiply(turn, rotations[away, first])
    hinge = rotation_between(rotate(turn, ankle - knee), new_ankle - new_knee)
    rotations[away, middle] = multiply(hinge, multiply(turn, rotations[away, middle]))
    positions[away, middle], positions[away, last] = new_knee, new_ankle


def _perpendicular(pole: Array, axis: Array) -> Array:
    """Return unit vectors (F, 3) perpendicular to ``axis``, toward ``pole``, or in any direction if parallel to it."""
    off = pole - np.sum(pole * axis, axis=-1, keepdims=True) * axis
    lost = length(off) < 1e-9 * np.maximum(length(pole), 1e-300)
    if lost.any():
        off[lost] = cross(axis[lost], np.eye(3)[np.argmin(np.abs(axis[lost]), axis=-1)])
    return normalize(off)


def _knee_pole(hip: Array, knee: Array, ankle: Array, forward: Array) -> Array:
    """Return the knee's bend direction (F, 3): from the line between hip and ankle to the knee, or else forward.

    A knee that is a little behind the line is overstretched, by a blend of poses, and bends forward as well.
    """
    along = normalize(ankle - hip)
    off = (knee - hip) - np.sum((knee - hip) * along, axis=-1, keepdims=True) * along
    thigh = length(knee - hip)[:, None]
    ahead = _perpendicular(forward, along)
    behind = -np.sum(off * ahead, axis=-1, keepdims=True)
    overstretched = (behind > 0.0) & (behind < OVERSTRETCHED_KNEE_RATIO * thigh)
    return off + np.where(overstretched, 2 * behind, 0.0) * ahead + 0.02 * thigh * forward


def rest_forward_direction(skeleton: Skeleton) -> Array:
    """Return the direction (3) that a skeleton faces at rest, world: along its toes, else perpendicular to its hips."""
    toes = [skeleton.roles[role] for role in ("toe.L", "toe.R") if role in skeleton.roles]
    if toes:
        forward = skeleton.offsets[toes].sum(axis=0) * np.array([1.0, 1.0, 0.0])
        if np.linalg.norm(forward) > 1e-6:
            return normalize(forward)
    return np.array([0.0, -1.0, 0.0]) if lateral_axis(skeleton) == 0 else np.array([1.0, 0.0, 0.0])


def with_world_rotations(clip: Clip, root_positions: Array, rotations: Array) -> Clip:
    """Return a copy of a clip with the given root positions and world rotations.

    Args:
        clip: clip whose skeleton, rate and name are kept.
        root_positions: (F, 3) root positions, meters, world.
        rotations: (F, J, 4) world rotations; need not be normalized.
    """
    local = normalize(local_rotations(clip.skeleton, rotations))
    return Clip(clip.skeleton, clip.rate, root_positions, local, clip.name)


def rotate_joint(clip: Clip, joint: int, rotation: Array) -> Clip:
    """Return the clip with a joint and all its descendants rotated about that joint.

    Args:
        clip: the motion.
        joint: index of the joint; not the root.
        rotation: (F, 4) rotation at each frame, in world axes.
    """
    parent = clip.world[1][:, clip.skeleton.parents[joint]]
    rotations = clip.rotations.copy()
    rotations[:, joint] = normalize(
        multiply(multiply(inverse(parent), multiply(rotation, parent)), rotations[:, joint])
    )
    return replace(clip, rotations=rotations)
