"""A static scene of triangle meshes, indexed by cells of the ground plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array, normalize
from ..scene.collider import Triangles
from .ground import Plane

CELL_M: Final = 0.5
"""Smallest side of an index cell."""
MAX_CELLS_PER_SIDE: Final = 256
UPRIGHT_AREA_M2: Final = 1e-9
"""Largest area, seen from above, of a triangle that counts as vertical and is not ground."""
ROUNDING_M: Final = 1e-6
"""Largest depth of a point below a surface at which it still counts as on the surface."""
PAIRS_AT_ONCE: Final = 1 << 20
"""Number of pairs of points and triangles tested together."""
PATCH_CELLS: Final = 64
"""Largest number of cells of a :class:`_Patch`."""
PATCH_TRIANGLES: Final = 32
"""Largest number of triangles of a :class:`_Patch`: with more, only those in each point's own cell are tested."""
PATCH_PAIRS: Final = 1 << 13
"""Number of pairs of places and triangles up to which all triangles of a small scene are tested."""
MANY_PLACES: Final = 1 << 9
"""Number of places above which triangles that are beside all of them are not tested."""
BESIDE_M: Final = 1e-3
"""Smallest distance at which a triangle counts as beside all places."""
MAX_PATCHES: Final = 4096
"""Largest number of patches that are kept."""
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """The triangles in some neighboring cells that are not vertical, in ascending order.

    Attributes:
        members: (T) indices of the triangles.
        corner: x, y and z, each (T, 1), of their first corners, meters.
        one: x, y and z of their edges to the second corners.
        other: x, y and z of their edges to the third corners.
        area: (T, 1) twice their signed areas seen from above, square meters.
    """

    members: Indices
    corner: Array
    one: Array
    other: Array
    area: Array

    def around(self, places: Array) -> "_Patch":
        """Return the patch without the triangles that are beside all places (N, 3)."""
        near = np.ones(len(self.members), dtype=bool)
        for axis in (0, 1):
            first, one, other = self.corner[axis, :, 0], self.one[axis, :, 0], self.other[axis, :, 0]
            low, high = np.minimum(np.minimum(one, other), 0.0), np.maximum(np.maximum(one, other), 0.0)
            near &= first + low < places[:, axis].max() + BESIDE_M
            near &= first + high > places[:, axis].min() - BESIDE_M
        return _Patch(self.members[near], self.corner[:, near], self.one[:, near], self.other[:, near], self.area[near])

    def surfaces(self, places: Array) -> Array:
        """Return the heights (T, N) of the triangles at places (N, 3); -inf beside them and above the places."""
        x, y, z = places.T
        beside_x, beside_y = x - self.corner[0], y - self.corner[1]
        along = beside_x * self.other[1]
        along -= beside_y * self.other[0]
        along /= self.area
        across = np.multiply(self.one[0], beside_y, out=beside_y)
        across -= np.multiply(self.one[1], beside_x, out=beside_x)
        across /= self.area
        missed = (along < -ROUNDING_M) | (across < -ROUNDING_M)
        missed |= along + across > 1.0 + ROUNDING_M
        height = np.multiply(along, self.one[2], out=along)
        height += self.corner[2]
        height += np.multiply(across, self.other[2], out=across)
        missed |= height > z + ROUNDING_M
        height[missed] = -np.inf
        return height


