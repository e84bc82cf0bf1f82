"""Building of data sets: analyzes clips, converts them to samples, splits, normalizes, writes the manifest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from functools import partial
from pathlib import Path, PurePath
from typing import Any, TypeVar

import numpy as np

from ...core.features.interaction import pose_feedback_groups
from ...core.features.locomotion import (
    FEATURE_RATE_HZ,
    network_gaits,
    pose_joints,
)
from ...core.features.phase_system import is_phase_system
from ...core.features.strikes import STRIKE_ACTIONS, has_targets
from ...core.jobs.clip_tags import ClipTags, performers_by_minutes
from ...core.jobs.source_table import SkippedClip, SourceRow, tabulate_sources, write_table
from ...core.motion.rotations import Array
from ...core.retarget.knee_bias import leg_scale
from ...core.retarget.posture_bias import PostureCorrection, posture_correction
from ...core.retarget.rest_pose import is_standing
from ...core.retarget.rest_pose_from_motion import ActorKey, actor_key, standing_pose
from ...core.retarget.standing_rest import splayed_sides
from ..config.reporting import ProgressCallback
from .clip_cache import ClipAnalysis, analyze_clip, mean_hinges, mean_rotations, median_skeleton
from .clip_tasks import clip_task_pool, run_clip_tasks
from .dataset import Dataset
from .dataset_folder import NETWORK_NAME, building, read_network_skeleton, require_dataset_folder
from .manifest import (
    FORMAT_VERSION,
    MANIFEST_NAME,
    DatasetError,
    DatasetSettings,
    skeleton_to_json,
    write_json,
)
from .network_skeleton import NetworkSkeleton, without_excluded
from .normalization import STEERED_GROUPS, STEERED_WEIGHT, group_deviation, level_phase_vectors, mean_and_deviation
from .sample_layouts import choose_sensors, sample_layouts, sensor_fields
from .shard_files import remove_superseded_shards
from .shards import ClipActor, SampleSpec, TerrainSettings, write_shard
from .sources import source_fields, source_of
from .start_pose import find_start
from .strike_spec import strike_spec
from .styles import check_style

PathType = TypeVar("PathType", bound=PurePath)


def build_dataset(
    clips: Sequence[Path],
    out: Path,
    settings: DatasetSettings | None = None,
    workers: int | None = None,
    progress: ProgressCallback | None = None,
    network_skeleton: NetworkSkeleton | None = None,
    tags: Mapping[Path, ClipTags] | None = None,
) -> Dataset:
    """Build a data set, or update an existing one; unchanged shards are kept.

    Args:
        clips: BVH files; a file ``<clip>.labels.npz`` beside one replaces its automatic labels.
        out: the data set's folder, created if missing.
        settings: settings of the conversion of clips to samples; their defaults if ``None``.
        workers: number of processes; ``None`` for one per core, 1 for only this process.
        progress: called with finished steps, total steps and the clip's name; may raise an exception to cancel.
        network_skeleton: network skeleton of the base controller in fine-tuning; ``None`` derives one from the clips.
        tags: tags of clips (performer, style, variants), by path.

    Raises:
        DatasetError: no clip can be used, the disk is full, or the folder holds files that are not from a build.
        Otherwise,
            unusable clips are skipped.
    """
    settings, progress = settings or DatasetSettings(), progress or (lambda done, total, text: None)
    files = sorted({path.absolute() for path in clips})
    if not files:
        raise DatasetError("There are no clips for the data set: name BVH files, or a folder with BVH files")
    known_tags = {path.absolute(): tag for path, tag in (tags or {}).items()}
    tag_of = {path: known_tags.get(path, ClipTags()) for path in files}
    require_dataset_folder(out)
    with building(out):
        return _build(files, out, settings, workers, progress, network_skeleton, tag_of)


def _build(
    files: Sequence[Path],
    out: Path,
    settings: DatasetSettings,
    workers: int | None,
    progress: ProgressCallback,
    network_skeleton: NetworkSkeleton | None,
    tag_of: Mapping[Path, ClipTags],
) -> Dataset:
    """Build a data set in a folder that is already locked."""
    (out / "shards").mkdir(exist_ok=True)
    names = relative_names(files)
    skipped: dict[Path, str] = {}
    total = 2 * len(files)
    with clip_task_pool(workers, len(files)) as pool:
        takes = run_clip_tasks(
            pool, partial(analyze_clip, cache_folder=out / "takes"), files, skipped, progress, (0, total)
        )
        recipe, gaits = (
            _spec_from_controller(network_skeleton, settings, takes, skipped, tag_of)
            if network_skeleton
            else (strike_spec(settings, takes, _standing_poses(takes), skipped), STRIKE_ACTIONS)
            if settings.features == "strikes" and takes
            else _spec_from_clips(takes, out, settings, skipped, tag_of)
        )
        usable = [path for path in files if path not in skipped]
        performers = (
            network_skeleton.performers
            if network_skeleton
            else performers_by_minutes((tag_of[path] for path in usable), (takes[path].minutes for path in usable))
        )
        actors = _clip_actors({path: takes[path] for path in usable}, tag_of, performers, settings)
        task = partial(
            write_shard, spec=recipe, cache_folder=out / "takes", shards_folder=out / "shards", actors=actors
        )
        written = run_clip_tasks(pool, task, usable, skipped, progress, (len(files), total))
    if not written:
        raise DatasetError(
            "None of the {count} clips can be used. The reason for the first one: {reason}",
            count=len(files),
            reason=next(iter(skipped.values())),
        )
    held_out = _choose_validation_clips({names[path]: entry["samples"] for path, entry in written.items()}, settings)
    entries = [
        {
            "file": names[path],
            **source_fields(path),
            "minutes": round(takes[path].minutes, 4),
            "split": "validation" if names[path] in held_out else "training",
            **{name: entry[name] for name in ("shard", "samples", "grounds", "sequences")},
            "performer": performers[int(np.argmax(actors[path].performer))] if performers else "",
            "leg_scale": round(actors[path].leg_scale, 5),
            "posture": [round(angle, 2) for angle in astuple(actors[path].posture)],
        }
        for path, entry in written.items()
    ]
    manifest: dict[str, Any] = {
        "format_version": FORMAT_VERSION,
        "settings": asdict(settings),
        "rate": FEATURE_RATE_HZ,
        **sample_layouts(recipe, gaits, len(performers)),
        "skeleton": skeleton_to_json(recipe.skeleton),
        "joints": list(recipe.joints),
        "reference_rotations": recipe.reference_rotations.tolist(),
        "gaits": list(gaits),
        "performers": list(performers),
        **sensor_fields(recipe, (takes[path].labels for path in written)),
        "clips": entries,
        "skipped": [{"file": names[path], "reason": reason} for path, reason in sorted(skipped.items())],
        "questions": [{"file": names[path], "text": text} for path in written for text in takes[path].questions],
    }
    dataset = Dataset(out, manifest)
    manifest["normalisation"] = compute_normalization(dataset, settings.joint_weight)
    manifest["start"] = find_start(dataset)
    write_json(out / MANIFEST_NAME, manifest)
    remove_superseded_shards(out / "shards", (entry["shard"] for entry in entries))
    write_table(out, _source_table(takes, written, names, skipped))
    return Dataset.open(out)


def _source_table(
    analyses: Mapping[Path, ClipAnalysis],
    written: Mapping[Path, Mapping[str, Any]],
    names: Mapping[Path, str],
    skipped: Mapping[Path, str],
) -> tuple[SourceRow, ...]:
    """Return the manifest's table of sources, with the calibration residuals and the skipped clips."""
    origins = {path: source_of(path) for path in names}
    return tabulate_sources(
        (
            (
                origins[path].folder,
                origins[path].name,
                analyses[path].minutes,
                entry["residuals"],
            )
            for path, entry in written.items()
        ),
        (
            (origins[path].folder, origins[path].name, SkippedClip(names[path], reason))
            for path, reason in sorted(skipped.items())
        ),
    )


