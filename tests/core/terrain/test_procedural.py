"""Made ground has the dimensions of built and grown things, and is the same for the same seed."""

from typing import Any

import numpy as np
import pytest
import scipy

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


@pytest.mark.parametrize("seed", range(4))
def test_ramps_and_dunes_are_no_steeper_than_one_walks(seed: int) -> None:
    for kind, degrees in (("ramps", 25.5), ("dunes", 33.0)):
        field = make_procedural_ground(kind, seed, 8.0)
        slopes = np.degrees(np.arctan(np.hypot(*np.gradient(field.grid, field.cell_size))))
        assert np.quantile(slopes, 0.99) < degrees, kind


@pytest.mark.parametrize("seed", range(4))
def test_things_to_step_on_are_as_high_as_they_are(seed: int) -> None:
    for kind, highest in (("rubble", 0.55), ("ledges", 0.8), ("beams", 0.6), ("rocks", 1.3)):
        assert np.ptp(make_procedural_ground(kind, seed, 8.0).grid) <= highest, kind


@pytest.mark.parametrize("seed", range(4))
def test_kerbs_are_kerbs(seed: int) -> None:
    steps = np.abs(np.diff(make_procedural_ground("kerbs", seed, 8.0, 0.02).grid, axis=0)).max()
    assert 0.01 < steps < 0.25


@pytest.mark.parametrize(
    ("kind", "share", "along", "across", "top"),
    [
        ("beams", 0.0, 1.5, 0.075, 0.3),
        ("beams", 1.0, 4.0, 0.2, 0.6),
        ("ledges", 0.0, 0.15, 0.3, 0.2),
        ("ledges", 1.0, 1.5, 2.0, 0.8),
    ],
)
def test_the_smallest_and_the_largest_block(kind: str, share: float, along: float, across: float, top: float) -> None:
    """It stands in the first corner or in the last, along x."""
    corner = AXIS[0] if share == 0.0 else AXIS[-1]
    wanted = np.where((np.abs(X - corner) < along) & (np.abs(Y - corner) < across), top, 0.0)
    np.testing.assert_allclose(made(kind, share), wanted)


@pytest.mark.parametrize(
    ("kind", "numbers"),
    [("rocks", (60, 160)), ("ledges", (10, 40)), ("beams", (4, 14)), ("rubble", (300, 900))],
)
def test_numbers_of_things(kind: str, numbers: tuple[int, int]) -> None:
    chance = Chosen(0.5)
    GROUND_KINDS[kind](chance, X, Y)
    assert chance.ranges == [numbers]


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


@pytest.mark.parametrize(("share", "degrees", "length"), [(0.0, -25.0, 24 * 0.8), (1.0, 25.0, 24 * 3.0)])
def test_the_steepest_ramps_down_and_up(share: float, degrees: float, length: float) -> None:
    way = np.linspace(0.0, 100.0, 501)
    x, y = np.meshgrid(way, way[:2])
    found = GROUND_KINDS["ramps"](Chosen(share), x, y)
    wanted = np.tan(np.radians(degrees)) * np.minimum(x - x.min(), length)
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    assert not GROUND_KINDS["ramps"](Chosen(share, last=False), x, y).any(), "a third of them is level"


@pytest.mark.parametrize(("share", "road", "kerb", "shift"), [(0.0, 2.5, 0.1, -2.0), (1.0, 5.0, 0.18, 2.0)])
def test_pavements_fall_to_the_kerb_and_roads_to_the_gutter(
    share: float, road: float, kerb: float, shift: float
) -> None:
    beside = np.abs((Y + shift + 3 * road) % (2 * road) - road)
    is_pavement, found = beside < road / 2, made("kerbs", share)
    np.testing.assert_allclose(found[~is_pavement], 0.025 * (beside - road / 2)[~is_pavement], atol=1e-6)
    over = (found - 0.02 * (road / 2 - beside))[is_pavement]
    np.testing.assert_allclose([over.min(), over.max()], [0.15 * kerb, kerb], atol=1e-6)
    phase = X / (0.6 + 0.9 * share) + 6 * share
    lowered = is_pavement & (np.sin(phase) > 0.97)
    np.testing.assert_allclose((found - 0.02 * (road / 2 - beside))[lowered], 0.15 * kerb, atol=0.8 * kerb)
    level = is_pavement & (np.sin(phase) < 0.0)
    np.testing.assert_allclose((found - 0.02 * (road / 2 - beside))[level], kerb, atol=1e-6)


@pytest.mark.parametrize(
    ("share", "width", "narrow", "top", "slope"), [(0.0, 0.08, 0.5, 0.02, -0.3), (1.0, 0.35, 1.0, 0.3, 0.3)]
)
def test_the_smallest_and_the_largest_stone(
    share: float, width: float, narrow: float, top: float, slope: float
) -> None:
    """All stones are at one place, in the first corner or the last, tilted by one slope."""
    to_x, to_y = (values - (AXIS[0] if share == 0.0 else AXIS[-1]) for values in (X, Y))
    inside = (np.abs(to_x) < width) & (np.abs(to_y) < width * narrow)
    stones = np.where(inside, np.maximum(top + slope * (to_x + to_y), 0.0), 0.0)
    np.testing.assert_allclose(made("rubble", share), scipy.ndimage.gaussian_filter(stones, 0.5), atol=1e-12)


def test_a_ground_reaches_from_edge_to_edge_and_kinds_differ_for_one_seed() -> None:
    field = make_procedural_ground("stairs", 3)
    assert field.grid.shape == (301, 301) and field.cell_size == 0.04
    np.testing.assert_allclose(field.extent, [[-6.0, -6.0], [6.0, 6.0]])
