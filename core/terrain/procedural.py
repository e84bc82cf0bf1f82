"""Procedural grounds: rocks, stairs, ramps, ledges, beams, dunes, rubble, kerbs.

Patches are cut from them since no captured ground is available (PFNN section 4.2 uses maps of games). Each kind is a
function of a random generator and a grid of positions, with the dimensions of built and natural ground.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import scipy

from ..motion.rotations import Array
from .heightfield import Heightfield

RandomGenerator = np.random.Generator
GroundFunction = Callable[[RandomGenerator, Array, Array], Array]


def make_procedural_ground(kind: str, seed: int, size: float = 12.0, cell_size: float = 0.04) -> Heightfield:
    """Make a random ground of the given kind, centered on the world's origin.

    Args:
        kind: one of :data:`GROUND_KINDS`.
        seed: seed of the ground.
        size: length of a side, meters.
        cell_size: spacing of grid points, meters.
    """
    chance = np.random.default_rng([seed, sorted(GROUND_KINDS).index(kind)])
    axis = np.arange(-size / 2, size / 2 + cell_size / 2, cell_size)
    x, y = np.meshgrid(axis, axis)
    return Heightfield.centred(GROUND_KINDS[kind](chance, x, y), cell_size)


def rocks(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of boulders of 10 to 60 cm in earth that is uneven by some centimeters.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    heights = _smooth_noise(generator, x, 1.2, 0.08)
    for _ in range(int(generator.integers(60, 160))):
        height, longer, slope = (
            generator.uniform(0.1, 0.6),
            generator.uniform(0.8, 2.0),
            generator.uniform(-0.4, 0.4, 2),
        )
        span, narrow = longer * height, generator.uniform(0.6, 1.0)
        here, along, across = _place_at_random(generator, x, y, span)
        dome = 1 - (along / span) ** 2 - (across / (span * narrow)) ** 2
        top = height * np.sqrt(np.maximum(dome, 0)) + slope[0] * along + slope[1] * across
        heights[here] = np.maximum(heights[here], np.where(dome > 0, top, -np.inf))
    return scipy.ndimage.gaussian_filter(heights, 0.7)


def stairs(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of stairs: 2 to 12 steps up or down, 12 to 20 cm high and 25 to 35 cm deep, and landings.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    along = _rotate_at_random(generator, x, y)[0]
    edges, heights, here, height = [], [], float(along.min()), 0.0
    while here < along.max():
        rise, tread = generator.uniform(0.12, 0.2) * generator.choice([-1.0, 1.0]), generator.uniform(0.25, 0.35)
        for _ in range(int(generator.integers(2, 13))):
            height += rise
            here += tread
            edges.append(here)
            heights.append(height)
        here += generator.uniform(0.6, 2.5)
    return np.array([0.0, *heights])[np.searchsorted(edges, along)]


def ramps(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of a row of slopes of up to 25 degrees, with level ground in between.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    along = _rotate_at_random(generator, x, y)[0]
    knots = np.cumsum([float(along.min()), *generator.uniform(0.8, 3.0, 24)])
    slopes = np.tan(np.radians(generator.uniform(-25.0, 25.0, 24))) * generator.choice([0.0, 1.0, 1.0], 24)
    return np.interp(along, knots, np.concatenate([[0.0], np.cumsum(slopes * np.diff(knots))]))


def ledges(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of blocks and walls, 20 to 80 cm high and 0.3 to 3 m wide.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    heights = np.zeros_like(x)
    for _ in range(int(generator.integers(10, 40))):
        half, top = (generator.uniform(0.15, 1.5), generator.uniform(0.3, 2.0)), generator.uniform(0.2, 0.8)
        _raise_block(heights, _place_at_random(generator, x, y, np.hypot(*half)), half, top)
    return heights


def beams(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of beams and planks, 15 to 40 cm wide and 30 to 60 cm above the ground.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    heights = np.zeros_like(x)
    for _ in range(int(generator.integers(4, 14))):
        half, top = (generator.uniform(1.5, 4.0), generator.uniform(0.075, 0.2)), generator.uniform(0.3, 0.6)
        _raise_block(heights, _place_at_random(generator, x, y, np.hypot(*half)), half, top)
    return heights


def dunes(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of dunes: waves of 2 to 6 m, some decimeters high, at most 30 degrees steep, like sand.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    lengths = (2.0, 3.5, 6.0)
    heights = sum((_smooth_noise(generator, x, length, 0.06 * length) for length in lengths), start=np.zeros_like(x))
    cell = float(x[0, 1] - x[0, 0])
    along_y, along_x = np.gradient(heights, cell)
    steepest = float(np.quantile(np.hypot(along_x, along_y), 0.999))
    return heights * min(1.0, np.tan(np.radians(28.0)) / steepest)


def rubble(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of broken stones of up to 30 cm, tilted, on top of each other.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    heights = np.zeros_like(x)
    for _ in range(int(generator.integers(300, 900))):
        width = generator.uniform(0.08, 0.35)
        half, slope = (width, width * generator.uniform(0.5, 1.0)), generator.uniform(-0.3, 0.3, 2)
        placed = _place_at_random(generator, x, y, np.hypot(*half))
        top = generator.uniform(0.02, 0.3) + slope[0] * placed[1] + slope[1] * placed[2]
        _raise_block(heights, placed, half, top)
    return scipy.ndimage.gaussian_filter(heights, 0.5)


def kerbs(generator: RandomGenerator, x: Array, y: Array) -> Array:
    """Return heights (R, C) of pavements 10 to 18 cm above roads that slope to the gutter, with dropped kerbs.

    Args:
        generator: source of random numbers.
        x: (R, C) grid positions along x, meters.
        y: (R, C) grid positions along y, meters.
    """
    along, across = _rotate_at_random(generator, x, y)
    road = generator.uniform(2.5, 5.0)
    beside = np.abs((across + generator.uniform(-2.0, 2.0) + 3 * road) % (2 * road) - road)
    camber = -0.025 * np.abs(beside - road)
    dropped = scipy.ndimage.uniform_filter(
        (np.sin(along / generator.uniform(0.6, 1.5) + generator.uniform(0, 6)) > 0.8).astype(float), 9
    )
    kerb = generator.uniform(0.1, 0.18) * (1 - 0.85 * dropped)
    return np.where(beside < road / 2, kerb + 0.02 * (road / 2 - beside), camber + 0.0125 * road)


def _rotate_at_random(generator: RandomGenerator, x: Array, y: Array) -> tuple[Array, Array]:
    """Return the positions' coordinates along and across a random horizontal direction."""
    angle = generator.uniform(0.0, 2 * np.pi)
    return x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)


