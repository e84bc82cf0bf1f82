"""Calibration: quality of motion on bodies with other rest poses or other import axes."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from ..core.motion import Clip, Skeleton
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import IDENTITY, Array, from_axis_angle, inverse, log, multiply, normalize, rotate
from ..core.retarget import rest_pose
from ..core.retarget.calibration import CalibrationMethod, calibrate
from ..core.retarget.retarget import map_rotations
from .setup import Setup
from .tables import Part, table

TITLE = "Calibration"
RATE: Final = 60.0
CATEGORIES: Final = ("walk", "run", "carry", "boxing")
BONES: Final = tuple(f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "thigh", "shin", "foot"))
Pose = Callable[[Skeleton], Array]

NOTES = """\
{count} clips of the test split ({categories}), brought from the actor to the same actor with another zero pose, so
that every bone's right direction and turn is known. *Directions*: of the bones of arms, legs and feet, the largest
error of all bones, frames and clips."""


def turned(**angles: tuple[float, float]) -> Pose:
    """Return a pose with turned joints, by role.

    The angles are in degrees: about the body's back-to-front axis, and about the joint's bone.
    """

    def pose(skeleton: Skeleton) -> Array:
        left, back, _ = rotate(np.stack([rest_pose.body_rotation(skeleton)] * 3), np.eye(3))
        result = np.tile(IDENTITY, (len(skeleton), 1))
        own: dict[int, Array] = {}
        for part, (swing, roll) in angles.items():
            for side, sign in (("L", 1.0), ("R", -1.0)):
                role = f"{part}.{side}"
                joint = skeleton.roles[role]
                bone = normalize(rest_pose.bone_vector(skeleton, joint, role))
                about = from_axis_angle(bone, float(np.radians(sign * roll)))
                arm = part in ("upper_arm", "forearm")
                lift = from_axis_angle(sign * back if arm else left, float(np.radians(swing)))
                own[joint] = multiply(lift, about)
        for joint, parent in enumerate(skeleton.parents):
            above = result[parent] if parent >= 0 else IDENTITY
            result[joint] = multiply(above, own[joint]) if joint in own else above
        return result

    return pose


def laid(axis: Array, degrees: float) -> Pose:
    """Return the rest pose, rotated as a whole."""
    return lambda skeleton: np.tile(from_axis_angle(axis, float(np.radians(degrees))), (len(skeleton), 1))


X, Z = np.eye(3)[[0, 2]]
CASES: Final[Mapping[str, tuple[Pose, CalibrationMethod]]] = {
    "an A-pose against a T-pose": (lambda skeleton: rest_pose.make_known_pose(skeleton, "A"), "AUTOMATIC"),
    "a T-pose against the actor's own rest pose": (
        lambda skeleton: rest_pose.make_known_pose(skeleton, "T"),
        "AUTOMATIC",
    ),
    "arms 70 degrees down": (turned(upper_arm=(70.0, 0.0)), "AUTOMATIC"),
    "arms down, elbows bent": (turned(upper_arm=(50.0, 0.0), forearm=(25.0, 0.0)), "AUTOMATIC"),
    "knees bent, feet flat": (turned(thigh=(15.0, 0.0), shin=(-20.0, 0.0), foot=(5.0, 0.0)), "AUTOMATIC"),
    "knees bent, feet tipped 5 degrees": (turned(thigh=(15.0, 0.0), shin=(-20.0, 0.0)), "AUTOMATIC"),
    "importer's axes: lying, +90 degrees about X": (laid(X, 90.0), "AUTOMATIC"),
    "importer's axes: -90 degrees about X": (laid(X, -90.0), "AUTOMATIC"),
    "importer's axes: +90 degrees about Z": (laid(Z, 90.0), "AUTOMATIC"),
    "arms turned 40 degrees about their bones": (turned(upper_arm=(0.0, 40.0)), "AUTOMATIC"),
    "rest pose named: the rig rests in the actor's A-pose": (
        lambda skeleton: rest_pose.make_known_pose(skeleton, "A"),
        "A_POSE",
    ),
    "rest pose named: the rig rests in the actor's T-pose": (
        lambda skeleton: rest_pose.make_known_pose(skeleton, "T"),
        "T_POSE",
    ),
}


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    clips = [read_bvh(file).resampled(RATE) for file in setup.clips(*CATEGORIES, split="test")]
    rows = [[name, *errors(clips, *case)] for name, case in CASES.items()]
    head = ["zero pose", "directions, degrees", "turns of arms and legs, degrees", "residual shown, degrees"]
    return [table(head, rows), NOTES.format(count=len(clips), categories=", ".join(CATEGORIES))]


def errors(clips: list[Clip], pose: Pose, method: CalibrationMethod) -> tuple[float, float, float]:
    """Return the largest errors of directions and of whole rotations, and the displayed residual, degrees."""
    directions, turns, residual = 0.0, 0.0, 0.0
    for clip in clips:
        shown = pose(clip.skeleton)
        target = rest_pose.with_rest_pose(clip.skeleton, shown)
        calibration = calibrate(clip.skeleton, renamed(target), method)
        _, world = clip.world
        made, right = map_rotations(calibration, world), multiply(world, inverse(shown))
        for role in BONES:
            joint = target.roles[role]
            bone = rest_pose.bone_vector(target, joint, role)
            along = [normalize(rotate(turn[:, joint], bone)) for turn in (made, right)]
            across = np.linalg.norm(np.cross(along[0], along[1]), axis=-1)
            directions = max(directions, float(np.arctan2(across, np.sum(along[0] * along[1], axis=-1)).max()))
            apart = log(multiply(inverse(right[:, joint]), made[:, joint]))
            turns = max(turns, float(np.linalg.norm(apart, axis=-1).max()))
        residual = max(residual, calibration.max_residual)
    return float(np.degrees(directions)), float(np.degrees(turns)), residual


def renamed(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton under other names, so that it is calibrated by its roles, not as the same skeleton."""
    names = tuple(f"bone {joint}" for joint in range(len(skeleton)))
    return Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.tips, skeleton.roles)
