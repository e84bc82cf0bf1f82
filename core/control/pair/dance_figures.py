"""Figures of a dance: captured trajectories of two dancers, used to control two characters.

A figure has the roots, gaits and held hands of a captured pair, but no poses; the network makes those.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...features.locomotion import ROOT_SMOOTHING_S, gait_inputs, network_gaits
from ...jobs.atomic import write_atomically
from ...jobs.bounded_files import ContentError, read_arrays
from ...labelling import Labels
from ...motion import Clip, Skeleton
from ...motion.hand_holds import HAND_PAIRS, held_hands
from ...motion.proportions import scale_between
from ...motion.root_frame import root_track
from ...motion.rotations import Array
from ...retarget.fit import fit_clip

FIGURE_RATE_HZ: Final = 10.0
"""Samples per second of the figures in a file; roots are smoothed over 0.4 s."""
ROLES: Final = ("leader", "follower")
"""Names of the two dancers among a controller's performers, in the order of a figure's second axis."""
ARRAYS: Final = ("names", "lengths", "gait_names", "positions", "yaws", "gaits", "holds")
"""Names of the arrays in a file of figures."""


@dataclass(frozen=True, eq=False)
class Figure:
    """The control of a pair of dancers over N frames.

    Attributes:
        name: name of the captured pair.
        positions: (N, 2, 2) root positions of the leader and the follower, meters.
        yaws: (N, 2) yaws of the roots, unwrapped, radians.
        gaits: (N, 2, G) weights of G gaits, 0 to 1.
        holds: (N, 4) for each of ``hand_holds.HAND_PAIRS``, 1 while its two hands hold each other, otherwise 0.
    """

    name: str
    positions: Array
    yaws: Array
    gaits: Array
    holds: Array

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.positions)

    def cut(self, start: int, stop: int) -> "Figure":
        """Return the frames from `start` up to, but not including, `stop`."""
        part = slice(start, stop)
        return Figure(self.name, self.positions[part], self.yaws[part], self.gaits[part], self.holds[part])

    def resampled(self, rate: float, target: float) -> "Figure":
        """Return the figure at another rate: roots on splines, gaits interpolated linearly, holds of the nearest frame.

        Args:
            rate: samples per second of this figure.
            target: samples per second of the result.
        """
        times = np.arange(len(self)) / rate
        wanted = np.arange(int(times[-1] * target + 1e-6) + 1) / target
        positions, yaws = (
            scipy.interpolate.CubicSpline(times, values, axis=0)(wanted) for values in (self.positions, self.yaws)
        )
        shape = (len(wanted), *self.gaits.shape[1:])
        flat = self.gaits.reshape(len(self), -1)
        gaits = np.stack([np.interp(wanted, times, column) for column in flat.T], axis=-1).reshape(shape)
        nearest = np.minimum(np.rint(wanted * rate).astype(int), len(self) - 1)
        return Figure(self.name, positions, yaws, gaits, self.holds[nearest])


@dataclass(frozen=True, eq=False)
class DanceFigures:
    """Figures of one dance at :data:`FIGURE_RATE_HZ`.

    Attributes:
        gait_names: names of the figures' G gaits.
        figures: figures of captured pairs.
    """

    gait_names: tuple[str, ...]
    figures: tuple[Figure, ...]

    @cached_property
    def seconds(self) -> float:
        """Duration of all figures together, seconds."""
        return sum(len(figure) for figure in self.figures) / FIGURE_RATE_HZ

    def save(self, path: Path) -> None:
        """Write the figures to an ``.npz`` file; an existing file stays intact if that fails.

        Raises:
            OSError: the file cannot be written.
        """
        arrays: dict[str, Any] = {
            "names": np.array([figure.name for figure in self.figures], dtype=np.str_),
            "lengths": np.array([len(figure) for figure in self.figures]),
            "gait_names": np.array(self.gait_names, dtype=np.str_),
        }
        for name in ARRAYS[len(arrays) :]:
            arrays[name] = np.concatenate([getattr(figure, name) for figure in self.figures]).astype(np.float32)
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        write_atomically(path, file.getvalue())

    @staticmethod
    def load(path: Path) -> "DanceFigures":
        """Return the figures in a file written by :meth:`save`.

        Raises:
            FootfallError: the file is missing, damaged, or not a file of figures.
        """
        try:
            arrays = read_arrays(path, ARRAYS)
            gaits = tuple(map(str, arrays["gait_names"]))
            stops = np.cumsum(arrays["lengths"].astype(int))
            parts = [np.split(arrays[name].astype(float), stops[:-1]) for name in ARRAYS[3:]]
            figures = tuple(Figure(str(name), *each) for name, *each in zip(arrays["names"], *parts, strict=True))
            _require_shapes(figures, len(gaits), int(stops[-1]))
        except (OSError, ContentError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise FootfallError(
                "'{path}' contains no dance figures ({error}): make them with `python -m footfall make-dance-figures`",
                path=path,
                error=error,
            ) from error
        return DanceFigures(gaits, figures)


def fit_pair(leader: Clip, follower: Clip, skeleton: Skeleton) -> tuple[Clip, Clip]:
    """Return a captured pair retargeted to one skeleton, on the plane z = 0, at a distance scaled to the skeleton.

    Args:
        leader: motion of the character that leads.
        follower: motion of the character that follows, in the same space.
        skeleton: the controller's skeleton.
    """
    scales = [scale_between(clip.skeleton, skeleton) for clip in (leader, follower)]
    fitted = []
    for clip, scale in zip((leader, follower), scales, strict=True):
        own = fit_clip(clip, skeleton)
        # Each was scaled by its own size: the space between them has one scale.
        level = np.array([np.mean(scales) / scale, np.mean(scales) / scale, 1.0])
        fitted.append(replace(own, root_positions=own.root_positions * level))
    return fitted[0], fitted[1]


def figure_of(leader: Clip, follower: Clip, labels: Sequence[Labels]) -> Figure:
    """Return the figure of a captured pair at :data:`FIGURE_RATE_HZ`.

    Args:
        leader: motion of the character that leads, on the ground z = 0.
        follower: motion of the character that follows, in the same space and frames.
        labels: labels of the leader and the follower.
    """
    tracks = [root_track(clip, ROOT_SMOOTHING_S) for clip in (leader, follower)]
    gaits = [
        gait_inputs(clip, marks, np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1) * clip.rate)
        for clip, marks, track in zip((leader, follower), labels, tracks, strict=True)
    ]
    positions = np.stack([track.positions for track in tracks], axis=1)
    yaws, weights = np.stack([track.yaws for track in tracks], axis=1), np.stack(gaits, axis=1)
    holds = held_hands(leader, follower).astype(float)
    return Figure(leader.name, positions, yaws, weights, holds).resampled(leader.rate, FIGURE_RATE_HZ)


def figure_gaits(labels: Labels) -> tuple[str, ...]:
    """Return the names of the gaits that a figure made from a captured pair with these labels has."""
    return network_gaits(labels.gait_names)


def _require_shapes(figures: Sequence[Figure], gaits: int, frames: int) -> None:
    """Raise ``ValueError`` unless arrays are finite, and shaped like figures with `frames` frames in total."""
    shapes = {"positions": (2, 2), "yaws": (2,), "gaits": (2, gaits), "holds": (len(HAND_PAIRS),)}
    for figure in figures:
        for name, shape in shapes.items():
            values: NDArray[np.floating] = getattr(figure, name)
            if values.shape != (len(figure), *shape) or not np.isfinite(values).all():
                raise ValueError(f"the array '{name}' has another shape, or numbers that are not finite")
    if not figures or frames != sum(len(figure) for figure in figures) or min(map(len, figures)) < 2:
        raise ValueError("a dance figure in the file is empty")
