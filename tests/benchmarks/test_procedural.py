"""Procedural motion really has the labels that it says it has: measured on its joints, not on its plan."""

from functools import cache

import numpy as np
import pytest

from footfall.benchmarks.procedural import Scene, scene, scenes
from footfall.benchmarks.procedural.scenes import motions
from footfall.core.motion.rotations import rotate

RATE = 60.0
MOTIONS = {motion.name: motion for motion in motions()}
NAMES = list(MOTIONS)
FEET = {"L": "foot.L", "R": "foot.R", "FL": "front_foot.L", "FR": "front_foot.R"}


@cache
def made(name: str, rate: float = RATE, noise: float = 0.0) -> Scene:
    """The scene of a name."""
    return scene(MOTIONS[name], rate, noise, np.random.default_rng(0))


def places(one: Scene, role: str) -> np.ndarray:
    """A joint's way (F, 3), in meters of an adult."""
    return one.clip.positions[:, one.clip.skeleton.joint(role)] / MOTIONS[one.name].scale


def on(one: Scene, role: str) -> np.ndarray:
    """Where a joint is said to touch the ground (F)."""
    return one.contacts[:, one.contact_joints.index(role)] > 0.5


def stances(down: np.ndarray) -> list[slice]:
    """Each run of frames in which something is down."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], down, [False]])))
    return [slice(start, stop) for start, stop in edges.reshape(-1, 2)]


def foot_down(one: Scene, side: str) -> np.ndarray:
    """Where any of a foot is down (F)."""
    joints = [FEET[side]] if one.legs == "quadruped" else [f"foot.{side}", f"toe.{side}"]
    return np.any([on(one, joint) for joint in joints], axis=0)


def spread(points: np.ndarray) -> float:
    """The largest distance of points (N, 3) from their middle, meters."""
    return float(np.linalg.norm(points - points.mean(axis=0), axis=-1).max())


@pytest.mark.parametrize("name", NAMES)
def test_what_is_planted_does_not_move(name: str) -> None:
    """The ball while the whole foot or the ball alone is down; the ankle between toe-down and heel-off."""
    one = made(name)
    still: list[float] = []
    for side in one.strikes:
        foot = FEET[side]
        if one.legs == "quadruped":
            still += [spread(places(one, foot)[stance]) for stance in stances(on(one, foot))]
            continue
        ball = on(one, f"toe.{side}")
        still += [spread(places(one, f"toe.{side}")[stance]) for stance in stances(ball)]
        still += [spread(places(one, foot)[stance]) for stance in stances(ball & on(one, foot))]
    assert len(still) > 8 and max(still) < 0.001


@pytest.mark.parametrize("name", NAMES)
def test_a_heel_rolls_about_its_point_before_the_toes_come_down(name: str) -> None:
    one = made(name)
    for side in one.strikes:
        if one.legs == "biped":
            heel = on(one, f"foot.{side}")
            assert all(spread(heel_point(one, side)[stance]) < 0.001 for stance in stances(heel))


def heel_point(one: Scene, side: str) -> np.ndarray:
    """The point of the heel (F, 3), 5 cm behind the ankle and 8 cm under it, in meters of an adult."""
    rotations = one.clip.world[1][:, one.clip.skeleton.joint(f"foot.{side}")]
    return places(one, f"foot.{side}") + rotate(rotations, np.array([0.0, 0.05, -0.08]))


def ground_under(one: Scene, points: np.ndarray) -> np.ndarray:
    """The ground's height (F) under points (F, 3) of one foot: of the slope, or of the stair stood on or left last."""
    if one.name.startswith("slope"):
        return np.tan(0.14 if one.name.endswith("up") else -0.14) * points[:, 1]
    return np.zeros(len(points))


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("stairs")])
def test_no_foot_is_under_the_ground(name: str) -> None:
    one = made(name)
    for side in one.strikes:
        if one.legs == "quadruped":
            lowest = [places(one, FEET[side]) - [0.0, 0.0, 0.03]]
        else:
            ball = places(one, f"toe.{side}")
            # Level feet have the ball 3.5 cm above the sole.
            lowest = [heel_point(one, side), ball - [0.0, 0.0, 0.035]]
        assert min(float((points[:, 2] - ground_under(one, points)).min()) for points in lowest) > -0.005


@pytest.mark.parametrize("name", NAMES)
def test_strikes_are_the_onsets_of_contacts(name: str) -> None:
    """The first frame in contact is the first one after the strike's time."""
    one = made(name)
    for side, times in one.strikes.items():
        down = foot_down(one, side)
        onsets = np.flatnonzero(~down[:-1] & down[1:]) + 1
        np.testing.assert_array_equal(onsets, np.ceil(np.round(times * RATE, 9)))
        assert len(onsets) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_the_phase_is_zero_at_right_strikes_and_a_half_at_left_ones(name: str) -> None:
    one = made(name)
    whole = np.unwrap(one.phase, period=1.0)
    assert np.all(np.diff(whole) > 0)
    clock = np.arange(len(whole)) / RATE
    for side, phase in (("R", 0.0), ("L", 0.5)):
        at = np.interp(one.strikes[side], clock, whole)
        np.testing.assert_allclose((at - phase + 0.5) % 1.0 - 0.5, 0.0, atol=0.002)


def test_the_scenes_are_the_ones_that_are_to_be_labelled() -> None:
    made_of_all = scenes(30.0, 0.0, np.random.default_rng(0))
    assert [one.name for one in made_of_all] == NAMES
    assert {one.legs for one in made_of_all} == {"biped", "quadruped"}
    for one in made_of_all:
        assert one.contacts.shape == (len(one.clip), 4) and one.phase.shape == one.standing.shape == (len(one.clip),)
        assert one.standing.any() == (one.name == "stand, walk, stand")
