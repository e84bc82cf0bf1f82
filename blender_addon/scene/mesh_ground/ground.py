"""A scene's meshes as ground: heights, normals and ceilings of still and moving objects."""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import floor
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.motion.rotations import Array
from .clock import Clock
from .moving import MovingInstances, is_moved_by_physics, possibly_moving_data
from .placements import Placements, RayHits
from .reading import ShapeInstance, UseLookup, read_instances

MAX_CACHED_MOMENTS: Final = 8192
"""Number of cached moments of moving objects, since a walk makes many queries for each frame."""
PHYSICS_WARNING: Final = "physics moves the object, which Footfall cannot follow: bake the physics to keyframes first"
WHOLE_FRAME_TOLERANCE: Final = 1e-6
"""Largest fraction of a frame that counts as zero."""


class SceneGeometry:
    """All geometry of a scene that is relevant for a walk: static objects as of now, moving ones by frame.

    Attributes:
        warnings: reasons why objects cannot be used as they are, by the object's full name.
        used_names: full names of the used objects.
        uses: uses of objects, such as ``"walkable"``.
        moving_uses: uses of objects that may move.
        moving_names: full names of the objects that may move.
        clock: clock that maps frames of the walk to scene frames.
        static_instances: instances of the objects that do not move.
    """

    def __init__(
        self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, use_of: UseLookup, clock: Clock | None = None
    ) -> None:
        reading = read_instances(depsgraph, use_of)
        unsteady = {block.session_uid for block in possibly_moving_data() if isinstance(block, bpy.types.Object)}
        owners = {one.key[0] for one in reading.instances}
        objects = [thing for thing in bpy.data.objects if thing.session_uid in owners]
        moving = [thing for thing in objects if thing.session_uid in unsteady]
        self.warnings = reading.warnings
        self.used_names = reading.used_names
        self.uses = {one.use for one in reading.instances}
        self.moving_uses = {one.use for one in reading.instances if one.key[0] in unsteady}
        self.moving_names = {thing.name_full for thing in moving}
        self.clock = clock or Clock()
        self.static_instances = [one for one in reading.instances if one.key[0] not in unsteady]
        self._moving_instances = MovingInstances(scene, moving, use_of)
        for thing in objects:
            if is_moved_by_physics(thing):
                self.warnings[thing.name_full] = PHYSICS_WARNING

    @property
    def triangles(self) -> int:
        """Number of static triangles, counted once per instance."""
        return sum(one.shape.triangles for one in self.static_instances)

    def moving_instances_around(self, frame: float) -> tuple[list[ShapeInstance], list[ShapeInstance], float]:
        """Return the moving instances just before and just after a frame of the walk, and the fraction between them."""
        if not self._moving_instances:
            return [], [], 0.0
        at = self.clock.at(frame)
        low = floor(at + WHOLE_FRAME_TOLERANCE)
        share = at - low
        before = self._moving_instances.instances_at(low)
        return (
            (before, before, 0.0)
            if share < WHOLE_FRAME_TOLERANCE
            else (before, self._moving_instances.instances_at(low + 1), share)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _InterpolatedInstances:
    """Moving instances between two frames of the scene: their shapes at both, and the weight of the later frame."""

    earlier: Placements
    later: Placements | None
    later_weight: float

    def cast(self, points: Array, up: bool, normals: bool) -> RayHits:
        hits = self.earlier.cast(points, up, normals)
        return (
            hits if self.later is None else _blend_hits(hits, self.later.cast(points, up, normals), self.later_weight)
        )


class SceneGround:
    """Some of a scene's meshes as a :class:`core.terrain.ground.Scene`.

    Args:
        scenery: the scene.
        floors: uses of objects that provide heights and normals.
        roofs: uses of objects that provide ceilings; by default the floors' uses.
    """

    def __init__(
        self, scenery: SceneGeometry, floor_uses: Collection[str], ceiling_uses: Collection[str] | None = None
    ) -> None:
        self._scenery = scenery
        self._uses = {
            False: frozenset(floor_uses),
            True: frozenset(floor_uses if ceiling_uses is None else ceiling_uses),
        }
        self._static_placements = {
            up: _to_placements([one for one in scenery.static_instances if one.use in uses])
            for up, uses in self._uses.items()
        }
        self._has_moving = {up: bool(uses & scenery.moving_uses) for up, uses in self._uses.items()}
        self._moments: OrderedDict[tuple[float, bool], _InterpolatedInstances] = OrderedDict()

    @property
    def is_static(self) -> bool:
        return not any(self._has_moving.values())

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        heights = self._cast(_flat(points), frame, up=False).heights
        return np.where(np.isfinite(heights), heights, np.nan).reshape(np.shape(points)[:-1])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        return self._cast(_flat(points), frame, up=False, normals=True).normals.reshape(np.shape(points))

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        return self._cast(_flat(points), frame, up=True).heights.reshape(np.shape(points)[:-1])

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`core.terrain.ground.Scene`; only floors block the way."""
        shape = np.broadcast_shapes(np.shape(starts), np.shape(ends))
        here, there = (_flat(np.broadcast_to(points, shape)) for points in (starts, ends))
        result = self._static_placements[False].blocked(here, there)
        if self._has_moving[False]:
            result |= self._interpolated(frame, False).earlier.blocked(here, there)
        return result.reshape(shape[:-1])

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        """See :class:`core.terrain.ground.Scene`.

        Points over still ground or no ground do not move. Meshes that change their shape do not carry characters along.
        """
        flat = _flat(points)
        result = flat.copy()
        if self._has_moving[False]:
            here, there = self._interpolated(from_frame, False), self._interpolated(to_frame, False)
            moved = here.earlier.cast(flat)
            rides = moved.heights > self._static_placements[False].cast(flat).heights
            if len(here.earlier) == len(there.earlier):
                for placement in np.unique(moved.placement_indices[rides]):
                    rows = rides & (moved.placement_indices == placement)
                    way = there.earlier.matrices[placement] @ here.earlier.inverses[placement]
                    result[rows] = flat[rows] @ way[:3, :3].T + way[:3, 3]
        return result.reshape(np.shape(points))

    def _cast(self, points: Array, frame: float, up: bool, normals: bool = False) -> RayHits:
        hits = self._static_placements[up].cast(points, up, normals)
        if not self._has_moving[up]:
            return hits
        moved = self._interpolated(frame, up).cast(points, up, normals)
        return _select_hits(moved.heights < hits.heights if up else moved.heights > hits.heights, moved, hits)

    def _interpolated(self, frame: float, up: bool) -> _InterpolatedInstances:
        key = (frame, up)
        if key not in self._moments:
            self._moments[key] = self._read_interpolated(frame, self._uses[up])
            if len(self._moments) > MAX_CACHED_MOMENTS:
                self._moments.popitem(last=False)
        return self._moments[key]

    def _read_interpolated(self, frame: float, uses: frozenset[str]) -> _InterpolatedInstances:
        before, after, share = self._scenery.moving_instances_around(frame)
        before, after = ([one for one in ones if one.use in uses] for ones in (before, after))
        if [one.key for one in before] != [one.key for one in after]:  # instances appear and disappear at whole frames
            return _InterpolatedInstances(_to_placements(after if share > 0.5 else before), None, 0.0)
        if share == 0:
            return _InterpolatedInstances(_to_placements(before), None, 0.0)
        matrices = [
            np.array(Matrix(one.matrix).lerp(Matrix(other.matrix), share))
            for one, other in zip(before, after, strict=True)
        ]
        earlier = Placements.of([one.shape for one in before], np.array(matrices))
        if all(one.shape is other.shape for one, other in zip(before, after, strict=True)):
            return _InterpolatedInstances(earlier, None, 0.0)
        return _InterpolatedInstances(earlier, Placements.of([one.shape for one in after], np.array(matrices)), share)


def _flat(points: Array) -> Array:
    return np.asarray(points, dtype=float).reshape(-1, 3)


def _to_placements(instances: Sequence[ShapeInstance]) -> Placements:
    return Placements.of([one.shape for one in instances], np.array([one.matrix for one in instances]))


def _select_hits(from_first: NDArray[np.bool_], first: RayHits, second: RayHits) -> RayHits:
    """Return the hits of ``first`` where ``from_first`` (P) is true, and those of ``second`` elsewhere."""
    return RayHits(
        np.where(from_first, first.heights, second.heights),
        np.where(from_first, first.placement_indices, second.placement_indices),
        np.where(from_first[:, None], first.normals, second.normals),
    )


def _blend_hits(first: RayHits, second: RayHits, weight: float) -> RayHits:
    """Return hits on a deforming mesh, interpolated between two frames; a hit at only one of them is kept as it is."""
    both = np.isfinite(first.heights) & np.isfinite(second.heights)
    chosen = _select_hits(np.isfinite(first.heights) & ~(both & (weight > 0.5)), first, second)
    with np.errstate(invalid="ignore"):
        between = first.heights + weight * (second.heights - first.heights)
    return RayHits(np.where(both, between, chosen.heights), chosen.placement_indices, chosen.normals)
