"""Crowds to be measured: everybody has a place of their own, and somebody to meet."""

from itertools import pairwise

import numpy as np
import pytest

from footfall.benchmarks.crowds import SCENES, SECONDS, Bake, Errand, closest
from footfall.cli.walk import shipped_controller
from footfall.core.models.model_file import load_model


@pytest.mark.parametrize(("name", "count", "scene"), SCENES)
def test_everybody_begins_and_ends_where_nobody_else_does(name: str, count: int, scene) -> None:
    errands = scene(count)
    assert len(errands) == count
    for end in (0, -1):
        places = np.stack([one.points[end] for one in errands])
        away = np.linalg.norm(places[:, None] - places, axis=-1)[~np.eye(count, dtype=bool)]
        assert away.min() > 0.9
    for one in errands:
        length = sum(np.linalg.norm(after - before) for before, after in pairwise(one.points))
        assert 0.7 * SECONDS < length / one.speed < 1.2 * SECONDS
    again = scene(count)
    assert all(np.array_equal(one.points, other.points) for one, other in zip(errands, again, strict=True))


def test_the_nearest_two_are_found_at_their_nearest_frame() -> None:
    frames = np.linspace(-1.0, 1.0, 21)
    tracks = np.stack(
        [np.column_stack([frames, 0 * frames]), np.column_stack([-frames, 0 * frames + 0.4]), np.full((21, 2), 9.0)]
    )
    assert closest(tracks) == pytest.approx(0.4)


def test_two_who_meet_are_measured_together_and_alone() -> None:
    model = load_model(shipped_controller())
    errands = [Errand(np.array([[-2.0, 0.0], [2.0, 0.0]]), 1.2), Errand(np.array([[2.0, 0.0], [-2.0, 0.0]]), 1.2)]
    together, alone = Bake(model, errands), Bake(model, errands, together=False)
    kept, met = together.apart(alone)
    assert kept > 0.45 and met < 0.2
    aside, most, late, latest, arrived = together.strayed()
    assert 0.1 < aside <= most < 1.0 and late <= latest < 2.0 and arrived == "2 of 2"
    turning, skate, jerk = together.motion()
    assert 0.0 < turning < 2.5 and 0.0 < skate < 30.0 and jerk > 0.0
    assert len(together.seconds) == 4 and min(together.seconds) > 0.0
    assert together.length == pytest.approx(4 / 1.2 + 2.5, abs=1.0)
