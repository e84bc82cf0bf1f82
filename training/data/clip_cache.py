"""Clip analysis, the first pass of a build: read, label and measure each clip, cached on disk."""

import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import ContentError, open_regular, parse_json, read_arrays
from ...core.jobs.file_names import MAX_NAME_BYTES
from ...core.labelling import Labels, label_clip
from ...core.labelling.presets import preset_of_body
from ...core.motion import Clip, Skeleton
from ...core.motion.clip import lateral_axis
from ...core.motion.roles import LOCOMOTION_ROLES, is_quadruped
from ...core.motion.root_frame import rotations_in_root_frame
from ...core.motion.rotations import Array
from ...core.retarget.hinges import hinge_axes
from ...core.retarget.knee_bias import stance_extensions
from ...core.retarget.posture_bias import posture_samples
from ...core.retarget.rest_pose_from_motion import standing_scatter
from ...core.rig.clip_file import find_rig_map, read_clip
from .animal_takes import is_prepared

PACKAGE_FOLDER: Final = Path(__file__).parents[2]
DIGESTED_SOURCES: Final = (
    "core/actions.py",
    "core/ball",
    "core/motion",
    "core/labelling",
    "core/features",
    "core/retarget",
    "core/rig",
    "core/terrain",
    "core/tuning.py",
    "core/control/feet",
    "core/control/strike/__init__.py",
    "core/control/strike/blow_retargeting.py",
    "core/control/strike/tip_retargeting.py",
    "core/scene/full_body_ik.py",
    "presets/labelling/quadruped.toml",
    "training/data/animal_takes.py",
    "training/data/curve_bending.py",
    "training/data/clip_cache.py",
    "training/data/clip_variants.py",
    "training/data/companions.py",
    "training/data/pace_scaling.py",
    "training/data/partner_companion.py",
    "training/data/shards.py",
    "training/data/strike_variants.py",
    "training/data/styles.py",
    "training/data/upright_copy.py",
)
"""Source folders and files whose change invalidates cached analyses and samples."""


@dataclass(frozen=True, eq=False)
class ClipAnalysis:
    """Result of the first pass over a clip.

    Attributes:
        path: the clip's file.
        key: digest of the clip, its labels, its rig map and the code that reads them.
        skeleton: the actor's skeleton.
        labels: labels at the feature rate.
        standing_pose_scatter: (J, 4, 4) evidence of the actor's standing pose, from ``standing_scatter``.
        hinges: axes (3) about which elbows and knees bend, by role of the joint in whose frame they are.
        rotation_scatter: (J, 4, 4) sum over frames of the outer products of the joints' quaternions in the root's
            frame.
        stance_extensions: (N) distances from hip to ankle in stance, as shares of leg length.
        posture_samples: (N, 3) forward lean of trunk and of upper arms, and elbow flexion, degrees.
        questions: sentences about doubtful guesses in reading the file, such as its unit.
    """

    path: Path
    key: str
    skeleton: Skeleton
    labels: Labels
    standing_pose_scatter: Array
    hinges: Mapping[str, Array]
    rotation_scatter: Array
    stance_extensions: Array
    posture_samples: Array
    questions: tuple[str, ...]

    @property
    def minutes(self) -> float:
        """Duration of the clip, minutes."""
        return len(self.labels) / FEATURE_RATE_HZ / 60


def labels_path(clip: Path) -> Path:
    """Return the path of the labels file beside a clip: ``walk.labels.npz`` beside ``walk.bvh``."""
    return clip.with_name(f"{clip.stem}.labels.npz")


def clip_folder_name(clip: Path) -> str:
    """Return a readable folder name for a clip, unique among clips of the same name in different folders."""
    place = hashlib.sha256(os.fsencode(clip.absolute())).hexdigest()[:8]
    name = "".join(c if c.isalnum() or c in "-_" else "_" for c in clip.stem)
    return f"{name.encode()[:MAX_NAME_BYTES].decode(errors='ignore')}-{place}"


@cache
def code_digest() -> str:
    """Return the SHA-256 digest, in hexadecimal, of all code on which analyses and samples depend."""
    digest = hashlib.sha256()
    for name in DIGESTED_SOURCES:
        root = PACKAGE_FOLDER / name
        for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def file_digest(path: Path) -> bytes:
    """Return the SHA-256 digest of a file's content.

    Raises:
        FootfallError: the file is a pipe or a device.
        OSError: the file cannot be read.
    """
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").digest()
    except ContentError as error:
        raise FootfallError("The clip '{path}' cannot be read: {error}", path=path, error=error) from error


def clip_key(clip: Path) -> str:
    """Return the cache key of a clip: a digest of its file, its labels, its rig map and the code that reads them.

    It raises the errors of :func:`file_digest`.
    """
    digest = hashlib.sha256(code_digest().encode())
    digest.update(file_digest(clip))
    for beside in (labels_path(clip), find_rig_map(clip)):
        if beside is not None and beside.exists():
            digest.update(file_digest(beside))
    return digest.hexdigest()


def analyze_clip(path: Path, cache_folder: Path) -> ClipAnalysis:
    """Read, label and measure a clip, or load the result from the cache if clip, labels and code are unchanged.

    Raises:
        FootfallError: the clip or the labels beside it cannot be used.
    """
    try:
        key = clip_key(path)
    except OSError as error:
        raise FootfallError("The clip '{path}' cannot be read: {error}", path=path, error=error.strerror) from error
    kept = cache_folder / f"{clip_folder_name(path)}.npz"
    return load_analysis(path, key, kept) or _analyze(path, key, kept)


