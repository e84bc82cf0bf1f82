"""Scenes whose surfaces are known in closed form: reliefs, boxes, and ground that moves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Scene, StaticScene

SLOPE = 1e-4
"""Meters over which the slope of a relief is taken."""
ROUNDING = 1e-9
"""Meters by which a point may be under a surface on which it is."""


@dataclass(frozen=True)
class Relief:
    """A :class:`Ground` of one surface, the height over every place: nothing is ever under it.

    Attributes:
        height: from places (..., 2) to heights (...), meters; NaN where there is no ground.
    """

    height: Callable[[Array], Array]

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return self.height(np.asarray(points, dtype=float)[..., :2])

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        xy = np.asarray(points, dtype=float)[..., :2]
        rises = [
            (self.height(xy + step) - self.height(xy - step)) / (2 * SLOPE)
            for step in (np.array([SLOPE, 0.0]), np.array([0.0, SLOPE]))
        ]
        normals = np.stack([-rises[0], -rises[1], np.ones_like(rises[0])], axis=-1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        return np.where(np.isnan(normals), [0.0, 0.0, 1.0], normals)

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        return np.full(np.shape(points)[:-1], np.inf)


def relief(height: Callable[[Array], Array]) -> StaticScene:
    """A still scene of one surface: see :class:`Relief`."""
    return StaticScene(Relief(height))


Corner = tuple[float, float, float]


@dataclass(frozen=True)
class Boxes:
    """A :class:`Scene` of boxes along the axes, whose six faces are surfaces, as those of a mesh are.

    Attributes:
        boxes: the lower and the upper corner of each, meters.
    """

    boxes: Sequence[tuple[Corner, Corner]]
    is_static = True

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        surfaces, z = self._surfaces(points)
        below = np.where(surfaces <= z + ROUNDING, surfaces, -np.inf).max(axis=-1, initial=-np.inf)
        return np.where(np.isfinite(below), below, np.nan)

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        return np.broadcast_to([0.0, 0.0, 1.0], np.shape(points)).copy()

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        surfaces, z = self._surfaces(points)
        return np.where(surfaces > z + ROUNDING, surfaces, np.inf).min(axis=-1, initial=np.inf)

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        starts, ends = np.broadcast_arrays(np.asarray(starts, dtype=float), np.asarray(ends, dtype=float))
        result = np.zeros(starts.shape[:-1], dtype=bool)
        for lower, upper in self.boxes:
            with np.errstate(all="ignore"):
                shares = (np.array([lower, upper])[:, *(None,) * len(result.shape)] - starts) / (ends - starts)
            beside = (ends == starts) & ((starts < lower) | (starts > upper))
            entering = np.nan_to_num(shares.min(axis=0), nan=-np.inf).max(axis=-1)
            leaving = np.nan_to_num(shares.max(axis=0), nan=np.inf).min(axis=-1)
            crossed = ((entering >= 0) & (entering <= 1)) | ((leaving >= 0) & (leaving <= 1))
            result |= (entering <= leaving) & crossed & ~beside.any(axis=-1)
        return result

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        return np.array(points)

    def _surfaces(self, points: Array) -> tuple[Array, Array]:
        """Heights (..., 2 N) of tops and undersides over and under points, NaN beside a box; the points' (..., 1)."""
        points = np.asarray(points, dtype=float)
        lower, upper = np.array(self.boxes).swapaxes(0, 1)
        xy = points[..., None, :2]
        inside = ((xy >= lower[:, :2]) & (xy <= upper[:, :2])).all(axis=-1)
        return (
            np.concatenate([np.where(inside, side[:, 2], np.nan) for side in (lower, upper)], axis=-1),
            points[..., 2:],
        )


