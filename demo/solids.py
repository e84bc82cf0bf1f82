"""Shapes of built things: boxes, stairs, ramps, prisms, fields of stones, as points and faces."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..core.errors import FootfallError
from ..core.motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A closed body.

    Attributes:
        points: (N, 3) points, meters, world.
        faces: points of each face, counterclockwise seen from outside.
    """

    points: Array
    faces: tuple[tuple[int, ...], ...]

    def placed(self, at: Sequence[float], turn: float) -> "Solid":
        """Return the body turned about Z by degrees, then moved."""
        angle = math.radians(turn)
        cosine, sine = math.cos(angle), math.sin(angle)
        matrix = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return Solid(self.points @ matrix.T + np.asarray(at, dtype=float), self.faces)


MAX_PIECES: Final = 10_000
"""Steps of stairs, or stones of rubble."""


def prism(corners: Array, height: float, top: Array | None = None, tilt: Array | None = None) -> Solid:
    """Return a body on a base polygon (N, 2), counterclockwise from above.

    Args:
        corners: base polygon, meters.
        height: height of its top, meters.
        top: the polygon of its top, with as many corners; by default the base.
        tilt: (2) rise of the top towards x and y.
    """
    corners = np.asarray(corners, dtype=float)
    over = corners if top is None else np.asarray(top, dtype=float)
    if over.shape != corners.shape or corners.ndim != 2 or len(corners) < 3:
        raise FootfallError("A prism needs three corners or more, and a top with as many.")
    rise = height + (over @ np.asarray(tilt) if tilt is not None else np.zeros(len(over)))
    points = np.concatenate([np.column_stack([corners, np.zeros(len(corners))]), np.column_stack([over, rise])])
    count = len(corners)
    sides = tuple((i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count))
    return Solid(points, (tuple(reversed(range(count))), tuple(range(count, 2 * count)), *sides))


def box(size: Sequence[float]) -> Solid:
    """Return a box with the middle of its bottom at the origin."""
    x, y, z = size
    return prism(np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) / 2, z)


def ramp(length: float, width: float, rise: float) -> Solid:
    """Return a wedge that rises along +x, with the middle of its low edge at the origin."""
    half = width / 2
    points = [(0, -half, 0), (length, -half, 0), (length, half, 0), (0, half, 0), (length, -half, rise)]
    faces = ((0, 3, 2, 1), (0, 4, 5, 3), (1, 2, 5, 4), (0, 1, 4), (2, 3, 5))
    return Solid(np.array([*points, (length, half, rise)], dtype=float), faces)


def stairs(steps: int, rise: float, tread: float, width: float) -> Solid:
    """Return stairs that rise along +x, solid down to the floor, with the foot of the first riser at the origin."""
    if steps > MAX_PIECES:
        raise ValueError(f"at most {MAX_PIECES} steps")
    outline = [(0.0, 0.0)]
    for step in range(steps):
        outline += [(step * tread, (step + 1) * rise), ((step + 1) * tread, (step + 1) * rise)]
    outline.append((steps * tread, 0.0))
    count = len(outline)
    points = [(x, y, z) for y in (-width / 2, width / 2) for x, z in outline]
    around = tuple((i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count))
    return Solid(np.array(points), (tuple(reversed(range(count))), tuple(range(count, 2 * count)), *around))


def rubble(
    size: Sequence[float], count: int, highest: float, lowest: float, across: Sequence[float], seed: int
) -> Iterator[Solid]:
    """Return broken stones scattered over a rectangle around the origin.

    Args:
        size: size of the rectangle, meters along x and y.
        count: number of stones.
        highest, lowest: heights of their tops, meters; most are low.
        across: smallest and largest width, meters.
        seed: another number strews otherwise.
    """
    if count > MAX_PIECES:
        raise ValueError(f"at most {MAX_PIECES} stones")
    smallest, largest = across
    random = np.random.default_rng(seed)
    for _ in range(count):
        sides = int(random.integers(5, 8))
        turns = np.sort(random.uniform(0, 2 * math.pi, sides)) + np.linspace(0, 2 * math.pi, sides, endpoint=False)
        rim = np.column_stack([np.cos(turns / 2), np.sin(turns / 2)])
        radius = random.uniform(smallest, largest) / 2
        foot = rim * radius * random.uniform(0.8, 1.0, (sides, 1)) * (1.0, random.uniform(0.6, 1.0))
        tilt = random.uniform(-0.15, 0.15, 2)
        height = lowest + (highest - lowest) * random.random() ** 1.5 - float(np.abs(tilt).sum()) * radius
        stone = prism(foot, max(height, lowest), foot * random.uniform(0.65, 0.9), tilt)
        at = (*(random.uniform(-0.5, 0.5, 2) * size), 0.0)
        yield stone.placed(at, math.degrees(random.uniform(0, 2 * math.pi)))


SHAPES: Final[Mapping[str, Callable[..., Solid | Iterator[Solid]]]] = {
    "box": box,
    "prism": lambda corners, height, top=None: prism(np.array(corners), height, None if top is None else np.array(top)),
    "ramp": ramp,
    "rubble": rubble,
    "stairs": stairs,
}


def solids_of(shape: str, values: Mapping[str, Any]) -> list[Solid]:
    """Return the bodies of a shape around the origin, by its name and values.

    Raises:
        FootfallError: there is no such shape, or a value is missing, superfluous or invalid.
    """
    if shape not in SHAPES:
        raise FootfallError(f"There is no shape '{shape}': choose one of {', '.join(SHAPES)}.")
    try:
        made = SHAPES[shape](**values)
        return [made] if isinstance(made, Solid) else [*made]
    except (TypeError, ValueError, OverflowError) as error:
        raise FootfallError(f"The values of a {shape} are wrong: {error}.") from error
