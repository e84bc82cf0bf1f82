"""Overlap of two bodies: how deep the capsules of one character are in those of another, over time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion import Clip
from ..motion.hand_holds import HAND_PAIRS
from ..motion.rotations import Array
from .body_capsules import BodyCapsules

TAKING_S: Final = 0.035
"""Time before and after a hold in which hands take each other and let go, and may touch as in it."""
CHUNK_FRAMES: Final = 128
"""Frames that are compared at once."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyOverlap:
    """The overlap of one body with another over F frames.

    Attributes:
        depths: (F, S) depth of each sphere of the one body in the other body, meters; 0 outside.
        directions: (F, S, 3) unit vectors out of the other body, from its nearest sphere.
        others: (F, S) index of that sphere.
    """

    depths: Array
    directions: Array
    others: NDArray[np.intp]


def body_overlaps(first: Clip, second: Clip, holds: NDArray[np.bool_] | None = None) -> tuple[BodyOverlap, BodyOverlap]:
    """Return the overlap of each of two characters with the other; see :mod:`.body_capsules`.

    Args:
        first: the motion of the first character.
        second: that of the second, frame by frame.
        holds: (F, 4) which of ``hand_holds.HAND_PAIRS`` hold each other: these hands may touch each other and the
            forearms behind them, from :data:`TAKING_S` before to as long after; none by default.
    """
    if holds is not None:
        width = 2 * round(TAKING_S * first.rate) + 1
        holds = scipy.ndimage.maximum_filter1d(holds, width, axis=0, mode="constant")
    bodies = [BodyCapsules.from_skeleton(clip.skeleton) for clip in (first, second)]
    centers = [body.sphere_centres(clip) for body, clip in zip(bodies, (first, second), strict=True)]
    found: tuple[list[BodyOverlap], list[BodyOverlap]] = [], []
    masks = _held_masks(bodies) if holds is not None and holds.any() else None
    for part in _chunks(len(first)):
        depths = _sphere_depths(bodies, centers[0][part], centers[1][part])
        if masks is not None and holds is not None:
            for held, mask in zip(holds[part].T, masks, strict=True):
                depths[
                    np.ix_(np.flatnonzero(held), *(np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0)))
                ] = -np.inf
        found[0].append(_deepest(depths, centers[0][part], centers[1][part]))
        found[1].append(_deepest(np.swapaxes(depths, 1, 2), centers[1][part], centers[0][part]))
    return _joined(found[0]), _joined(found[1])


def deepest_overlap(first: Clip, second: Clip, holds: NDArray[np.bool_] | None = None) -> Array:
    """Return the greatest depth (F) of two characters in each other, meters; arguments as :func:`body_overlaps`."""
    return body_overlaps(first, second, holds)[0].depths.max(axis=1)


def _chunks(frames: int) -> Iterator[slice]:
    """Yield slices of frames."""
    for start in range(0, frames, CHUNK_FRAMES):
        yield slice(start, start + CHUNK_FRAMES)


def _sphere_depths(bodies: list[BodyCapsules], first: Array, second: Array) -> Array:
    """Return the depths (N, S, T) of spheres with centers (N, S, 3) in those with centers (N, T, 3), meters."""
    squares = np.square(first).sum(axis=-1)[:, :, None] + np.square(second).sum(axis=-1)[:, None]
    distances = np.sqrt(np.maximum(squares - 2 * first @ np.swapaxes(second, 1, 2), 0.0))
    return bodies[0].radii[:, None] + bodies[1].radii - distances


def _held_masks(bodies: list[BodyCapsules]) -> list[NDArray[np.bool_]]:
    """Return for each pair of hands which spheres (S, T) may touch while they hold each other."""
    masks = []
    for sides in HAND_PAIRS:
        mask = np.zeros((len(bodies[0].radii), len(bodies[1].radii)), dtype=bool)
        rows, columns = (
            body.sphere_indices((f"hand.{side}", f"forearm.{side}")) for body, side in zip(bodies, sides, strict=True)
        )
        mask[np.ix_(rows, columns)] = True
        masks.append(mask)
    return masks


def _deepest(depths: Array, own: Array, others: Array) -> BodyOverlap:
    """Return the overlap of spheres (N, S, 3) with those (N, T, 3) of another body, from all depths (N, S, T)."""
    nearest = depths.argmax(axis=2)
    deepest = np.take_along_axis(depths, nearest[..., None], axis=2)[..., 0]
    away = own - np.take_along_axis(others, nearest[..., None], axis=1)
    sizes = np.linalg.norm(away, axis=-1, keepdims=True)
    return BodyOverlap(np.maximum(deepest, 0.0), away / np.maximum(sizes, 1e-9), nearest)


def _joined(parts: list[BodyOverlap]) -> BodyOverlap:
    """Return overlaps of consecutive frames as one."""
    fields = ([getattr(part, name) for part in parts] for name in ("depths", "directions", "others"))
    return BodyOverlap(*(np.concatenate(values) for values in fields))
