"""Posture: every source of motion on every other's skeleton, beside the source's own figure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.errors import FootfallError
from ..core.labelling import label_clip
from ..core.motion import Clip, Skeleton
from ..core.motion.heel import flat_foot_frames
from ..core.motion.root_frame import into_frame, root_track
from ..core.motion.rotations import Array, inverse, normalize, rotate
from ..core.retarget import rest_pose
from ..core.retarget.calibration import Calibration, calibrate
from ..core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ..core.retarget.retarget import retarget
from ..core.retarget.trunk import spine_joints
from ..core.rig.clip_file import read_clip
from .document import table
from .setup import Setup

TITLE = "Posture of every source on every skeleton"
RATE: Final = 60.0
LONGEST_S: Final = 8.0
SAME_ACTOR_M: Final = 1e-3
"""Largest difference of joints' offsets between two clips of one actor."""
SPLAY_LIMIT_DEG: Final = 10.0
"""Least splay of the thighs at rest for which soles are calibrated by flat feet in motion."""
SAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "cmu_asfamc": ("walk/16_47.bvh", "idle/02_10.bvh"),
    "cmu_ccbase": ("walk/07_02.bvh",),
    "cmu_daz": ("walk/16_15.bvh",),
    "cmu_3dsmax": ("walk/131_01.bvh",),
    "cmu_expmap": ("walk/walking_36.bvh",),
    "cmu_deepmimic": ("crouch/139_16.bvh",),
    "cmu_styles": ("idle/142_01.bvh",),
    "accad_male1": ("walk/Male1_B3_Walk.bvh", "idle/Male1_A1_Stand.bvh"),
    "o3de_rin": ("walk/Acceleration1.bvh",),
    "hdm05_asfamc": ("walk/HDM_bd_sneak2StepsLStart_001_120.bvh",),
    "skillmimic_ballplay": ("basketball/008pickle_catch_020.bvh",),
    "jl_mm_xsens": ("run/JL_mm_run.bvh",),
    "mesh2motion_human_cc0": ("idle/Greeting.bvh",),
    "kaykit_cc0": ("idle/Idle.bvh", "walk/Walking_A.bvh"),
    "animated_drawings": ("walk/zombie.bvh",),
    "gazebo_actor": ("idle/stand.bvh",),
    "holosoma_climb": ("climb/climb_boxes_0.bvh",),
}
"""A clip or two of each source."""
TRUNK: Final = ("hips", "chest", "head")

NOTES = """\
A clip or two of each source (at most {seconds:g} s), brought onto the skeleton of each other by `retarget`, contacts
kept. *Tilt* of pelvis, chest and head: the angle between the body part's own up on the target and on the source's own
figure, mean over the frames, the worst target; up is where the body part's points at rest, or in standing frames of all
clips of the source where the rest pose is no standing pose. *Sole*: its roll where the source's foot lies flat, against
level, mean over the frames, and the same of the source's own figure. *Back*: the largest mean angle between a bone of
the source and the same bone after the way there and back. Degrees."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A source's clips, and the up direction in each joint's frame, by role."""

    name: str
    clips: tuple[Clip, ...]
    stances: tuple[Array, ...]
    ups: Mapping[str, Array]

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the first clip."""
        return self.clips[0].skeleton


def figures(data: Path) -> list[Figure]:
    """Return the figures of all available sources."""
    found: list[Figure] = []
    for name, files in SAMPLES.items():
        try:
            clips = tuple(_shortened(read_clip(data / name / file).resampled(RATE)) for file in files)
        except (OSError, FootfallError):
            continue
        pooled = standing_pose(standing_scatter(clip) for clip in _like(data / name, clips[0]))
        stances = tuple(standing_pose([standing_scatter(clip)]) for clip in clips)
        found.append(Figure(name, clips, stances, _ups(clips[0].skeleton, pooled)))
    return found


def _shortened(clip: Clip) -> Clip:
    frames = int(LONGEST_S * clip.rate)
    return Clip(clip.skeleton, clip.rate, clip.root_positions[:frames], clip.rotations[:frames], clip.name)


def _like(folder: Path, first: Clip) -> Iterator[Clip]:
    """Yield up to eight clips of a source on the same joints, standing and walking ones first."""
    files = sorted(folder.rglob("*.bvh"), key=lambda file: file.parent.name not in ("idle", "walk", "turn"))
    yield first
    for file in files[:: max(len(files[:40]) // 8, 1)][:8]:
        clip = read_clip(file).resampled(RATE)
        same = clip.skeleton.matches(first.skeleton)
        if same and np.allclose(clip.skeleton.offsets, first.skeleton.offsets, atol=SAME_ACTOR_M):
            yield _shortened(clip)


def _ups(skeleton: Skeleton, pooled: Array) -> dict[str, Array]:
    """Return the up direction (3) in the frame of each joint with a role, while the body stands."""
    up, stands = np.eye(3)[2], rest_pose.is_standing(skeleton)
    result: dict[str, Array] = {}
    joints = dict(skeleton.roles)
    if spine_joints(skeleton):
        joints["chest"] = spine_joints(skeleton)[-1]
    for role, joint in joints.items():
        splayed = role.startswith("foot.") and legs_splay(skeleton) > SPLAY_LIMIT_DEG
        result[role] = up if stands and not splayed else rotate(inverse(pooled[joint]), up)
    return result


def legs_splay(skeleton: Skeleton) -> float:
    """Return the angle, degrees, by which the thighs lean outward at rest."""
    left = rotate(rest_pose.body_rotation(skeleton), np.eye(3)[0])
    out = [
        sign * normalize(rest_pose.bone_vector(skeleton, skeleton.roles[f"thigh.{side}"], f"thigh.{side}")) @ left
        for side, sign in (("L", 1.0), ("R", -1.0))
    ]
    return float(np.degrees(np.arcsin(np.clip(np.mean(out), -1.0, 1.0))))


def tilts(clip: Clip, ups: Mapping[str, Array], role: str) -> Array:
    """Return the up direction (F, 3) of a body part in the root's frame."""
    joint = spine_joints(clip.skeleton)[-1] if role == "chest" else clip.skeleton.roles[role]
    world = clip.world[1][:, joint]
    return into_frame(rotate(world, ups[role]), root_track(clip).yaws)


