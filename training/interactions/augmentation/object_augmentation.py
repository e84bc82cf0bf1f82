"""Object augmentation: objects are replaced at random in the windows that the training reads (NSM section 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.features.interaction import (
    PREDICTION_HORIZON_FRAMES,
    SAMPLE_OFFSETS_FRAMES,
    Float32,
    has_goals,
    sample_frames,
)
from ....core.scene.body_capsules import BodyCapsules
from ....core.scene.environment_sensor import SENSOR_RADIUS_M
from ....core.tuning import Tuning, tuned
from ...data.dataset import Dataset
from ...data.manifest import ClipEntry, DatasetError
from ..take_record import TakeRecord
from .adapted_motion import AdaptedMotion, AdaptedPoses, adapt_poses
from .augmented_samples import FIRST_POSE, AugmentedWindow, augmented_samples
from .fit_check import BodyDepths, is_in_reach, keeps_clear
from .key_joint_contacts import TakeContacts
from .object_pool import SeatPool
from .object_replacement import draw_replacement


@dataclass(frozen=True, slots=True)
class ObjectAugmentationTuning(Tuning):
    attempts: int = tuned(4, "1", 1, 100)
    """Largest number of objects drawn for a window until one leaves the character's path free."""


TUNING: Final = ObjectAugmentationTuning()

WindowSeeds = Sequence[tuple[int, ...]]
"""Seeds of windows (B), of one or several numbers each."""
FIRST_FRAME: Final = int(sample_frames(4)[0])
"""Take frame of the first sample."""


@dataclass(slots=True)
class DrawCounts:
    """Number of windows for which an object was drawn, and number of failures by reason.

    Attributes:
        in_the_way: windows in which no drawn object left the character's path free.
        out_of_reach: windows in which key joints did not reach their goals.
        inside: windows in which the body would have penetrated the object.
    """

    drawn: int = 0
    in_the_way: int = 0
    out_of_reach: int = 0
    inside: int = 0

    @property
    def failed(self) -> int:
        """Number of windows that keep their own object because no replacement fits."""
        return self.in_the_way + self.out_of_reach + self.inside

    def __add__(self, other: "DrawCounts") -> "DrawCounts":
        return DrawCounts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def __str__(self) -> str:
        reasons = f"{self.in_the_way} in the way, {self.out_of_reach} out of reach, {self.inside} inside the object"
        return f"{self.drawn} varied, of which {self.failed} keep the original object ({reasons})"


