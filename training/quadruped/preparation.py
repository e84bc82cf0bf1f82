"""Preparation of animal clips for training: takes composed from keyframed cycles, and captures, on one network body.

The body is that of the first clip. The takes are BVH files in a folder of the run, beside a rig map with the roles of
their joints and a source file with the licenses of all source clips.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from ...core.control.feet.paw_lock import lock_paws, locked_paws
from ...core.errors import FootfallError
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.jobs.atomic import write_atomically
from ...core.labelling import Labels, label_clip
from ...core.labelling.presets import QUADRUPED_PRESET
from ...core.motion import Clip, Skeleton
from ...core.motion.bvh_writer import write_bvh
from ...core.motion.paws import paw_tracks
from ...core.motion.root_frame import root_track
from ...core.motion.signals import low_pass
from ...core.retarget.calibration import calibrate
from ...core.retarget.retarget import retarget
from ...core.rig.clip_file import RIG_MAP_FILE_NAME, read_clip
from ...core.rig.rig_map import RigMap, save_rig_map
from ..config.reporting import ProgressCallback
from ..data.animal_takes import NETWORK_MAP_NAME
from ..data.clip_cache import labels_path
from ..data.sources import SOURCE_FILE_NAME, source_of
from .cycles import Cycle, read_cycle, require_cycles
from .gait_table import GaitTable
from .network_body import network_body, symmetric
from .takes import Take, make_take

MIN_TRAVEL_LEGS: Final = 2.0
"""Least travel of a clip that counts as travelling, in leg lengths."""
ROOT_CUTOFF_HZ: Final = 12.0
"""Cutoff of the low-pass filter that removes spikes from captured hips."""


@dataclass(frozen=True, eq=False)
class AnimalClips:
    """Gaits, idles and captures of animals, on one network body.

    Attributes:
        body: the network body.
        cycles: gaits and idles on the spot.
        captures: captured clips that travel.
        skipped: reason for each clip that cannot be used, by its path.
    """

    body: Skeleton
    cycles: list[Cycle]
    captures: list[Clip]
    skipped: dict[Path, str]


def prepare_takes(
    clips: Sequence[Path], folder: Path, take_count: int, seed: int, progress: ProgressCallback
) -> tuple[list[Path], dict[Path, str]]:
    """Compose the takes of a training run and write them to a folder.

    Args:
        clips: BVH files of animals.
        folder: folder of the takes, created if missing.
        take_count: number of takes composed from cycles.
        seed: seed of the takes' courses.
        progress: called with finished takes, total takes and the take's name.

    Returns:
        The BVH files, and the reasons for skipped clips.

    Raises:
        FootfallError: no clip can be used, or none of them has a gait.
    """
    animals = read_animals(clips)
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.bvh"), *folder.glob("*.labels.npz")):
        old.unlink()
    roles = {role: animals.body.names[joint] for role, joint in animals.body.roles.items() if role != "chest"}
    save_rig_map(RigMap(NETWORK_MAP_NAME, roles), folder / RIG_MAP_FILE_NAME)
    write_atomically(folder / SOURCE_FILE_NAME, _source_text(clips).encode())
    if not animals.captures:
        require_cycles(animals.cycles)
    made: list[Path] = []
    composed = take_count if any(cycle.speed > 0 for cycle in animals.cycles) else 0
    total = composed + len(animals.captures)
    gait_names: tuple[str, ...] = ()
    for number in range(composed):
        table = GaitTable.of(animals.cycles, animals.body)
        name = f"take_{number:02d}"
        take = make_take(table, animals.body, np.random.default_rng([seed, number]), name)
        gait_names = take.gait_names
        made.append(_write(folder, take.clip, exact_labels(take)))
        progress(number + 1, total, name)
    for number, clip in enumerate(animals.captures):
        planted = _planted(clip)
        made.append(_write(folder, planted, _labels_with(planted, gait_names)))
        progress(composed + number + 1, total, clip.name)
    return made, animals.skipped


def read_animals(clips: Sequence[Path]) -> AnimalClips:
    """Read clips of animals, transfer them to one network body, and sort them into cycles and captures.

    Raises:
        FootfallError: no clip can be used.
    """
    body: Skeleton | None = None
    cycles: list[Cycle] = []
    captures: list[Clip] = []
    skipped: dict[Path, str] = {}
    for path in clips:
        try:
            clip = network_body(read_clip(path))
            body = body or symmetric(clip.skeleton)
            clip = _with_tail_of(clip, body)
            cycle = read_cycle(clip, body)
            if cycle is not None:
                cycles.append(cycle)
            elif _travels(clip):
                captures.append(retarget(clip, calibrate(clip.skeleton, body)).resampled(FEATURE_RATE_HZ))
            else:
                skipped[path] = "The clip is neither a gait cycle on the spot nor does the animal travel."
        except FootfallError as error:
            skipped[path] = str(error)
    if body is None:
        raise FootfallError(
            "None of the {count} clips can be used. The reason for the first one: {reason}",
            count=len(clips),
            reason=next(iter(skipped.values()), ""),
        )
    return AnimalClips(body, cycles, captures, skipped)


def _with_tail_of(clip: Clip, body: Skeleton) -> Clip:
    """Drop the tail roles from a clip of another animal, so that the body's own tail stays at rest.

    A horse's tail hangs although it is level in the rest pose, which does not transfer to the tail of a dog.
    """
    if clip.skeleton.matches(body):
        return clip
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if not role.startswith("tail")}
    return replace(clip, skeleton=replace(clip.skeleton, roles=roles))


def _travels(clip: Clip) -> bool:
    """Return whether a clip travels farther than :data:`MIN_TRAVEL_LEGS` leg lengths."""
    steps = np.linalg.norm(np.diff(root_track(clip, 0.2).positions, axis=0), axis=-1)
    return bool(steps.sum() > MIN_TRAVEL_LEGS * clip.skeleton.leg_length)


def _planted(clip: Clip) -> Clip:
    """Return a captured clip on the ground z = 0, with spikes of the hips removed and paws planted."""
    roots = low_pass(clip.root_positions, clip.rate, ROOT_CUTOFF_HZ)
    clip = Clip(clip.skeleton, clip.rate, roots, clip.rotations, clip.name)
    lowest = float(np.percentile(paw_tracks(clip)[..., 2].min(axis=1), 10))
    clip = Clip(clip.skeleton, clip.rate, roots - [0.0, 0.0, lowest - 0.01], clip.rotations, clip.name)
    return lock_paws(clip, locked_paws(clip, label_clip(clip, QUADRUPED_PRESET).foot_contacts))


def exact_labels(take: Take) -> Labels:
    """Return the labels of a take: its known contacts and gaits, and the phase detected in its motion."""
    found = label_clip(take.clip, QUADRUPED_PRESET)
    return replace(found, contacts=take.contacts.probabilities, gait_names=take.gait_names, gaits=take.gaits)


def _labels_with(clip: Clip, gait_names: tuple[str, ...]) -> Labels:
    """Return the labels detected in a capture, using the gaits of takes; all fast gaits count as runs.

    Args:
        clip: the capture.
        gait_names: gaits of the training's takes, with standing, walking and running first; empty without takes.
    """
    found = label_clip(clip, QUADRUPED_PRESET)
    if not gait_names:
        return found
    gaits = np.zeros((len(clip), len(gait_names)))
    for name, column in zip(found.gait_names, found.gaits.T, strict=True):
        gaits[:, gait_names.index(name if name in gait_names else "run")] += column
    return replace(found, gait_names=gait_names, gaits=gaits)


def _write(folder: Path, clip: Clip, labels: Labels) -> Path:
    """Write a take with its labels; return the take's file."""
    path = folder / f"{clip.name}.bvh"
    write_bvh(path, clip)
    labels.save(labels_path(path))
    return path


def _source_text(clips: Sequence[Path]) -> str:
    """Return the text of the source file of takes made from all clips: names, licenses and credits, once each."""
    sources = [source_of(clip) for clip in clips]
    fields = {
        "name": [source.name for source in sources],
        "licence": [source.licence for source in sources],
        "credit": [source.credit for source in sources],
    }
    joined = {name: "; ".join(dict.fromkeys(text for text in texts if text)) for name, texts in fields.items()}
    return "".join(f"{name} = {json.dumps(text)}\n" for name, text in joined.items())