@dataclass(frozen=True)
class Carrier:
    """A :class:`Scene` that moves rigidly and evenly, over one that stands still.

    Attributes:
        floor: what stands still.
        rider: what moves, as it is at frame 0.
        turn: radians a frame, to the left about ``pivot``.
        pivot: (2) meters.
        velocity: (3) meters a frame.
    """

    floor: Scene
    rider: Scene
    turn: float = 0.0
    pivot: tuple[float, float] = (0.0, 0.0)
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    is_static = False

    def moved(self, points: Array, since: float, until: float) -> Array:
        """Where points (..., 3) of what moves get from one frame to another."""
        points = np.asarray(points, dtype=float)
        pivots = [np.array([*self.pivot, 0.0]) + frame * np.array(self.velocity) for frame in (since, until)]
        cosine, sine = np.cos(self.turn * (until - since)), np.sin(self.turn * (until - since))
        turned = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return (points - pivots[0]) @ turned.T + pivots[1]

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.fmax(self.floor.heights(points), self._rider_heights(points, frame))

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        return np.broadcast_to([0.0, 0.0, 1.0], np.shape(points)).copy()

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        over = self.rider.ceilings(self.moved(points, frame, 0.0)) + frame * self.velocity[2]
        return np.minimum(self.floor.ceilings(points), over)

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        there = self.rider.blocked(self.moved(starts, frame, 0.0), self.moved(ends, frame, 0.0))
        return self.floor.blocked(starts, ends) | there

    def move_with_ground(self, points: Array, from_frame: float, to_frame: float) -> Array:
        rides = ~(self._rider_heights(points, from_frame) <= np.nan_to_num(self.floor.heights(points), nan=-np.inf))
        rides &= ~np.isnan(self._rider_heights(points, from_frame))
        return np.where(rides[..., None], self.moved(points, from_frame, to_frame), points)

    def _rider_heights(self, points: Array, frame: float) -> Array:
        return self.rider.heights(self.moved(points, frame, 0.0)) + frame * self.velocity[2]


CELL = 0.01
"""Meters: how finely blocks are cut out."""
FAR = 60.0
"""Meters to where floors end."""
FLOOR: tuple[Corner, Corner] = ((-FAR, -FAR, -1.0), (FAR, FAR, 0.0))


def stairs(rise: float = 0.17, tread: float = 0.29, count: int = 8, up: float = 2.0, down: float = 6.0) -> StaticScene:
    """Stairs towards +x that go up from x = ``up``, and down again from x = ``down``."""

    def steps(x: Array, begin: float) -> Array:
        return np.clip(np.floor((x - begin) / tread) + 1, 0, count)

    return relief(lambda xy: rise * (steps(xy[..., 0], up) - steps(xy[..., 0], down)))


def slope(degrees: float = 20.0, up: float = 1.5, down: float = 5.5, length: float = 2.5) -> StaticScene:
    """A ramp towards +x that rises over ``length`` meters from x = ``up``, and falls over as many from x = ``down``."""
    rise = np.tan(np.radians(degrees))
    return relief(lambda xy: rise * (np.clip(xy[..., 0] - up, 0, length) - np.clip(xy[..., 0] - down, 0, length)))


def tilted(degrees: float, towards: tuple[float, float] = (1.0, 0.0)) -> StaticScene:
    """A plane without end through the origin that rises towards a direction."""
    gradient = np.tan(np.radians(degrees)) * np.array(towards) / np.linalg.norm(towards)
    return relief(lambda xy: xy @ gradient)


