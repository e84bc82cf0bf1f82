"""Posture: every source of motion on every other's skeleton, compared with the source's own figure."""

from collections.abc import Iterable, Iterator, Mapping
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
from .setup import Setup
from .tables import Part, table

TITLE = "Posture of every source on every skeleton"
RATE: Final = 60.0
LONGEST_S: Final = 8.0
SAME_ACTOR_M: Final = 1e-3
"""Largest difference of joints' offsets between two clips of one actor."""
SPLAY_LIMIT_DEG: Final = 10.0
"""Least splay of the thighs at rest for a calibration of soles by flat feet in motion."""
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
"""One or two clips of each source."""
TRUNK: Final = ("hips", "chest", "head")
COLUMNS: Final = {
    "hips": "pelvis",
    "chest": "chest",
    "head": "head",
    "sole": "sole",
    "own": "own sole",
    "back": "back",
}
"""Headings, by the keys of :func:`compare`."""

NOTES = """\
A clip or two of each source, brought onto the skeleton of each other; the worst target, degrees. *Sole* is its roll
where the source's foot lies flat, *back* the largest mean angle of a bone after the way there and back."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A source's clip, its actor's standing pose (J, 4), and the up direction in each joint's frame, by role."""

    name: str
    clip: Clip
    stance: Array
    ups: Mapping[str, Array]

    @property
    def skeleton(self) -> Skeleton:
        """The clip's skeleton."""
        return self.clip.skeleton


def figures(data: Path) -> list[Figure]:
    """Return the figures of all available clips."""
    found: list[Figure] = []
    for name, files in SAMPLES.items():
        for file in files:
            try:
                clip = _shortened(read_clip(data / name / file).resampled(RATE))
            except (OSError, FootfallError):
                continue
            stance, judging = _two_stances(_like(data / name, clip), rest_pose.is_standing(clip.skeleton))
            found.append(Figure(name, clip, stance, standing_ups(clip.skeleton, judging)))
    return found


def _two_stances(clips: Iterable[Clip], stands: bool) -> tuple[Array, Array]:
    """Return standing poses (J, 4): one for calibration, and one as reference.

    Args:
        clips: clips of one actor.
        stands: whether the rest pose stands; else each half of the clips gives one.
    """
    scatters = sorted((standing_scatter(clip) for clip in clips), key=lambda one: -float(np.trace(one[0])))
    if stands or len(scatters) < 2:
        return standing_pose(scatters), standing_pose(scatters)
    return standing_pose(scatters[::2]), standing_pose(scatters[1::2])


def _shortened(clip: Clip) -> Clip:
    frames = int(LONGEST_S * clip.rate)
    return Clip(clip.skeleton, clip.rate, clip.root_positions[:frames], clip.rotations[:frames], clip.name)


def _like(folder: Path, first: Clip) -> Iterator[Clip]:
    """Yield up to twelve clips of a source on the same joints, standing and walking ones first."""
    files = sorted(folder.rglob("*.bvh"), key=lambda file: file.parent.name not in ("idle", "walk", "turn"))
    yield first
    for file in files[:12]:
        clip = read_clip(file).resampled(RATE)
        same = clip.skeleton.matches(first.skeleton) and clip.name != first.name
        if same and np.allclose(clip.skeleton.offsets, first.skeleton.offsets, atol=SAME_ACTOR_M):
            yield _shortened(clip)


def standing_ups(skeleton: Skeleton, pooled: Array | None = None) -> dict[str, Array]:
    """Return the up direction (3) in the frame of each joint with a role, in standing.

    Args:
        skeleton: skeleton of the body.
        pooled: its standing pose (J, 4), for data missing in the rest pose.
    """
    up, stands = np.eye(3)[2], rest_pose.is_standing(skeleton)
    result: dict[str, Array] = {}
    joints = dict(skeleton.roles)
    if spine_joints(skeleton):
        joints["chest"] = spine_joints(skeleton)[-1]
    for role, joint in joints.items():
        splayed = role.startswith("foot.") and legs_splay(skeleton) > SPLAY_LIMIT_DEG
        if pooled is None or (stands and not splayed):
            result[role] = up
        else:
            result[role] = rotate(inverse(pooled[joint]), up)
    return result


def legs_splay(skeleton: Skeleton) -> float:
    """Return the outward angle of the thighs at rest, degrees."""
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


def compare(source: Figure, target: Figure) -> dict[str, float]:
    """Return the errors of the source's clip on the target, by body part; ``back`` after the transfer back."""
    one, other = (source.skeleton, source.stance), (target.skeleton, target.stance)
    contacts = _contacts(source.clip)
    made = retarget(source.clip, _calibration(*one, *other), contacts)
    back = retarget(made, _calibration(*other, *one), contacts)
    found = errors_on(source.clip, source.ups, made, target.ups)
    return {**found, "back": max(joint_errors(source.clip, back, made.skeleton).values())}


def _calibration(source: Skeleton, stance: Array, target: Skeleton, other_stance: Array) -> Calibration:
    """Return the calibration of ``retarget`` between two actors."""
    return calibrate(source, target, source_stance=stance, target_stance=other_stance)


def _contacts(clip: Clip) -> dict[str, Array]:
    """Return the probabilities (F) of contacts, by joint."""
    labels = label_clip(clip)
    return dict(zip(labels.contact_joints, labels.contacts.T, strict=True))


def errors_on(clip: Clip, ups: Mapping[str, Array], made: Clip, made_ups: Mapping[str, Array]) -> dict[str, float]:
    """Return the errors, degrees, of a motion on another skeleton: tilts by role, ``sole``, and the source's ``own``.

    Args:
        clip: the motion of the source.
        ups: the source's up directions (3), by role.
        made: the same motion on the target.
        made_ups: the target's up directions (3), by role.
    """
    both = [role for role in TRUNK if all(role in one.skeleton.roles for one in (clip, made))]
    found = {role: between(tilts(clip, ups, role), tilts(made, made_ups, role)) for role in both}
    for side in "LR":
        roles = (f"foot.{side}", f"toe.{side}")
        if all(role in one.skeleton.roles for role in roles for one in (clip, made)):
            flat = flat_foot_frames(clip, clip.skeleton.roles[roles[0]], clip.skeleton.roles[roles[1]])
            for part, motion, up in (("sole", made, made_ups), ("own", clip, ups)) if len(flat) else ():
                found[part] = max(found.get(part, 0.0), abs(sole_roll(motion, up, side, flat)))
    return found


def errors_on_rig(source: Figure, calibration: Calibration) -> dict[str, float]:
    """Return the errors of the source's clip on the body of a rig that stands at rest."""
    made = retarget(source.clip, calibration, _contacts(source.clip))
    return errors_on(source.clip, source.ups, made, standing_ups(calibration.target))


def joint_errors(clip: Clip, other: Clip, between_on: Skeleton) -> dict[str, float]:
    """Return the mean angles, degrees, between the bones of two clips, from each role to the next, by role.

    Args:
        clip: motion of a skeleton.
        other: another motion of the same skeleton.
        between_on: the intermediate skeleton of the motion; only bones with its roles count.
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


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    every = figures(setup.data)
    worst: dict[str, dict[str, float]] = {}
    for source in every:
        row = worst.setdefault(source.name, {})
        for found in (compare(source, target) for target in every if target.name != source.name):
            row |= {key: max(value, row.get(key, 0.0)) for key, value in found.items()}
    rows = [[name, *(row.get(key) for key in COLUMNS)] for name, row in worst.items()]
    return [table(["source", *COLUMNS.values()], rows), NOTES]