def _analyze(path: Path, key: str, cache_path: Path) -> ClipAnalysis:
    """Analyze a clip and save the result in the cache."""
    original = read_clip(path)
    animal = is_quadruped(original.skeleton.roles)
    if animal and not is_prepared(path):
        raise FootfallError(
            "The clip shows an animal, but the controller is trained on people: train animals in a run of "
            "their own, with the preset quadruped"
        )
    original.skeleton.require_roles(LOCOMOTION_ROLES)
    clip = original.resampled(FEATURE_RATE_HZ)
    own = labels_beside(path, original, clip)
    labels = label_clip(clip, preset_of_body(clip.skeleton.roles)) if own is None else own
    rotations = rotations_in_root_frame(clip, clip.skeleton.names)
    scatter = np.einsum("fji,fjk->jik", rotations, rotations)
    take = ClipAnalysis(
        path,
        key,
        clip.skeleton,
        labels,
        standing_scatter(clip),
        {} if animal else hinge_axes(clip),
        scatter,
        np.zeros(0) if animal else stance_extensions(clip, labels),
        np.zeros((0, 3)) if animal else posture_samples(clip, labels),
        tuple(str(note.text) for note in original.notes if note.is_question),
    )
    _save_analysis(take, cache_path)
    return take


def labels_beside(path: Path, original: Clip, clip: Clip) -> Labels | None:
    """Return the labels from the file beside a clip, at the feature rate; ``None`` if there is no such file.

    Args:
        path: the clip's file.
        original: the clip as read from the file.
        clip: the clip at the feature rate.

    Raises:
        FootfallError: the labels are damaged or belong to another clip.
    """
    if not labels_path(path).exists():
        return None
    labels = Labels.load(labels_path(path))
    if len(labels) != len(original) or abs(labels.frame_rate - original.rate) > 0.01:
        raise FootfallError(
            "The label file '{path}' has {labels} frames at {label_rate} Hz, but the clip has {frames} at "
            "{rate} Hz: label the clip again",
            path=labels_path(path),
            labels=len(labels),
            label_rate=f"{labels.frame_rate:g}",
            frames=len(original),
            rate=f"{original.rate:g}",
        )
    return labels.resampled(FEATURE_RATE_HZ, len(clip))


def _save_analysis(analysis: ClipAnalysis, cache_path: Path) -> None:
    """Save the labels first, then the analysis, whose key marks both files as valid."""
    cache_path.parent.mkdir(parents=True, exist_ok=True)
    analysis.labels.save(cache_path.with_suffix(".labels.npz"), follow_links=False)
    skeleton = {
        "names": analysis.skeleton.names,
        "parents": analysis.skeleton.parents,
        "roles": dict(analysis.skeleton.roles),
    }
    buffer = io.BytesIO()
    np.savez(
        buffer,
        key=analysis.key,
        skeleton=json.dumps(skeleton),
        offsets=analysis.skeleton.offsets,
        tips=analysis.skeleton.tips,
        standing=analysis.standing_pose_scatter,
        hinges=np.array([*analysis.hinges.values()]).reshape(-1, 3),
        hinge_roles=json.dumps([*analysis.hinges]),
        scatter=analysis.rotation_scatter,
        extensions=analysis.stance_extensions,
        postures=analysis.posture_samples,
        questions=json.dumps(analysis.questions),
    )
    write_atomically(cache_path, buffer.getvalue(), follow_links=False)


def load_analysis(path: Path, key: str, cache_path: Path) -> ClipAnalysis | None:
    """Load a cached analysis; ``None`` if it is missing, damaged or has another key."""
    try:
        data = read_arrays(cache_path)
        if str(data["key"]) != key:
            return None
        tree = parse_json(str(data["skeleton"]))
        skeleton = Skeleton(tuple(tree["names"]), tuple(tree["parents"]), data["offsets"], data["tips"], tree["roles"])
        hinges = dict(zip(parse_json(str(data["hinge_roles"])), data["hinges"], strict=True))
        labels = Labels.load(cache_path.with_suffix(".labels.npz"))
        return ClipAnalysis(
            path,
            key,
            skeleton,
            labels,
            data["standing"],
            hinges,
            data["scatter"],
            data["extensions"],
            data["postures"],
            tuple(map(str, parse_json(str(data["questions"])))),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, FootfallError):
        return None  # Half-written before a crash, or edited by hand: it is written again.


def mean_rotations(analyses: Sequence[ClipAnalysis]) -> Array:
    """Return the mean rotations (J, 4) of the joints, root's frame, over all frames of clips (Markley et al. 2007)."""
    principal = np.linalg.eigh(np.sum([take.rotation_scatter for take in analyses], axis=0))[1][..., -1]
    return np.where(principal[:, :1] < 0, -principal, principal)


def mean_hinges(analyses: Sequence[ClipAnalysis]) -> dict[str, Array]:
    """Return the mean axis (3) of each elbow and knee over clips with the same joints, by role of the joint."""
    roles = sorted({role for take in analyses for role in take.hinges})
    means = {role: np.mean([take.hinges[role] for take in analyses if role in take.hinges], axis=0) for role in roles}
    return {role: mean / max(float(np.linalg.norm(mean)), 1e-9) for role, mean in means.items()}


def median_skeleton(skeletons: Sequence[Skeleton]) -> Skeleton:
    """Return a left-right symmetric skeleton with the median offsets of skeletons that have the same joints."""
    first = skeletons[0]
    offsets = np.median([skeleton.offsets for skeleton in skeletons], axis=0)
    tips = np.median([skeleton.tips for skeleton in skeletons], axis=0)
    flip, pairs = np.ones(3), list(first.mirror_pairs)
    flip[lateral_axis(first)] = -1.0
    return replace(
        first, offsets=(offsets + offsets[pairs] * flip) / 2, tips=(tips + tips[pairs] * flip) / 2, roles=first.roles
    )
