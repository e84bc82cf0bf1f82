"""Detours around walls, pits and avoided obstacles; without one, the path ends before them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.navigation.path_repair import TUNING as PATH_REPAIR_TUNING
from footfall.core.control.navigation.path_repair import RepairedPath, repair_path
from footfall.core.control.path.path import Path
from footfall.core.control.path.velocity_profile import plan_speeds
from footfall.core.scene.body_size import PATH_HALF_WIDTH_M
from footfall.core.terrain.ground import Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.properties import examples
from footfall.tests.support.terrain_scenes import (
    FAR,
    FLOOR,
    Boxes,
    pit,
    relief,
    roof,
    rubble,
    slope,
    stairs,
    tilted,
    turntable,
    wall,
)

EAST = Path(np.array([[0.0, 0.0], [10.0, 0.0]]))
START, GOAL = EAST.points[0], EAST.points[-1]


def route(ground: Scene, path: Path = EAST, scale: float = 1.0, avoid: Scene | None = None) -> RepairedPath:
    return repair_path(path, WalkScene(ground, avoid), 0.0, scale)


def clearance(found: RepairedPath, *boxes: tuple[tuple[float, float, float], tuple[float, float, float]]) -> float:
    """Return the least distance of a path from boxes, seen from above, meters."""
    points = found.path.points[:, None]
    lower, upper = np.array(boxes)[..., :2].swapaxes(0, 1)
    return float(np.linalg.norm(np.maximum(np.maximum(lower - points, points - upper), 0.0), axis=-1).min())


def along(found: RepairedPath, x: float) -> float:
    """Return the y at which a path to the east crosses x."""
    return float(found.path.points[np.argmin(np.abs(found.path.points[:, 0] - x)), 1])


def test_a_detour_keeps_a_point_that_the_path_leads_through() -> None:
    ground, via = Boxes([FLOOR, ((4.6, -0.5, 0.0), (5.4, 0.5, 1.0))]), np.array([4.0, 0.0])
    free = repair_path(EAST, WalkScene(ground), 0.0)
    kept = repair_path(EAST, WalkScene(ground), 0.0, via=[via])
    assert free.notes == kept.notes != ()
    assert np.linalg.norm(free.path.points - via, axis=1).min() > 0.3
    assert np.linalg.norm(kept.path.points - via, axis=1).min() < 0.1
    assert np.allclose(kept.path.points[-1], GOAL)


def test_a_detour_on_a_platform_keeps_off_its_edge() -> None:
    """The obstacle leaves 30 cm to the near edge of the platform, and two meters to the other one."""
    block = ((4.6, -1.4, 0.34), (5.4, 2.0, 1.4))
    platform = Boxes([FLOOR, ((-1.0, -1.7, 0.0), (11.0, 4.0, 0.34)), block])
    found = repair_path(EAST, WalkScene(platform), 0.34)
    assert found.notes and np.allclose(found.path.points[-1], GOAL)
    assert found.path.points[:, 1].min() > -1.6 and found.path.points[:, 1].max() < 3.9


@pytest.mark.parametrize(
    "ground",
    [stairs(), slope(30.0), tilted(30.0, (1.0, 1.0)), rubble(), roof(2.0), roof(1.1), pit(width=0.2), turntable()],
    ids=["stairs", "slope", "tilted", "rubble", "roof", "low roof", "crack", "turntable"],
)
def test_a_path_that_can_be_walked_is_left_as_it_is(ground: Scene) -> None:
    found = route(ground)
    assert found.path is EAST
    assert found.notes == ()


@pytest.mark.parametrize("height", [0.4, 0.55])
@pytest.mark.parametrize("degrees", [0.0, 30.0, 60.0])
def test_a_ledge_is_climbed_from_wherever_one_comes(height: float, degrees: float) -> None:
    way = 5 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    path = Path(np.array([4.0, 0.0]) + np.stack([-way, way]))
    assert route(Boxes([FLOOR, ((4.0, -FAR, 0.0), (FAR, FAR, height))]), path).path is path


class TestRound:
    def test_a_wall_is_gone_through_where_it_is_open(self) -> None:
        found = route(wall(gap=(1.0, 2.2)))
        assert found.notes == ("Obstacle at 3.9 m: walking around it",)
        assert 1.0 + PATH_HALF_WIDTH_M < along(found, 4.0) < 2.2 - PATH_HALF_WIDTH_M
        np.testing.assert_allclose(found.path.points[[0, -1]], [START, GOAL], atol=1e-9)
        assert clearance(found, *wall(gap=(1.0, 2.2)).boxes[1:]) > PATH_HALF_WIDTH_M

    @pytest.mark.parametrize("end", [0.3, 1.0, 1.5, 2.5])
    def test_a_wall_is_gone_round_where_it_ends(self, end: float) -> None:
        found = route(wall(end=end))
        assert abs(along(found, 4.0)) > end + 0.9 * PATH_HALF_WIDTH_M
        assert clearance(found, *wall(end=end).boxes[1:]) > 0.9 * PATH_HALF_WIDTH_M
        # No more than its two halves and the way there and back.
        assert found.path.length < 10.0 + 2 * (end + 1.0)

    def test_a_pit_is_gone_round_where_it_ends(self) -> None:
        found = route(pit(end=1.5))
        across = found.path.points[np.abs(found.path.points[:, 0] - 4.0) < 0.5]
        assert np.abs(across[:, 1]).min() > 1.5

    def test_a_hole_in_the_ground_is_no_ground(self) -> None:
        found = route(relief(lambda xy: np.where(np.linalg.norm(xy - [5.0, 0.1], axis=-1) < 0.8, np.nan, 0.0)))
        assert np.linalg.norm(found.path.points - [5.0, 0.1], axis=-1).min() > 0.8

    def test_a_house_is_gone_round_and_not_into(self) -> None:
        house = ((3.0, -2.0, -0.5), (7.0, 2.0, 3.0))
        found = route(Boxes([FLOOR, house]))
        assert len(found.notes) == 1
        assert clearance(found, house) > 0.9 * PATH_HALF_WIDTH_M
        np.testing.assert_allclose(found.path.points[-1], GOAL, atol=1e-9)

    def test_two_walls_are_gone_round_one_after_the_other(self) -> None:
        maze = Boxes([FLOOR, ((3.9, -1.5, 0.0), (4.1, FAR, 2.5)), ((8.9, -FAR, 0.0), (9.1, 1.0, 2.5))])
        found = route(maze, Path(np.array([[0.0, 0.0], [14.0, 0.0]])))
        assert len(found.notes) == 2
        assert along(found, 4.0) < -1.5
        assert along(found, 9.0) > 1.0
        assert clearance(found, *maze.boxes[1:]) > 0.9 * PATH_HALF_WIDTH_M
        # Between them the drawn path is free, and walked.
        assert abs(along(found, 6.5)) < 0.02

    @pytest.mark.parametrize("aside", [-0.22, -0.12, 0.0, 0.1, 0.2])
    def test_a_post_is_gone_round_whichever_shoulder_it_is_at(self, aside: float) -> None:
        post = ((4.0, aside - 0.04, 0.0), (4.08, aside + 0.04, 2.5))
        assert clearance(route(Boxes([FLOOR, post])), post) > 0.15

    def test_a_way_round_is_walked_and_not_stumbled_along(self) -> None:
        """The detour leaves the path early enough, without corners at which a character would have to stop."""
        for ground in (wall(end=1.5), wall(gap=(1.0, 2.2)), pit(end=1.0)):
            path = route(ground).path
            inner = (path.arc_lengths > 1.0) & (path.arc_lengths < path.length - 1.0)
            assert plan_speeds(path, 1.2)[inner].min() > 0.6


class TestEnd:
    def test_before_a_pit_without_end(self) -> None:
        found = route(pit(x=4.0, width=1.0))
        np.testing.assert_allclose(found.path.points[-1], [3.5 - PATH_REPAIR_TUNING.stop_distance, 0.0], atol=0.1)

    def test_before_a_ceiling_under_which_nobody_gets(self) -> None:
        found = route(roof(0.7, begin=4.0))
        assert "no way around the obstacle " in found.notes[0]
        assert found.path.points[-1, 0] < 4.0 - 0.9 * PATH_REPAIR_TUNING.stop_distance

    def test_before_a_second_wall_when_only_the_first_can_be_gone_round(self) -> None:
        walls = Boxes([FLOOR, *wall(x=4.0, end=1.0).boxes[1:], *wall(x=9.0).boxes[1:]])
        found = route(walls, Path(np.array([[0.0, 0.0], [14.0, 0.0]])))
        assert len(found.notes) == 2
        np.testing.assert_allclose(found.path.points[-1], [8.9 - PATH_REPAIR_TUNING.stop_distance, 0.0], atol=0.1)
        assert abs(along(found, 4.0)) > 1.0

    def test_in_a_closed_room(self) -> None:
        room = [((-2.0, y - 0.1, 0.0), (2.0, y + 0.1, 2.5)) for y in (-2.0, 2.0)]
        room += [((x - 0.1, -2.0, 0.0), (x + 0.1, 2.0, 2.5)) for x in (-2.0, 2.0)]
        found = route(Boxes([FLOOR, *room]))
        assert np.abs(found.path.points).max() < 1.9 - 0.9 * PATH_REPAIR_TUNING.stop_distance


class TestBeginning:
    """A path that begins inside an obstacle is walked as drawn there, and only there."""

    BED = Boxes([((-1.0, -1.0, 0.0), (1.0, 1.0, 0.05))])

    def test_out_of_what_is_avoided(self) -> None:
        found = route(Boxes([FLOOR]), avoid=self.BED)
        assert found.path is EAST
        assert found.notes == ("An obstacle stands at the start of the path: move the obstacle or the path",)


class TestBody:
    @given(width=st.floats(0.9, 3.0), middle=st.floats(-2.5, 2.5), height=st.floats(1.2, 3.0))
    @settings(max_examples=examples(12))
    def test_every_door_is_wide_enough(self, width: float, middle: float, height: float) -> None:
        door = (middle - width / 2, middle + width / 2)
        found = route(wall(gap=door, height=height))
        np.testing.assert_allclose(found.path.points[-1], GOAL, atol=1e-9)
        assert door[0] < along(found, 4.0) < door[1]
        assert clearance(found, *wall(gap=door).boxes[1:]) > 0.8 * PATH_HALF_WIDTH_M

    def test_a_doll_gets_through_where_a_giant_does_not(self) -> None:
        gap = wall(gap=(1.0, 1.4))
        np.testing.assert_allclose(route(gap, scale=0.3).path.points[-1], GOAL, atol=1e-9)
        assert route(gap, scale=2.0).path.points[-1, 0] < 4.0


@given(seed=st.integers(0, 10_000))
@settings(max_examples=examples(20))
def test_a_way_through_pillars_touches_none(seed: int) -> None:
    chance = np.random.default_rng(seed)
    middles, halves = chance.uniform([1.0, -3.0], [9.0, 3.0], (12, 2)), chance.uniform(0.1, 0.5, (12, 2))
    pillars = [
        ((float(x - a), float(y - b), 0.0), (float(x + a), float(y + b), 2.5))
        for (x, y), (a, b) in zip(middles, halves, strict=True)
    ]
    found = route(Boxes([FLOOR, *pillars]))
    np.testing.assert_allclose(found.path.points[0], START, atol=1e-9)
    assert clearance(found, *pillars) > 0.15
    assert np.isfinite(found.path.yaws).all()
    ends = np.linalg.norm(found.path.points[-1] - GOAL) < 1e-9
    assert ends or "ends in front of it" in found.notes[-1]


class TestShapes:
    """Paths that close, cross themselves and turn back are repaired like all others."""

    PILLAR = ((1.6, -0.4, 0.0), (2.4, 0.4, 2.5))

    @staticmethod
    def curve(x: np.ndarray, y: np.ndarray) -> Path:
        return Path(np.stack([x, y], axis=-1))

    def test_a_circle(self) -> None:
        angles = np.linspace(0, 2 * np.pi, 100)
        path = self.curve(-2.0 * np.cos(angles), 2.0 * np.sin(angles))
        found = route(Boxes([FLOOR, self.PILLAR]), path)
        assert clearance(found, self.PILLAR) > 0.9 * PATH_HALF_WIDTH_M
        np.testing.assert_allclose(found.path.points[[0, -1]], path.points[[0, -1]], atol=1e-9)
        # It is still the circle where nothing is in the way.
        beside = found.path.points[found.path.points[:, 0] < 0]
        np.testing.assert_allclose(np.linalg.norm(beside, axis=-1), 2.0, atol=0.05)

    def test_an_eight_whose_crossing_is_barred(self) -> None:
        angles = np.linspace(0.5 * np.pi, 2.5 * np.pi, 200)
        path = self.curve(3 * np.sin(angles), 2 * np.sin(2 * angles))
        post = ((-0.2, -0.2, 0.0), (0.2, 0.2, 2.5))
        found = route(Boxes([FLOOR, post]), path)
        assert len(found.notes) == 2
        assert clearance(found, post) > 0.9 * PATH_HALF_WIDTH_M
        np.testing.assert_allclose(found.path.points[-1], path.points[-1], atol=1e-9)
