"""Captured attacks of a data set, for comparison with attacks of networks."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..core.evaluation.feet import skate_speeds
from ..core.features.strikes import APEX_PHASE
from ..core.motion.rotations import Array
from ..core.motion.signals import runs_of
from ..core.rig.clip_file import read_clip
from ..training.data.dataset import Dataset
from .measures.extremes import joint_accelerations
from .setup import ROOT

PHASES: Final = (0.15, 0.3, 0.7, 0.85)
"""Phases for the comparison of attacks: the first two are their beginning, the others their end."""


@dataclass(frozen=True, eq=False)
class AttackLibrary:
    """The captured attacks of a data set, original and mirrored.

    Attributes:
        dataset: the data set.
        poses: (N, 4, P, 3) joint positions at :data:`PHASES`, in the root's frame, meters.
        clips: (N) numbers of their clips.
        effectors: (N) numbers of ``features.strikes.EFFECTORS``.
        heights: (N) heights of their targets, meters.
        skate: mean speed of feet in contact during captured attacks, m/s.
    """

    dataset: Dataset
    poses: Array
    clips: Array
    effectors: NDArray[np.intp]
    heights: Array
    skate: float

    @staticmethod
    def read(folder: Path) -> "AttackLibrary":
        """Return the attacks of the data set in a folder."""
        dataset = Dataset.open(folder)
        inputs, outputs = dataset.layouts
        poses, clips, effectors, heights, skates = [], [], [], [], []
        for number, clip in enumerate(dataset.clips):
            x, y, phase = (np.asarray(array) for array in dataset.samples(clip))
            for one in clip.sequences:
                if "targets" in one.variant:
                    continue
                rows = slice(one.start, one.stop)
                pose = outputs.view(y[rows], "pose.position").astype(float)
                contacts = outputs.view(y[rows], "contact")
                moved = outputs.view(y[rows], "pose.velocity")[:, _feet(dataset)]
                for start, stop in runs_of(phase[rows] > 0):
                    part = phase[rows][start:stop]
                    for begin, end in _attacks(part):
                        span = slice(start + begin, start + end)
                        apex = begin + int(np.argmax(part[begin:end] >= APEX_PHASE))
                        poses.append(_at_phases(part[begin:end], pose[span]))
                        clips.append(number)
                        at = x[rows][start + max(apex - 1, 0)]
                        effectors.append(int(inputs.view(at, "strike.effector").argmax()))
                        heights.append(float(inputs.view(at, "target.position")[2]))
                        speeds = np.linalg.norm(moved[span, :, :2], axis=-1)
                        skates.append(speeds[contacts[span] > 0.5])
        return AttackLibrary(
            dataset,
            np.stack(poses),
            np.array(clips),
            np.array(effectors),
            np.array(heights),
            float(np.concatenate(skates).mean()),
        )

    @property
    def size(self) -> dict[str, Any]:
        """Number of samples and clips, and minutes."""
        clips = self.dataset.clips
        minutes = sum(clip.minutes for clip in clips)
        return {"samples": sum(clip.samples for clip in clips), "clips": len(clips), "minutes": minutes}

    @cached_property
    def usual_acceleration(self) -> float:
        """99th percentile of the joints' accelerations in the captured clips at 60 Hz, rad/s^2."""
        listing = (ROOT / "presets" / "strikes" / "strikes_clips.txt").read_text(encoding="utf-8").splitlines()
        clips = [read_clip(ROOT / line.split()[0]).resampled(60.0) for line in listing if line and line[0] != "#"]
        return float(np.percentile(np.concatenate([joint_accelerations(clip).ravel() for clip in clips]), 99))

    @cached_property
    def mixed_share(self) -> float:
        """Share of the captured attacks with a beginning and an end nearest to attacks of different other clips."""
        return float(np.mean([self.is_mixed(pose, number) for number, pose in enumerate(self.poses)]))

    def is_mixed(self, pose: Array, left_out: int | None = None) -> bool:
        """Return whether an attack's beginning and end (4, P, 3) are nearest to attacks of different clips.

        Args:
            pose: joint positions at :data:`PHASES`.
            left_out: number of an attack to ignore, with its mirror image; none by default.
        """
        away = np.linalg.norm(self.poses - pose, axis=-1).mean(axis=-1)
        if left_out is not None:
            away[left_out] = np.inf
        begin, end = away[:, :2].mean(axis=1), away[:, 2:].mean(axis=1)
        return bool(self.clips[np.argmin(begin)] != self.clips[np.argmin(end)])

    def at_phases(self, phase: Array, pose: Array, apex: int) -> Array:
        """Return poses (4, P, 3) of the attack around an apex, of phases (F) and joint positions (F, P, 3)."""
        begin = apex
        while begin > 0 and 0 < phase[begin - 1] <= phase[begin]:
            begin -= 1
        end = apex
        while end + 1 < len(phase) and phase[end + 1] >= phase[end]:
            end += 1
        return _at_phases(phase[begin : end + 1], pose[begin : end + 1])

    def draw(self, count: int, generator: np.random.Generator) -> tuple[NDArray[np.intp], Array]:
        """Return end effectors (N) and target heights (N), meters, of randomly drawn captured attacks."""
        chosen = generator.integers(0, len(self.effectors), count)
        return self.effectors[chosen], self.heights[chosen]

    def foot_speeds(self, world: Array, contacts: Array, rate: float) -> Array:
        """Return the speeds (N), m/s, of feet in contact: joints (F, P, 3), contacts (F, 4)."""
        return skate_speeds(world[:, _feet(self.dataset)], contacts, rate)


def _attacks(phase: Array) -> list[tuple[int, int]]:
    """Return first frames and frames after the last of consecutive attacks."""
    starts = [0, *(np.flatnonzero(np.diff(phase) < 0) + 1), len(phase)]
    spans = [(int(a), int(b)) for a, b in pairwise(starts)]
    return [(a, b) for a, b in spans if b - a > 3 and phase[a] < APEX_PHASE < phase[b - 1]]


def _at_phases(phase: Array, pose: Array) -> Array:
    """Return the poses (4, P, 3) at :data:`PHASES` of one attack."""
    return np.stack([pose[int(np.argmin(np.abs(phase - wanted)))] for wanted in PHASES])


def _feet(dataset: Dataset) -> list[int]:
    """Return the pose joints of heels and balls, in the order of the contacts."""
    roles, names = dataset.skeleton.roles, dataset.skeleton.names
    return [dataset.joints.index(names[roles[f"{part}.{side}"]]) for side in "LR" for part in ("foot", "toe")]
