"""The ground under feet that stand, hang, step up and jump."""

import numpy as np
import pytest

from footfall.core.labelling.contacts.ground import find_ground_heights

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


def falling(heights: np.ndarray, acceleration: float = -10.0, rate: float = 100.0) -> np.ndarray:
    """Hips (F, 3) in free fall, so that no rest counts only because nothing else holds the body."""
    time = np.arange(len(heights)) / rate
    return np.stack([0 * time, 0 * time, acceleration / 2 * time**2], axis=1)


def rest(count: int, *rests: tuple[int, int, int, float], moving: float = -1.0) -> tuple[np.ndarray, np.ndarray]:
    """Heights (F, 2) and stillness of two feet from rests of (foot, start, stop, height); they move at one height."""
    heights, still = np.full((count, 2), moving), np.zeros((count, 2), dtype=bool)
    for foot, start, stop, height in rests:
        heights[start:stop, foot], still[start:stop, foot] = height, True
    return heights, still


def ground_of(
    heights: np.ndarray, still: np.ndarray, acceleration: float = -10.0, rate: float = 100.0, scale: float = 1.0
) -> list[float]:
    """The ground of both feet in the last frame."""
    return find_ground_heights(heights, still, falling(heights, acceleration, rate), rate, scale)[-1].tolist()


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("passing, stands", [(0.471, True), (0.469, False)])
def test_a_foot_that_the_other_passes_carries_the_body(passing: float, stands: bool, scale: float) -> None:
    scene = rest(120, (0, 0, 50, 0.0), (1, 60, 120, 0.5 * scale), moving=passing * scale)
    assert ground_of(*scene, scale=scale) == [0.0, 0.5 * scale if stands else 0.0]


def test_the_ground_between_two_rests_is_linear() -> None:
    heights, still = rest(100, (0, 10, 21, 0.0), (0, 40, 100, 0.03))
    ground = find_ground_heights(heights, still, falling(heights), 100.0, 1.0)[:, 0]
    assert (ground[:21] == 0.0).all() and (ground[40:] == 0.03).all()
    np.testing.assert_allclose(ground[20:41], np.linspace(0.0, 0.03, 21), atol=1e-12)