def rubble(seed: int = 0, height: float = 0.3, length: float = 10.0, width: float = 3.0) -> StaticScene:
    """Blocks with upright sides thrown on the floor over ``length`` meters of x and ``width`` to both sides."""
    chance = np.random.default_rng(seed)
    x, y = np.arange(0.0, length, CELL), np.arange(-width, width, CELL)
    grid = np.zeros((len(y), len(x)))
    for _ in range(round(8 * length * 2 * width)):
        at, half = chance.uniform([0.7, -width], [length - 0.7, width]), chance.uniform(0.08, 0.3, 2)
        cosine, sine = np.cos(angle := chance.uniform(0, np.pi)), np.sin(angle)
        columns, rows = np.abs(x - at[0]) < np.hypot(*half), np.abs(y - at[1]) < np.hypot(*half)
        right, up = np.meshgrid(x[columns] - at[0], y[rows] - at[1])
        inside = (np.abs(right * cosine + up * sine) < half[0]) & (np.abs(up * cosine - right * sine) < half[1])
        part = np.ix_(rows, columns)
        grid[part] = np.maximum(grid[part], np.where(inside, chance.uniform(0.03, height), 0.0))

    def heights(xy: Array) -> Array:
        column, row = (np.floor((xy[..., axis] - low) / CELL).astype(int) for axis, low in ((0, 0.0), (1, -width)))
        thrown = (column >= 0) & (column < grid.shape[1]) & (row >= 0) & (row < grid.shape[0])
        return np.where(thrown, grid[np.clip(row, 0, grid.shape[0] - 1), np.clip(column, 0, grid.shape[1] - 1)], 0.0)

    return relief(heights)


def wall(x: float = 4.0, height: float = 2.5, gap: tuple[float, float] | None = None, end: float = FAR) -> Boxes:
    """A floor with a wall across x, 20 cm thick, from y = -``end`` to ``end``, open over a range of y."""
    begin, finish = gap or (end, end)
    parts = [(-end, begin), (finish, end)]
    return Boxes([FLOOR, *(((x - 0.1, a, 0.0), (x + 0.1, b, height)) for a, b in parts if b > a)])


def pit(x: float = 4.0, width: float = 1.0, depth: float = 2.0, end: float = FAR) -> Boxes:
    """A floor with a pit across x, from y = -``end`` to ``end``."""
    near, far = x - width / 2, x + width / 2
    floor = [((-FAR, -FAR, -1.0 - depth), (near, FAR, 0.0)), ((far, -FAR, -1.0 - depth), (FAR, FAR, 0.0))]
    sides = [((near, a, -1.0 - depth), (far, b, 0.0)) for a, b in ((-FAR, -end), (end, FAR)) if b > a]
    return Boxes([*floor, *sides, ((near, -end, -1.0 - depth), (far, end, -depth))])


def roof(height: float, begin: float = 3.0, end: float = 6.0) -> Boxes:
    """A floor with a slab over it, as wide as the floor, from x = ``begin`` to ``end``."""
    return Boxes([FLOOR, ((begin, -FAR, height), (end, FAR, height + 0.3))])


def turntable(degrees: float = 15.0, pivot: tuple[float, float] = (3.0, 0.0), radius: float = 2.5) -> Carrier:
    """A disc on the floor, 10 cm high, that turns by so many degrees a second at 60 frames a second."""

    def disc(xy: Array) -> Array:
        return np.where(np.linalg.norm(xy - pivot, axis=-1) < radius, 0.1, np.nan)

    return Carrier(Boxes([FLOOR]), relief(disc), turn=np.radians(degrees) / 60, pivot=pivot)


def lift(speed: float = 0.3, begin: float = -1.0, end: float = 5.0) -> Carrier:
    """A platform from x = ``begin`` to ``end`` that rises by so many meters a second from the floor on."""
    return Carrier(Boxes([FLOOR]), Boxes([((begin, -3.0, -0.2), (end, 3.0, 0.01))]), velocity=(0.0, 0.0, speed / 60))


def train(speed: float = 2.0, begin: float = -2.0, end: float = 8.0, width: float = 3.0) -> Carrier:
    """A wagon along x, half a meter high, that drives towards +y with so many meters a second."""
    wagon = Boxes([((begin, -width / 2, 0.0), (end, width / 2, 0.5))])
    return Carrier(Boxes([FLOOR]), wagon, velocity=(0.0, speed / 60, 0.0))
