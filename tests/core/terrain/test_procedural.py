"""Made ground has the dimensions of built and grown things, and is the same for the same seed."""

import numpy as np
import pytest

from footfall.core.terrain.procedural import GROUND_KINDS, make_procedural_ground


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
