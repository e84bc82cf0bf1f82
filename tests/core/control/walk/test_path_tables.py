"""Tables of paths agree with the paths, profiles and timings they are made of, and find arc lengths on them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.path.path import PATH_SPACING_M, Path
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import Timing, plan_timing
from footfall.core.control.walk.path_tables import PathTables
from footfall.core.motion.rotations import Array
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import stairs
from footfall.tests.support.timings import plain_timing

SEARCH_WINDOW_M = 0.6


coordinates = st.floats(-20.0, 20.0)
drawings = (
    st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=6, unique=True)
    .map(np.array)
    .filter(lambda points: np.linalg.norm(np.diff(points, axis=0), axis=-1).sum() > 0.1)  # shorter ones are refused
)


def routes(*paths: Path) -> PathTables:
    """The ways of paths over stairs, walked at 1.2 m/s."""
    profiles = [TerrainProfile.from_path(path, WalkScene(stairs()), 0.0) for path in paths]
    timings = [plan_timing(path, 1.2, 60.0, profile) for path, profile in zip(paths, profiles, strict=True)]
    return PathTables(paths, profiles, timings)


def project(path: Path, position: Array, near: float) -> float:
    return float(routes(path).project(position[None], np.array([near]))[0])


STRAIGHT = Path(np.array([[0.0, 0.0], [10.0, 0.0]]))
CORNER = Path(np.array([[-1.0, 1.0], [2.0, 1.0], [2.0, 9.0]]))


def test_tables_say_what_paths_and_profiles_say() -> None:
    found = routes(STRAIGHT, CORNER)
    lengths = np.array([[0.0, 0.123, 3.0, 9.99, 99.0], [-1.0, 2.5, 3.0, 7.77, 10.0]])
    places = found.path_at(lengths)
    for row, path in enumerate((STRAIGHT, CORNER)):
        profile = TerrainProfile.from_path(path, WalkScene(stairs()), 0.0)
        np.testing.assert_allclose(places.points[row], path.position_at(lengths[row]), atol=1e-3)
        np.testing.assert_allclose(places.yaws[row], path.yaw_at(lengths[row]), atol=5e-3)
        np.testing.assert_allclose(places.heights[row], profile.height_at(lengths[row]), atol=0.06)
        np.testing.assert_allclose(places.jumps[row], profile.jump_share_at(lengths[row]), atol=1e-9)


def test_plans_are_those_of_the_timings() -> None:
    found, timing = (
        routes(STRAIGHT, CORNER),
        plan_timing(CORNER, 1.2, 60.0, TerrainProfile.from_path(CORNER, WalkScene(stairs()), 0)),
    )
    frames = np.array([[-30, 0, 100], [-30, 200, 100_000]])
    np.testing.assert_allclose(found.plan_at(frames).distances[1], timing.distances[[0, 200, -1]])
    np.testing.assert_allclose(found.plan_at(frames).speeds[1], [0.0, timing.speeds[200], 0.0])
    np.testing.assert_array_equal(found.frame_counts[1], len(timing))
    np.testing.assert_allclose(found.plan_at(frames[:, 1]).distances[1], timing.distances[200])


@given(drawings, st.floats(0.0, 1.0))
def test_a_point_of_the_way_is_found_where_it_is(points: Array, share: float) -> None:
    path = Path(points)
    s = share * path.length
    found = project(path, path.position_at(s), s)
    np.testing.assert_allclose(path.position_at(found), path.position_at(s), atol=2e-3)


@given(drawings, st.floats(0.0, 1.0), st.tuples(st.floats(-1, 1), st.floats(-1, 1)))
def test_no_point_within_the_window_is_much_nearer(points: Array, share: float, shift: tuple[float, float]) -> None:
    path = Path(points)
    near = share * path.length
    position = path.position_at(near) + np.array(shift)
    found = project(path, position, near)
    assert abs(found - near) <= SEARCH_WINDOW_M + 3 * PATH_SPACING_M
    window = path.position_at(np.clip(np.linspace(near - SEARCH_WINDOW_M, near + SEARCH_WINDOW_M, 201), 0, path.length))
    # A meter along the way may weigh as much as ten centimeters off it.
    nearest = np.linalg.norm(window - position, axis=-1).min()
    assert np.linalg.norm(position - path.position_at(found)) <= np.hypot(nearest, 0.11)


def test_a_way_that_is_carried_off_is_turned_and_shifted_and_others_are_not() -> None:
    found, lengths = routes(STRAIGHT, CORNER), np.array([[4.0], [4.0]])
    before = found.path_at(lengths)
    found.transform(0, np.pi / 2, np.zeros(2), np.array([1.0, 2.0]), 0.5)
    after = found.path_at(lengths)
    np.testing.assert_allclose(after.points[0], [[1.0, 6.0]], atol=1e-6)
    np.testing.assert_allclose(after.yaws[0] - before.yaws[0], np.pi / 2)
    np.testing.assert_allclose(after.heights[0] - before.heights[0], 0.5)
    np.testing.assert_array_equal(after.points[1], before.points[1])


def test_speeds_and_phase_offsets_are_of_the_frames_of_a_plan_and_none_before_or_after() -> None:
    """Places, facings, shares and styles are those of its ends there."""
    count = 4
    values = np.arange(1.0, count + 1)
    timing = Timing(values, 10 * values, 20 * values, 30 * values, 40 * values, np.stack([values, -values], axis=1))
    longer = plan_timing(STRAIGHT, 1.2, 60.0)
    profile = TerrainProfile.from_path(STRAIGHT, WalkScene(), 0.0)
    longer = plain_timing(longer.distances, longer.speeds, gaits=2)
    found = PathTables([STRAIGHT] * 2, [profile] * 2, [timing, longer]).plan_at(np.array([[-9, -1, 0, 3, 4, 99]] * 2))
    ends = np.array([1.0, 1.0, 1.0, 4.0, 4.0, 4.0])
    np.testing.assert_array_equal(found.distances[0], ends)
    np.testing.assert_array_equal(found.speeds[0], [0.0, 0.0, 10.0, 40.0, 0.0, 0.0])
    np.testing.assert_array_equal(found.yaw_offsets[0], 20 * ends)
    np.testing.assert_array_equal(found.phase_offsets[0], [0.0, 0.0, 30.0, 120.0, 0.0, 0.0])
    np.testing.assert_array_equal(found.run_shares[0], 40 * ends)
    np.testing.assert_array_equal(found.style_weights[0], np.stack([ends, -ends], axis=1))
    np.testing.assert_array_equal(found.distances[1], longer.distances[[0, 0, 0, 3, 4, 99]])