class MeshScene:
    """A static :class:`~.ground.Scene` of triangles; both of their sides are surfaces.

    Args:
        vertices: (V, 3) vertices, meters, world.
        triangles: (T, 3) indices of vertices.
        floor: height of an additional level floor under the meshes, meters; no floor by default.
    """

    is_static = True

    def __init__(self, vertices: Array, triangles: Triangles, floor: float | None = None) -> None:
        self._corners = np.asarray(vertices, dtype=float)[np.asarray(triangles, dtype=np.intp)].reshape(-1, 3, 3)
        self._floor = None if floor is None else Plane(floor)
        self._edges = self._corners[:, 1:] - self._corners[:, :1]
        self._lowest, self._highest = self._corners[..., 2].min(axis=1), self._corners[..., 2].max(axis=1)
        flat = self._corners[..., :2].reshape(-1, 2)
        self._origin = flat.min(axis=0, initial=0.0)
        extent = float(np.ptp(flat, axis=0).max()) if len(flat) else 0.0
        self._cell = max(CELL_M, extent / MAX_CELLS_PER_SIDE)
        self._starts, self._members = self._index()
        self._patches: dict[tuple[int, ...], _Patch | None] = {}
        self._whole = self._patch_of(np.arange(len(self._corners)))

    @classmethod
    def of_meshes(cls, meshes: Sequence[tuple[Array, Triangles]]) -> "MeshScene":
        """Build a scene from meshes: pairs of vertices (V, 3), meters, world, and triangles (T, 3)."""
        firsts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
        triangles = [faces + first for (_, faces), first in zip(meshes, firsts, strict=False)]
        return cls(np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(triangles))

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        places = np.asarray(points, dtype=float).reshape(-1, 3)
        patch = self._patch(places)
        if patch is None:
            return self._below(points)[0]
        floor = self._floor_below(places)
        if len(places) > MANY_PLACES:
            patch = patch.around(places)
        best = np.maximum(floor, patch.surfaces(places).max(axis=0, initial=-np.inf))
        best[best == -np.inf] = np.nan
        return best.reshape(np.shape(points)[:-1])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        _, found = self._below(points)
        normals = np.broadcast_to([0.0, 0.0, 1.0], (*found.shape, 3)).copy()
        one, other = self._edges[found[found >= 0]].swapaxes(0, 1)
        across = normalize(np.cross(one, other))
        normals[found >= 0] = across * np.where(across[:, 2:] < 0.0, -1.0, 1.0)
        return normals

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        places = np.asarray(points, dtype=float).reshape(-1, 3)
        result = np.full(len(places), np.inf)
        for rows, members in self._pairs(self._cells(places)):
            surface = self._heights_over(places[rows], members)
            over = np.where(surface > places[rows, 2] + ROUNDING_M, surface, np.inf)
            np.fmin.at(result, rows, over)
        return result.reshape(np.shape(points)[:-1])

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        starts, ends = np.broadcast_arrays(np.asarray(starts, dtype=float), np.asarray(ends, dtype=float))
        first, way = starts.reshape(-1, 3), (ends - starts).reshape(-1, 3)
        result = np.zeros(len(first), dtype=bool)
        longest = float(np.linalg.norm(way[:, :2], axis=1).max(initial=0.0))
        # Triangles are also listed in cells up to a quarter of a cell away, so that no crossing is missed between
        # samples.
        ends = np.stack([first[:, 2], first[:, 2] + way[:, 2]])
        low, high = ends.min(axis=0) - ROUNDING_M, ends.max(axis=0) + ROUNDING_M
        before = np.full(len(first), -1)
        for share in np.linspace(0.0, 1.0, int(np.ceil(4 * longest / self._cell)) + 2):
            cells = self._cells(first + share * way)
            for rows, members in self._pairs(np.where(cells == before, -1, cells)):
                meets = (self._lowest[members] <= high[rows]) & (self._highest[members] >= low[rows])
                rows, members = rows[meets], members[meets]
                result[rows[self._crosses(first[rows], way[rows], members)]] = True
            before = cells
        if self._floor is not None:
            result |= self._floor.blocked(first, first + way)
        return result.reshape(starts.shape[:-1])

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        return np.array(points)

    def _below(self, points: Array) -> tuple[Array, Indices]:
        """Return the heights (...) of the first surfaces at or below points (..., 3), and their triangles' indices.

        The index is -1 where there is no triangle, such as on the floor.
        """
        places = np.asarray(points, dtype=float).reshape(-1, 3)
        best, found = self._floor_below(places), np.full(len(places), -1)
        shape, patch = np.shape(points)[:-1], self._patch(places)
        if patch is not None:
            surfaces = patch.surfaces(places)
            highest = surfaces.max(axis=0, initial=-np.inf)
            rows = np.flatnonzero(highest > best)
            # Of equally high triangles, the last counts.
            found[rows] = patch.members[::-1][np.argmax(surfaces[::-1, rows], axis=0)] if len(rows) else -1
            best[rows] = highest[rows]
            return np.where(np.isfinite(best), best, np.nan).reshape(shape), found.reshape(shape)
        for rows, members in self._pairs(self._cells(places)):
            surface = self._heights_over(places[rows], members)
            reached = surface <= places[rows, 2] + ROUNDING_M
            rows, members, surface = rows[reached], members[reached], surface[reached]
            order = np.argsort(surface, kind="stable")
            rows, members, surface = rows[order], members[order], surface[order]
            higher = surface > best[rows]
            # Of equal rows the last is written, which is the highest.
            best[rows[higher]], found[rows[higher]] = surface[higher], members[higher]
        return np.where(np.isfinite(best), best, np.nan).reshape(shape), found.reshape(shape)

    def _floor_below(self, places: Array) -> Array:
        """Return the height (N) of the floor below places (N, 3), meters; -inf where there is none."""
        if self._floor is None:
            return np.full(len(places), -np.inf)
        return np.where(places[:, 2] + ROUNDING_M >= self._floor.height, self._floor.height, -np.inf)

    def _patch(self, places: Array) -> _Patch | None:
        """Return the triangles in the cells around places (N, 3); ``None`` if cells or triangles are many."""
        if len(places) == 0 or not np.isfinite(places).all():
            return None
        whole = self._whole
        if whole is not None and len(places) * len(whole.members) < PATCH_PAIRS:
            return whole
        # Column by column: numpy is slow along an axis of length three.
        x, y = places[:, 0], places[:, 1]
        ends = x.min(), y.min(), x.max(), y.max()
        left, near, right, far = (
            min(max(int((end - start) // self._cell), -1), MAX_CELLS_PER_SIDE + 1) + 1
            for end, start in zip(ends, self._origin.tolist() * 2, strict=True)
        )
        if (right - left + 1) * (far - near + 1) > PATCH_CELLS:
            return whole
        key = left, near, right, far
        if key not in self._patches:
            if len(self._patches) >= MAX_PATCHES:
                self._patches.clear()
            self._patches[key] = self._triangles_within(*key)
        return self._patches[key]

    def _triangles_within(self, left: int, near: int, right: int, far: int) -> _Patch | None:
        """Return the triangles in a range of columns and rows of cells; ``None`` if they are many."""
        firsts = [row * (MAX_CELLS_PER_SIDE + 3) + left for row in range(near, far + 1)]
        spans = [self._members[self._starts[at] : self._starts[at + right - left + 1]] for at in firsts]
        return self._patch_of(np.unique(np.concatenate(spans)))

    def _patch_of(self, members: Indices) -> _Patch | None:
        """Return the patch of triangles (T) in ascending order; ``None`` if they are many."""
        corner = self._corners[members, 0].T[..., None]
        one, other = self._edges[members].transpose(1, 2, 0)[..., None]
        area = one[0] * other[1] - one[1] * other[0]
        level = np.abs(area[:, 0]) > UPRIGHT_AREA_M2
        if level.sum() > PATCH_TRIANGLES:
            return None
        return _Patch(members[level], corner[:, level], one[:, level], other[:, level], area[level])

    def _heights_over(self, places: Array, members: Indices) -> Array:
        """Return the heights (P) of triangles (P) at places (P, 3).

        The height is NaN where a place is not above or below its triangle.
        """
        one, other = self._edges[members].swapaxes(0, 1)
        area = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
        beside = places[:, :2] - self._corners[members, 0, :2]
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (beside[:, 0] * other[:, 1] - beside[:, 1] * other[:, 0]) / area
            across = (one[:, 0] * beside[:, 1] - one[:, 1] * beside[:, 0]) / area
            inside = (along >= -ROUNDING_M) & (across >= -ROUNDING_M) & (along + across <= 1.0 + ROUNDING_M)
            height = self._corners[members, 0, 2] + along * one[:, 2] + across * other[:, 2]
        return np.where(inside & (np.abs(area) > UPRIGHT_AREA_M2), height, np.nan)

    def _crosses(self, starts: Array, ways: Array, members: Indices) -> NDArray[np.bool_]:
        """Return whether (P) each segment crosses its triangle (Moeller and Trumbore 1997)."""
        one, other = self._edges[members].swapaxes(0, 1)
        normal = np.cross(ways, other)
        area = np.sum(one * normal, axis=1)
        from_corner = starts - self._corners[members, 0]
        turned = np.cross(from_corner, one)
        with np.errstate(divide="ignore", invalid="ignore"):
            along, across, share = (
                np.sum(pair, axis=1) / area for pair in (from_corner * normal, ways * turned, other * turned)
            )
            inside = (along >= 0.0) & (across >= 0.0) & (along + across <= 1.0)
        return inside & (share >= 0.0) & (share <= 1.0) & (np.abs(area) > 1e-12)

    def _cells(self, places: Array) -> Indices:
        """Return the index of the cell (N) that contains each place (N, 3); -1 outside all cells."""
        at = np.floor((places[:, :2] - self._origin) / self._cell).astype(np.intp) + 1
        is_inside = ((at >= 0) & (at < MAX_CELLS_PER_SIDE + 3)).all(axis=1)
        return np.where(is_inside, at[:, 1] * (MAX_CELLS_PER_SIDE + 3) + at[:, 0], -1)

    def _pairs(self, cells: Indices) -> "list[tuple[Indices, Indices]]":
        """Return, in portions, pairs (P) of an index into ``cells`` (N) and a triangle in that cell."""
        rows = np.flatnonzero(cells >= 0)
        counts = self._starts[cells[rows] + 1] - self._starts[cells[rows]]
        ends = np.cumsum(counts)
        portions = []
        for part in np.split(
            np.arange(len(rows)), np.searchsorted(ends, np.arange(PAIRS_AT_ONCE, ends[-1:].sum(), PAIRS_AT_ONCE))
        ):
            own = counts[part]
            if own.sum() == 0:
                continue
            numbers = np.repeat(part, own)
            offsets = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
            portions.append((rows[numbers], self._members[self._starts[cells[rows[numbers]]] + offsets]))
        return portions

    def _index(self) -> tuple[Indices, Indices]:
        """Return where each cell's triangles begin in the list of all cells' triangles, and that list."""
        side, margin = MAX_CELLS_PER_SIDE + 3, 0.25
        low, high = (
            np.floor((part - self._origin) / self._cell + sign * margin).astype(np.intp) + 1
            for part, sign in ((self._corners[..., :2].min(axis=1), -1), (self._corners[..., :2].max(axis=1), 1))
        )
        low, high = np.clip(low, 0, side - 1), np.clip(high, 0, side - 1)
        wide = high - low + 1
        counts = wide.prod(axis=1)
        members = np.repeat(np.arange(len(counts)), counts)
        inner = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        columns = low[members, 0] + inner % wide[members, 0]
        cells = (low[members, 1] + inner // wide[members, 0]) * side + columns
        order = np.argsort(cells, kind="stable")
        return np.searchsorted(cells[order], np.arange(side * side + 1)), members[order]