@dataclass(eq=False)
class ObjectAugmentation:
    """Replaces objects in windows of one split of an interaction data set.

    Takes about a seat or a carried box are augmented; those of doors, lying and pushing are unchanged.

    Args:
        dataset: a data set of interactions, as input of the network.
        split: the split whose frames are numbered.
        share: share of the windows near an object in which that object is replaced.
        seed: seed of the pool of seats.
    """

    dataset: Dataset
    split: str
    share: float
    seed: int
    counts: DrawCounts = field(default_factory=DrawCounts)

    def __post_init__(self) -> None:
        if not has_goals(self.dataset.input_layout):
            raise DatasetError(
                "The data set '{path}' has no interactions, and therefore no objects to vary: set augmented_share to 0",
                path=self.dataset.path,
            )
        self._clips = self.dataset.clips_in_split(self.split)
        self._firsts = np.cumsum([0, *(clip.samples for clip in self._clips)])
        self._known: dict[int, tuple[TakeRecord, TakeContacts] | None] = {}
        self._body = BodyCapsules.from_skeleton(self.dataset.skeleton)
        if self._clips:
            self._take(0)  # Detect a data set without records at once.

    @cached_property
    def pool(self) -> SeatPool:
        """Pool of furniture from which the replacements of seats are drawn."""
        return SeatPool(self.seed)

    def draw(
        self, starts: NDArray[np.intp], length: int, seeds: WindowSeeds
    ) -> tuple[NDArray[np.intp], Float32, Float32]:
        """Replace objects in a random share of the windows, and return the samples of the changed ones.

        Args:
            starts: (B) first frames of the windows, as numbered in the split; frames beyond the split are ignored.
            length: frames of a window, T.
            seeds: (B) seeds of the windows; nothing else determines the drawn objects.

        Returns:
            Indices (R) of the windows with a replaced object, and their normalized x (R, T, n) and y (R, T, m).
        """
        drawn = [(row, self._draw_window(int(starts[row]), length, seeds[row])) for row in range(len(starts))]
        rows = np.array([row for row, window in drawn if window is not None], dtype=np.intp)
        windows = [window for _, window in drawn if window is not None]
        inputs, outputs = (layout.size for layout in self.dataset.layouts)
        if not windows:
            none = np.zeros((0, length, inputs + outputs), dtype=np.float32)
            return rows, none[..., :inputs], none[..., inputs:]
        frames = [window.pose_frames for window in windows]
        poses = adapt_poses([(window.motion, at) for window, at in zip(windows, frames, strict=True)])
        fits = self._fits(windows, poses)
        x, y = augmented_samples(windows, poses, self.dataset.joints, self.dataset.reference_rotations)
        norm = self.dataset.normalization
        return (
            rows[fits],
            (x[fits] - norm.x_mean) / norm.x_std,
            (y[fits] - norm.y_mean) / norm.y_std,
        )

    def _draw_window(self, start: int, length: int, seed: tuple[int, ...]) -> AugmentedWindow | None:
        """Return a window with a replaced object; ``None`` if no replacement is made."""
        generator = np.random.default_rng(seed)
        if generator.random() >= self.share or start >= self._firsts[-1]:
            return None
        number = int(np.searchsorted(self._firsts, start, side="right")) - 1
        taken = self._take(number)
        first = start - int(self._firsts[number]) + FIRST_FRAME
        if taken is None or not _is_near(*taken, first):
            return None
        around = first + SAMPLE_OFFSETS_FRAMES[0], first + length + PREDICTION_HORIZON_FRAMES
        record, contacts = taken[0], taken[1].during(*around)
        self.counts.drawn += 1
        frames = np.arange(first, first + length)
        for _ in range(TUNING.attempts):
            replacement = draw_replacement(record, contacts, self.pool, generator)
            if replacement is None:
                break
            motion = AdaptedMotion(record, contacts, replacement)
            if keeps_clear(motion, *around):
                return AugmentedWindow(motion, frames)
        self.counts.in_the_way += 1
        return None

    def _fits(self, windows: Sequence[AugmentedWindow], poses: AdaptedPoses) -> NDArray[np.bool_]:
        """Return a mask (R) of windows in which the body reaches the new object but stays outside; count failures."""
        depths, result, row = BodyDepths.of(poses, self._body), np.ones(len(windows), dtype=bool), 0
        for number, window in enumerate(windows):
            frames = window.pose_frames
            rows = np.arange(row, row + len(frames))
            row += len(frames)
            # Poses a second ahead are checked only if the others are the take's own.
            changed = np.flatnonzero(poses.changed[rows])
            changed = changed[changed < len(window.frames) - FIRST_POSE] if poses.changed[rows][0] else changed
            if not is_in_reach(poses.errors[rows]):
                result[number] = False
                self.counts.out_of_reach += 1
            elif not depths.stay_outside(window.motion, frames[changed], rows[changed]):
                result[number] = False
                self.counts.inside += 1
        return result

    def _take(self, number: int) -> tuple[TakeRecord, TakeContacts] | None:
        """Return the record and contacts of a take of the split; ``None`` if it is not augmented; cached."""
        if number not in self._known:
            clip: ClipEntry = self._clips[number]
            record = TakeRecord.load(self.dataset.path / "shards" / clip.shard, self.dataset.skeleton)
            contacts = TakeContacts.of(record)
            # Drop the poses computed for the contacts.
            fresh = replace(record, clip=replace(record.clip))
            self._known[number] = None if contacts is None else (fresh, contacts)
        return self._known[number]


def _is_near(record: TakeRecord, contacts: TakeContacts, frame: int) -> bool:
    """Return whether the object of a take is within the environment sensor's range at a frame."""
    apart = record.objects[contacts.number].positions[frame, :2] - record.track.positions[frame]
    return float(np.hypot(*apart)) < SENSOR_RADIUS_M
