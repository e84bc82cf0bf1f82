import numpy as np
import pytest

from footfall.core.evaluation.response import response_time


def ramp(speed: float, seconds: float, rate: float = 60.0, total: float = 6.0) -> np.ndarray:
    """Root positions that stand for a frame and speed up evenly to a speed within some seconds."""
    speeds = np.minimum(np.arange(int(total * rate)) / rate / seconds, 1.0) * speed
    return np.column_stack([np.cumsum(speeds) / rate, np.zeros(len(speeds))])


def test_an_even_start_responds_when_its_last_half_second_averages_nine_tenths() -> None:
    # v = t for 1 s, then 1: the mean over [t - 0.5, t] is 0.9 where 1 - (1.5 - t)^2 = 0.9.
    assert response_time(ramp(1.0, 1.0), 60.0, 1.0) == pytest.approx(1.5 - np.sqrt(0.1), abs=0.03)


def test_a_speed_that_is_never_reached_has_no_response() -> None:
    assert response_time(ramp(0.8, 1.0), 60.0, 1.0) is None
