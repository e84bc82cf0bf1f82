"""Furniture made to measure: the same for the same draw, closed, standing on the floor."""

from collections import Counter

import numpy as np
import pytest

from footfall.core.scene.collider import Collider
from footfall.core.scene.seat_detection import find_seat, seat_slope
from footfall.training.interactions.props import prop_sampling
from footfall.training.interactions.props.prop_sampling import PROP_SAMPLERS, sample_prop
from footfall.training.interactions.props.seats import Bench, Chair
from footfall.training.interactions.takes import sit
from footfall.training.interactions.takes.sit import draw_seat


@pytest.mark.parametrize("kind", sorted(PROP_SAMPLERS))
def test_every_kind_is_drawn_alike_by_the_same_numbers_and_stands_on_the_floor(kind: str) -> None:
    for seed in range(12):
        piece = sample_prop(kind, np.random.default_rng(seed))
        assert piece == sample_prop(kind, np.random.default_rng(seed))
        vertices, triangles = piece.mesh()
        assert np.isfinite(vertices).all() and triangles.min() >= 0 and triangles.max() < len(vertices)
        assert abs(vertices[:, 2].min()) < 1e-9
        assert 0.1 < np.ptp(vertices, axis=0).max() < 5.0


@pytest.mark.parametrize("kind", sorted(PROP_SAMPLERS))
def test_solids_are_closed(kind: str) -> None:
    _, triangles = sample_prop(kind, np.random.default_rng(3)).mesh()
    edges = Counter(
        tuple(sorted((int(a), int(b)))) for face in triangles for a, b in zip(face, np.roll(face, 1), strict=True)
    )
    assert set(edges.values()) == {2}


def test_sizes_are_those_that_were_asked_for() -> None:
    vertices, _ = Chair(seat_height=0.5, width=0.4, back_height=0.4).mesh()
    assert abs(vertices[:, 2].max() - 0.9) < 0.03
    assert abs(np.ptp(vertices[:, 0]) - 0.4) < 0.05


@pytest.mark.parametrize("degrees", prop_sampling.TUNING.seat_tilts)
def test_a_tilted_seat_slopes_as_asked_for_about_its_middle(degrees: float) -> None:
    mesh = Chair(seat_height=0.46, depth=0.5, back_height=0.0, seat_tilt=degrees).mesh()
    seat, level = (find_seat(Collider.from_mesh(*one.mesh())) for one in (Chair(seat_tilt=degrees), Chair()))
    assert seat is not None and level is not None
    assert np.degrees(seat_slope(seat, *Chair(seat_tilt=degrees).mesh()).steepest) == pytest.approx(degrees, abs=0.01)
    assert np.abs(seat.position - level.position)[:2].max() < sit.TUNING.max_tilted_shift
    rise = 0.25 * np.tan(np.radians(degrees))
    assert mesh[0][:, 2].max() == pytest.approx(0.46 + rise, abs=1e-9), "its front is higher"


def test_seats_reach_from_a_low_bench_to_a_bar_stool() -> None:
    generator = np.random.default_rng(1)
    heights = [float(draw_seat(generator, varied=True)[1].position[2]) for _ in range(150)]
    assert min(heights) < 0.32 and max(heights) > 0.8
    benches = [sample_prop("bench", generator) for _ in range(100)]
    lows = [one.seat_height for one in benches if isinstance(one, Bench)]
    assert 0.25 <= min(lows) < 0.33 and 0.75 < max(lows) <= 0.85
