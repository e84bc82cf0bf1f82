"""Captured clips on the controller's skeleton, with their labels and the objects added by the user."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import Labels, label_clip
from ...core.labelling.shown_interactions import shown_interactions
from ...core.motion import Clip
from ...core.motion.clip import lateral_axis
from ...core.motion.proportions import scale_between
from ...core.motion.root_frame import into_frame, root_track, yaw_of
from ...core.motion.rotations import Array, rotate
from ...core.retarget.calibration import calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from ...core.rig.clip_file import read_clip
from ...core.scene.clip_objects import ClipObject, load_clip_objects, objects_path
from ...core.scene.collider import Collider
from ...core.scene.object_fitting import palm_center_and_yaw
from ..data.clip_cache import labels_beside
from ..data.network_skeleton import NetworkSkeleton
from .captured_goals import CapturedGoals


@dataclass(frozen=True, eq=False)
class CapturedObject:
    """An object in a captured clip of F frames, relative to the body, so that it fits bodies of other proportions.

    Carried objects are relative to the midpoint of the palms and the line between them; others to the hips and the
    root's facing.

    Attributes:
        name: name of the object for the user.
        collider: collider in object space, scaled by the ratio of the leg lengths.
        offsets: (F, 3) offset from the palms' midpoint or the hips to the object's origin: right, ahead and up, m.
        yaws: (F) yaw of the object's front relative to the facing direction, rad.
        moving: (F) whether the object moves with the hands.
    """

    action: str
    name: str
    collider: Collider
    offsets: Array
    yaws: Array
    moving: Array

    def mirrored(self) -> "CapturedObject":
        """Return the object as in the mirror image of its clip, with left and right exchanged."""
        flip, collider = np.array([-1.0, 1.0, 1.0]), self.collider
        lower = np.column_stack([-collider.upper[:, 0], collider.lower[:, 1:]])
        upper = np.column_stack([-collider.lower[:, 0], collider.upper[:, 1:]])
        collider = Collider(lower, upper)
        return replace(self, collider=collider, offsets=self.offsets * flip, yaws=-self.yaws)


@dataclass(frozen=True, eq=False)
class CapturedClip:
    """A captured clip of F frames at 60 Hz on the controller's skeleton, its feet on the plane z = 0.

    Attributes:
        clip: the motion.
        labels: labels beside the clip, else detected ones.
        has_labels: whether the labels were read from the file beside the clip.
        objects: the objects added by the user.
        goals: goals that the user set in the labels beside the clip; ``None`` if there are no such labels.
        residuals: residuals of the actor's calibration, degrees, by role.
    """

    clip: Clip
    labels: Labels
    has_labels: bool
    objects: tuple[CapturedObject, ...]
    goals: CapturedGoals | None
    residuals: Mapping[str, float]

    @property
    def labeled_actions(self) -> tuple[str, ...]:
        """Interactions named in the labels beside the clip; empty without such labels."""
        return shown_interactions(self.labels) if self.has_labels else ()

    def mirrored(self) -> "CapturedClip":
        """Return the mirror image of the clip, with its labels, objects and goals."""
        return CapturedClip(
            self.clip.mirrored(),
            self.labels.mirrored(lateral_axis(self.clip.skeleton)),
            self.has_labels,
            tuple(one.mirrored() for one in self.objects),
            None if self.goals is None else self.goals.mirrored(),
            self.residuals,
        )

    def objects_of(self, action: str) -> tuple[CapturedObject, ...]:
        return tuple(one for one in self.objects if one.action == action)


def load_captured_clip(path: Path, network_skeleton: NetworkSkeleton) -> CapturedClip:
    """Load a clip, its labels and its objects, retargeted to a network skeleton at 60 Hz.

    Raises:
        FootfallError: the clip or a file beside it cannot be used.
    """
    original = read_clip(path)
    source = original.resampled(FEATURE_RATE_HZ)
    own = labels_beside(path, original, source)
    labels = label_clip(source) if own is None else own
    calibration = calibrate(
        source.skeleton,
        network_skeleton.skeleton,
        source_stance=standing_pose([standing_scatter(source)]),
        target_stance=network_skeleton.standing,
        controller="TARGET",
    )
    calibration = replace(calibration, hinges=network_skeleton.hinges)
    clip = fit_clip(source, calibration, labels=labels)
    scale = scale_between(source.skeleton, clip.skeleton)
    beside = objects_path(path)
    objects = load_clip_objects(beside, len(original)) if beside.exists() else ()
    placed = tuple(_relative_to_body(one, source, original.rate, scale) for one in objects)
    goals = None if own is None else CapturedGoals.of(source, own, scale)
    return CapturedClip(clip, labels, own is not None, placed, goals, calibration.residuals)


def _relative_to_body(one: ClipObject, source: Clip, rate: float, scale: float) -> CapturedObject:
    """Return an object of a clip relative to the character's body.

    Args:
        one: the object, at the clip's own rate.
        source: the clip at 60 Hz.
        rate: the clip's own rate, Hz.
        scale: ratio of the leg lengths, network skeleton to source.
    """
    rows = np.rint(np.arange(len(source)) * rate / FEATURE_RATE_HZ).astype(np.intp)
    rows = np.minimum(rows, len(one.positions) - 1)
    positions, rotations = one.positions[rows], one.rotations[rows]
    if one.action == "carry":
        center, yaws = palm_center_and_yaw(source)
    else:
        center, yaws = source.positions[:, source.skeleton.joint("hips")], root_track(source).yaws
    front = rotate(rotations, np.broadcast_to([0.0, 1.0, 0.0], positions.shape))[:, :2]
    moved = np.abs(np.diff(positions, axis=0)).max(axis=1, initial=0.0) > 1e-6
    return CapturedObject(
        one.action,
        one.name,
        Collider(scale * one.collider.lower, scale * one.collider.upper),
        scale * into_frame(positions - center, yaws),
        yaw_of(front) - yaws,
        np.append(moved, False),
    )
