"""Stair walks: the flights are what they say, and the shipped controller takes one tread a step."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.stair_walks import Flight, climb_all, climb_rows
from footfall.cli.walk import shipped_controller
from footfall.core.models.model_file import load_model


def test_a_flight_rises_and_falls_at_its_risers() -> None:
    flight = Flight(0.18, 0.28, 6)
    at = np.concatenate([flight.risers_up, flight.risers_down])
    before, behind = (
        flight.ground.heights(np.column_stack([at + shift, np.zeros(12), np.full(12, 9.0)])) for shift in (-0.02, 0.02)
    )
    np.testing.assert_allclose(behind - before, 0.18 * np.repeat([1, -1], 6), atol=1e-9)
    assert flight.length > flight.risers_down[-1] + 1


@pytest.mark.parametrize("rise", [0.15, 0.18])
def test_the_shipped_controller_takes_one_tread_a_step(rise: float) -> None:
    climbs = climb_all(load_model(Path(shipped_controller())), [(Flight(rise, 0.29, 8), seed) for seed in range(3)])
    for climb in climbs:
        assert climb.up.uneven_count + climb.down.uneven_count <= 1
        assert climb.up.centered_share >= 0.8 and climb.down.centered_share >= 0.8
        assert 90 <= climb.up.cadence <= 115 and 95 <= climb.down.cadence <= 125
        assert climb.penetration_mm < 15
    assert [row[1] for row in climb_rows("15 / 29 cm", climbs)] == ["up", "down"]
