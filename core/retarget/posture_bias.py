"""Posture bias: in some captures the trunk leans, or the arms hang, implausibly, because bones are estimated.

In captures published without joint centers of the upper body, or without a rest pose, the trunk leans back by 10
degrees in every frame, the arms hang in front of it and the elbows never bend. This bias of the rest pose is corrected
by constant rotations of spine, upper arms and elbows; hips, legs, neck and head are unchanged.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..labelling import Labels
from ..motion import Clip, Skeleton
from ..motion.limb_ik import with_world_rotations
from ..motion.root_frame import facing_direction, root_track
from ..motion.rotations import Array, from_axis_angle, multiply, normalize, rotate
from ..motion.signals import low_pass
from .hinges import hinge_axes
from .knee_bias import MAX_KEPT_SAMPLES, MIN_SAMPLES, SPEED_CUTOFF_HZ, WALKING_SPEEDS_M_S
from .trunk import spine_joints

ARM_PARTS: Final = ("upper_arm", "forearm", "hand")
LEAST_LEAN_DEG: Final = -3.0
"""Least mean forward lean of the trunk, from hips to neck, of walkers: -2 to 7 in thirteen optical captures."""
PEOPLE_LEAN_DEG: Final = 3.0
"""Mean forward lean of walkers' trunks."""
LARGEST_ARM_DEG: Final = -1.0
"""Greatest mean forward angle of walkers' upper arms from the vertical: -10 to -2 in thirteen optical captures."""
PEOPLE_ARM_DEG: Final = -5.0
"""Mean forward angle of walkers' upper arms."""
STRAIGHTEST_PERCENT: Final = 5.0
"""Percentile of the flexion of the straighter elbow, which is the one of the arm behind the body."""
LEAST_FLEXION_DEG: Final = 3.0
"""Least elbow flexion of walkers at :data:`STRAIGHTEST_PERCENT`: 4 to 29 in thirteen optical captures."""
PEOPLE_FLEXION_DEG: Final = 15.0
"""Mean elbow flexion of walkers at :data:`STRAIGHTEST_PERCENT`."""
BENT_ELBOW_DEG: Final = 60.0
"""Flexion above which elbows are not corrected, since a bent arm shows no bias."""
MAX_CORRECTION_DEG: Final = 15.0
"""Largest correction of a joint."""


@dataclass(frozen=True, slots=True)
class PostureCorrection:
    """Constant rotations, degrees, that give an actor the usual posture of people.

    Attributes:
        trunk: forward rotation of the spine.
        arms: forward rotation of the upper arms.
        elbows: flexion added to a straight elbow; less for a bent one.
    """

    trunk: float = 0.0
    arms: float = 0.0
    elbows: float = 0.0

    def __bool__(self) -> bool:
        """Return whether any of the three rotations is not zero."""
        return self != PostureCorrection()


