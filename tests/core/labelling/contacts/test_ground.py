"""The ground under feet that stand, hang, step up and jump."""

import numpy as np
import pytest

from footfall.core.labelling.contacts.ground import find_ground_heights, heel_rise

RATE = 60.0


def scene(*parts: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Heights (F, 2) of two feet and whether they are still, from parts of (seconds, left, right); between parts both
    feet move for 0.2 s, by way of 0.1 m over the higher end."""
    heights: list[np.ndarray] = []
    still: list[np.ndarray] = []
    before: np.ndarray | None = None
    for seconds, *levels in parts:
        here = np.array(levels)
        if before is not None:
            share = (np.arange(12)[:, None] + 0.5) / 12
            moves = before != here
            lift = 0.1 * np.sin(np.pi * share) * moves
            heights.append(before + (here - before) * share + lift)
            still.append(np.tile(~moves, (12, 1)))
        count = round(seconds * RATE)
        heights.append(np.tile(here, (count, 1)))
        still.append(np.ones((count, 2), dtype=bool))
        before = here
    return np.concatenate(heights), np.concatenate(still)


def hips_over(heights: np.ndarray) -> np.ndarray:
    return np.stack([np.zeros(len(heights)), np.zeros(len(heights)), np.full(len(heights), 0.9)], axis=1)


def test_feet_on_a_floor_stand_on_it() -> None:
    heights, still = scene((1.0, 0.3, 0.3), (1.0, 0.3, 0.31))
    np.testing.assert_allclose(find_ground_heights(heights, still, hips_over(heights), RATE, 1.0), 0.3, atol=0.02)


def test_each_foot_has_its_own_step() -> None:
    stairs = [(0.6, 0.0, 0.0), (0.6, 0.17, 0.0), (0.6, 0.17, 0.34), (0.6, 0.51, 0.34), (0.6, 0.51, 0.51)]
    heights, still = scene(*stairs)
    ground = find_ground_heights(heights, still, hips_over(heights), RATE, 1.0)
    assert np.abs(ground - heights)[still].max() < 1e-9


def test_a_foot_that_is_held_in_the_air_does_not_stand() -> None:
    heights, still = scene((1.0, 0.0, 0.0), (1.5, 0.0, 0.25), (1.0, 0.0, 0.0))
    ground = find_ground_heights(heights, still, hips_over(heights), RATE, 1.0)
    assert np.abs(ground).max() < 1e-9


def test_feet_that_are_still_at_the_top_of_a_jump_are_in_the_air() -> None:
    time = np.arange(30) / RATE - 0.25
    flight = 0.3 - 9.81 / 2 * time**2
    heights = np.concatenate([np.zeros(60), np.maximum(flight, 0.0), np.zeros(60)])[:, None].repeat(2, axis=1)
    speed = np.abs(np.gradient(heights, 1 / RATE, axis=0))
    hips = hips_over(heights)
    hips[:, 2] += heights[:, 0]
    ground = find_ground_heights(heights, speed < 0.35, hips, RATE, 1.0)
    assert np.abs(ground).max() < 0.01


def test_after_a_jump_onto_a_box_the_box_is_the_ground() -> None:
    heights, still = scene((1.0, 0.0, 0.0), (4.0, 0.5, 0.5))
    ground = find_ground_heights(heights, still, hips_over(heights), RATE, 1.0)
    assert ground[-1] == pytest.approx([0.5, 0.5])


def test_feet_that_never_rest_have_the_lowest_place_for_ground() -> None:
    heights = np.abs(np.sin(np.arange(200) / 7))[:, None].repeat(2, axis=1)
    ground = find_ground_heights(heights, np.zeros((200, 2), dtype=bool), hips_over(heights), RATE, 1.0)
    assert ground.max() < 0.05


def test_a_heel_rests_where_the_foot_is_flat_and_not_where_it_is_on_tiptoe() -> None:
    heels = np.concatenate([np.full(60, 0.08), np.full(120, 0.14)])
    toes = np.full(180, 0.03)
    assert heel_rise(heels, toes, np.ones(180, dtype=bool)) == pytest.approx(0.05)
