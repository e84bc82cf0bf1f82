"""A data set: training samples for one network, in a folder that can be extended, moved and memory-mapped.

============================ ==========================================================================================
``manifest.json``            all but the numbers: layouts, skeleton, clips, split, normalization, skipped clips
``network.json``             the network's skeleton, reference rotations and hinges, kept when clips are added later
``sources.json``             the table of sources: retargeting residuals and skipped clips
``shards/<clip>/``           ``x.npy``, ``y.npy``, ``phase.npy`` (float32) and ``shard.json`` of one clip, all variants;
                             ``terrain.npy`` with the grounds of each sample, if the clip is not on level ground
                             ``take.npz`` with motion, objects and labels of a take of interactions
``takes/``                   the cache of clip analyses; only building reads it
============================ ==========================================================================================
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...core.features import interaction, strikes
from ...core.features.layout import Layout
from ...core.features.locomotion import (
    input_layout,
    output_layout,
)
from ...core.features.phase_system import PhaseSystem, is_phase_system
from ...core.features.terrain import apply_terrain
from ...core.jobs.replacing import recover_replaced
from ...core.models.network import Float32, Task
from ...core.motion import Skeleton
from ...core.motion.rotations import Array
from . import shards
from .manifest import FORMAT_VERSION, ClipEntry, DatasetError, read_manifest, skeleton_from_json
from .normalization import Normalization
from .shard_files import open_shard, open_terrain


@dataclass(frozen=True, eq=False)
class Dataset:
    """A finished data set; open it with :meth:`open`."""

    path: Path
    manifest: Mapping[str, Any]

    @staticmethod
    def open(path: Path) -> "Dataset":
        """Open a data set after checking that all its parts exist and are consistent.

        Raises:
            DatasetError: the data set is missing, damaged, or from another version.
        """
        manifest = read_manifest(path)
        if "clips" not in manifest and recover_replaced(path):
            manifest = read_manifest(path)
        if manifest.get("format_version") != FORMAT_VERSION:
            raise DatasetError(
                "The data set '{path}' has format {format}, but this version of Footfall reads format {known}: "
                "build it again",
                path=path,
                format=manifest.get("format_version"),
                known=FORMAT_VERSION,
            )
        dataset = Dataset(path, manifest)
        try:
            with np.errstate(over="ignore"):  # Overflows become infinity, which is detected below.
                normalisation, start = dataset.normalization, dataset.start
            for name, layout, wanted in zip(
                ("input", "output"), dataset.layouts, dataset.expected_layouts(), strict=True
            ):
                if (difference := layout.difference(wanted)) is not None:
                    raise DatasetError(
                        "The data set '{path}' has a different {name} layout ({difference}): build it again",
                        path=path,
                        name=name,
                        difference=difference,
                    )
            fits = 0 < dataset.rate < np.inf and np.isfinite(dataset.joint_weight)
            fits &= dataset.task.rate == dataset.rate
            fits &= len(dataset.reference_rotations) == len(dataset.joints) == len(start["position"])
            fits &= set(dataset.joints) <= set(dataset.skeleton.names)
            sizes = (dataset.input_layout.size, dataset.output_layout.size)
            fits &= len(normalisation.x_mean) == len(normalisation.x_std) == sizes[0]
            fits &= len(normalisation.y_mean) == len(normalisation.y_std) == sizes[1]
            parts = (normalisation.x_mean, normalisation.x_std, normalisation.y_mean, normalisation.y_std)
            fits &= all(np.isfinite(part).all() for part in (*parts, *start.values()))
            for clip in dataset.clips:
                x, y, _ = dataset.samples(clip)
                dataset.terrain(clip)
                fits &= (x.shape[1:], y.shape[1:]) == ((sizes[0],), (sizes[1],))
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DatasetError("The manifest of the data set '{path}' is damaged: build it again", path=path) from error
        if not fits or not dataset.clips:
            raise DatasetError("The parts of the data set '{path}' do not match each other: build it again", path=path)
        return dataset

    @cached_property
    def input_layout(self) -> Layout:
        """Layout of the inputs x of the data set's samples."""
        return Layout.from_json(self.manifest["input_layout"])

    @cached_property
    def output_layout(self) -> Layout:
        """Layout of the outputs y of the data set's samples."""
        return Layout.from_json(self.manifest["output_layout"])

    @property
    def layouts(self) -> tuple[Layout, Layout]:
        """Layouts of inputs x and outputs y of the data set's samples."""
        return self.input_layout, self.output_layout

    def expected_layouts(self) -> tuple[Layout, Layout]:
        """Return the layouts of x and y that this version of the program would give the data set's samples."""
        if interaction.has_goals(self.input_layout):
            return interaction.input_layout(self.joints, self.gaits), interaction.output_layout(self.joints, self.gaits)
        if strikes.has_targets(self.input_layout):
            return strikes.input_layout(self.joints), output_layout(self.joints)
        if is_phase_system(self.input_layout):
            system = PhaseSystem.of(self.input_layout, self.joints, self.gaits, self.sensors)
            return system.input_layout(), system.output_layout()
        return input_layout(self.joints, self.gaits, performers=len(self.performers)), output_layout(self.joints)

    @cached_property
    def skeleton(self) -> Skeleton:
        """Network skeleton, to which all clips are retargeted."""
        return skeleton_from_json(self.manifest["skeleton"])

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints in the pose (P), in order."""
        return tuple(self.manifest["joints"])

    @cached_property
    def reference_rotations(self) -> Array:
        """Reference rotations (P, 4) of the pose joints in the root's frame, to which pose rotations are relative."""
        return np.array(self.manifest["reference_rotations"], dtype=float)

    @property
    def gaits(self) -> tuple[str, ...]:
        """Names of the gaits, or of the actions of interactions, in order."""
        return tuple(self.manifest["gaits"])

    @property
    def performers(self) -> tuple[str, ...]:
        """Names of the performers that the network distinguishes, most minutes first; empty for a single performer."""
        return tuple(self.manifest.get("performers", ()))

    @property
    def sensors(self) -> tuple[str, ...]:
        """Names of the sensors with a local phase, for a local phase system; otherwise empty."""
        return tuple(self.manifest.get("sensors", ()))

    @property
    def rate(self) -> float:
        """Frame rate of the samples, Hz."""
        return float(self.manifest["rate"])

    @property
    def task(self) -> Task:
        """Task of a network for this data set: layouts of x and y, foot joints and rate."""
        bones = {role: self.skeleton.names[joint] for role, joint in self.skeleton.roles.items()}
        return Task.from_names(self.input_layout, self.output_layout, self.joints, bones, self.rate)

    @property
    def joint_weight(self) -> float:
        """Factor of the normalized joint inputs (PFNN section 5.3), which ``normalization.x_std`` already contains."""
        return float(self.manifest["settings"]["joint_weight"])

    @cached_property
    def clips(self) -> tuple[ClipEntry, ...]:
        """Manifest entries of the clips in the data set."""
        return tuple(
            ClipEntry(**{**entry, "sequences": tuple(shards.FrameSequence(**one) for one in entry["sequences"])})
            for entry in self.manifest["clips"]
        )

    @cached_property
    def normalization(self) -> Normalization:
        """Means and divisors that normalize inputs and outputs, measured on the training split."""
        data = self.manifest["normalisation"]
        return Normalization(
            *(np.array(data[name], dtype=np.float32) for name in ("x_mean", "x_std", "y_mean", "y_std"))
        )

    @cached_property
    def start(self) -> dict[str, Float32]:
        """Standing start pose in the root's frame, by name.

        ``position``, m, and ``velocity``, m/s, have shape (P, 3), ``rotation`` (P, 4), and ``phase``, cycles, ().
        """
        return {name: np.array(value, dtype=np.float32) for name, value in self.manifest["start"].items()}

    @property
    def digest(self) -> str:
        """Digest that identifies the data set; checkpoints store it."""
        return hashlib.sha256(json.dumps(self.manifest, sort_keys=True).encode()).hexdigest()

    @property
    def cache_folder(self) -> Path:
        """Folder for derived files, which can be deleted and generated again."""
        return self.path

    def clips_in_split(self, name: str) -> list[ClipEntry]:
        """Return the clips of the split called ``"training"`` or ``"validation"``."""
        return [clip for clip in self.clips if clip.split == name]

    def samples(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        """Return memory maps of a clip's inputs x (N, n), outputs y (N, m), not normalized, and phases (N), cycles.

        Raises:
            FootfallError: the shard is damaged.
        """
        return open_shard(self.path / "shards" / clip.shard, clip.samples)

    def terrain(self, clip: ClipEntry) -> Float32 | None:
        """Return a memory map of the K terrains of each sample of a clip; ``None`` for a clip on level ground.

        Its shape is (N, K, ``features.terrain.COLUMN_COUNT``).

        Raises:
            FootfallError: the shard is damaged.
        """
        return open_terrain(self.path / "shards" / clip.shard, clip.samples, clip.grounds)

    def samples_on_terrain(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        """Return a clip's x (N, n), y (N, m) and phase (N), cycles, with sample ``i`` on its ground ``i % K`` of K."""
        x, y, phase = self.samples(clip)
        terrain = self.terrain(clip)
        if terrain is not None:
            x, y = np.array(x), np.array(y)
            rows = np.arange(len(x))
            apply_terrain(x, y, terrain[rows, rows % clip.grounds], self.input_layout, self.output_layout)
        return x, y, phase