def posture_samples(clip: Clip, labels: Labels) -> Array:
    """Return the posture (N, 3), degrees, in N frames of walking: forward lean of trunk and of arms, elbow flexion.

    Both arms are averaged; the flexion is that of the straighter elbow.

    Args:
        clip: the motion, at the labels' rate.
        labels: labels of the clip, of which the gait *walk* is used if there is one.
    """
    roles = clip.skeleton.roles
    if len(clip) < 2 or any(f"{part}.{side}" not in roles for part in ARM_PARTS for side in "LR"):
        return np.zeros((0, 3))
    positions = clip.positions
    hips = positions[:, clip.skeleton.joint("hips")]
    speed = np.linalg.norm(np.gradient(low_pass(hips[:, :2], clip.rate, SPEED_CUTOFF_HZ), axis=0), axis=-1) * clip.rate
    walking = (speed > WALKING_SPEEDS_M_S[0]) & (speed < WALKING_SPEEDS_M_S[1])
    if "walk" in labels.gait_names:
        walking &= labels.gaits[:, labels.gait_names.index("walk")] > 0.5
    ahead = np.pad(facing_direction(root_track(clip).yaws), ((0, 0), (0, 1)))
    neck = positions[:, clip.skeleton.joint("neck" if "neck" in roles else "head")]
    arms, elbows = [], []
    for side in "LR":
        shoulder, elbow, wrist = (positions[:, clip.skeleton.joint(f"{part}.{side}")] for part in ARM_PARTS)
        upper, lower = elbow - shoulder, wrist - elbow
        arms.append(_angle_ahead(-upper, -ahead))
        cosine = np.sum(normalize(upper) * normalize(lower), axis=-1)
        elbows.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
    samples = np.column_stack([_angle_ahead(neck - hips, ahead), np.mean(arms, axis=0), np.min(elbows, axis=0)])[
        walking
    ]
    return samples[:: max(-(-len(samples) // MAX_KEPT_SAMPLES), 1)]


def _angle_ahead(upright: Array, ahead: Array) -> Array:
    """Return the angles (F), degrees, by which vectors ``upright`` lean from the vertical toward ``ahead`` (F, 3)."""
    return np.degrees(np.arctan2(np.sum(upright * ahead, axis=-1), upright[:, 2]))


def posture_correction(samples: Array) -> PostureCorrection:
    """Return the correction of an actor's posture; zero if there are too few samples or the posture is usual.

    Walkers lean forward, and bend their arms, for many reasons: uphill, under roofs, in a hurry. Only an unnatural
    posture is a bias: leaning back, with straight arms in front.

    Args:
        samples: (N, 3) rows of :func:`posture_samples` of all clips of the actor.
    """
    if len(samples) < MIN_SAMPLES:
        return PostureCorrection()
    lean, arms = samples[:, :2].mean(axis=0)
    flexion = np.percentile(samples[:, 2], STRAIGHTEST_PERCENT)
    angles = (
        PEOPLE_LEAN_DEG - lean if lean < LEAST_LEAN_DEG else 0.0,
        PEOPLE_ARM_DEG - arms if arms > LARGEST_ARM_DEG else 0.0,
        PEOPLE_FLEXION_DEG - flexion if flexion < LEAST_FLEXION_DEG else 0.0,
    )
    return PostureCorrection(*(float(np.clip(angle, -MAX_CORRECTION_DEG, MAX_CORRECTION_DEG)) for angle in angles))


def correct_posture(clip: Clip, correction: PostureCorrection) -> Clip:
    """Return a clip with spine, upper arms and elbows rotated by the correction of its actor's posture.

    The spine turns at its lowest joint, and neck, head and arms keep their rotations in the world; upper arms turn
    about the same axis, elbows about their hinges.
    """
    spine = spine_joints(clip.skeleton)
    if not correction or not spine:
        return clip
    skeleton, world = clip.skeleton, clip.world[1].copy()
    left = _leftward(clip)
    trunk = from_axis_angle(left, np.full(len(clip), np.radians(correction.trunk)))
    kept = _descendants(skeleton, [skeleton.roles[role] for role in ("neck", "head") if role in skeleton.roles])
    arms = {side: _descendants(skeleton, [skeleton.roles[f"upper_arm.{side}"]]) for side in "LR"}
    for joint in sorted(_descendants(skeleton, [spine[0]]) - kept - arms["L"] - arms["R"]):
        world[:, joint] = multiply(trunk, world[:, joint])
    swing = from_axis_angle(left, np.full(len(clip), -np.radians(correction.arms)))
    hinges = hinge_axes(clip)
    for side in "LR":
        bend = _elbow_bend(clip, side, hinges.get(f"forearm.{side}"), correction.elbows)
        lower = _descendants(skeleton, [skeleton.roles[f"forearm.{side}"]])
        for joint in sorted(arms[side]):
            turn = multiply(swing, bend) if joint in lower else swing
            world[:, joint] = multiply(turn, world[:, joint])
    return with_world_rotations(clip, clip.root_positions, world)


def _leftward(clip: Clip) -> Array:
    """Return the direction (F, 3) to the left of the hips in the world."""
    skeleton = clip.skeleton
    offsets = skeleton.offsets[[skeleton.joint("thigh.L"), skeleton.joint("thigh.R")]]
    return rotate(clip.world[1][:, skeleton.joint("hips")], normalize(offsets[0] - offsets[1]))


def _elbow_bend(clip: Clip, side: str, hinge: Array | None, straight_deg: float) -> Array:
    """Return rotations (F, 4), world, that flex an elbow, by less where the elbow is already bent more.

    Without a hinge, they are the identity.
    """
    skeleton, (positions, world) = clip.skeleton, clip.world
    forearm = skeleton.joint(f"forearm.{side}")
    if hinge is None:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
    axis = rotate(world[:, forearm], hinge)
    upper = normalize(positions[:, forearm] - positions[:, skeleton.joint(f"upper_arm.{side}")])
    lower = normalize(positions[:, skeleton.joint(f"hand.{side}")] - positions[:, forearm])
    flexion = np.arctan2(np.sum(np.cross(upper, lower) * axis, axis=-1), np.sum(upper * lower, axis=-1))
    share = np.clip(1.0 - flexion / np.radians(BENT_ELBOW_DEG), 0.0, 1.0)
    return from_axis_angle(axis, np.radians(straight_deg) * share)


def _descendants(skeleton: Skeleton, joints: list[int]) -> set[int]:
    """Return the given joints and their descendants."""
    found = set(joints)
    for joint, parent in enumerate(skeleton.parents):
        if parent in found:
            found.add(joint)
    return found
