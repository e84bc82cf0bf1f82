"""Walks of a crowd keep apart, and their cues move with their timings."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.crowd.prioritized_planning import CoordinatedPlan
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, CueSpan, Facing
from footfall.core.control.path.timed_waypoints import Waypoint
from footfall.core.control.path.velocity_profile import STAND_BEFORE_S, plan_timing
from footfall.core.control.walk.crowd_walk import apply_crowd_timing, plan_and_batch
from footfall.core.control.walk.path_walk import WalkRollout, begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import FLOOR, Boxes
from footfall.tests.support.walker import person

Controller = Callable[..., ControllerModel]
RATE = 60.0
EAST = Path(np.array([[-3.0, 0.0], [3.0, 0.0]]))
WEST = Path(np.array([[3.0, 0.0], [-3.0, 0.0]]))
NORTH = Path(np.array([[0.2, -3.0], [0.2, 3.0]]))


@pytest.fixture(scope="module")
def shipped() -> ControllerModel:
    return load_model(shipped_controller())


def closest(walks: list[WalkRollout]) -> float:
    """The smallest distance of the hips of two characters over the ground, meters."""
    roots = [walk.finish().clip.root_positions[:, :2] for walk in walks]
    frames = np.arange(max(map(len, roots)))
    tracks = [one[np.minimum(frames, len(one) - 1)] for one in roots]
    return min(
        float(np.linalg.norm(one - other, axis=-1).min()) for row, one in enumerate(tracks) for other in tracks[:row]
    )


def test_real_walks_keep_apart_and_get_there(shipped: ControllerModel) -> None:
    paths = [EAST, WEST, NORTH]
    walks = [begin_walk(shipped, WalkRequest(path, 1.2, seed=number + 1)) for number, path in enumerate(paths)]
    notes = plan_and_batch(walks, start_frames=[0, 0, 20])
    assert notes == [(), (), ()]
    while walks[0].advance(1000):
        pass
    assert closest(walks) > 0.45
    for walk, path in zip(walks, paths, strict=True):
        root = walk.finish().clip.root_positions
        np.testing.assert_allclose(root[-1, :2], path.points[-1], atol=0.1)
    late = walks[2].finish().clip.root_positions
    assert np.abs(late[: round(RATE * STAND_BEFORE_S) + 15, :2] - NORTH.points[0]).max() < 0.05


def test_others_make_way_for_who_has_marks(shipped: ControllerModel) -> None:
    marks = [Waypoint(4.0, np.array([0.0, 0.0])), Waypoint(7.0, np.array([2.0, 0.1]))]
    walks = [
        begin_walk(shipped, WalkRequest(WEST, 1.2, seed=1)),
        begin_walk(shipped, WalkRequest(EAST, 1.0, waypoints=marks)),
        begin_walk(shipped, WalkRequest(NORTH)),
    ]
    plan_and_batch(walks, start_frames=[30, 30, 0])
    while walks[0].advance(1000):
        pass
    for met in walks[1].finish().waypoint_results:
        assert met.position_error < 0.03 and not met.failure_reason, met
    assert closest(walks) > 0.45


def test_others_of_other_sizes_keep_apart_in_the_same_meters(controller: Controller) -> None:
    model = controller((0.0, 1.2))
    walks = [
        begin_walk(model, WalkRequest(path, 1.2, target=person(scale))) for path, scale in ((EAST, 0.5), (WEST, 1.5))
    ]
    notes = plan_and_batch(walks, names=["child", "giant"])
    assert notes == [(), ()]
    ways = [walk.plan.path.points * walk.scale for walk in walks]
    times = [walk.plan.timing.distances for walk in walks]
    frames = np.arange(max(map(len, times)))
    places = [
        walk.plan.path.position_at(time[np.minimum(frames, len(time) - 1)]) * walk.scale
        for walk, time in zip(walks, times, strict=True)
    ]
    assert np.linalg.norm(places[0] - places[1], axis=-1).min() > 0.5
    for way, path in zip(ways, (EAST, WEST), strict=True):
        np.testing.assert_allclose(way[[0, -1]], path.points[[0, -1]], atol=1e-6)


def test_what_is_told_at_a_place_is_told_there_when_one_gets_there_later() -> None:
    cues = Cues(spans=(CueSpan(2.0, 4.0, facing=Facing(yaw_offset=1.0)),))
    timing = plan_timing(EAST, 1.0, RATE, cues=cues)
    # A second of waiting in the middle of it.
    clock = np.concatenate([np.arange(200.0), np.full(60, 200.0), np.arange(200.0, len(timing))])
    kept = CoordinatedPlan(EAST.points, np.interp(clock, np.arange(len(timing)), timing.distances), clock, True)
    changed = apply_crowd_timing(timing, kept, EAST, 1.0, RATE)
    assert len(changed) == len(timing) + 60
    np.testing.assert_allclose(changed.yaw_offsets[260:], timing.yaw_offsets[200:], atol=1e-12)
    np.testing.assert_allclose(changed.yaw_offsets[200:260], timing.yaw_offsets[200], atol=1e-12)
    np.testing.assert_allclose(changed.distances[260:], timing.distances[200:], atol=1e-9)
    assert changed.distances[-1] == pytest.approx(EAST.length)
    np.testing.assert_allclose(changed.speeds[205:255], 0.0, atol=1e-9)
    assert changed.style_weights.shape == (len(changed), timing.style_weights.shape[1])


def test_walls_beside_the_ways_are_kept_to(controller: Controller) -> None:
    model = controller((0.0, 1.2))
    # To the right of the walk east.
    fence = WalkScene(Boxes([FLOOR, ((-3.0, -0.6, 0.0), (3.0, -0.4, 2.0))]))
    walks = [begin_walk(model, WalkRequest(path, 1.2, fence)) for path in (EAST, WEST)]
    assert plan_and_batch(walks) == [(), ()]
    for walk in walks:
        assert walk.notes == () and walk.plan.path.points[:, 1].min() > -0.25
    assert max(walk.plan.path.points[:, 1].max() for walk in walks) > 0.3