def _spec_from_controller(
    network_skeleton: NetworkSkeleton,
    settings: DatasetSettings,
    analyses: Mapping[Path, ClipAnalysis],
    skipped: dict[Path, str],
    tags: Mapping[Path, ClipTags],
) -> tuple[SampleSpec, tuple[str, ...]]:
    """Return the sample spec of a controller's network, and its gaits; clips with unknown tags are skipped."""
    _require_usable_clips(analyses, skipped)
    for path in analyses:
        style, performer = tags[path].style, tags[path].performer
        if style and style not in network_skeleton.gaits:
            skipped[path] = f"Its clip list gives it the style '{style}', which the controller does not know."
        elif performer and performer not in network_skeleton.performers:
            skipped[path] = f"Its clip list names the performer '{performer}', which the controller does not know."
    variants = (settings.mirror, settings.speeds, settings.bends, _terrain_settings(settings))
    known = (
        network_skeleton.skeleton,
        network_skeleton.joints,
        network_skeleton.reference_rotations,
        network_skeleton.hinges,
    )
    own = (network_skeleton.gaits, network_skeleton.style)
    return SampleSpec(*known, *variants, *own, standing=network_skeleton.standing), network_skeleton.gaits


def _require_usable_clips(analyses: Mapping[Path, ClipAnalysis], skipped: Mapping[Path, str]) -> None:
    """Raise :class:`DatasetError` if no clip was analyzed successfully."""
    if not analyses:
        raise DatasetError(
            "None of the {count} clips can be used. The reason for the first one: {reason}",
            count=len(skipped),
            reason=next(iter(skipped.values())),
        )


