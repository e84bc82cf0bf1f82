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


def test_a_walk_keeps_its_ratio_of_step_length_to_cadence() -> None:
    """At 1.05 m/s steps are 0.63 m long, 100 a minute: 0.0063 m for each step a minute."""
    assert usual_cadence(1.05) == pytest.approx((85.0, 115.0))
    middle = (60 * 0.6 / 0.0063) ** 0.5
    assert usual_cadence(0.6) == pytest.approx((0.75 * middle, 1.25 * middle))
    assert usual_cadence(0.0) == usual_cadence(-1.0) == (0.0, 0.0)


@pytest.mark.parametrize(("speed", "tolerance"), [(0.69, 0.25), (0.7, 0.15), (1.69, 0.15)])
def test_slow_walkers_differ_more(speed: float, tolerance: float) -> None:
    middle = (60 * speed / 0.0063) ** 0.5
    assert usual_cadence(speed) == pytest.approx(((1 - tolerance) * middle, (1 + tolerance) * middle))


def test_between_walk_and_run_the_band_is_that_of_both() -> None:
    low, high = usual_cadence(1.7)
    walk = (60 * 1.7 / 0.0063) ** 0.5
    assert (low, high) == pytest.approx((0.85 * walk, 200.0))
    fast = (60 * 2.4 / 0.0063) ** 0.5
    assert usual_cadence(2.4) == pytest.approx((min(0.85 * fast, 145.0), max(1.15 * fast, 200.0)))
    assert usual_cadence(2.41) == (145.0, 200.0)


def test_the_ends_of_the_band_are_in_it() -> None:
    assert is_usual_cadence(3.0, 145.0) and is_usual_cadence(3.0, 200.0)
    assert not is_usual_cadence(3.0, 144.9) and not is_usual_cadence(3.0, 200.1)
