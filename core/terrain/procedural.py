"""Ground made by chance, as people meet it: rocks, stairs, ramps, ledges, beams, dunes, rubble, kerbs.

Heights that patches are cut from where no captured ground is at hand (PFNN section 4.2 takes them from games). Each
kind is a function of a generator and a grid of places; what it makes has the dimensions of built and grown things.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter, uniform_filter

from ..motion.rotations import Array
from .heightfield import Heightfield

Chance = np.random.Generator
Kind = Callable[[Chance, Array, Array], Array]


def procedural(kind: str, seed: int, size: float = 12.0, cell: float = 0.04) -> Heightfield:
    """Ground of a kind, centred on the world's origin.

    Args:
        kind: one of :data:`KINDS`.
        seed: draws it.
        size: metres along a side.
        cell: metres from point to point.
    """
    chance = np.random.default_rng([seed, sorted(KINDS).index(kind)])
    axis = np.arange(-size / 2, size / 2 + cell / 2, cell)
    x, y = np.meshgrid(axis, axis)
    return Heightfield.centred(KINDS[kind](chance, x, y), cell)


def rocks(chance: Chance, x: Array, y: Array) -> Array:
    """Boulders of 10 to 60 cm in earth, and between them unevenness of some centimetres."""
    heights = _waves(chance, x.shape, 30.0, 0.08)
    for _ in range(int(chance.integers(60, 160))):
        height = chance.uniform(0.1, 0.6)
        along, across = _placed(chance, x, y)
        span = chance.uniform(0.8, 2.0) * height
        dome = 1 - (along / span) ** 2 - (across / (span * chance.uniform(0.6, 1.0))) ** 2
        tilt = chance.uniform(-0.4, 0.4) * along + chance.uniform(-0.4, 0.4) * across
        heights = np.maximum(heights, np.where(dome > 0, height * np.sqrt(np.maximum(dome, 0)) + tilt, -np.inf))
    return gaussian_filter(heights, 0.7)


def stairs(chance: Chance, x: Array, y: Array) -> Array:
    """Flights of 2 to 12 steps up and down, of 12 to 20 cm over 25 to 35 cm, and landings between."""
    along = _turned(chance, x, y)[0]
    edges, heights, here, height = [], [], float(along.min()), 0.0
    while here < along.max():
        rise, tread = chance.uniform(0.12, 0.2) * chance.choice([-1.0, 1.0]), chance.uniform(0.25, 0.35)
        for _ in range(int(chance.integers(2, 13))):
            height += rise
            here += tread
            edges.append(here)
            heights.append(height)
        here += chance.uniform(0.6, 2.5)
    return np.array([0.0, *heights])[np.searchsorted(edges, along)]


def ramps(chance: Chance, x: Array, y: Array) -> Array:
    """Slopes of up to 25 degrees, one after the other, and the level between."""
    along = _turned(chance, x, y)[0]
    knots = np.cumsum([float(along.min()), *chance.uniform(0.8, 3.0, 24)])
    slopes = np.tan(np.radians(chance.uniform(-25.0, 25.0, 24))) * chance.choice([0.0, 1.0, 1.0], 24)
    return np.interp(along, knots, np.concatenate([[0.0], np.cumsum(slopes * np.diff(knots))]))


def ledges(chance: Chance, x: Array, y: Array) -> Array:
    """Blocks and walls of 20 to 80 cm, 0.3 to 3 m wide."""
    heights = np.zeros_like(x)
    for _ in range(int(chance.integers(10, 40))):
        along, across = _placed(chance, x, y)
        inside = (np.abs(along) < chance.uniform(0.15, 1.5)) & (np.abs(across) < chance.uniform(0.3, 2.0))
        heights = np.where(inside, np.maximum(heights, chance.uniform(0.2, 0.8)), heights)
    return heights


def beams(chance: Chance, x: Array, y: Array) -> Array:
    """Beams and planks of 15 to 40 cm, 30 to 60 cm over what is beside them."""
    heights = np.zeros_like(x)
    for _ in range(int(chance.integers(4, 14))):
        along, across = _placed(chance, x, y)
        on = (np.abs(across) < chance.uniform(0.075, 0.2)) & (np.abs(along) < chance.uniform(1.5, 4.0))
        heights = np.where(on, np.maximum(heights, chance.uniform(0.3, 0.6)), heights)
    return heights


def dunes(chance: Chance, x: Array, y: Array) -> Array:
    """Soft hills: waves of 1 to 6 m, up to 30 cm high."""
    return sum(
        (_waves(chance, x.shape, length / 0.04 / 4, chance.uniform(0.05, 0.3)) for length in (1.5, 3.0, 6.0)),
        start=np.zeros_like(x),
    )


def rubble(chance: Chance, x: Array, y: Array) -> Array:
    """Broken stones of up to 30 cm, tilted, over each other."""
    heights = np.zeros_like(x)
    for _ in range(int(chance.integers(300, 900))):
        along, across = _placed(chance, x, y)
        width = chance.uniform(0.08, 0.35)
        inside = (np.abs(along) < width) & (np.abs(across) < width * chance.uniform(0.5, 1.0))
        top = chance.uniform(0.02, 0.3) + chance.uniform(-0.3, 0.3) * along + chance.uniform(-0.3, 0.3) * across
        heights = np.where(inside, np.maximum(heights, top), heights)
    return gaussian_filter(heights, 0.5)


def kerbs(chance: Chance, x: Array, y: Array) -> Array:
    """Pavements of 10 to 18 cm beside roads that fall to the gutter, with dropped kerbs."""
    along, across = _turned(chance, x, y)
    road = chance.uniform(2.5, 5.0)
    beside = np.abs((across + chance.uniform(-2.0, 2.0) + 3 * road) % (2 * road) - road)
    camber = -0.025 * np.abs(beside - road)
    dropped = uniform_filter((np.sin(along / chance.uniform(0.6, 1.5) + chance.uniform(0, 6)) > 0.8).astype(float), 9)
    kerb = chance.uniform(0.1, 0.18) * (1 - 0.85 * dropped)
    return np.where(beside < road / 2, kerb + 0.02 * (road / 2 - beside), camber + 0.0125 * road)


def _turned(chance: Chance, x: Array, y: Array) -> tuple[Array, Array]:
    """Coordinates along and across a direction drawn by chance."""
    angle = chance.uniform(0.0, 2 * np.pi)
    return x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)


def _placed(chance: Chance, x: Array, y: Array) -> tuple[Array, Array]:
    """Coordinates along and across a thing put and turned by chance."""
    return _turned(chance, x - chance.uniform(x.min(), x.max()), y - chance.uniform(y.min(), y.max()))


def _waves(chance: Chance, shape: tuple[int, ...], width: float, height: float) -> Array:
    """Smooth noise of about so many points' width, whose standard deviation is half the height, metres."""
    noise = gaussian_filter(chance.standard_normal(shape), width, mode="wrap")
    return noise * (0.5 * height / noise.std())


KINDS: Final[dict[str, Kind]] = {
    "rocks": rocks,
    "stairs": stairs,
    "ramps": ramps,
    "ledges": ledges,
    "beams": beams,
    "dunes": dunes,
    "rubble": rubble,
    "kerbs": kerbs,
}
