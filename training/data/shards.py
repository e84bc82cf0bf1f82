"""Shards, the second pass of a build: the samples of a clip and its variants, as memory-mappable arrays."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...core.control.feet.foot_lock import locked_contacts
from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ, clip_features
from ...core.features.phase_system import system_features
from ...core.features.terrain import COLUMN_COUNT, terrain_samples
from ...core.jobs.atomic import sync_folder, write_atomically
from ...core.jobs.bounded_files import read_json_object
from ...core.jobs.clip_tags import ClipTags
from ...core.jobs.locked_files import when_free
from ...core.labelling import Labels, label_clip
from ...core.models.network import Float32
from ...core.motion import Clip, Skeleton
from ...core.motion.clip import lateral_axis
from ...core.motion.rotations import Array
from ...core.retarget.calibration import Calibration, calibrate
from ...core.retarget.fit import fit_clip
from ...core.retarget.knee_bias import shorten_legs
from ...core.retarget.posture_bias import PostureCorrection, correct_posture
from ...core.rig.clip_file import read_clip
from ...core.terrain.clip_terrain import SegmentTerrain, fit_clip_terrain, flat_level, mesh_edit_clip_terrain
from ...core.terrain.foot_points import FootTracks
from ...core.terrain.ground import EmptyScene, Plane
from ...core.terrain.patches import PatchDatabase
from .clip_cache import analyze_clip, clip_folder_name
from .clip_variants import reversed_in_time, variants_of
from .companions import KINDS, Companion, file_digests, known_samples
from .curve_bending import bend_clip
from .shard_files import ARRAY_NAMES, open_shard, open_terrain
from .strike_variants import strike_variants
from .styles import convert_gaits

KEY_LENGTH: Final = 8
"""Number of characters of a shard's key that its folder name contains."""
VariantSamples = tuple[str, tuple[Float32, Float32, Float32], Float32 | None]
"""A variant's name, its x, y and phase, and the grounds of its samples if it is not on level ground."""


@dataclass(frozen=True, slots=True)
class TerrainSettings:
    """Ground under clips that were not captured on level ground.

    Attributes:
        kind: ``"fitted"``, ``"edited"``, or ``"level"`` for none.
        patches_folder: folder of the patch database.
        patches_per_stride: number of terrains fitted to each stride segment.
    """

    kind: str = "level"
    patches_folder: Path | None = None
    patches_per_stride: int = 10

    def cache_key(self) -> list[Any]:
        """Return, as plain data, all settings of the ground on which the samples of a shard depend."""
        fitted = self.kind == "fitted" and self.patches_folder
        return (
            [self.kind, dict(open_patches(self.patches_folder).header), self.patches_per_stride]
            if fitted
            else [self.kind]
        )

    def fit_grounds(self, clip: Clip, labels: Labels) -> list[SegmentTerrain]:
        """Return the terrain fitted to each stride segment of a clip that was not captured on level ground."""
        if self.kind == "edited" or self.patches_folder is None:
            return mesh_edit_clip_terrain(clip, labels, "rough")
        return fit_clip_terrain(clip, labels, open_patches(self.patches_folder), self.patches_per_stride, "rough")


@dataclass(frozen=True, eq=False)
class SampleSpec:
    """Specification of a network's samples: skeleton, pose joints with reference rotations, and variants.

    ``hinges`` are the hinge axes of the network skeleton's elbows and knees. ``gaits`` are those of an existing
    controller, to which labels are converted; empty keeps the labels' own. ``sensors`` are the sensors with a local
    phase, in a system of local motion phases; empty for PFNN's features. ``parts`` are the kinds of :mod:`.companions`.
    ``other_targets`` is the number of copies of each clip with attacks aimed at other targets; ``None`` for features
    without targets. ``standing`` is a standing pose (J, 4) of the network skeleton, if known.
    """

    skeleton: Skeleton
    joints: tuple[str, ...]
    reference_rotations: Array
    hinges: Mapping[str, Array]
    mirror: bool
    speeds: tuple[float, ...]
    bends: tuple[float, ...]
    terrain: TerrainSettings
    gaits: tuple[str, ...] = ()
    style: str = ""
    sensors: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    other_targets: int | None = None
    standing: Array | None = None

    def shard_key(self, clip_key: str, actor: "ClipActor", companion_digests: Sequence[str] = ()) -> str:
        """Return a digest of everything that determines a clip's samples: the clip, its actor and its companions."""
        digest = hashlib.sha256(clip_key.encode())
        stances = [pose for pose in (actor.standing_pose, self.standing) if pose is not None]
        for array in (
            self.skeleton.offsets,
            self.skeleton.tips,
            self.reference_rotations,
            *self.hinges.values(),
            *stances,
        ):
            digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        names = [self.skeleton.names, self.skeleton.parents, sorted(self.skeleton.roles.items())]
        variants = [self.mirror, self.speeds, self.bends, self.terrain.cache_key()]
        if self.gaits:
            variants += [self.gaits, self.style]
        if self.sensors:
            variants += [self.sensors]
        if self.parts:
            variants += [self.parts, *companion_digests]
        if self.other_targets is not None:
            variants += ["strikes", self.other_targets]
        variants += [actor.leg_scale, astuple(actor.posture), actor.performer, actor.tags.to_mapping()]
        digest.update(json.dumps([names, self.joints, *variants]).encode())
        return digest.hexdigest()

    def convert_labels(self, labels: Labels, style: str = "") -> Labels:
        """Return labels converted to the network's gaits; raise :class:`FootfallError` for an unknown gait.

        Args:
            labels: the labels of a clip.
            style: the clip's own style, which overrides the style of all clips; empty if it has none.
        """
        return convert_gaits(labels, self.gaits, style or self.style) if self.gaits else labels


