"""Characters that answer another one: places and facing in closed form, a reaction time, limits of speed."""

import numpy as np
import pytest

from footfall.core.control.pair.relation import TUNING as RELATION_TUNING
from footfall.core.control.pair.relation import Relation, answer_motion, require_possible
from footfall.core.control.pair.relation_kinds import RELATIONS, RelationKind
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import RootTrack, facing_direction, yaw_of
from footfall.core.motion.rotations import Array, wrap_angle
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import Boxes

MAX_SPEED_M_S = 3.0
REACTION_S = 0.25
RATE = 60.0
Box = tuple[tuple[float, float, float], tuple[float, float, float]]
FLOOR: Box = ((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))
GOAL = np.array([0.0, 6.0])


def straight(speed: float, seconds: float = 8.0, begins: float = 0.0) -> RootTrack:
    """Return a character that stands for a time, and then goes along +X."""
    times = np.arange(round(seconds * RATE)) / RATE
    x = speed * np.maximum(times - begins, 0.0)
    return RootTrack(np.stack([x, np.zeros_like(x)], axis=-1), np.full(len(x), -np.pi / 2))


def pair(kind: RelationKind, other: RootTrack, distance: float = 1.2) -> tuple[RootTrack, Array, Array]:
    """Return the answer, its distances from the other, and the angles by which it does not face it."""
    relation = Relation(kind, distance, 0.6, GOAL)
    answer = answer_motion(relation, other, RATE).roots
    away = other.positions - answer.positions
    return answer, np.linalg.norm(away, axis=-1), np.abs(wrap_angle(yaw_of(away) - answer.yaws))


@pytest.mark.parametrize("kind", ["follow", "face"])
def test_behind_or_in_front_of_a_character_that_goes_straight_on(kind: RelationKind) -> None:
    answer, distances, off = pair(kind, straight(1.0))
    side = -1.0 if kind == "follow" else 1.0
    np.testing.assert_allclose(distances[-180:], 1.2, atol=0.03)
    np.testing.assert_allclose((answer.positions - straight(1.0).positions)[-1], (1.2 * side, 0.0), atol=0.03)
    assert off[-180:].max() < 0.05


def test_around_a_character_that_stands() -> None:
    answer, distances, off = pair("circle", straight(0.0))
    np.testing.assert_allclose(distances[30:-30], 1.2, atol=0.08)
    angle = np.unwrap(yaw_of(answer.positions))
    assert np.gradient(angle)[120:-120].mean() * RATE == pytest.approx(0.6 / 1.2, rel=0.1)
    assert off[60:].max() < 0.2


def test_between_a_character_and_the_goal() -> None:
    other = straight(0.7)
    answer, distances, _ = pair("defend", other)
    to_goal = GOAL - other.positions
    across = np.abs(to_goal[:, 0] * (answer.positions - other.positions)[:, 1] - to_goal[:, 1]
                    * (answer.positions - other.positions)[:, 0]) / np.linalg.norm(to_goal, axis=-1)  # fmt: skip
    assert across[60:].max() < 0.35, "beside the line from the other to the goal"
    np.testing.assert_allclose(distances[60:], 1.2, atol=0.25)


def test_a_character_in_front_goes_around_one_that_turns_about() -> None:
    still = np.zeros((600, 2))
    yaws = np.where(np.arange(600) < 120, 0.0, 0.9 * np.pi)
    answer, distances, _ = pair("face", RootTrack(still, yaws))
    assert distances.min() > 0.9, "never through it"
    np.testing.assert_allclose(answer.positions[-1], 1.2 * facing_direction(np.array(0.9 * np.pi)), atol=0.2)


def test_the_other_is_seen_late() -> None:
    other = straight(1.2, begins=2.0)
    answer, _, _ = pair("face", other)
    moved = np.linalg.norm(answer.positions - answer.positions[0], axis=-1)
    assert moved[: round((2.0 + REACTION_S - 0.15) * RATE)].max() < 0.01
    assert moved[round(3.5 * RATE)] > 0.5


@pytest.mark.parametrize("kind", RELATIONS)
def test_speed_and_acceleration_have_limits(kind: RelationKind) -> None:
    times = np.arange(600) / RATE
    wild = np.stack([2.0 * np.sin(1.5 * times), np.sign(np.sin(0.8 * times))], axis=-1)
    answer, _, _ = pair(kind, RootTrack(wild, 3.0 * np.sin(2 * times)))
    velocities = np.gradient(answer.positions, axis=0) * RATE
    assert np.linalg.norm(velocities, axis=-1).max() < MAX_SPEED_M_S + 1e-6
    assert (
        np.linalg.norm(np.gradient(velocities, axis=0) * RATE, axis=-1).max() < RELATION_TUNING.max_acceleration + 1e-6
    )


def test_lengths_scale_together() -> None:
    whole, half = straight(1.0), straight(0.5)
    relation = Relation("follow", 1.2)
    assert relation.scaled(0.5).distance == 0.6 and Relation("defend", 1.0, goal=GOAL).scaled(0.5).goal is not None
    assert len(answer_motion(relation, whole, RATE).levels) == len(
        answer_motion(relation.scaled(0.5), half, RATE).levels
    )


def room(*walls: Box) -> WalkScene:
    """A floor between walls."""
    return WalkScene(Boxes([FLOOR]), Boxes(walls))


def test_a_character_walks_along_walls() -> None:
    wall = ((-3.0, -2.0, 0.0), (8.0, -0.8, 2.5))
    answer = answer_motion(Relation("circle", 1.2, 0.6), straight(0.0, 20.0), RATE, room(wall)).roots
    assert answer.positions[:, 1].min() > -0.8 + 0.2, "a body is half a meter wide"
    assert np.linalg.norm(answer.positions, axis=-1).max() < 1.5


def test_stairs_are_climbed_and_cliffs_are_not() -> None:
    steps = [((1.0 + 0.3 * number, -3.0, -1.0), (20.0, 3.0, 0.17 * (number + 1))) for number in range(6)]
    climbed = answer_motion(Relation("follow", 1.2), straight(0.8), RATE, WalkScene(Boxes([FLOOR, *steps])))
    assert climbed.levels[0] == 0.0 and climbed.levels[-1] == pytest.approx(6 * 0.17)
    assert np.diff(climbed.levels).max() < 0.35, "step by step"
    table = ((1.0, -3.0, -1.0), (20.0, 3.0, 1.2))
    stays = answer_motion(Relation("follow", 1.2), straight(0.8), RATE, WalkScene(Boxes([FLOOR, table])))
    assert not stays.levels.any() and stays.roots.positions[:, 0].max() < 1.0


def test_relations_that_cannot_be_kept() -> None:
    with pytest.raises(FootfallError, match=r"from 0.6 to 5 m"):
        require_possible(Relation("face", 0.2))
    with pytest.raises(FootfallError, match="no goal to defend"):
        require_possible(Relation("defend", 1.0))
