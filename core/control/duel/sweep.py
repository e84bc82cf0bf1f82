"""Distances between spheres of two moving bodies; for weapons, which sweep far in a frame, between frames as well."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class SweepTuning(Tuning):
    weapon_steps: int = tuned(4, "1", 1, 32)
    """Number of tested moments per frame if either body has a weapon, whose tip can move 30 cm per frame."""
    sweep: float = tuned(0.2, "m", 0.0, 1.0)
    """Largest gap between two spheres that may still close before the next frame."""


TUNING: Final = SweepTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Vectors between the collision spheres of two moving bodies, at the moments when some pair may touch.

    Attributes:
        steps: number of moments per frame; more than one with a weapon.
        count: number of moments from the first frame to the last, including those without near spheres.
        moments: (M) indices of the moments at which some spheres are near each other.
        away: (M, S, T, 3) vectors from the other body's T spheres to the body's own S spheres, meters, world.
        reach: (S, T) distances at which spheres touch, meters.
    """

    steps: int
    count: int
    moments: NDArray[np.intp]
    away: Array
    reach: Array

    @staticmethod
    def of(clip: Clip, other: Clip, own: NDArray[np.intp], theirs: NDArray[np.intp], flesh: float) -> "Sweep":
        """Return the vectors between some spheres of one body and those of another that it moves past.

        Args:
            clip: motion of the body, of two frames or more.
            other: motion of the other body, with as many frames.
            own: indices (S) of the body's spheres.
            theirs: indices (T) of the other body's spheres.
            flesh: penetration depth up to which spheres count as touching, meters.
        """
        bodies = [BodyCapsules.from_skeleton(one.skeleton) for one in (clip, other)]
        steps = TUNING.weapon_steps if any(is_armed(one) for one in (clip, other)) else 1
        reach = bodies[0].radii[own][:, None] + bodies[1].radii[theirs] - flesh

        def between(*motions: Clip) -> Array:
            centers = [body.sphere_centres(motion) for body, motion in zip(bodies, motions, strict=True)]
            return centers[0][:, own, None] - centers[1][:, None, theirs]

        away, count = between(clip, other), (len(clip) - 1) * steps + 1
        if steps == 1:
            return Sweep(1, count, np.arange(count), away, reach)
        near = (np.sum(away**2, axis=-1) < (reach + TUNING.sweep) ** 2).any(axis=(1, 2))
        moments = np.flatnonzero(np.repeat(scipy.ndimage.binary_dilation(near), steps)[:count])
        if len(moments):
            away = between(*(motion.at(moments / steps) for motion in (clip, other)))
        return Sweep(steps, count, moments, away[: len(moments)], reach)

    def over_frames(self, values: Array) -> Array:
        """Return, for each frame (F), the largest of the values at moments less than a frame away.

        It is 0 in frames in which no spheres are near each other.

        Args:
            values: (M) values at the moments, 0 or more.
        """
        whole = np.zeros(self.count)
        whole[self.moments] = values
        return scipy.ndimage.maximum_filter1d(whole, 2 * self.steps - 1, mode="nearest")[:: self.steps]

    def longest_over_frames(self, vectors: Array) -> Array:
        """Return, for each frame (F, 3), the longest of the vectors at moments less than a frame away.

        Args:
            vectors: (M, 3) vectors at the moments.
        """
        whole, reach = np.zeros((self.count + 2 * (self.steps - 1), 3)), self.steps - 1
        whole[self.moments + reach] = vectors
        near = np.lib.stride_tricks.sliding_window_view(whole, 2 * reach + 1, axis=0)[:: self.steps]
        longest = np.linalg.norm(near, axis=1).argmax(axis=1)
        return np.take_along_axis(near, longest[:, None, None], axis=2)[..., 0]


def is_armed(clip: Clip) -> bool:
    """Return whether the last joint of a motion's skeleton is a held weapon."""
    return any(role.startswith("weapon") for role in clip.skeleton.roles)
