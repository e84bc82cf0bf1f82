"""Companions of clips: a ball or a partner, in a file beside a clip, that adds groups to the network's inputs.

A companion is transformed with its clip in all variants: other rate, other body, other path, mirror image. Clips
without one are used as well; its input groups then mark it as absent.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...core.ball.ball_track import BallTrack, ball_file, read_ball
from ...core.ball.retargeting import retarget_ball
from ...core.features.ball import BALL_PARTS, BALL_SENSORS, Conditions, ball_conditions, ball_labels, no_ball
from ...core.labelling import Labels
from ...core.motion import Clip
from ...core.motion.floor import estimate_floor_height
from ...core.motion.signals import runs_of
from ...core.rig.clip_file import read_clip
from .clip_cache import file_digest
from .partner_companion import HAND_SENSORS, PARTNER_PARTS, PartnerCompanion, partner_file

LONGEST_FLIGHT_S: Final = 0.9
"""Longest flight of an inferred ball between two contacts; if it is longer, a contact was probably missed."""


class Companion(Protocol):
    """An object or a character that moves beside the character of a clip."""

    def paced(self, tempo: float, rate: float, frames: int) -> Self:
        """Return the companion as fits its clip played ``tempo`` times as fast, in ``frames`` frames at ``rate`` Hz."""
        ...

    def carried(self, source: Clip, target: Clip) -> Self:
        """Return the companion for its clip changed from ``source`` to ``target``, with another body or path."""
        ...

    def mirrored(self, axis: int) -> Self:
        """Return the companion, mirrored like its clip along a world axis, 0 (X) or 1 (Y)."""
        ...

    def labels(self, labels: Labels) -> Labels:
        """Return the clip's labels with the companion's contacts added."""
        ...

    def conditions(self, clip: Clip, joints: tuple[str, ...]) -> Conditions:
        """Return the network's input groups that describe the companion, for the samples of a clip."""
        ...

    def known_frames(self, frames: int) -> NDArray[np.bool_]:
        """Return a mask (F) of the frames in which the companion's state is known; others give no samples."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class BallCompanion:
    """The ball of a clip; ``track`` is ``None`` for a clip without a ball."""

    track: BallTrack | None
    floor: float = 0.0

    @classmethod
    def beside(cls, clip_file: Path) -> Self:
        """Return the ball from the ball track in the file beside a clip; no ball if there is no file.

        Raises:
            FootfallError: the file is damaged or belongs to another clip.
        """
        if not ball_file(clip_file).exists():
            return cls(None)
        clip = read_clip(clip_file)
        return cls(read_ball(ball_file(clip_file), clip), estimate_floor_height(clip))

    def paced(self, tempo: float, rate: float, frames: int) -> Self:
        if self.track is None:
            return self
        return replace(self, track=replace(self.track, rate=self.track.rate * tempo).resampled(rate, frames))

    def carried(self, source: Clip, target: Clip) -> Self:
        if self.track is None:
            return self
        return replace(self, track=retarget_ball(self.track, source, target, self.floor), floor=0.0)

    def mirrored(self, axis: int) -> Self:
        return self if self.track is None else replace(self, track=self.track.mirrored(axis))

    def labels(self, labels: Labels) -> Labels:
        return labels if self.track is None else ball_labels(labels, self.track)

    def conditions(self, clip: Clip, joints: tuple[str, ...]) -> Conditions:
        return no_ball(clip) if self.track is None else ball_conditions(clip, self.track, self._known_runs())

    def known_frames(self, frames: int) -> NDArray[np.bool_]:
        if self.track is None:
            return np.ones(frames, dtype=bool)
        known = np.zeros(frames, dtype=bool)
        for start, stop in self._known_runs():
            known[start:stop] = True
        return known

    def _known_runs(self) -> NDArray[np.intp]:
        """Return the frame ranges (N, 2) in which the ball is known."""
        assert self.track is not None
        return self.track.known_runs(LONGEST_FLIGHT_S)


@dataclass(frozen=True, slots=True)
class CompanionKind:
    """A kind of companion, such as balls.

    Attributes:
        parts: input parts that it fills, of :data:`...core.features.phase_system.PARTS`.
        sensors: sensors whose contacts and phases come from the companion.
        file: function from a clip's path to the path of its companion's file.
        read: function that returns the companion of a clip, with or without such a file.
    """

    parts: tuple[str, ...]
    sensors: tuple[str, ...]
    file: Callable[[Path], Path]
    read: Callable[[Path], Companion]


KINDS: Final = {
    "ball": CompanionKind(BALL_PARTS, BALL_SENSORS, ball_file, BallCompanion.beside),
    "partner": CompanionKind(PARTNER_PARTS, HAND_SENSORS, partner_file, PartnerCompanion.beside),
}
"""Kinds of companions, by their names in the setting ``parts``."""


def known_samples(companions: Sequence[Companion], frames: int) -> list[slice]:
    """Return the slices of a clip's samples, which begin at frame 2, in which all its companions are known."""
    if not companions:
        return [slice(None)]
    known = np.all([each.known_frames(frames) for each in companions], axis=0)
    return [slice(int(start), int(stop)) for start, stop in runs_of(known[2 : frames - 1])]


def file_digests(clip_file: Path, kinds: Iterable[str]) -> list[str]:
    """Return a digest of each companion file of the given kinds beside a clip; missing files are skipped.

    Raises:
        FootfallError: a file is a pipe or a device.
        OSError: a file cannot be read.
    """
    files = [KINDS[kind].file(clip_file) for kind in kinds]
    return [file_digest(file).hex() if file.exists() else "" for file in files]
