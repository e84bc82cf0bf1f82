"""Overlap of two bodies over time: depths of the capsules of each character in the other."""

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
"""Time before and after a hold in which hands grasp or release each other; they may overlap then, as in the hold."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyOverlap:
    """The overlap of one body, of S spheres, with another body over F frames.

    Attributes:
        depths: (F, S) depth of each of the body's spheres in the other body, meters; 0 outside.
        directions: (F, S, 3) unit vectors out of the other body, away from the sphere of it that overlaps most; 0
            outside.
        others: (F, S) index of this sphere of the other body; 0 outside.
    """

    depths: Array
    directions: Array
    others: NDArray[np.intp]

    @staticmethod
    def none(frames: int, spheres: int) -> "BodyOverlap":
        """Return the overlap of bodies that are apart, of depth 0, for given numbers of frames and spheres."""
        shape = frames, spheres
        return BodyOverlap(np.zeros(shape), np.zeros((*shape, 3)), np.zeros(shape, dtype=np.intp))

    def deepen(
        self, frames: NDArray[np.intp], spheres: tuple[NDArray[np.intp], NDArray[np.intp]], depths: Array, away: Array
    ) -> None:
        """Record the overlap of a capsule of this body with one of the other, in place, where it is the deepest so far.

        Args:
            frames: (N) frames of the overlap.
            spheres: indices of the P spheres of this body's capsule, and of the T spheres of the other's.
            depths: (N, P, T) depths of this body's spheres in the other's, meters.
            away: (N, P, T, 3) vectors from the other's spheres to this body's, meters.
        """
        nearest = depths.argmax(axis=2)[..., None]
        deepest = np.take_along_axis(depths, nearest, axis=2)[..., 0]
        rows, columns = np.nonzero(deepest > self.depths[frames[:, None], spheres[0]])
        best = nearest[rows, columns, 0]
        at = frames[rows], spheres[0][columns]
        self.depths[at], self.others[at] = deepest[rows, columns], spheres[1][best]
        ways = away[rows, columns, best]
        self.directions[at] = ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), 1e-9)


def body_overlaps(first: Clip, second: Clip, holds: NDArray[np.bool_] | None = None) -> tuple[BodyOverlap, BodyOverlap]:
    """Return the first character's overlap with the second, and the second's with the first.

    Args:
        first: the motion of the first character.
        second: the motion of the second character, frame by frame.
        holds: (F, 4) whether the hands of each of ``hand_holds.HAND_PAIRS`` hold each other; no holds by default. From
            35 ms before a hold to 35 ms after it, overlaps of these hands and their forearms are ignored.
    """
    sizes = [len(BodyCapsules.from_skeleton(clip.skeleton).radii) for clip in (first, second)]
    overlaps = [BodyOverlap.none(len(first), size) for size in sizes]
    for near in _near_pairs(first, second, holds):
        overlaps[0].deepen(near.frames, near.spheres, near.depths, near.away)
        turned = np.swapaxes(near.depths, 1, 2), -np.swapaxes(near.away, 1, 2)
        overlaps[1].deepen(near.frames, (near.spheres[1], near.spheres[0]), *turned)
    return overlaps[0], overlaps[1]


def deepest_overlap(first: Clip, second: Clip, holds: NDArray[np.bool_] | None = None) -> Array:
    """Return the depth (F), meters, of the deepest overlap of two characters in each frame; 0 if they are apart.

    The arguments are those of :func:`body_overlaps`.
    """
    deepest = np.zeros(len(first))
    for near in _near_pairs(first, second, holds):
        deepest[near.frames] = np.maximum(deepest[near.frames], near.depths.max(axis=(1, 2)))
    return deepest


@dataclass(frozen=True, slots=True, eq=False)
class _NearPair:
    """Two capsules, one of each body, in the frames in which they are near each other.

    Attributes:
        frames: (N) these frames.
        spheres: (S) spheres of the first body's capsule, and (T) of the second's.
        depths: (N, S, T) depths, meters, below zero outside.
        away: (N, S, T, 3) vectors from the second body's sphere to the first's, meters.
    """

    frames: NDArray[np.intp]
    spheres: tuple[NDArray[np.intp], NDArray[np.intp]]
    depths: Array
    away: Array


def _near_pairs(first: Clip, second: Clip, holds: NDArray[np.bool_] | None) -> Iterator[_NearPair]:
    """Yield all pairs of capsules that are near each other; arguments as for :func:`body_overlaps`."""
    bodies = [BodyCapsules.from_skeleton(clip.skeleton) for clip in (first, second)]
    centers = [body.sphere_centres(clip) for body, clip in zip(bodies, (first, second), strict=True)]
    near = _near_capsules(bodies, centers)
    if holds is not None:
        width = 2 * round(TAKING_S * first.rate) + 1
        _leave_out_held(near, bodies, scipy.ndimage.maximum_filter1d(holds, width, axis=0, mode="constant"))
    own = [[np.flatnonzero(body.sphere_capsules == n) for n in range(len(body.capsules))] for body in bodies]
    for one, other in np.argwhere(near.any(axis=0)):
        frames, spheres = np.flatnonzero(near[:, one, other]), (own[0][one], own[1][other])
        parts = [all_of[frames[:, None], those] for all_of, those in zip(centers, spheres, strict=True)]
        away = parts[0][:, :, None] - parts[1][:, None]
        reach = bodies[0].radii[spheres[0]][:, None] + bodies[1].radii[spheres[1]]
        yield _NearPair(frames, spheres, reach - np.sqrt(np.square(away).sum(axis=-1)), away)


def _near_capsules(bodies: list[BodyCapsules], centers: list[Array]) -> NDArray[np.bool_]:
    """Return in which frames each pair of capsules may overlap (F, A, B), according to their bounding spheres."""
    balls = []
    for body, all_of in zip(bodies, centers, strict=True):
        ends = [np.flatnonzero(body.sphere_capsules == number)[[0, -1]] for number in range(len(body.capsules))]
        tips = np.stack([all_of[:, end] for end in ends], axis=1)
        radii = 0.5 * np.linalg.norm(tips[0, :, 1] - tips[0, :, 0], axis=-1)
        balls.append((tips.mean(axis=2), radii + [body.radii[end].max() for end in ends]))
    (first, radii), (second, others) = balls
    squares = np.square(first[:, :, None] - second[:, None]).sum(axis=-1)
    return squares < np.square(radii[:, None] + others)


def _leave_out_held(near: NDArray[np.bool_], bodies: list[BodyCapsules], holds: NDArray[np.bool_]) -> None:
    """Clear, in a mask of near capsules (F, A, B), hands that hold each other (F, 4), and the adjacent forearms."""
    for sides, held in zip(HAND_PAIRS, holds.T, strict=True):
        arms = [
            np.flatnonzero(np.isin(body.roles, (f"hand.{side}", f"forearm.{side}")))
            for body, side in zip(bodies, sides, strict=True)
        ]
        near[np.ix_(np.flatnonzero(held), *arms)] = False