@dataclass(frozen=True, slots=True, eq=False)
class ClipActor:
    """Corrections and performer of a clip's actor, and the clip's tags.

    Attributes:
        standing_pose: (J, 4) world rotations of the actor's standing pose, if known.
        leg_scale: ratio of the corrected length of the actor's legs to the captured one, at most 1.
        posture: correction of the actor's trunk and arms.
        performer: (K) performer code: the share of each distinguished performer; empty without any.
    """

    standing_pose: Array | None = None
    leg_scale: float = 1.0
    posture: PostureCorrection = field(default_factory=PostureCorrection)
    performer: tuple[float, ...] = ()
    tags: ClipTags = field(default_factory=ClipTags)


@dataclass(frozen=True, slots=True)
class FrameSequence:
    """Samples of consecutive frames of one variant in a shard, from ``start`` up to, not including, ``stop``."""

    variant: str
    start: int
    stop: int


def write_shard(
    path: Path, spec: SampleSpec, cache_folder: Path, shards_folder: Path, actors: Mapping[Path, ClipActor]
) -> dict[str, Any]:
    """Write the samples of a clip to its shard, unless one with the same key exists; return its manifest entry.

    Returns:
        Plain data with ``shard``, ``key``, ``samples``, ``sequences``, ``grounds`` and ``residuals``: ``grounds`` is
            the number of terrains per sample, 0 on level ground; ``residuals`` are those of :class:`Calibration`,
            degrees by role.

    Raises:
        FootfallError: no part of the clip can be used.
    """
    take, actor = analyze_clip(path, cache_folder), actors[path]
    key = spec.shard_key(take.key, actor, file_digests(path, spec.parts))
    folder = (
        shards_folder / f"{clip_folder_name(path)}-{key[:KEY_LENGTH]}"
    )  # The old shard stays until the manifest is replaced.
    entry = _read_valid_entry(folder, key)
    if entry is not None:
        return entry
    clip = correct_posture(shorten_legs(read_clip(path), actor.leg_scale), actor.posture)
    calibration = calibrate(
        clip.skeleton,
        spec.skeleton,
        source_stance=actor.standing_pose,
        target_stance=spec.standing,
        controller="TARGET",
    )
    calibration = replace(calibration, hinges=spec.hinges)
    labels = spec.convert_labels(take.labels, actor.tags.style)
    if spec.parts and actor.tags.backward:
        raise FootfallError("A clip with a ball or a partner cannot be learned backward: remove the tag 'backward'")
    companions = [KINDS[kind].read(path) for kind in spec.parts]
    parts = list(_iter_variants(clip, labels, spec, calibration, actor, companions))
    if not any(len(phase) for _, (_, _, phase), _ in parts):
        raise FootfallError("The clip is too short: it has fewer than four frames at 60 Hz")
    stops = np.cumsum([len(phase) for _, (_, _, phase), _ in parts])
    sequences = [
        {"variant": name, "start": int(stop) - len(phase), "stop": int(stop)}
        for (name, (_, _, phase), _), stop in zip(parts, stops, strict=True)
    ]
    terrain = _stack_grounds([rows for _, _, rows in parts], [len(phase) for _, (_, _, phase), _ in parts])
    grounds = 0 if terrain is None else terrain.shape[1]
    entry = {
        "shard": folder.name,
        "key": key,
        "samples": int(stops[-1]),
        "sequences": sequences,
        "grounds": grounds,
        "residuals": {role: round(degrees, 2) for role, degrees in calibration.residuals.items()},
    }
    unfinished = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for number, name in enumerate(ARRAY_NAMES):
        array = np.concatenate([arrays[number] for _, arrays, _ in parts])
        if not np.isfinite(array).all():
            raise FootfallError(
                "The clip leads to features that are not finite numbers: look for broken frames in the clip"
            )
        save_array(unfinished / f"{name}.npy", array)
    if terrain is not None:
        save_array(unfinished / "terrain.npy", terrain)
    write_atomically(unfinished / "shard.json", json.dumps(entry).encode())
    shutil.rmtree(folder, ignore_errors=True)
    when_free(lambda: unfinished.rename(folder), folder)
    sync_folder(shards_folder)
    return entry


