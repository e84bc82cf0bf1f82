"""Edges of contacts to the frame: what the tight thresholds move, and how far at most."""

import numpy as np

from footfall.core.labelling.edges import IMPACT, INSIDE, LEAD, with_exact_edges

RATE, WINDOW = 60.0, 4
GENTLE, HARD = round(LEAD * WINDOW), round(IMPACT * RATE)


def edges(state: np.ndarray, excess: np.ndarray, impact: bool) -> list[int]:
    found = with_exact_edges(state, excess, np.full(len(state), impact), WINDOW, RATE)
    return np.flatnonzero(np.diff(found.astype(int))).tolist()


def contact(start: int, stop: int, count: int = 100) -> np.ndarray:
    return (np.arange(count) >= start) & (np.arange(count) < stop)


def test_an_edge_goes_to_where_the_tight_threshold_holds() -> None:
    excess = np.where(contact(34, 66), 0.5, 1.5)
    assert edges(contact(30, 70), excess, impact=False) == [33 + GENTLE, 65 - GENTLE]


def test_an_impact_is_where_the_wide_threshold_is_crossed() -> None:
    excess = np.where(contact(34, 66), 0.5, 1.5)
    assert edges(contact(30, 70), excess, impact=True)[0] == 29 + HARD


def test_an_edge_moves_by_a_limited_time_and_never_over_the_middle() -> None:
    far = np.where(contact(48, 50), 0.5, 1.5)
    limit = round(INSIDE * RATE)
    assert edges(contact(30, 70), far, impact=False) == [29 + limit, 69 - limit]
    short = edges(contact(40, 46), np.full(100, 1.5), impact=False)
    assert short[0] >= 39
    assert short[1] > short[0]


def test_contacts_at_the_ends_of_a_clip_stay_there() -> None:
    excess = np.full(100, 1.5)
    assert with_exact_edges(np.ones(100, dtype=bool), excess, np.ones(100, dtype=bool), WINDOW, RATE).all()
