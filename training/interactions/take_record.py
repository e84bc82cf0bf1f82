"""Take records: motion, objects and labels of a take, stored beside its samples, so that these can be recomputed."""

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.features.interaction import PREDICTION_HORIZON_FRAMES, ActionLabels
from ...core.features.locomotion import EXTRAPOLATION_WINDOW_FRAMES, FEATURE_RATE_HZ
from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import read_arrays
from ...core.motion import Clip, Skeleton
from ...core.motion.root_frame import RootTrack, extrapolate_track, root_track
from ...core.motion.rotations import Array, normalize
from ...core.scene.collider import Collider
from ..data.manifest import DatasetError
from . import take_labels
from .samples import action_labels_of
from .take import InteractionTake, TakeObject

RECORD_NAME: Final = "take.npz"
"""File in a take's folder that holds its record."""
TRACK_PADDING_FRAMES: Final = PREDICTION_HORIZON_FRAMES + 1
"""Frames by which the root is extrapolated at both ends."""
LABEL_NAMES: Final = (
    "actions",
    "goal_actions",
    "goal_positions",
    "goal_directions",
    "contacts",
    "phase",
    "known_goal_frames",
)


@dataclass(frozen=True, eq=False)
class TakeRecord:
    """The motion, objects and labels of a take of F frames, from which its samples are computed.

    Attributes:
        clip: the motion; rotations have single precision.
        track: the root at each frame.
        labels: action labels, with goals placed at their objects.
        goal_object: (F) index of the goal's object; -1 for a goal without one.
        objects: the objects of the take, the main one first.
    """

    clip: Clip
    track: RootTrack
    labels: ActionLabels
    goal_object: NDArray[np.intp]
    objects: tuple[TakeObject, ...]

    @staticmethod
    def of(take: InteractionTake) -> "TakeRecord":
        return TakeRecord(take.clip, root_track(take.clip), action_labels_of(take), take.goal_object, take.objects)

    def __len__(self) -> int:
        return len(self.clip)

    @cached_property
    def extended_track(self) -> RootTrack:
        """The track of the root, extrapolated by a second (:data:`TRACK_PADDING_FRAMES`) at both ends."""
        return extrapolate_track(self.track, TRACK_PADDING_FRAMES, TRACK_PADDING_FRAMES, EXTRAPOLATION_WINDOW_FRAMES)

    @cached_property
    def led_goal_frames(self) -> NDArray[np.intp]:
        """Frame (F) at which the root reaches each frame's goal, if that is on the character's own path; else -1."""
        positions, frames = self.labels.goal_positions[:, :2], np.arange(len(self))
        result = np.full(len(self), -1)
        for lead in (0, take_labels.TUNING.goal_lead):
            at = np.minimum(frames + lead, len(self) - 1)
            led = np.abs(self.track.positions[at] - positions).max(axis=1) < 1e-9
            result = np.where(led & (self.goal_object < 0), at, result)
        return result

    def save(self, folder: Path) -> None:
        """Write the record into the folder of a take; raise ``OSError`` if it cannot be written."""
        arrays = {
            "root_positions": self.clip.root_positions,
            "rotations": self.clip.rotations.astype(np.float32),
            "track_positions": self.track.positions,
            "track_yaws": self.track.yaws,
            **{name: getattr(self.labels, name) for name in LABEL_NAMES},
            "goal_object": self.goal_object,
            "object_names": np.array([one.name for one in self.objects], dtype=np.str_),
            "object_kinds": np.array([one.kind for one in self.objects], dtype=np.str_),
            "object_positions": np.array([one.positions for one in self.objects]).reshape(-1, len(self), 3),
            "object_rotations": np.array([one.rotations for one in self.objects]).reshape(-1, len(self), 4),
            "cuboid_counts": np.array([len(one.collider.lower) for one in self.objects], dtype=np.intp),
            "cuboid_lower": np.concatenate([np.zeros((0, 3)), *(one.collider.lower for one in self.objects)]),
            "cuboid_upper": np.concatenate([np.zeros((0, 3)), *(one.collider.upper for one in self.objects)]),
        }
        data = BytesIO()
        np.savez_compressed(data, allow_pickle=False, **arrays)
        write_atomically(folder / RECORD_NAME, data.getvalue())

    @staticmethod
    def load(folder: Path, skeleton: Skeleton) -> "TakeRecord":
        """Return the record in the folder of a take.

        Raises:
            DatasetError: the record is missing or damaged.
        """
        try:
            return _from_arrays(read_arrays(folder / RECORD_NAME), skeleton)
        except Exception as error:  # A damaged archive can fail in zipfile, zlib, struct or numpy.
            raise DatasetError(
                "The record of the motion of the take '{folder}' is missing or damaged: build the data set "
                "again, or set augmented_share to 0",
                folder=folder,
            ) from error


def _from_arrays(data: dict[str, np.ndarray], skeleton: Skeleton) -> TakeRecord:
    """Return the record stored in arrays; raise ``ValueError`` or ``KeyError`` if they do not fit."""
    count = len(data["root_positions"])
    names = ("rotations", "track_positions", "track_yaws", "goal_object", *LABEL_NAMES)
    if any(len(data[name]) != count for name in names) or not all(
        np.isfinite(values).all() for values in data.values() if values.dtype.kind == "f"
    ):
        raise ValueError("the arrays of a take differ in length, or contain numbers that are not finite")
    ends = np.cumsum(data["cuboid_counts"])
    objects = tuple(
        TakeObject(
            str(data["object_names"][number]),
            str(data["object_kinds"][number]),
            Collider(data["cuboid_lower"][end - size : end], data["cuboid_upper"][end - size : end]),
            _without_copies(data["object_positions"][number].reshape(count, 3)),
            _without_copies(data["object_rotations"][number].reshape(count, 4)),
        )
        for number, (end, size) in enumerate(zip(ends, data["cuboid_counts"], strict=True))
    )
    rotations = normalize(data["rotations"].astype(float)).astype(np.float32)
    return TakeRecord(
        Clip(skeleton, FEATURE_RATE_HZ, data["root_positions"], rotations),
        RootTrack(data["track_positions"], data["track_yaws"]),
        ActionLabels(**{name: data[name] for name in LABEL_NAMES}),
        data["goal_object"].astype(np.intp),
        objects,
    )


def _without_copies(values: Array) -> Array:
    """Return values (F, N) unchanged but, if all frames are equal, stored in the memory of one frame."""
    return np.broadcast_to(values[0].copy(), values.shape) if (values == values[0]).all() else values
