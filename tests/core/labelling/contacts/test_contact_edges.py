"""Edges of contacts to the frame: what the tight thresholds move, and how far at most."""

import numpy as np

from footfall.core.labelling.contacts.contact_edges import (
    FOOT_ROLL_S,
    REST_LEAD_RATIO,
    refine_contact_edges,
)

RATE, WINDOW = 60.0, 4


def edges(state: np.ndarray, tight: np.ndarray, impact: bool) -> list[int]:
    """First frame of the one contact and the frame after its last; the wide threshold is crossed with the state."""
    wide = np.where(state, 0.0, 2.0)
    found = np.flatnonzero(refine_contact_edges(state, wide, tight, np.full(len(state), impact), WINDOW, RATE))
    return [int(found[0]), int(found[-1]) + 1]


def contact(start: int, stop: int, count: int = 100) -> np.ndarray:
    return (np.arange(count) >= start) & (np.arange(count) < stop)


def test_an_edge_goes_to_where_the_tight_threshold_holds() -> None:
    tight = np.where(contact(34, 66), 0.5, 1.5)  # crossed half a frame before and after
    found = edges(contact(30, 70), tight, impact=False)
    assert found == [int(np.ceil(33.5 + REST_LEAD_RATIO * WINDOW)), int(np.ceil(65.5 - REST_LEAD_RATIO * WINDOW))]


def test_a_foot_that_is_put_down_gently_lands_late() -> None:
    tight = np.where(contact(38, 66), 0.5, 1.5)
    assert edges(contact(30, 70), tight, impact=True)[0] == int(
        np.ceil(37.5 + REST_LEAD_RATIO * WINDOW - FOOT_ROLL_S * RATE)
    )
