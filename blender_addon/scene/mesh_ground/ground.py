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
from .moving import Moving, is_moved_by_physics, may_move
from .placements import Hits, Placements
from .reading import Instance, UseOf, read

REMEMBERED: Final = 8192
"""Moments of moving objects that are kept ready: a walk asks many times for each frame."""
PHYSICS: Final = "is pushed about by physics, which a bake cannot follow: bake it to keyframes first"
WHOLE: Final = 1e-6
"""Parts of a frame that are none."""


class Scenery:
    """All that a walk may have to do with in a scene, read once: still things as they are now, others by frame.

    Attributes:
        troubles: why objects cannot be used, by their names.
        used: the names of objects that are used.
        uses: what objects are used as, and ...
        moving_uses: ... what those that may move are.
        moving: the names of those that may move.
    """

    def __init__(
        self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, use_of: UseOf, clock: Clock | None = None
    ) -> None:
        reading = read(depsgraph, use_of)
        unsteady = {block.session_uid for block in may_move() if isinstance(block, bpy.types.Object)}
        owners = {one.key[0] for one in reading.instances}
        objects = [thing for thing in bpy.data.objects if thing.session_uid in owners]
        moving = [thing for thing in objects if thing.session_uid in unsteady]
        self.troubles = reading.troubles
        self.used = reading.used
        self.uses = {one.use for one in reading.instances}
        self.moving_uses = {one.use for one in reading.instances if one.key[0] in unsteady}
        self.moving = {thing.name_full for thing in moving}
        self.clock = clock or Clock()
        self.still = [one for one in reading.instances if one.key[0] not in unsteady]
        self._moving = Moving(scene, moving, use_of)
        for thing in objects:
            if is_moved_by_physics(thing):
                self.troubles[thing.name_full] = PHYSICS

    @property
    def triangles(self) -> int:
        """How many triangles stand still, those of instances counted every time."""
        return sum(one.shape.triangles for one in self.still)

    def moments(self, frame: float) -> tuple[list[Instance], list[Instance], float]:
        """What moves just before and just after a frame of the walk, and how far it is from the one to the other."""
        if not self._moving:
            return [], [], 0.0
        at = self.clock.at(frame)
        low = floor(at + WHOLE)
        share = at - low
        before = self._moving.at(low)
        return (before, before, 0.0) if share < WHOLE else (before, self._moving.at(low + 1), share)


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """Moving things between two frames of the scene: their shapes at both, and how much the later ones count."""

    earlier: Placements
    later: Placements | None
    share: float

    def cast(self, points: Array, up: bool, normals: bool) -> Hits:
        hits = self.earlier.cast(points, up, normals)
        return hits if self.later is None else _blended(hits, self.later.cast(points, up, normals), self.share)


