"""A data set: clips become samples of one network, in a folder that can be built further, moved and mapped.

============================ ==========================================================================================
``manifest.json``            all but the numbers: layouts, skeleton, clips, split, normalisation, what was skipped
``network.json``             the network's skeleton, reference rotations and hinges, kept when clips are added later
``sources.json``             the table of sources: how well each fits the network's skeleton, what was left out and why
``shards/<clip>/``           ``x.npy``, ``y.npy``, ``phase.npy`` (float32) and ``shard.json`` of one clip, all variants;
                             ``terrain.npy`` with the grounds of each sample, where the clip is not on level ground
``takes/``                   the first pass's labels and skeletons; only building reads them
============================ ==========================================================================================
"""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ...core.features import interaction
from ...core.features.layout import Layout
from ...core.features.locomotion import (
    FEATURE_RATE_HZ,
    POSE_FEEDBACK_GROUPS,
    SAMPLE_OFFSETS_FRAMES,
    input_layout,
    network_gaits,
    output_layout,
    pose_joints,
    pose_rotations,
)
from ...core.features.terrain import apply_terrain
from ...core.jobs.atomic import write_atomically
from ...core.jobs.pool import start_pool
from ...core.jobs.source_table import SkippedClip, SourceRow, tabulate_sources, write_table
from ...core.models.format_upgrades import upgrade_layout
from ...core.models.network import Task
from ...core.motion import Skeleton
from ...core.motion.roles import LOCOMOTION_ROLES
from ...core.motion.rotations import Array
from ...core.retarget.rest_pose import is_standing
from ...core.retarget.rest_pose_from_motion import standing_pose
from . import shards
from .clip_cache import ClipAnalysis, analyze_clip, mean_hinges, mean_rotations, median_skeleton
from .network_skeleton import NetworkSkeleton
from .normalization import Normalization, group_deviation, mean_and_deviation
from .shards import SampleSpec, TerrainSettings, open_shard, open_terrain, write_shard
from .sources import source_of

FORMAT_VERSION: Final = 3
READABLE_FORMATS: Final = (2, 3)
"""Formats of manifests; those of format 2 have older names of layout groups, which are translated when read."""
ProgressCallback = Callable[[int, int, str], None]
Float32 = NDArray[np.float32]
Result = TypeVar("Result")


