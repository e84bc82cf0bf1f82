"""The grounds of a whole clip: for each of its parts the patches that fit it best, bent to its feet."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion import Clip
from ..motion.rotations import Array
from .cycle import parts_of
from .fitting import PLAIN, FitWeights, Patches, fit_patches
from .foot_points import Feet
from .ground import Ground, Plane
from .heightfield import Heightfield
from .refinement import refine

EVERY: Final = 0.05
"""Seconds that a point of a swinging foot stands for while patches are compared."""
LEVEL: Final = 0.04
"""Metres of an adult by which contacts on flat ground differ at most from a plane, ..."""
TILT: Final = 0.03
"""... and its slope: captures on level floors are tilted by up to two degrees."""


@dataclass(frozen=True, eq=False)
class PartTerrain:
    """The grounds of frames [start, stop) of a clip.

    Attributes:
        start, stop: the frames.
        grounds: the best first; the same number for all parts of a clip.
        errors: (K), E_fit before the refinement, square metres.
        patches: (K), which patch of the database each is; -1 where it is none.
    """

    start: int
    stop: int
    grounds: tuple[Ground, ...]
    errors: Array
    patches: NDArray[np.intp]

    @property
    def frames(self) -> range:
        """The frames."""
        return range(self.start, self.stop)


def fit_clip_terrain(
    clip: Clip, labels: Labels, patches: Patches, count: int = 10, weights: FitWeights = PLAIN
) -> list[PartTerrain]:
    """The grounds of a clip's parts, in order; every frame is in one of them.

    A clip that was captured on level ground without jumps has one part, and one ground, a :class:`Plane`. The grounds
    can be pickled, and hold what they need: they do not hang on the database.

    Args:
        clip: the motion, at the labels' rate.
        labels: its labels.
        patches: what is tried.
        count: how many grounds each part gets.
        weights: what counts how much.

    Raises:
        FootfallError: the clip has no feet, or the labels have no contacts of them.
    """
    feet = Feet.of(clip, labels)
    level = flat_level(feet)
    if level is not None:
        return [PartTerrain(0, len(clip), (Plane(level),), np.zeros(1), np.array([-1]))]
    every = max(round(EVERY * clip.rate), 1)
    result: list[PartTerrain] = []
    for start, stop in parts_of(labels).tolist():
        fit = fit_patches(feet.points(start, stop, every), patches, weights)
        best = fit.best(count)
        points = feet.points(start, stop)
        columns = np.asarray(patches.heights[:, best], dtype=float).T * 1e-4
        grounds = tuple(
            refine(
                Heightfield.centred(column.reshape(patches.cells, patches.cells), patches.cell),
                points,
                float(fit.offsets[index]),
            )
            for column, index in zip(columns, best, strict=True)
        )
        result.append(PartTerrain(start, stop, grounds, fit.errors[best].astype(float), best))
    return result


def flat_level(feet: Feet) -> float | None:
    """The level, metres, of the ground of a clip that was captured on level ground and without jumps; else ``None``."""
    if len(feet.places) == 0:
        return 0.0
    level = float(np.median(feet.places[:, 2]))
    if feet.jumping.any():
        return None
    about = feet.places - [*feet.places[:, :2].mean(axis=0), level]
    slope = np.linalg.lstsq(about[:, :2], about[:, 2], rcond=None)[0]
    slope *= min(1.0, TILT / max(float(np.linalg.norm(slope)), 1e-9))
    strays = np.abs(about[:, 2] - about[:, :2] @ slope)
    return level if np.quantile(strays, 0.95) <= LEVEL else None
