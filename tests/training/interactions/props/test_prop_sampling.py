"""Furniture made to measure: the same for the same draw, closed, standing on the floor."""

from collections import Counter

import numpy as np
import pytest

from footfall.training.interactions.props.prop_sampling import PROP_SAMPLERS, sample_prop
from footfall.training.interactions.props.seats import Chair


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