class SceneGround:
    """Some of a scene's meshes as a :class:`core.terrain.ground.Scene`.

    Args:
        scenery: the scene.
        floors: what objects are used as that have heights and normals.
        roofs: what objects are used as that have ceilings; the floors where not given.
    """

    def __init__(self, scenery: Scenery, floors: Collection[str], roofs: Collection[str] | None = None) -> None:
        self._scenery = scenery
        self._uses = {False: frozenset(floors), True: frozenset(floors if roofs is None else roofs)}
        self._still = {
            up: _placed([one for one in scenery.still if one.use in uses]) for up, uses in self._uses.items()
        }
        self._moves = {up: bool(uses & scenery.moving_uses) for up, uses in self._uses.items()}
        self._moments: OrderedDict[tuple[float, bool], _Moment] = OrderedDict()

    @property
    def steady(self) -> bool:
        """See :class:`core.terrain.ground.Scene`."""
        return not any(self._moves.values())

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`core.terrain.ground.Ground`."""
        heights = self._cast(_flat(points), frame, up=False).heights
        return np.where(np.isfinite(heights), heights, np.nan).reshape(np.shape(points)[:-1])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`core.terrain.ground.Ground`."""
        return self._cast(_flat(points), frame, up=False, normals=True).normals.reshape(np.shape(points))

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`core.terrain.ground.Ground`."""
        return self._cast(_flat(points), frame, up=True).heights.reshape(np.shape(points)[:-1])

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`core.terrain.ground.Scene`; floors alone are in the way."""
        shape = np.broadcast_shapes(np.shape(starts), np.shape(ends))
        here, there = (_flat(np.broadcast_to(points, shape)) for points in (starts, ends))
        result = self._still[False].blocked(here, there)
        if self._moves[False]:
            result |= self._moment(frame, False).earlier.blocked(here, there)
        return result.reshape(shape[:-1])

    def carried(self, points: Array, since: float, until: float) -> Array:
        """See :class:`core.terrain.ground.Scene`.

        Points over still ground, or none, stay. Meshes that change their shape carry nobody along the ground.
        """
        flat = _flat(points)
        result = flat.copy()
        if self._moves[False]:
            here, there = self._moment(since, False), self._moment(until, False)
            moved = here.earlier.cast(flat)
            rides = moved.heights > self._still[False].cast(flat).heights
            if len(here.earlier) == len(there.earlier):
                for placement in np.unique(moved.which[rides]):
                    rows = rides & (moved.which == placement)
                    way = there.earlier.matrices[placement] @ here.earlier.inverses[placement]
                    result[rows] = flat[rows] @ way[:3, :3].T + way[:3, 3]
        return result.reshape(np.shape(points))

    def _cast(self, points: Array, frame: float, up: bool, normals: bool = False) -> Hits:
        hits = self._still[up].cast(points, up, normals)
        if not self._moves[up]:
            return hits
        moved = self._moment(frame, up).cast(points, up, normals)
        return _chosen(moved.heights < hits.heights if up else moved.heights > hits.heights, moved, hits)

    def _moment(self, frame: float, up: bool) -> _Moment:
        key = (frame, up)
        if key not in self._moments:
            self._moments[key] = self._read_moment(frame, self._uses[up])
            if len(self._moments) > REMEMBERED:
                self._moments.popitem(last=False)
        return self._moments[key]

    def _read_moment(self, frame: float, uses: frozenset[str]) -> _Moment:
        before, after, share = self._scenery.moments(frame)
        before, after = ([one for one in ones if one.use in uses] for ones in (before, after))
        if [one.key for one in before] != [one.key for one in after]:  # instances come and go at whole frames
            return _Moment(_placed(after if share > 0.5 else before), None, 0.0)
        if share == 0:
            return _Moment(_placed(before), None, 0.0)
        matrices = [
            np.array(Matrix(one.matrix).lerp(Matrix(other.matrix), share))
            for one, other in zip(before, after, strict=True)
        ]
        earlier = Placements.of([one.shape for one in before], np.array(matrices))
        if all(one.shape is other.shape for one, other in zip(before, after, strict=True)):
            return _Moment(earlier, None, 0.0)
        return _Moment(earlier, Placements.of([one.shape for one in after], np.array(matrices)), share)


def _flat(points: Array) -> Array:
    return np.asarray(points, dtype=float).reshape(-1, 3)


def _placed(instances: Sequence[Instance]) -> Placements:
    return Placements.of([one.shape for one in instances], np.array([one.matrix for one in instances]))


def _chosen(first: NDArray[np.bool_], one: Hits, other: Hits) -> Hits:
    """For each point, one's hit where ``first`` (P) says so, else the other's."""
    return Hits(
        np.where(first, one.heights, other.heights),
        np.where(first, one.which, other.which),
        np.where(first[:, None], one.normals, other.normals),
    )


def _blended(one: Hits, other: Hits, share: float) -> Hits:
    """Hits on a mesh that changes its shape, between two frames; where it is at one of them only, that one's."""
    both = np.isfinite(one.heights) & np.isfinite(other.heights)
    chosen = _chosen(np.isfinite(one.heights) & ~(both & (share > 0.5)), one, other)
    with np.errstate(invalid="ignore"):
        between = one.heights + share * (other.heights - one.heights)
    return Hits(np.where(both, between, chosen.heights), chosen.which, chosen.normals)