PlacedRegion = tuple[tuple[slice, slice], Array, Array]
"""A region of the grid (slices), and its coordinates along and across an object placed in it."""


def _place_at_random(generator: RandomGenerator, x: Array, y: Array, radius: float) -> PlacedRegion:
    """Return the region around an object of the given radius, meters, placed at a random position and angle."""
    centre = generator.uniform(x.min(), x.max()), generator.uniform(y.min(), y.max())
    columns, rows = (
        slice(*np.searchsorted(axis, [at - radius, at + radius]))
        for axis, at in zip((x[0], y[:, 0]), centre, strict=True)
    )
    here = rows, columns
    return (here, *_rotate_at_random(generator, x[here] - centre[0], y[here] - centre[1]))


def _raise_block(heights: Array, placed: PlacedRegion, half_sides: tuple[float, float], top: Array | float) -> None:
    """Raise the heights in a region, in place, to the top of a block wherever the block is higher."""
    here, along, across = placed
    inside = (np.abs(along) < half_sides[0]) & (np.abs(across) < half_sides[1])
    heights[here] = np.where(inside, np.maximum(heights[here], top), heights[here])


def _smooth_noise(generator: RandomGenerator, x: Array, wavelength: float, height: float) -> Array:
    """Return Gaussian noise (R, C), meters, of a given wavelength; its standard deviation is half of ``height``."""
    cell = float(x[0, 1] - x[0, 0])
    noise = scipy.ndimage.gaussian_filter(generator.standard_normal(x.shape), wavelength / 4 / cell, mode="wrap")
    return noise * (0.5 * height / noise.std())


GROUND_KINDS: Final[dict[str, GroundFunction]] = {
    "rocks": rocks,
    "stairs": stairs,
    "ramps": ramps,
    "ledges": ledges,
    "beams": beams,
    "dunes": dunes,
    "rubble": rubble,
    "kerbs": kerbs,
}
