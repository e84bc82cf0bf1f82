"""The manifest of a data set: settings, clips and the skeleton as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...core.errors import FootfallError
from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import MAX_MANIFEST_BYTES, ContentError, read_json_object
from ...core.motion import Skeleton
from . import shards

MANIFEST_NAME: Final = "manifest.json"
FORMAT_VERSION: Final = 1


class DatasetError(FootfallError):
    """Error: a data set is missing, damaged or of another version, or cannot be built."""


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """Settings of the conversion of clips to samples; names are those of :class:`TrainingConfig`.

    Attributes:
        mirror: whether to add a mirrored copy of every clip.
        speeds: time-scale factors; each adds a copy of every clip, 1.0 the clip itself.
        bends: path curvatures in 1/m; each adds a bent copy of every clip, 0.0 the clip itself.
        exclude_joints: joints to leave out of the network's pose, in addition to those that :func:`pose_joints` leaves
            out.
        validation_share: share of the frames held out, by whole takes.
        joint_weight: scale of the normalized joint inputs (PFNN section 5.3).
        seed: seed of the split.
        terrain: ground under clips that were not captured on level ground: ``"fitted"`` patches, the plane ``"edited"``
            to meet the footsteps, or ``"level"`` for none.
        patches: folder of the patch database.
        grounds: patches fitted per stride segment of such a clip.
        knee_correction: whether legs too long for straight knees are shortened.
        posture_correction: whether implausible trunk and arm postures are corrected.
        features: layout of the samples: ``"locomotion"``, ``"local_phase_system"`` or ``"strikes"``.
        sensors: names of the sensors that get a local phase in addition to the feet; empty for all labeled ones.
        parts: kinds of clip companions that are network inputs: ``"ball"``, ``"partner"``.
        other_targets: number of copies of each clip with its attacks aimed at other targets.
    """

    mirror: bool = True
    speeds: tuple[float, ...] = (1.0,)
    bends: tuple[float, ...] = (0.0,)
    exclude_joints: tuple[str, ...] = ()
    validation_share: float = 0.1
    joint_weight: float = 0.1
    seed: int = 0
    terrain: str = "level"
    patches: str = ""
    grounds: int = 10
    knee_correction: bool = True
    posture_correction: bool = False
    features: str = "locomotion"
    sensors: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    other_targets: int = 0


@dataclass(frozen=True, slots=True)
class ClipEntry:
    """Manifest entry of a clip: file name, source, split, shard and number of samples, performer, corrections."""

    file: str
    source: str
    licence: str
    credit: str
    minutes: float
    split: str
    shard: str
    samples: int
    grounds: int
    sequences: tuple[shards.FrameSequence, ...]
    performer: str = ""
    leg_scale: float = 1.0
    posture: tuple[float, ...] = (0.0, 0.0, 0.0)


def skeleton_to_json(skeleton: Skeleton) -> dict[str, Any]:
    """Return a skeleton as plain data that JSON can hold."""
    return {
        "names": list(skeleton.names),
        "parents": list(skeleton.parents),
        "offsets": skeleton.offsets.tolist(),
        "tips": skeleton.tips.tolist(),
        "roles": dict(skeleton.roles),
    }


def skeleton_from_json(data: Mapping[str, Any]) -> Skeleton:
    """Return the skeleton from the plain data of :func:`skeleton_to_json`."""
    names, parents = tuple(data["names"]), tuple(data["parents"])
    return Skeleton(names, parents, np.array(data["offsets"]), np.array(data["tips"]), dict(data["roles"]))


def read_manifest(path: Path) -> dict[str, Any]:
    """Read the manifest in a data set's folder.

    Raises:
        DatasetError: the manifest is missing or damaged.
    """
    try:
        return read_json_object(path / MANIFEST_NAME, MAX_MANIFEST_BYTES)
    except FileNotFoundError as error:
        raise DatasetError(
            "There is no finished data set in '{path}' (no manifest.json): build it first", path=path
        ) from error
    except OSError as error:
        raise DatasetError("The data set '{path}' cannot be read: {error}", path=path, error=error.strerror) from error
    except ContentError as error:
        raise DatasetError("The manifest of the data set '{path}' is damaged: build it again", path=path) from error


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write JSON atomically; raise ``ValueError`` for numbers that are not finite."""
    write_atomically(path, json.dumps(data, allow_nan=False).encode(), follow_links=False)
