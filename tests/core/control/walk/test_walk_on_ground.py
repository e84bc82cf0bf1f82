"""Whole walks of the controller that ships: over stairs, slopes and rubble, round walls, under roofs, on what moves."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.passes import duck
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_progress import TUNING as PATH_PROGRESS_TUNING
from footfall.core.control.walk.path_walk import WalkRollout, begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.core.control.feet.footing import creep, gaps
from footfall.tests.support.terrain_scenes import (
    FAR,
    FLOOR,
    Boxes,
    Carrier,
    lift,
    pit,
    relief,
    roof,
    rubble,
    slope,
    stairs,
    train,
    turntable,
    wall,
)
from footfall.tests.support.walker import person

DEEPEST, FARTHEST = 0.015, 0.5
"""Meters that a sole may be in the ground at any frame, and a body beside its path: what issue 5 asks for."""
EAST = ((0.0, 0.0), (10.0, 0.0))
SHORT = ((0.0, 0.0), (6.0, 0.0))
TINY = ((0.0, 0.0), (2.5, 0.0))


@cache
def controller() -> ControllerModel:
    return load_model(Path(shipped_controller()))


@dataclass(frozen=True, eq=False)
class Made:
    """A finished walk, and what it was asked for."""

    making: WalkRollout
    walk: Walk
    scene: Scene

    @property
    def roots(self) -> Array:
        return self.walk.clip.positions[:, self.walk.clip.skeleton.joint("hips")]

    @property
    def gaps(self) -> Array:
        return gaps(self.walk.clip, self.walk.standing_clip, self.scene)

    @property
    def creep(self) -> Array:
        return np.sort(creep(self.walk.clip, self.walk.standing_clip, self.walk.contacts.held, self.scene))

    def aside(self, path: WalkPath) -> float:
        """The farthest that the body gets from a path, meters."""
        away = np.linalg.norm(self.roots[:, None, :2] - path.points[None, ::5], axis=-1)
        return float(away.min(axis=1).max())


def go(
    scene: Scene,
    points: tuple[tuple[float, float], ...] | Array = EAST,
    speed: float = 1.2,
    level: float = 0.0,
    size: float = 1.0,
    avoid: Scene | None = None,
) -> Made:
    target = None if size == 1.0 else person(size)
    making = begin_walk(
        controller(), WalkRequest(WalkPath(np.array(points)), speed, WalkScene(scene, avoid), level, target)
    )
    while making.advance(1000):
        pass
    return Made(making, making.finish(), scene)


def is_sound(made: Made, points: tuple[tuple[float, float], ...] | Array = EAST) -> None:
    """What every walk must be: whole, at its end, on its path, out of the ground, with feet that stay."""
    clip, path, size = made.walk.clip, WalkPath(np.array(points)), made.making.scale
    assert np.isfinite(clip.positions).all()
    assert np.isfinite(clip.rotations).all()
    assert np.linalg.norm(made.roots[-1, :2] - path.points[-1]) < 0.3 * size, "it gets to the end"
    assert made.aside(path) < FARTHEST * size, "it stays on its path"
    assert made.gaps.min() > -DEEPEST, "it is not in the ground"
    still = made.creep
    assert still[: int(0.97 * len(still))].max() < 0.001, "what touches stays"


class TestRough:
    @pytest.mark.parametrize(
        "scene",
        [
            stairs(),
            slope(30.0),
            rubble(0),
            Boxes([FLOOR, ((4.0, -FAR, 0.0), (FAR, FAR, 0.5))]),
        ],
        ids=["stairs", "slope", "rubble", "ledge"],
    )
    def test_it_walks_over_it(self, scene: Scene) -> None:
        made = go(scene)
        is_sound(made)
        assert made.making.notes == ()
        # Hips stay over feet: as high as a leg or bent, and not a step lower than where one stands at last.
        heights = made.roots[:, 2] - scene.heights(made.roots)
        # Where hips of 1.02 m are over the edge of a ledge of half a meter, the feet below are not up yet.
        assert heights.min() > 0.47 and heights.max() < 1.55
        assert heights[-1] == pytest.approx(float(controller().start["position"][0, 2]), abs=0.06)
        # And they do not shake where the ground has edges: people's hips do some 10 m/s^2 on level ground.
        assert np.abs(np.diff(made.roots[:, 2], n=2)).max() * 60**2 < 35.0

    def test_it_runs_up_and_down_stairs(self) -> None:
        is_sound(go(stairs(), speed=3.5))

    def test_a_beam_is_balanced_on(self) -> None:
        """Four meters of a beam 20 cm wide over a pit of 2 m."""
        ends = [((-5.0, -3.0, -2.0), (2.0, 3.0, 0.0)), ((6.0, -3.0, -2.0), (15.0, 3.0, 0.0))]
        made = go(Boxes([*ends, ((2.0, -0.1, -2.0), (6.0, 0.1, 0.0))]))
        is_sound(made)
        assert made.roots[:, 2].min() > 0.85

    def test_boards_with_gaps_are_a_floor(self) -> None:
        boards = relief(lambda xy: np.where((np.abs(xy[..., 0] - 4) < 2) & (xy[..., 0] % 0.14 < 0.02), -3.0, 0.0))
        made = go(boards)
        is_sound(made)
        assert made.roots[:, 2].min() > 0.85


class TestShapes:
    @staticmethod
    def circle() -> Array:
        angles = np.linspace(0, 2 * np.pi, 60)
        return 2.0 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)

    @staticmethod
    def eight() -> Array:
        angles = np.linspace(0, 2 * np.pi, 120)
        return np.stack([3 * np.sin(angles), 2 * np.sin(2 * angles)], axis=-1)

    def test_a_path_that_crosses_itself(self) -> None:
        low = stairs(up=0.5, down=1.5, count=3)
        is_sound(go(low, self.eight()), self.eight())


class TestSizes:
    def test_dolls_climb_stairs_of_their_size(self) -> None:
        size = 0.3
        points = ((0.0, 0.0), (10.0 * size, 0.0))
        made = go(stairs(0.17 * size, 0.29 * size, 8, 2 * size, 6 * size), points, 1.2 * size, size=size)
        is_sound(made, points)

    def test_giants_walk_over_slopes(self) -> None:
        points = ((0.0, 0.0), (5.0, 0.0))
        is_sound(go(slope(20.0, up=1.0, down=3.0, length=1.0), points, size=2.0), points)


class TestInTheWay:
    def test_a_wall_is_gone_round(self) -> None:
        made = go(wall(end=1.2))
        is_sound(made, made.making.path.points)
        np.testing.assert_allclose(made.roots[-1, :2], EAST[1], atol=0.1)
        lower, upper = np.array(wall(end=1.2).boxes[1])[:, :2]
        outside = np.maximum(np.maximum(lower - made.roots[:, :2], made.roots[:, :2] - upper), 0.0)
        assert np.linalg.norm(outside, axis=-1).min() > 0.2

    @pytest.mark.parametrize(
        "scene, edge",
        [(wall(), 3.9), (pit(), 3.5), (relief(lambda xy: np.where(xy[..., 0] < 4.0, 0.0, np.nan)), 4.0)],
        ids=["wall", "pit", "end of the ground"],
    )
    def test_without_a_way_round_it_stops_before_it(self, scene: Scene, edge: float) -> None:
        made = go(scene)
        is_sound(made, made.making.path.points)
        assert made.roots[:, 0].max() < edge - 0.3
        assert made.roots[-1, 0] > edge - 0.9
        assert "the walk ends in front of it" in made.making.notes[0]

    def test_over_no_ground_at_all_it_walks_as_if_there_were(self) -> None:
        made = go(relief(lambda xy: np.full(xy.shape[:-1], np.nan)), SHORT, level=2.0)
        assert np.isfinite(made.walk.clip.positions).all()
        hips = float(controller().start["position"][0, 2])
        np.testing.assert_allclose(made.roots[:, 2].mean(), 2.0 + hips, atol=0.05)
        np.testing.assert_allclose(made.roots[-1, :2], SHORT[1], atol=0.1)


class TestRoofs:
    def test_under_a_roof_its_head_is_under_it(self) -> None:
        made = go(roof(1.2, begin=2.5, end=4.5), SHORT)
        is_sound(made, SHORT)
        clip = made.walk.clip
        head = clip.positions[:, clip.skeleton.joint("head")]
        under = (head[:, 0] > 2.5) & (head[:, 0] < 4.5)
        assert head[under, 2].max() + duck.TUNING.head_top * clip.skeleton.leg_length < 1.2 + 0.005
        assert head[-1, 2] > 1.4, "it stands upright behind it"

    def test_somebody_with_a_long_neck_ducks_as_far_as_it_takes(self) -> None:
        own = person()
        offsets = own.offsets.copy()
        offsets[own.names.index("head"), 2] += 0.25
        low, tall = roof(1.5, 2.5, 4.0), Skeleton(own.names, own.parents, offsets, own.tips)
        making = begin_walk(controller(), WalkRequest(WalkPath(np.array(SHORT)), 1.2, WalkScene(low), target=tall))
        while making.advance(1000):
            pass
        made = Made(making, making.finish(), low)
        clip = made.walk.clip
        head = clip.positions[:, clip.skeleton.joint("head")]
        under = (head[:, 0] > 2.5) & (head[:, 0] < 4.0)
        assert head[under, 2].max() + duck.TUNING.head_top * clip.skeleton.leg_length < 1.5 + 0.005
        assert made.gaps.min() > -DEEPEST

    def test_who_stops_under_a_roof_stands_there(self) -> None:
        made = go(roof(1.3, begin=2.0, end=20.0), ((0.0, 0.0), (4.0, 0.0)))
        # The plan waits for a character that lags, and a crouching controller is slow to catch up.
        assert np.linalg.norm(made.making.trace.frames.position[-1] - [4.0, 0.0]) < PATH_PROGRESS_TUNING.max_lag + 0.05
        places = made.making.trace.frames.position[-30:]
        assert np.ptp(places, axis=0).max() < 0.01


class TestMoving:
    """In the frame of moving ground, a walk is the same as on ground at rest."""

    @staticmethod
    def seen(made: Made, carrier: Carrier) -> Array:
        """The hips (F, 3) as seen from what moves."""
        return np.array([carrier.moved(at, frame, 0) for frame, at in enumerate(made.roots)])

    def test_on_a_train(self) -> None:
        still = go(train().rider, TINY, 1.0, level=0.5)
        for carrier in (train(2.0), train(10.0)):
            made = go(carrier, TINY, 1.0, level=0.5)
            np.testing.assert_allclose(self.seen(made, carrier), still.roots, atol=0.005)
            np.testing.assert_array_equal(made.walk.contacts.probabilities, still.walk.contacts.probabilities)
            assert made.gaps.min() > -DEEPEST
            assert made.creep[: int(0.97 * len(made.creep))].max() < 0.001

    def test_to_the_edge_of_a_train(self) -> None:
        carrier = train(10.0, end=2.6)
        made = go(carrier, TINY, 1.0, level=0.5)
        np.testing.assert_allclose(self.seen(made, carrier)[-1, :2], TINY[1], atol=0.1)
        assert np.abs(self.seen(made, carrier)[:, 1]).max() < 0.1

    def test_in_a_lift(self) -> None:
        carrier = lift(0.5)
        made, still = go(carrier, TINY), go(carrier.rider, TINY)
        np.testing.assert_allclose(self.seen(made, carrier), still.roots, atol=0.005)
        np.testing.assert_array_equal(made.walk.contacts.probabilities, still.walk.contacts.probabilities)
        assert made.gaps.min() > -DEEPEST
        assert made.creep[: int(0.97 * len(made.creep))].max() < 0.001

    def test_on_a_turntable(self) -> None:
        carrier = turntable(60.0)
        made = go(carrier, ((1.5, 0.0), (4.0, 0.0)), 1.0, level=0.1)
        hips = self.seen(made, carrier)
        np.testing.assert_allclose(hips[-1, :2], [4.0, 0.0], atol=0.1)
        assert np.abs(hips[:, 1]).max() < 0.1
        assert made.gaps.min() > -DEEPEST
        assert made.creep[: int(0.97 * len(made.creep))].max() < 0.001