class DatasetError(FootfallError):
    """A data set is missing, damaged or of another version, or nothing can be built."""


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """How clips become samples.

    Attributes:
        mirror: whether every clip is used mirrored, too.
        speeds: time-scale factors; one copy of every clip each.
        bends: curvatures in 1/m; one copy of every clip each, its way bent by it, 0 the way as it is.
        exclude_joints: joints the network shall not see besides those that :func:`pose_joints` leaves out.
        validation_share: share of the frames held out, by whole takes.
        joint_weight: how much less joint inputs weigh (PFNN section 5.3).
        seed: draws the split.
        terrain: what is put under clips that are not on level ground: ``"fitted"`` patches, the plane ``"edited"`` to
            meet the footsteps, or nothing, ``"level"``.
        patches: the folder of the patches that are fitted.
        grounds: how many patches each part of such a clip gets.
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


@dataclass(frozen=True, slots=True)
class ClipEntry:
    """A clip of a data set: its file's name, where its samples are and what they are."""

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


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set that was built; open it with :meth:`open`."""

    path: Path
    manifest: Mapping[str, Any]

    @staticmethod
    def open(path: Path) -> "Dataset":
        """Open a data set and make sure that all its parts are there.

        Raises:
            DatasetError: there is none, it is damaged, or it was built by another version.
        """
        manifest = _read_manifest(path)
        if manifest.get("format_version") not in READABLE_FORMATS:
            raise DatasetError(
                f"The data set '{path}' has format {manifest.get('format_version')}, this version reads {FORMAT_VERSION}: "
                "build it again."
            )
        dataset = Dataset(path, manifest)
        try:
            for name, layout, wanted in zip(
                ("input", "output"), dataset.layouts, dataset.expected_layouts(), strict=True
            ):
                if (difference := layout.difference(wanted)) is not None:
                    raise DatasetError(
                        f"The data set '{path}' has another {name} layout ({difference}): build it again."
                    )
            fits = len(dataset.reference_rotations) == len(dataset.joints) == len(dataset.start["position"])
            fits &= set(dataset.joints) <= set(dataset.skeleton.names)
            sizes = (dataset.input_layout.size, dataset.output_layout.size)
            normalisation = dataset.normalization
            fits &= len(normalisation.x_mean) == len(normalisation.x_std) == sizes[0]
            fits &= len(normalisation.y_mean) == len(normalisation.y_std) == sizes[1]
            for clip in dataset.clips:
                x, y, _ = dataset.samples(clip)
                dataset.terrain(clip)
                fits &= (x.shape[1:], y.shape[1:]) == ((sizes[0],), (sizes[1],))
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(f"The manifest of the data set '{path}' is damaged: build it again.") from error
        if not fits or not dataset.clips:
            raise DatasetError(f"The parts of the data set '{path}' do not fit together: build it again.")
        return dataset

    @cached_property
    def input_layout(self) -> Layout:
        """The groups of x."""
        return Layout.from_json(upgrade_layout(self.manifest["input_layout"]))

    @cached_property
    def output_layout(self) -> Layout:
        """The groups of y."""
        return Layout.from_json(upgrade_layout(self.manifest["output_layout"]))

    @property
    def layouts(self) -> tuple[Layout, Layout]:
        """The groups of x and of y."""
        return self.input_layout, self.output_layout

    def expected_layouts(self) -> tuple[Layout, Layout]:
        """Return the groups that x and y have in this version."""
        if interaction.has_goals(self.input_layout):
            return interaction.input_layout(self.joints), interaction.output_layout(self.joints)
        return input_layout(self.joints, self.gaits), output_layout(self.joints)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The network's skeleton."""
        return _skeleton_from_json(self.manifest["skeleton"])

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Names of the pose joints (P), in order."""
        return tuple(self.manifest["joints"])

    @cached_property
    def reference_rotations(self) -> Array:
        """Reference rotations of the pose joints (P, 4) in the root's frame."""
        return np.array(self.manifest["reference_rotations"], dtype=float)

    @property
    def gaits(self) -> tuple[str, ...]:
        """Names of the gaits, in order."""
        return tuple(self.manifest["gaits"])

    @property
    def rate(self) -> float:
        """Frames a second."""
        return float(self.manifest["rate"])

    @property
    def task(self) -> Task:
        """What a network is to map to what."""
        bones = {role: self.skeleton.names[joint] for role, joint in self.skeleton.roles.items()}
        return Task.from_names(self.input_layout, self.output_layout, self.joints, bones, self.rate)

    @property
    def joint_weight(self) -> float:
        """How much less joint inputs weigh; it is in ``normalisation.x_std`` already."""
        return float(self.manifest["settings"]["joint_weight"])

    @cached_property
    def clips(self) -> tuple[ClipEntry, ...]:
        """The clips that were used."""
        return tuple(
            ClipEntry(**{**entry, "sequences": tuple(shards.FrameSequence(**one) for one in entry["sequences"])})
            for entry in self.manifest["clips"]
        )

    @cached_property
    def normalization(self) -> Normalization:
        """Means and deviations of the training split."""
        data = self.manifest["normalisation"]
        return Normalization(
            *(np.array(data[name], dtype=np.float32) for name in ("x_mean", "x_std", "y_mean", "y_std"))
        )

    @cached_property
    def start(self) -> dict[str, Float32]:
        """The standing pose to start from: ``position`` and ``velocity`` (P, 3), ``rotation`` (P, 4), ``phase`` ()."""
        return {name: np.array(value, dtype=np.float32) for name, value in self.manifest["start"].items()}

    @property
    def digest(self) -> str:
        """What tells this data set from another; a checkpoint belongs to one."""
        return hashlib.sha256(json.dumps(self.manifest, sort_keys=True).encode()).hexdigest()

    @property
    def cache_folder(self) -> Path:
        """The folder for what is made of the samples and can be made again."""
        return self.path

    def clips_in_split(self, name: str) -> list[ClipEntry]:
        """Return the clips for ``"training"`` or ``"validation"``."""
        return [clip for clip in self.clips if clip.split == name]

    def samples(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        """Memory maps of a clip's x (N, n), y (N, m), phase (N); raises :class:`FootfallError` where damaged."""
        return open_shard(self.path / "shards" / clip.shard, clip.samples)

    def terrain(self, clip: ClipEntry) -> Float32 | None:
        """Memory map of the grounds (N, K, ``features.terrain.COLUMNS``) of a clip's samples; ``None`` on level ground.

        Raises:
            FootfallError: it is damaged.
        """
        return open_terrain(self.path / "shards" / clip.shard, clip.samples, clip.grounds)

    def samples_on_terrain(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        """Return a clip's x (N, n), y (N, m) and phase (N) with each sample on one of its grounds, in turns."""
        x, y, phase = self.samples(clip)
        terrain = self.terrain(clip)
        if terrain is not None:
            x, y = np.array(x), np.array(y)
            rows = np.arange(len(x))
            apply_terrain(x, y, terrain[rows, rows % clip.grounds], self.input_layout, self.output_layout)
        return x, y, phase


def build_dataset(
    clips: Sequence[Path],
    out: Path,
    settings: DatasetSettings | None = None,
    workers: int | None = None,
    progress: ProgressCallback | None = None,
    network_skeleton: NetworkSkeleton | None = None,
) -> Dataset:
    """Build a data set, or brings the one that is there up to date: what has not changed is kept.

    Args:
        clips: BVH files; ``<clip>.labels.npz`` beside one replaces its automatic labels.
        out: the data set's folder; made where there is none.
        settings: see :class:`DatasetSettings`.
        workers: processes; the number of cores where ``None``, this process alone where 1.
        progress: called with what is done, what there is to do in all, and what was last done; may raise to cancel.
        network_skeleton: of the controller that is to learn from the clips, too; else they make a network's body of their own.

    Raises:
        DatasetError: no clip can be used. A single clip that cannot is skipped, with its reason in the manifest.
    """
    settings, progress = settings or DatasetSettings(), progress or (lambda done, total, text: None)
    files = sorted({path.absolute() for path in clips})
    if not files:
        raise DatasetError("There are no clips to build a data set from: name BVH files or a folder that holds some.")
    names = _relative_names(files)
    skipped: dict[Path, str] = {}
    total = 2 * len(files)
    (out / "shards").mkdir(parents=True, exist_ok=True)
    _remove_partial_files(out)
    with _process_pool(workers, len(files)) as pool:
        takes = _run_tasks(
            pool, partial(analyze_clip, cache_folder=out / "takes"), files, skipped, progress, (0, total)
        )
        recipe, gaits = (
            _spec_from_controller(network_skeleton, settings, takes, skipped)
            if network_skeleton
            else _spec_from_clips(takes, out, settings, skipped)
        )
        usable = [path for path in files if path not in skipped]
        stances = _standing_poses(takes)
        task = partial(
            write_shard, spec=recipe, cache_folder=out / "takes", shards_folder=out / "shards", standing_poses=stances
        )
        written = _run_tasks(pool, task, usable, skipped, progress, (len(files), total))
    if not written:
        raise DatasetError(f"None of the {len(files)} clips can be used; the first: {next(iter(skipped.values()))}")
    held_out = _choose_validation_clips({names[path]: entry["samples"] for path, entry in written.items()}, settings)
    entries = [
        {
            "file": names[path],
            **_source_fields(path),
            "minutes": round(len(takes[path].labels) / FEATURE_RATE_HZ / 60, 4),
            "split": "validation" if names[path] in held_out else "training",
            **{name: entry[name] for name in ("shard", "samples", "grounds", "sequences")},
        }
        for path, entry in written.items()
    ]
    manifest: dict[str, Any] = {
        "format_version": FORMAT_VERSION,
        "settings": asdict(settings),
        "rate": FEATURE_RATE_HZ,
        "input_layout": input_layout(recipe.joints, gaits).to_json(),
        "output_layout": output_layout(recipe.joints).to_json(),
        "skeleton": skeleton_to_json(recipe.skeleton),
        "joints": list(recipe.joints),
        "reference_rotations": recipe.reference_rotations.tolist(),
        "gaits": list(gaits),
        "clips": entries,
        "skipped": [{"file": names[path], "reason": reason} for path, reason in sorted(skipped.items())],
    }
    dataset = Dataset(out, manifest)
    manifest["normalisation"] = _compute_normalization(dataset, settings.joint_weight)
    manifest["start"] = _find_start_frame(dataset)
    _write_json(out / "manifest.json", manifest)
    write_table(out, _source_table(takes, written, names, skipped))
    return Dataset.open(out)


def _remove_partial_files(out: Path) -> None:
    """Take away what a build that was killed had half written."""
    for part in [*out.glob(".*.part"), *out.glob("takes/.*.part")]:
        part.unlink(missing_ok=True)
    for part in out.glob("shards/*.partial"):
        shutil.rmtree(part, ignore_errors=True)


def _source_table(
    analyses: Mapping[Path, ClipAnalysis],
    written: Mapping[Path, Mapping[str, Any]],
    names: Mapping[Path, str],
    skipped: Mapping[Path, str],
) -> tuple[SourceRow, ...]:
    origins = {path: source_of(path) for path in names}
    return tabulate_sources(
        (
            (
                origins[path].folder,
                origins[path].name,
                len(analyses[path].labels) / FEATURE_RATE_HZ / 60,
                entry["residuals"],
            )
            for path, entry in written.items()
        ),
        (
            (origins[path].folder, origins[path].name, SkippedClip(names[path], reason))
            for path, reason in sorted(skipped.items())
        ),
    )


def _run_tasks(
    pool: ProcessPoolExecutor | None,
    task: Callable[[Path], Result],
    files: Sequence[Path],
    skipped: dict[Path, str],
    progress: ProgressCallback,
    progress_offset: tuple[int, int],
) -> dict[Path, Result]:
    """Return the task's results by file, in the files' order; a file that cannot be used goes to ``skipped``."""
    results: dict[Path, Result] = {}
    for count, (path, result) in enumerate(_iter_results(pool, task, files), start=1):
        if isinstance(result, _SkippedClip):
            skipped[path] = result.reason
        else:
            results[path] = result
        progress(progress_offset[0] + count, progress_offset[1], path.name)
    return {path: results[path] for path in files if path in results}


@dataclass(frozen=True, slots=True)
class _SkippedClip:
    reason: str


def _try_task(task: Callable[[Path], Result], path: Path) -> Result | _SkippedClip:
    """Refusals are told as data, since an exception's own arguments may not survive the way between processes."""
    try:
        return task(path)
    except FootfallError as error:
        return _SkippedClip(str(error))


def _iter_results(
    pool: ProcessPoolExecutor | None, task: Callable[[Path], Result], files: Sequence[Path]
) -> Iterator[tuple[Path, Result | _SkippedClip]]:
    if pool is None:
        yield from ((path, _try_task(task, path)) for path in files)
        return
    # Long clips first, so that no process is left alone with one at the end.
    ordered = sorted(files, key=lambda path: -path.stat().st_size if path.exists() else 0)
    try:
        waiting = {pool.submit(_try_task, task, path): path for path in ordered}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    except BrokenProcessPool as error:
        raise DatasetError(
            "A process that was building the data set was ended, most likely for want of memory: "
            "try again with fewer workers; what is done is kept."
        ) from error


@contextmanager
def _process_pool(workers: int | None, task_count: int) -> Iterator[ProcessPoolExecutor | None]:
    """Process for the tasks; ``None`` where this one does them all."""
    count = min(workers or os.cpu_count() or 1, task_count)
    if count <= 1:
        yield None
        return
    pool = start_pool(count)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _spec_from_controller(
    network_skeleton: NetworkSkeleton,
    settings: DatasetSettings,
    analyses: Mapping[Path, ClipAnalysis],
    skipped: Mapping[Path, str],
) -> tuple[SampleSpec, tuple[str, ...]]:
    """What makes samples of a body's network, and its gaits."""
    _require_usable_clips(analyses, skipped)
    variants = (settings.mirror, settings.speeds, settings.bends, _terrain_settings(settings))
    known = (
        network_skeleton.skeleton,
        network_skeleton.joints,
        network_skeleton.reference_rotations,
        network_skeleton.hinges,
    )
    return SampleSpec(*known, *variants, network_skeleton.gaits, network_skeleton.style), network_skeleton.gaits


def _require_usable_clips(analyses: Mapping[Path, ClipAnalysis], skipped: Mapping[Path, str]) -> None:
    if not analyses:
        raise DatasetError(f"None of the {len(skipped)} clips can be used; the first: {next(iter(skipped.values()))}")


def _spec_from_clips(
    analyses: Mapping[Path, ClipAnalysis], out: Path, settings: DatasetSettings, skipped: dict[Path, str]
) -> tuple[SampleSpec, tuple[str, ...]]:
    """Return the network's skeleton, pose joints and references, and the gaits; takes with other gaits are skipped."""
    _require_usable_clips(analyses, skipped)
    gaits = Counter(network_gaits(take.labels.gait_names) for take in analyses.values()).most_common(1)[0][0]
    for path, take in analyses.items():
        if network_gaits(take.labels.gait_names) != gaits:
            skipped[path] = (
                f"Its labels know the gaits {', '.join(take.labels.gait_names)}, the others {', '.join(gaits)}."
            )
    trees: Counter[tuple[Any, Any]] = Counter()
    for path, take in analyses.items():
        if path not in skipped:
            trees[take.skeleton.names, take.skeleton.parents] += len(take.labels)
    tree = trees.most_common(1)[0][0]
    alike = [take for take in analyses.values() if (take.skeleton.names, take.skeleton.parents) == tree]
    kept = _read_network_skeleton(out / "network.json")
    if kept is None or (kept[0].names, kept[0].parents) != tree:
        kept = median_skeleton([take.skeleton for take in alike]), mean_rotations(alike), mean_hinges(alike)
        network = {"skeleton": skeleton_to_json(kept[0]), "reference_rotations": kept[1].tolist()}
        hinges = {role: axis.tolist() for role, axis in kept[2].items()}
        _write_json(out / "network.json", {**network, "hinges": hinges})
    skeleton, references, hinges = kept
    joints = _exclude_joints(pose_joints(skeleton), skeleton, settings.exclude_joints)
    index = [skeleton.names.index(name) for name in joints]
    recipe = SampleSpec(
        skeleton,
        joints,
        references[index],
        hinges,
        settings.mirror,
        settings.speeds,
        settings.bends,
        _terrain_settings(settings),
    )
    return recipe, gaits


def _terrain_settings(settings: DatasetSettings) -> TerrainSettings:
    if settings.terrain == "fitted" and not settings.patches:
        raise DatasetError(
            "Fitting terrain needs patches to try: make them with `python -m footfall terrain patches`, and name their "
            "folder in the setting 'patches'."
        )
    return TerrainSettings(settings.terrain, Path(settings.patches) if settings.patches else None, settings.grounds)


def _standing_poses(analyses: Mapping[Path, ClipAnalysis]) -> dict[Path, Array]:
    """How actors stand, by clip, whose zero pose is nobody standing: what all clips of a source say together."""
    groups: dict[tuple[str, tuple[str, ...]], list[Path]] = {}
    for path, take in analyses.items():
        if not is_standing(take.skeleton):
            groups.setdefault((source_of(path).folder, take.skeleton.names), []).append(path)
    result: dict[Path, Array] = {}
    for paths in groups.values():
        result |= dict.fromkeys(paths, standing_pose(analyses[path].standing_pose_scatter for path in paths))
    return result


def _read_network_skeleton(path: Path) -> tuple[Skeleton, Array, dict[str, Array]] | None:
    try:
        data = json.loads(path.read_bytes())
        skeleton, references = _skeleton_from_json(data["skeleton"]), np.array(data["reference_rotations"], dtype=float)
        hinges = {str(role): np.array(axis, dtype=float) for role, axis in data["hinges"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return (skeleton, references, hinges) if references.shape == (len(skeleton), 4) else None


def _exclude_joints(joints: tuple[str, ...], skeleton: Skeleton, excluded: Iterable[str]) -> tuple[str, ...]:
    excluded = set(excluded)
    needed = {skeleton.names[skeleton.joint(role)] for role in LOCOMOTION_ROLES}
    for name in sorted(excluded):
        if name not in skeleton.names:
            raise DatasetError(f"There is no joint '{name}' to exclude: the skeleton has {', '.join(skeleton.names)}.")
        if name in needed:
            raise DatasetError(f"Joint '{name}' cannot be excluded: walking needs it.")
    return tuple(name for name in joints if name not in excluded)


def _choose_validation_clips(samples: Mapping[str, int], settings: DatasetSettings) -> set[str]:
    """Return the clips to validate on: takes (clips of one name, on whatever rig) drawn until their share is reached.

    At least one take, where any share is asked for and there are two; never all.
    """
    takes = sorted({Path(name).stem for name in samples})
    np.random.default_rng(settings.seed).shuffle(takes)
    wanted = settings.validation_share * sum(samples.values())
    chosen: set[str] = set()
    for take in takes[:-1]:
        if sum(count for name, count in samples.items() if Path(name).stem in chosen) >= wanted:
            break
        chosen.add(take)
    return {name for name in samples if Path(name).stem in chosen}


def _compute_normalization(dataset: Dataset, joint_weight: float) -> dict[str, list[float]]:
    training = dataset.clips_in_split("training")
    x_mean, x_deviation = mean_and_deviation(dataset.samples_on_terrain(clip)[0] for clip in training)
    y_mean, y_deviation = mean_and_deviation(dataset.samples_on_terrain(clip)[1] for clip in training)
    x_std = group_deviation(dataset.input_layout, x_deviation, POSE_FEEDBACK_GROUPS, joint_weight)
    y_std = group_deviation(dataset.output_layout, y_deviation)
    vectors = {"x_mean": x_mean, "x_std": x_std, "y_mean": y_mean, "y_std": y_std}
    return {name: vector.astype(np.float32).tolist() for name, vector in vectors.items()}


def _find_start_frame(dataset: Dataset) -> dict[str, Any]:
    """Return the real standing frame nearest to the mean of them; of the slowest frames where nobody stands."""
    rows, phases, standing, speeds = [], [], [], []
    here = SAMPLE_OFFSETS_FRAMES.index(0)
    for clip in dataset.clips:
        x, y, phase = dataset.samples_on_terrain(clip)
        gait = dataset.input_layout.view(x, "trajectory.gait")[:, here]
        speed = np.linalg.norm(dataset.output_layout.view(y, "root.velocity"), axis=-1)
        stands = gait[:, dataset.gaits.index("stand")] > 0.9 if "stand" in dataset.gaits else np.zeros(len(x), bool)
        chosen = np.flatnonzero(stands | (speed <= np.quantile(speed, 0.02)))
        rows.append(np.asarray(y[chosen]))
        phases.append(np.asarray(phase[chosen]))
        standing.append(stands[chosen])
        speeds.append(speed[chosen])
    y, phase = np.concatenate(rows), np.concatenate(phases)
    stands, speed = np.concatenate(standing), np.concatenate(speeds)
    best = np.flatnonzero(stands if stands.any() else speed <= np.quantile(speed, 0.1))
    position = dataset.output_layout.view(y, "pose.position")[best]
    velocity = dataset.output_layout.view(y, "pose.velocity")[best]
    # A tenth of a second of a joint's motion counts as much as its distance from the mean pose.
    away = np.square(position - position.mean(axis=0)) + np.square(0.1 * velocity)
    nearest = best[int(np.argmin(away.sum(axis=(1, 2))))]
    rotation = pose_rotations(y[nearest], dataset.output_layout, dataset.reference_rotations)
    return {
        "position": dataset.output_layout.view(y, "pose.position")[nearest].tolist(),
        "velocity": dataset.output_layout.view(y, "pose.velocity")[nearest].tolist(),
        "rotation": rotation.tolist(),
        "phase": float(phase[nearest]),
    }


def _relative_names(files: Sequence[Path]) -> dict[Path, str]:
    """Every file's name below the folder that all have in common, so that no one's folders are published."""
    shared = Path(os.path.commonpath([path.parent for path in files]))
    return {path: path.relative_to(shared).as_posix() for path in files}


def _source_fields(path: Path) -> dict[str, str]:
    source = source_of(path)
    return {"source": source.name, "licence": source.licence, "credit": source.credit}


def skeleton_to_json(skeleton: Skeleton) -> dict[str, Any]:
    return {
        "names": list(skeleton.names),
        "parents": list(skeleton.parents),
        "offsets": skeleton.offsets.tolist(),
        "tips": skeleton.tips.tolist(),
        "roles": dict(skeleton.roles),
    }


def _skeleton_from_json(data: Mapping[str, Any]) -> Skeleton:
    names, parents = tuple(data["names"]), tuple(data["parents"])
    return Skeleton(names, parents, np.array(data["offsets"]), np.array(data["tips"]), dict(data["roles"]))


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((path / "manifest.json").read_bytes())
    except FileNotFoundError as error:
        raise DatasetError(f"There is no finished data set in '{path}' (no manifest.json): build it first.") from error
    except OSError as error:
        raise DatasetError(f"The data set '{path}' cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise DatasetError(f"The manifest of the data set '{path}' is damaged: build it again.") from error
    if not isinstance(manifest, dict):
        raise DatasetError(f"The manifest of the data set '{path}' is damaged: build it again.")
    return manifest


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    write_atomically(path, json.dumps(data, allow_nan=False).encode())