def between(one: Array, other: Array) -> float:
    """Return the mean angle, degrees, between directions (F, 3)."""
    one, other = normalize(one), normalize(other)
    across = np.linalg.norm(np.cross(one, other), axis=-1)
    return float(np.degrees(np.arctan2(across, np.sum(one * other, axis=-1))).mean())


def sole_roll(clip: Clip, ups: Mapping[str, Array], side: str, flat: NDArray[np.intp]) -> float:
    """Return the mean roll of a sole about the foot, degrees, outward positive."""
    up = rotate(clip.world[1][flat, clip.skeleton.roles[f"foot.{side}"]], ups[f"foot.{side}"])
    foot, end = (clip.positions[flat, clip.skeleton.roles[role]] for role in (f"foot.{side}", f"toe.{side}"))
    across = normalize(np.cross(end - foot, np.eye(3)[2]))
    return float(np.degrees(np.arcsin(np.clip(np.sum(up * across, axis=-1), -1.0, 1.0))).mean())


def calibration_between(source: Figure, clip: int, target: Figure) -> Calibration:
    """Return the calibration that ``retarget`` finds for a clip of a source and the first clip of a target."""
    own, stances = source.clips[clip].skeleton, (source.stances[clip], target.stances[0])
    return calibrate(own, target.skeleton, source_stance=stances[0], target_stance=stances[1])


def compare(source: Figure, target: Figure) -> dict[str, float]:
    """Return the worst errors of the source's clips on the target."""
    worst: dict[str, float] = {}
    for number, clip in enumerate(source.clips):
        labels = label_clip(clip)
        contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
        made = retarget(clip, calibration_between(source, number, target), contacts)
        found = {
            role: between(tilts(clip, source.ups, role), tilts(made, target.ups, role))
            for role in TRUNK
            if role in clip.skeleton.roles and role in made.skeleton.roles
        }
        for side in "LR":
            roles = (f"foot.{side}", f"toe.{side}")
            if all(role in skeleton.roles for role in roles for skeleton in (clip.skeleton, made.skeleton)):
                flat = flat_foot_frames(clip, clip.skeleton.roles[roles[0]], clip.skeleton.roles[roles[1]])
                if len(flat):
                    found[f"sole.{side}"] = abs(sole_roll(made, target.ups, side, flat))
                    found[f"own.{side}"] = abs(sole_roll(clip, source.ups, side, flat))
        back = retarget(made, calibration_back(source, number, target, made), contacts)
        found["back"] = max(joint_errors(clip, back, made.skeleton).values())
        worst |= {key: max(value, worst.get(key, 0.0)) for key, value in found.items()}
    for part in ("sole", "own"):
        sides = [worst.pop(f"{part}.{side}") for side in "LR" if f"{part}.{side}" in worst]
        if sides:
            worst[part] = max(sides)
    return worst


def calibration_back(source: Figure, clip: int, target: Figure, made: Clip) -> Calibration:
    """Return the calibration from the target back to the source."""
    own, stance = source.clips[clip].skeleton, standing_pose([standing_scatter(made)])
    return calibrate(target.skeleton, own, source_stance=stance, target_stance=source.stances[clip])


def joint_errors(clip: Clip, other: Clip, between_on: Skeleton) -> dict[str, float]:
    """Return the mean angles, degrees, between the bones of two clips, from each role to the next, by role.

    Args:
        clip: motion of a skeleton.
        other: another motion of the same skeleton.
        between_on: the skeleton onto which the motion was brought in between; only bones with its roles count.
    """
    skeleton = clip.skeleton
    result: dict[str, float] = {}
    for role, after in rest_pose.NEXT_ROLE.items():
        if not all(one in body.roles for one in (role, after) for body in (skeleton, between_on)):
            continue
        ends = [
            one.positions[:, skeleton.roles[after]] - one.positions[:, skeleton.roles[role]] for one in (clip, other)
        ]
        if np.linalg.norm(ends[0], axis=-1).min() > 0.02:
            result[role] = between(*ends)
    return result


def measure(setup: Setup) -> str:
    """Return the section's table."""
    every = figures(setup.data)
    head = ["source", "pelvis", "chest", "head", "sole", "own sole", "back"]
    keys = ["hips", "chest", "head", "sole", "own", "back"]
    rows: list[list[object]] = []
    for source in every:
        found = [compare(source, target) for target in every if target.name != source.name]
        rows.append([source.name, *(max((one[key] for one in found if key in one), default=None) for key in keys)])
    return f"{table(head, rows)}\n\n{NOTES.format(seconds=LONGEST_S)}"