def save_array(path: Path, array: Float32) -> None:
    """Write an array as ``numpy.save`` does, but raise an ``OSError`` with an error number if the disk is full."""
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
        file.write(np.ascontiguousarray(array).data)
        file.flush()
        os.fsync(file.fileno())  # Otherwise a power failure could leave zeros in a file of the right length.


def _read_valid_entry(folder: Path, key: str) -> dict[str, Any] | None:
    """Return the manifest entry of a shard that is undamaged and has this key, else ``None``."""
    try:
        entry = read_json_object(folder / "shard.json")
        if entry["key"] != key:
            return None
        open_shard(folder, entry["samples"])
        open_terrain(folder, entry["samples"], entry["grounds"])
    except (OSError, ValueError, KeyError, TypeError, FootfallError):
        return None
    return entry


def _stack_grounds(variant_grounds: Sequence[Float32 | None], sizes: Sequence[int]) -> Float32 | None:
    """Return the grounds (N, K, COLUMN_COUNT) of all variants in order; ``None`` if all are on level ground.

    A variant with fewer than K grounds per sample repeats them.
    """
    most = max((rows.shape[1] for rows in variant_grounds if rows is not None), default=0)
    if most == 0:
        return None
    level = (np.zeros((size, most, COLUMN_COUNT), dtype=np.float32) for size in sizes)
    return np.concatenate(
        [
            zeros if rows is None else rows[:, np.arange(most) % rows.shape[1]]
            for rows, zeros in zip(variant_grounds, level, strict=True)
        ]
    )


def _iter_variants(
    clip: Clip,
    labels: Labels,
    spec: SampleSpec,
    calibration: Calibration,
    actor: ClipActor,
    companions: Sequence[Companion] = (),
) -> Iterator[VariantSamples]:
    """Yield the samples of each variant of a clip: time-scaled, at another pace, bent along a curve, mirrored."""
    performer = np.array(actor.performer) if actor.performer else None

    def cut(
        name: str, variant: Clip, marks: Labels, level: bool, beside: Sequence[Companion]
    ) -> Iterator[VariantSamples]:
        _, arrays, grounds = _variant_samples(name, variant, marks, spec, level, performer, beside)
        for part in known_samples(beside, len(variant)):
            x, y, phase = (array[part] for array in arrays)
            yield name, (x, y, phase), None if grounds is None else grounds[part]

    ahead, back = (clip, labels), None
    for variant in variants_of(actor.tags, spec.speeds, spec.bends):
        if variant.is_backward and back is None:
            turned = reversed_in_time(clip).resampled(FEATURE_RATE_HZ)
            back = turned, spec.convert_labels(label_clip(turned), actor.tags.style)
        source, known = back if variant.is_backward and back is not None else ahead
        tempo = variant.tempo
        paced = replace(source, rate=source.rate * tempo).resampled(FEATURE_RATE_HZ)
        marks = replace(known, frame_rate=known.frame_rate * tempo).resampled(FEATURE_RATE_HZ, len(paced))
        fitted = fit_clip(paced, calibration, labels=marks)
        level = spec.terrain.kind == "level" or flat_level(FootTracks.of(fitted, marks)) is not None
        scene = Plane() if level else EmptyScene()
        held = locked_contacts(fitted, marks.foot_contacts)
        fitted = variant.stepped(fitted, held)
        for curvature in variant.bends:
            bent = bend_clip(fitted, held, curvature, scene) if curvature else fitted
            name = variant.name(curvature)
            if spec.other_targets is not None:
                body = spec.joints, spec.reference_rotations
                for other, arrays in strike_variants(bent, marks, body, spec.other_targets, spec.mirror):
                    yield name + other, arrays, None
                continue
            beside = [each.paced(tempo, paced.rate, len(paced)).carried(paced, bent) for each in companions]
            yield from cut(name, bent, marks, level, beside)
            if spec.mirror:
                axis = lateral_axis(bent.skeleton)
                flipped = [each.mirrored(axis) for each in beside]
                yield from cut(f"{name}, mirrored", bent.mirrored(), marks.mirrored(), level, flipped)


def _variant_samples(
    name: str,
    clip: Clip,
    labels: Labels,
    spec: SampleSpec,
    level: bool,
    performer: Array | None,
    companions: Sequence[Companion],
) -> VariantSamples:
    """Return the samples of one variant of a clip; they include grounds unless the clip is on level ground."""
    body = spec.joints, spec.reference_rotations
    conditions: dict[str, tuple[Array | None, Array | None]] = {}
    for each in companions:
        labels, conditions = each.labels(labels), {**conditions, **each.conditions(clip, spec.joints)}
    features = (
        system_features(clip, labels, *body, spec.sensors, performer, conditions)
        if spec.sensors
        else clip_features(clip, labels, *body, performer)
    )
    if level or len(features[2]) == 0:
        return name, features, None
    return name, features, terrain_samples(clip, spec.terrain.fit_grounds(clip, labels))


@cache
def open_patches(folder: Path) -> PatchDatabase:
    """Open the patch database of a folder, once per process."""
    return PatchDatabase.open(folder)
