"""Real motion transferred to every rig type with a map, and back."""

from dataclasses import replace
from typing import Final

import numpy as np

from ..core.labelling import label_clip
from ..core.motion import Clip, Skeleton
from ..core.motion.bvh import read_bvh
from ..core.motion.roles import is_quadruped
from ..core.motion.rotations import from_axis_angle, rotate
from ..core.retarget.calibration import calibrate
from ..core.retarget.retarget import retarget
from ..core.rig.rig_map import body_skeleton
from .rig_types import RigType, Variety, rig_types
from .setup import Setup
from .tables import Part, table

TITLE = "Round trips over every rig type"
RATE: Final = 60.0
CATEGORIES: Final = ("walk", "run", "turn", "carry")
ACTOR: Final = "cmu_asf"
LIMBS: Final = tuple(
    f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
)
SHOWN: Final = Variety(arms=45.0, spread=6.0, bend=8.0)
"""The rig's rest pose: an A-pose, legs apart, knees and elbows slightly bent; the actor rests in a T-pose."""

NOTES = """\
19 clips of the test split on bodies of the same proportions: from a T-pose to a rig in an A-pose with other bones,
and back. *Same joints*: the largest distance of all joints, frames and clips."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    people = [kind for kind in rig_types() if not is_quadruped(dict.fromkeys(kind.truth.bones, 0))]
    actor = skeleton_of(next(kind for kind in people if kind.preset == ACTOR), Variety())
    clips: list[Clip] = []
    for file in setup.clips(*CATEGORIES, split="test"):
        clip = read_bvh(file).resampled(RATE)
        clips.append(retarget(clip, calibrate(clip.skeleton, actor)))
    rows = [_row(kind, clips) for kind in people]
    head = ["rig type", "joints", "same joints: there mm", "back mm", "CMU's joints: limbs there mm", "limbs back mm"]
    return [table(head, rows), NOTES]


def _row(kind: RigType, clips: list[Clip]) -> list[object]:
    rig = facing_x(skeleton_of(kind, SHOWN))
    same = nameless(skeleton_of(kind, Variety()))
    worst = np.zeros(4)
    for clip in clips:
        own = retarget(clip, calibrate(clip.skeleton, same))
        worst[:2] = np.maximum(worst[:2], trip(own, rig, tuple(rig.roles)))
        worst[2:] = np.maximum(worst[2:], trip(clip, rig, LIMBS))
    return [kind.name, len(rig), *(float(1000 * one) for one in worst)]


def trip(clip: Clip, rig: Skeleton, roles: tuple[str, ...]) -> tuple[float, float]:
    """Return the largest distances, meters, of joints with some roles, on the rig and after the transfer back."""
    labels = label_clip(clip)
    contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
    there = retarget(clip, calibrate(clip.skeleton, rig), contacts)
    back = retarget(there, calibrate(rig, clip.skeleton), contacts)
    both = [role for role in roles if role in rig.roles and role in clip.skeleton.roles]
    at, on = ([skeleton.roles[role] for role in both] for skeleton in (clip.skeleton, rig))
    away = np.linalg.norm(there.positions[:, on] - clip.positions[:, at], axis=-1)
    return float(away.max()), float(np.linalg.norm((back.positions - clip.positions)[:, at], axis=-1).max())


def skeleton_of(kind: RigType, variety: Variety) -> Skeleton:
    """Return a rig type's body with given proportions and rest pose."""
    tree = kind.tree(variety)
    return body_skeleton(kind.truth, tree.names, tree.heads, tree.tails)


def facing_x(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton facing +X at rest, as created by some importers."""
    turn = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.pi / 2)
    return replace(skeleton, offsets=rotate(turn, skeleton.offsets), tips=rotate(turn, skeleton.tips))


def nameless(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton under other names, so that only its roles correspond."""
    return replace(skeleton, names=tuple(f"bone {joint}" for joint in range(len(skeleton))))
