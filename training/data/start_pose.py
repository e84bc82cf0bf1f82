"""The pose in which a controller starts: standing and symmetric, or the guard of attacks."""

from typing import Any

import numpy as np

from ...core.features.locomotion import SAMPLE_OFFSETS_FRAMES, pose_rotations
from ...core.features.phase_system import is_phase_system
from ...core.features.strikes import has_targets
from ...core.motion import Clip, Skeleton
from ...core.motion.rotations import Array, slerp
from ...core.motion.weapons import weapon_roles
from .dataset import Dataset
from .idling import idle_offsets
from .manifest import DatasetError


def find_start(dataset: Dataset) -> dict[str, Any]:
    """Return a controller's start: a standing pose, its phase, and the idle motion of standing people.

    The pose is the standing frame nearest to the median standing pose, made symmetric; if no frame stands, the slowest
    ones are used. For attacks, it is the guard.
    """
    if has_targets(dataset.input_layout):
        return _find_guard(dataset)
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
    # A joint's motion in a tenth of a second has the same weight as its distance from the median pose. The median is
    # that of the stiller half, since coming to rest and starting are labeled as standing, too.
    motion = np.abs(velocity).mean(axis=(1, 2))
    still = motion <= np.median(motion)
    away = np.square(position - np.median(position[still], axis=0)) + np.square(0.1 * velocity)
    nearest = best[int(np.argmin(away.sum(axis=(1, 2))))]
    position, rotation = symmetric_pose(
        dataset.skeleton,
        dataset.joints,
        dataset.output_layout.view(y, "pose.position")[nearest].astype(float),
        pose_rotations(y[nearest], dataset.output_layout, dataset.reference_rotations),
    )
    idle = idle_offsets(dataset)
    return {
        "position": position.tolist(),
        "velocity": np.zeros_like(position).tolist(),
        "rotation": rotation.tolist(),
        "phase": float(phase[nearest]),
        **({"idle": idle} if idle else {}),
        **(_standing_vectors(dataset, y[best]) if is_phase_system(dataset.input_layout) else {}),
    }


def _find_guard(dataset: Dataset) -> dict[str, Any]:
    """Return the guard: of the rest frames before unarmed attacks, the one nearest to their median pose.

    If the skeleton has weapon bones, armed attacks count as well. Mirror images do not count, so that the character
    leads with the usual side.
    """
    rows, always = [], bool(weapon_roles(dataset.skeleton))
    for clip in dataset.clips:
        x, y, phase = dataset.samples(clip)
        own = np.arange(len(x)) < next((one.stop for one in clip.sequences), 0)
        speed = np.linalg.norm(dataset.output_layout.view(y, "pose.velocity"), axis=-1).mean(axis=-1)
        armed = dataset.input_layout.view(x, "strike.weapon")[:, 0] > 0.5
        told = dataset.input_layout.view(x, "strike.command")[:, 0] > 0.5
        rows.append(y[own & (always | ~armed) & ((told & (phase == 0.0)) | ((phase > 0.95) & (speed < 1.0)))])
    y = np.concatenate(rows)
    if not len(y):
        raise DatasetError(
            "No clip shows a guard stance before an attack: add clips in which attacks follow each other"
        )
    position = dataset.output_layout.view(y, "pose.position")
    away = np.square(position - np.median(position, axis=0)).sum(axis=(1, 2))
    speed = np.square(dataset.output_layout.view(y, "pose.velocity")).sum(axis=(1, 2))
    best = int(np.argmin(away + 0.01 * speed))
    rotation = pose_rotations(y[best], dataset.output_layout, dataset.reference_rotations)
    return {
        "position": position[best].tolist(),
        "velocity": np.zeros_like(position[best]).tolist(),
        "rotation": rotation.tolist(),
        "phase": 0.0,
    }


def _standing_vectors(dataset: Dataset, y: Array) -> dict[str, Any]:
    """Return the phase vectors of a standing character: the mean over its outputs y (N, m).

    The vectors do not rotate while it stands, and they nearly vanish, since permanent contacts have no phase.
    """
    vector = dataset.output_layout.view(y, "phase.vector")[:, 0].mean(axis=0)
    return {"vector": vector.tolist(), "frequency": np.zeros(len(vector)).tolist()}


def symmetric_pose(
    skeleton: Skeleton, joints: tuple[str, ...], positions: Array, rotations: Array
) -> tuple[Array, Array]:
    """Return the positions (P, 3), meters, and rotations (P, 4) of a pose halfway to its own mirror image.

    Args:
        skeleton: the skeleton.
        joints: names of the pose joints (P).
        positions: (P, 3) positions, meters, in the root's frame.
        rotations: (P, 4) rotations in the root's frame.
    """
    order = {name: index for index, name in enumerate(joints)}
    world = np.empty((1, len(skeleton), 4))
    for joint, name in enumerate(skeleton.names):
        world[0, joint] = rotations[order[name]] if name in order else world[0, skeleton.parents[joint]]
    clip = Clip.from_world_rotations(skeleton, 60.0, positions[order[skeleton.names[0]]][None], world, "standing")
    mirrored = clip.mirrored()
    both = Clip(
        skeleton,
        clip.rate,
        (clip.root_positions + mirrored.root_positions) / 2,
        slerp(clip.rotations, mirrored.rotations, np.full(clip.rotations.shape[:-1], 0.5)),
        clip.name,
    )
    index = [skeleton.names.index(name) for name in joints]
    return both.positions[0, index], both.world[1][0, index]
