"""The training list of actions and folders, and its export to files for the trainer."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.file_names import safe_file_name
from ...core.labelling.presets import BIPED_PRESET, find_preset
from ...core.message import Message
from ...core.motion.bvh import write_bvh
from ...core.rig.clip_file import RIG_MAP_FILE_NAME
from ...core.rig.rig_map import save_rig_map
from ...core.scene.clip_objects import OBJECTS_FILE_SUFFIX, objects_path, save_clip_objects
from ..label.detection import ArmatureActionRef
from ..rig.clip_reader import read_mapped_action, rig_map_for_clip
from ..rig.clips import ArmatureAction
from ..rig.motion_files import find_files, read_motions
from ..scene.fitted_objects import adapted_actions, objects_in_motion
from .clip_labels import read_training_labels
from .interactions_shown import INTERACTION_PRESET, require_interactions

LABEL_FILE_SUFFIX: Final = ".labels.npz"
MIN_TRAINING_S: Final = 60.0
"""Duration of actions below which training from scratch gives no controller that walks."""
WRITING_SHARE: Final = 0.5
"""Share of the work before the search for interactions in the clips."""


def count_clips(count: int) -> Message:
    """Return a count of clips as text for a report."""
    return Message("1 clip") if count == 1 else Message("{count} clips", count=count)


def count_folders(count: int) -> Message:
    """Return a count of folders as text for a report."""
    return Message("1 folder") if count == 1 else Message("{count} folders", count=count)


def listed_actions(scene: bpy.types.Scene) -> list[ArmatureAction]:
    """Return the listed actions that still exist, each with its armature."""
    return [
        (item.armature, item.action)
        for item in scene.footfall.clips
        if item.action and item.armature and item.armature.type == "ARMATURE"
    ]


def listed_folders(scene: bpy.types.Scene) -> list[Path]:
    """Return the folders on the training list."""
    return [Path(bpy.path.abspath(item.path)) for item in scene.footfall.clip_folders if item.path]


def why_too_little(scene: bpy.types.Scene) -> Message | None:
    """Return a warning if the training list is too short for a controller from scratch; folders are not read."""
    if scene.footfall.fine_tune or listed_folders(scene):
        return None
    rate = scene.render.fps / scene.render.fps_base
    seconds = sum(float(action.frame_range[1] - action.frame_range[0]) for _, action in listed_actions(scene)) / rate
    if not 0.0 < seconds < MIN_TRAINING_S:
        return None
    return Message(
        "The training clips last only {seconds} s, and a character trained on less than a minute collapses: add clips",
        seconds=round(seconds),
    )


def motion_files_in(folder: Path) -> list[Path]:
    """Return the motion files in a folder on the list; raise :class:`FootfallError` if there are none."""
    files = find_files(folder)
    if not files:
        raise FootfallError(
            "There is no BVH or FBX file in '{folder}': remove the folder from the list, or choose another one",
            folder=folder,
        )
    return files


def unused_path(folder: Path, name: str, suffix: str = "") -> Path:
    """Return a path in a folder that does not exist yet: the name, a number if needed, and the suffix."""
    path, number = folder / f"{name}{suffix}", 2
    while path.exists():
        path, number = folder / f"{name}-{number}{suffix}", number + 1
    return path


def write_clips(
    scene: bpy.types.Scene, folder: Path, interactions: bool = False
) -> Generator[tuple[float, str], None, list[Path]]:
    """Write all clips on the list for the trainer, yielding the share done and the current activity.

    Actions are written as BVH files, with their labels where they are labeled, in a folder for each armature; actions
    without labels are labeled by the trainer itself. For an armature with a rig map, the mapped body is written, with
    the map beside it. Folders are read in place, except for their FBX files, which the trainer cannot read.

    Args:
        scene: the scene of the list.
        folder: the folder for the files, which does not exist yet.
        interactions: whether the clips show interactions; if so, labels include them, objects fitted to an action are
            written beside its file, and adapted actions are written too.

    Returns:
        the files and folders of the training data.

    Raises:
        FootfallError: an action or a folder cannot be used, or no clip shows a requested interaction.
        OSError: the disk is full.
    """
    takes, folders = [ArmatureActionRef.of(take) for take in listed_actions(scene)], listed_folders(scene)
    if interactions:
        takes = _with_adapted(takes, scene)
    files = {path: motion_files_in(path) for path in folders}
    foreign = [(path, file) for path in folders for file in files[path] if file.suffix.lower() != ".bvh"]
    given = [path for path in folders if any(file.suffix.lower() == ".bvh" for file in files[path])]
    total = len(takes) + len(foreign)
    part = WRITING_SHARE if interactions else 1.0
    if total:
        folder.mkdir(parents=True)
        given.insert(0, folder)
    places: dict[str, Path] = {}
    for number, name in enumerate(takes):
        yield part * number / total, Message("Writing the clip '{title}'", title=name.title)
        armature, action = name.resolve()
        _write_action((armature, action), scene, folder, places, interactions)
    for number, (path, file) in enumerate(foreign, len(takes)):
        yield part * number / total, Message("Writing the clip '{name}'", name=file.name)
        _write_converted(path, file, folder)
    if interactions:
        for share, text in require_interactions(given):
            yield part + (1 - part) * share, text
    return given


def _with_adapted(takes: list[ArmatureActionRef], scene: bpy.types.Scene) -> list[ArmatureActionRef]:
    """Return actions together with those adapted to fitted objects."""
    adapted = (
        ArmatureActionRef.of((armature, made))
        for armature, action in (take.resolve() for take in takes)
        for made in adapted_actions(armature, action, scene)
    )
    return list(dict.fromkeys([*takes, *adapted]))


def _write_action(
    armature_action: ArmatureAction, scene: bpy.types.Scene, folder: Path, places: dict[str, Path], interactions: bool
) -> None:
    armature, action = armature_action
    clip, first = read_mapped_action(armature, action, scene)
    if armature.name not in places:
        places[armature.name] = unused_path(folder, safe_file_name(armature.name))
        places[armature.name].mkdir()
        rig_map = rig_map_for_clip(armature, clip)
        if rig_map is not None:
            save_rig_map(rig_map, places[armature.name] / RIG_MAP_FILE_NAME)
    path = unused_path(places[armature.name], safe_file_name(action.name), ".bvh")
    write_bvh(path, clip)
    if action.footfall.segments:
        preset = find_preset(INTERACTION_PRESET) if interactions else BIPED_PRESET
        labels = read_training_labels(armature_action, scene, clip, first, preset)
        labels.save(path.with_suffix(LABEL_FILE_SUFFIX))
    objects = objects_in_motion(armature, action, scene, len(clip)) if interactions else []
    if objects:
        save_clip_objects(objects_path(path), objects)


def _write_converted(folder: Path, file: Path, out: Path) -> None:
    """Convert a file that the trainer cannot read to BVH, with labels, in the corresponding subfolder."""
    place = out / safe_file_name(folder.name) / file.relative_to(folder).parent
    place.mkdir(parents=True, exist_ok=True)
    for motion in read_motions(file).motions:
        path = unused_path(place, motion.path.stem, ".bvh")
        write_bvh(path, motion.clip)
        for suffix in (LABEL_FILE_SUFFIX, OBJECTS_FILE_SUFFIX):
            if (beside := motion.path.with_suffix(suffix)).exists():
                path.with_suffix(suffix).write_bytes(beside.read_bytes())


def all_sources(scene: bpy.types.Scene) -> Iterator[tuple[str, ArmatureActionRef | Path]]:
    """Yield the name of each item on the list, with its action or file."""
    for take in listed_actions(scene):
        yield take[1].name, ArmatureActionRef.of(take)
    for folder in listed_folders(scene):
        for file in motion_files_in(folder):
            yield file.name, file
