"""Bounds of the values in controller files."""

import pytest

from footfall.core.models.value_bounds import MIN_BONES_M, MIN_DEVIATION, largest_value


@pytest.mark.parametrize(
    ("name", "largest"),
    [
        ("weights.W0", 1e6),
        ("x_mean", 1e6),
        ("y_std", 1e6),
        ("x_std", 1e12),
        ("skeleton.offsets", 100.0),
        ("skeleton.tips", 100.0),
        ("start.position", 100.0),
        ("start.idle", 100.0),
        ("start.velocity", 1000.0),
        ("start.phase", 1e6),
    ],
)
def test_bounds_are_by_the_start_of_a_tensor_s_name(name: str, largest: float) -> None:
    assert largest_value(name) == largest


def test_deviations_and_bones_have_a_least() -> None:
    assert (MIN_DEVIATION, MIN_BONES_M) == (1e-8, 0.2)
