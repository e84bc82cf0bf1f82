import pytest

from footfall.core.evaluation.usual_cadence import is_usual_cadence, usual_cadence


@pytest.mark.parametrize(
    ("speed", "cadence", "usual"),
    [(1.2, 107, True), (1.2, 130, False), (2.0, 135, True), (2.0, 165, True), (2.1, 223, False), (3.0, 160, True),
     (3.0, 110, False), (0.4, 63, True), (0.4, 90, False), (1.0, None, False)],
)  # fmt: skip
def test_the_band_is_that_of_people(speed: float, cadence: float | None, usual: bool) -> None:
    assert is_usual_cadence(speed, cadence) is usual


def test_the_band_rises_with_the_speed_of_a_walk() -> None:
    assert usual_cadence(0.5) < usual_cadence(1.0) < usual_cadence(1.6)
