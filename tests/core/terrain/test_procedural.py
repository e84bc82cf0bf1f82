"""Made ground has the dimensions of built and grown things, and is the same for the same seed."""

from typing import Any

import numpy as np
import pytest

from footfall.core.terrain.procedural import (
    GROUND_KINDS,
    make_procedural_ground,
)

AXIS = np.arange(-6.0, 6.0, 0.0517) + 0.02
X, Y = np.meshgrid(AXIS, AXIS)


class Chosen(np.random.Generator):
    """A generator whose numbers are a share of the way through each range; of choices, the first or the last."""

    def __init__(self, share: float, last: bool = True) -> None:
        super().__init__(np.random.PCG64(0))
        self.share, self.last, self.ranges = share, last, []

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        found = low + self.share * (np.asarray(high) - low)
        return float(found) if size is None else np.full(size, found)

    def integers(self, low: Any, high: Any = None, *_: Any, **__: Any) -> Any:
        self.ranges.append((low, high))
        return round(low + self.share * (high - 1 - low))

    def choice(self, a: Any, size: Any = None, *_: Any, **__: Any) -> Any:
        found = a[-1 if self.last else 0]
        return found if size is None else np.full(size, found)


def made(kind: str, share: float, last: bool = True) -> np.ndarray:
    return GROUND_KINDS[kind](Chosen(share, last), X, Y)


@pytest.mark.parametrize("kind", GROUND_KINDS)
@pytest.mark.parametrize("cell", [0.04, 0.02])
def test_every_kind_is_ground_of_the_size_that_was_asked_for(kind: str, cell: float) -> None:
    field = make_procedural_ground(kind, 3, 6.0, cell)
    assert np.isfinite(field.grid).all()
    assert np.ptp(field.grid) > 0.05
    np.testing.assert_allclose(field.extent, [[-3.0, -3.0], [3.0, 3.0]], atol=2 * cell)


@pytest.mark.parametrize("kind", GROUND_KINDS)
def test_the_seed_says_what_is_made(kind: str) -> None:
    one, same, other = (make_procedural_ground(kind, seed, 6.0) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.grid, same.grid)
    assert not np.array_equal(one.grid, other.grid)


@pytest.mark.parametrize("seed", range(4))
def test_stairs_rise_as_people_build_them(seed: int) -> None:
    levels = np.unique(make_procedural_ground("stairs", seed, 8.0).grid.round(6))
    assert np.diff(levels).max() <= 0.2 + 1e-6


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("share", [0.0, 1 / 8, 0.5, 1.0])
def test_stairs_are_flights_of_equal_steps_with_landings(share: float, last: bool) -> None:
    angle = 2 * np.pi * share
    along = X * np.cos(angle) + Y * np.sin(angle)
    rise, tread = (0.12 + 0.08 * share) * (1.0 if last else -1.0), 0.25 + 0.1 * share
    steps, landing = round(2 + 10 * share), 0.6 + 1.9 * share
    edges = along.min() + np.array(
        [flight * (steps * tread + landing) + tread * (step + 1) for flight in range(40) for step in range(steps)]
    )
    climbed, later = np.searchsorted(edges, along), np.searchsorted(edges, along + 1e-6)
    near = later != np.searchsorted(edges, along - 1e-6)
    np.testing.assert_allclose(made("stairs", share, last)[~near], (rise * climbed)[~near], atol=1e-9)
    assert near.mean() < 0.1


def test_a_ground_reaches_from_edge_to_edge_and_kinds_differ_for_one_seed() -> None:
    field = make_procedural_ground("stairs", 3)
    assert field.grid.shape == (301, 301) and field.cell_size == 0.04
    np.testing.assert_allclose(field.extent, [[-6.0, -6.0], [6.0, 6.0]])
