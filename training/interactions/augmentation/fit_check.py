"""Checks of motion adapted to replaced objects: the walk stays clear of them, and the body does not penetrate them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations import Array
from ....core.scene.body_capsules import BodyCapsules
from ....core.scene.body_size import BODY_HEIGHT_RANGE_M
from ....core.scene.collider import Collider
from ....core.scene.collider_pose import AnimatedCollider, PosedCollider
from ....core.tuning import Tuning, tuned
from ..take import TakeObject
from .adapted_motion import AdaptedMotion, AdaptedPoses


@dataclass(frozen=True, slots=True)
class FitCheckTuning(Tuning):
    max_joint_error: float = tuned(0.02, "m", 0.001, 0.2)
    """Largest distance of a key joint in contact from its goal, or of a foot from its place."""
    max_extra_depth: float = tuned(0.03, "m", 0.0, 0.2)
    """Largest depth of the body in the new object, in addition to its depth in the take's own object."""
    clearance: float = tuned(0.05, "m", 0.0, 0.5)
    """Least distance of the walk from the new object, unless the take's own object was nearer."""
    max_approach: float = tuned(0.1, "m", 0.0, 0.5)
    """Largest distance by which the root may come nearer to the new object than to the take's own, if it was near
    that."""
    path_step: int = tuned(10, "frames", 1, 60)
    """Frames between two checked positions of the walk."""
    body_step: int = tuned(4, "frames", 1, 60)
    """Poses between two checked bodies."""


TUNING: Final = FitCheckTuning()

COLLIDER_CACHE_SIZE: Final = 1024
"""Number of colliders whose outlines and radii are cached."""


def keeps_clear(motion: AdaptedMotion, first: int, last: int) -> bool:
    """Return whether the new objects are clear of all other objects and of the character's path.

    Args:
        motion: the adapted motion.
        first: first checked frame; it may lie beyond the take's ends.
        last: last checked frame.
    """
    number = motion.contacts.number
    own, new = motion.record.objects[number], motion.replacement.objects[number]
    if new.kind != "seat":
        return True
    at = np.clip(np.arange(first, last + TUNING.path_step, TUNING.path_step), 0, len(motion.record) - 1)
    before = _distances(own, motion.record.track.positions[at])
    after = _distances(new, motion.root_at(at).positions)
    if (after < np.minimum(before - TUNING.max_approach, TUNING.clearance)).any():
        return False
    return all(
        _gap(new, other) > min(_gap(own, other), 0.0)
        for index, other in enumerate(motion.record.objects)
        if index != number
    )


def _distances(seat: TakeObject, positions: Array) -> Array:
    """Return the horizontal distances (N), m, of roots (N, 2) from an upright object's outline in its first pose."""
    posed = PosedCollider(seat.collider, seat.positions[0], seat.rotations[0])
    return _outline(seat.collider).distances(posed.to_local(np.column_stack([positions, np.zeros(len(positions))])))


def _gap(first: TakeObject, second: TakeObject) -> float:
    """Return the gap, m, between the bounding circles of two objects in their first poses; negative if they overlap."""
    apart = np.linalg.norm((first.positions[0] - second.positions[0])[:2])
    return float(apart) - _radius(first.collider) - _radius(second.collider)


@lru_cache(maxsize=COLLIDER_CACHE_SIZE)
def _outline(collider: Collider) -> Collider:
    """Return the part of a collider's outline at the height of a body; cached."""
    return collider.footprint(*BODY_HEIGHT_RANGE_M)


@lru_cache(maxsize=COLLIDER_CACHE_SIZE)
def _radius(collider: Collider) -> float:
    """Return the radius, m, of a collider's bounding circle on the ground, about its origin; cached."""
    lower, upper = collider.bounds
    return float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper))[:2]))


def is_in_reach(errors: Array) -> bool:
    """Return whether all distances (N), m, of key joints from their goals are at most 2 cm."""
    return bool(errors.max(initial=0.0) < TUNING.max_joint_error)


@dataclass(frozen=True, eq=False)
class BodyDepths:
    """The S spheres of bodies in N poses before and after the adaptation to new objects.

    Attributes:
        own, adapted: centers (N, S, 3) of the spheres in the takes' own poses and in the adapted ones, m, world.
        radii: (S) radii of the spheres, m.
    """

    own: Array
    adapted: Array
    radii: Array

    @staticmethod
    def of(poses: AdaptedPoses, body: BodyCapsules) -> "BodyDepths":
        """Return the spheres that cover a body in each of the given poses."""
        return BodyDepths(body.sphere_centres(poses.own), body.sphere_centres(poses.adapted), body.radii)

    def stay_outside(self, motion: AdaptedMotion, frames: NDArray[np.intp], rows: NDArray[np.intp]) -> bool:
        """Return whether bodies penetrate the new object at most 3 cm deeper than the take's own object.

        Args:
            motion: the adapted motion.
            frames: (L) frames of the take with changed poses.
            rows: (L) indices of these frames among the N poses.
        """
        if len(frames) == 0:
            return True
        chosen = np.arange(len(frames) - 1, -1, -TUNING.body_step)
        number = motion.contacts.number
        after = self._depth(motion.replacement.objects[number], self.adapted[rows[chosen]], frames[chosen])
        if after.max() < TUNING.max_extra_depth:
            return True
        before = self._depth(motion.record.objects[number], self.own[rows[chosen]], frames[chosen])
        return bool((after < before + TUNING.max_extra_depth).all())

    def _depth(self, take_object: TakeObject, centres: Array, frames: NDArray[np.intp]) -> Array:
        """Return the depth (L), m, in an object of the deepest of a body's spheres (L, S, 3); 0 outside."""
        posed = AnimatedCollider(take_object.collider, take_object.positions[frames], take_object.rotations[frames])
        points = posed.to_local(centres).reshape(-1, 3)
        depths = -take_object.collider.nearby_distances(points)
        inside = np.flatnonzero(depths == 0.0)
        if len(inside):
            depths[inside] = np.linalg.norm(take_object.collider.exit_vectors(points[inside]), axis=-1)
        return np.maximum(self.radii + depths.reshape(len(frames), -1), 0.0).max(axis=1)
