import pytest

from footfall.core.evaluation.usual_cadence import is_usual_cadence, usual_cadence


@pytest.mark.parametrize(
    ("speed", "cadence", "usual"),
    [(1.2, 107, True), (1.2, 130, False), (2.0, 135, True), (2.0, 165, True), (2.1, 223, False), (3.0, 160, True),
     (3.0, 110, False), (0.4, 63, True), (0.4, 90, False), (1.0, None, False)]
)  # fmt: skip
def test_the_band_is_that_of_people(speed: float, cadence: float | None, usual: bool) -> None:
    assert is_usual_cadence(speed, cadence) is usual


def test_a_walk_keeps_its_ratio_of_step_length_to_cadence() -> None:
    """At 1.05 m/s steps are 0.63 m long, 100 a minute: 0.0063 m for each step a minute."""
    assert usual_cadence(1.05) == pytest.approx((85.0, 115.0))
    middle = (60 * 0.6 / 0.0063) ** 0.5
    assert usual_cadence(0.6) == pytest.approx((0.75 * middle, 1.25 * middle))
    assert usual_cadence(0.0) == usual_cadence(-1.0) == (0.0, 0.0)