def _spec_from_clips(
    analyses: Mapping[Path, ClipAnalysis],
    out: Path,
    settings: DatasetSettings,
    skipped: dict[Path, str],
    tags: Mapping[Path, ClipTags],
) -> tuple[SampleSpec, tuple[str, ...]]:
    """Return a sample spec derived from the clips, and its gaits; clips with other gaits are skipped."""
    _require_usable_clips(analyses, skipped)
    gaits = Counter(network_gaits(take.labels.gait_names) for take in analyses.values()).most_common(1)[0][0]
    for path, take in analyses.items():
        if network_gaits(take.labels.gait_names) != gaits:
            own = ", ".join(take.labels.gait_names)
            skipped[path] = f"Its labels have the gaits {own}, most clips {', '.join(gaits)}."
    trees: Counter[tuple[Any, Any]] = Counter()
    for path, take in analyses.items():
        if path not in skipped:
            trees[take.skeleton.names, take.skeleton.parents] += len(take.labels)
    tree = trees.most_common(1)[0][0]
    alike = [take for take in analyses.values() if (take.skeleton.names, take.skeleton.parents) == tree]
    kept = read_network_skeleton(out / NETWORK_NAME)
    if kept is None or (kept[0].names, kept[0].parents) != tree:
        stands = standing_pose(take.standing_pose_scatter for take in alike)
        kept = median_skeleton([take.skeleton for take in alike]), mean_rotations(alike), mean_hinges(alike), stands
        network = {"skeleton": skeleton_to_json(kept[0]), "reference_rotations": kept[1].tolist()}
        hinges = {role: axis.tolist() for role, axis in kept[2].items()}
        write_json(out / NETWORK_NAME, {**network, "hinges": hinges, "standing": stands.tolist()})
    skeleton, references, hinges, standing = kept
    joints = without_excluded(pose_joints(skeleton), skeleton, settings.exclude_joints)
    styles = tuple(sorted({tags[path].style for path in analyses if path not in skipped and tags[path].style}))
    for style in styles:
        check_style(style, gaits)
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
        (*gaits, *styles) if styles else (),
        sensors=choose_sensors((take.labels for path, take in analyses.items() if path not in skipped), settings),
        parts=settings.parts,
        standing=standing,
    )
    return recipe, (*gaits, *styles)


def _terrain_settings(settings: DatasetSettings) -> TerrainSettings:
    """Return the terrain settings; raise :class:`DatasetError` if they need a patch folder and none is given."""
    if settings.terrain == "fitted" and not settings.patches:
        raise DatasetError(
            "Fitting terrain needs terrain patches: make them with `python -m footfall make-patches`, and name "
            "their folder in the setting 'patches'"
        )
    return TerrainSettings(settings.terrain, Path(settings.patches) if settings.patches else None, settings.grounds)


def _clip_actors(
    analyses: Mapping[Path, ClipAnalysis],
    tags: Mapping[Path, ClipTags],
    performers: tuple[str, ...],
    settings: DatasetSettings,
) -> dict[Path, ClipActor]:
    """Return the actor of each clip; a clip without a known performer counts as the first performer's."""
    stances, scales = _standing_poses(analyses), _leg_scales(analyses) if settings.knee_correction else {}
    postures = _posture_corrections(analyses) if settings.posture_correction else {}
    found = {}
    for path in analyses:
        own = performers.index(tags[path].performer) if tags[path].performer in performers else 0
        shares = tuple(float(number == own) for number in range(len(performers)))
        posture = postures.get(path, PostureCorrection())
        found[path] = ClipActor(stances.get(path), scales.get(path, 1.0), posture, shares, tags[path])
    return found


def _clips_of_actors(analyses: Mapping[Path, ClipAnalysis]) -> list[list[Path]]:
    """Group clips by actor: clips of one source with the same leg length belong to one actor."""
    groups: dict[tuple[str, float], list[Path]] = {}
    for path, take in analyses.items():
        groups.setdefault((source_of(path).folder, round(take.skeleton.leg_length, 4)), []).append(path)
    return list(groups.values())


def _leg_scales(analyses: Mapping[Path, ClipAnalysis]) -> dict[Path, float]:
    """Return the leg correction of each clip, estimated from all clips of its actor."""
    result: dict[Path, float] = {}
    for paths in _clips_of_actors(analyses):
        extensions = np.concatenate([analyses[path].stance_extensions for path in paths])
        result |= dict.fromkeys(paths, leg_scale(extensions))
    return result


def _posture_corrections(analyses: Mapping[Path, ClipAnalysis]) -> dict[Path, PostureCorrection]:
    """Return the posture correction of each clip, estimated from all clips of its actor."""
    result: dict[Path, PostureCorrection] = {}
    for paths in _clips_of_actors(analyses):
        samples = np.concatenate([analyses[path].posture_samples for path in paths])
        result |= dict.fromkeys(paths, posture_correction(samples))
    return result


def _standing_poses(analyses: Mapping[Path, ClipAnalysis]) -> dict[Path, Array]:
    """Return a standing pose for each clip whose rest pose does not stand or has splayed legs.

    The pose is estimated from all clips of the actor. In a source without standing rest poses, all actors count as one.
    """
    groups: dict[tuple[str, ActorKey], list[Path]] = {}
    for path, take in analyses.items():
        if is_standing(take.skeleton) and not splayed_sides(take.skeleton):
            continue
        groups.setdefault((source_of(path).folder, actor_key(take.skeleton)), []).append(path)
    result: dict[Path, Array] = {}
    for paths in groups.values():
        result |= dict.fromkeys(paths, standing_pose(analyses[path].standing_pose_scatter for path in paths))
    return result


def _choose_validation_clips(samples: Mapping[str, int], settings: DatasetSettings) -> set[str]:
    """Draw the validation clips: whole takes (clips with one file stem) until the requested share of frames is reached.

    At least one take is drawn if the share is above 0 and there are at least two takes; one take is always left for
    training.
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


def compute_normalization(dataset: Dataset, joint_weight: float) -> dict[str, list[float]]:
    """Return the manifest's normalization: means and group deviations of x and y over the training split.

    Args:
        dataset: the data set; its samples are placed on uneven ground where clips have it.
        joint_weight: scale of the normalized pose inputs (PFNN section 5.3).
    """
    training = dataset.clips_in_split("training")
    x_mean, x_deviation = mean_and_deviation(dataset.samples_on_terrain(clip)[0] for clip in training)
    y_mean, y_deviation = mean_and_deviation(dataset.samples_on_terrain(clip)[1] for clip in training)
    x_std = group_deviation(dataset.input_layout, x_deviation, pose_feedback_groups(dataset.input_layout), joint_weight)
    steered, weight = (STEERED_GROUPS, STEERED_WEIGHT) if has_targets(dataset.input_layout) else ((), 1.0)
    y_std = group_deviation(dataset.output_layout, y_deviation, steered, weight)
    if is_phase_system(dataset.input_layout):
        level_phase_vectors(dataset.input_layout, x_mean, x_std, x_deviation)
        level_phase_vectors(dataset.output_layout, y_mean, y_std, y_deviation)
    vectors = {"x_mean": x_mean, "x_std": x_std, "y_mean": y_mean, "y_std": y_std}
    return {name: vector.astype(np.float32).tolist() for name, vector in vectors.items()}


def relative_names(files: Sequence[PathType]) -> dict[PathType, str]:
    """Return each file's path relative to the folder common to all, so that the manifest reveals no user folders.

    Files on several drives get a numbered folder per drive.
    """
    drives = sorted({path.drive.casefold() for path in files})
    names: dict[PathType, str] = {}
    for number, drive in enumerate(drives, start=1):
        own = [path for path in files if path.drive.casefold() == drive]
        shared = next(folder for folder in own[0].parents if all(path.is_relative_to(folder) for path in own))
        start = f"drive{number}/" if len(drives) > 1 else ""
        names |= {path: f"{start}{path.relative_to(shared).as_posix()}" for path in own}
    return names
