"""Parts of the foot solver, on a person who stands and on one foot that is placed as it is told."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_pose import SoleContacts
from footfall.core.control.feet.sole_solver import SoleSolver, toe_bend
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.rotations import UP, Array, from_axis_angle, multiply, rotate, rotation_about_up
from footfall.core.motion.signals import Mask
from footfall.core.retarget.contacts import SolePoints
from footfall.core.terrain.ground import Plane, Scene
from footfall.tests.support.walker import person

FRAMES = 120


def between(*runs: tuple[int, int]) -> Mask:
    result = np.zeros(FRAMES, dtype=bool)
    for start, stop in runs:
        result[start:stop] = True
    return result


def solver(heel: Mask, ball: Mask, scene: Scene | None = None, scale: float = 1.0, yaw: float = 0.0) -> SoleSolver:
    skeleton = person(scale)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, len(skeleton), 1))
    rotations[:, 0] = rotation_about_up(np.full(FRAMES, yaw))
    clip = Clip(skeleton, 60.0, np.tile([0.0, 0.0, scale], (FRAMES, 1)), rotations)
    return SoleSolver(clip, Leg.of(skeleton, "L"), SoleContacts(heel, ball), scene or Plane(), clip, scale)


def placed(foot: SoleSolver, heel: Array, ball: Array) -> SoleSolver:
    """The foot with its heel and ball at tracks (F, 3)."""
    vars(foot)["original"] = SolePoints(heel, ball)
    return foot


NONE, ALL = between(), between((0, FRAMES))


@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_ends_of_a_sole_have_the_heights_of_an_adults(scale: float) -> None:
    foot = solver(NONE, NONE, scale=scale)
    np.testing.assert_allclose(foot.end_heights, np.array([0.005, 0.035, 0.02]) * scale)
    length = np.linalg.norm(foot.original.ball[0] - foot.original.heel[0])
    assert foot.sole_length == pytest.approx(length)
    unknown = placed(solver(NONE, NONE, scale=scale), foot.clip.positions[:, foot.leg.foot], foot.original.ball)
    assert unknown.sole_heights[0] == pytest.approx(0.072 * scale), "the ankle takes the place of the heel"


def test_toes_point_ahead_of_their_ball() -> None:
    np.testing.assert_allclose(solver(NONE, NONE).toe_vectors[7], [0.0, -0.06, 0.0], atol=1e-12)
    np.testing.assert_allclose(solver(NONE, NONE, yaw=np.pi / 2).toe_vectors[7], [0.06, 0.0, 0.0], atol=1e-12)


def test_a_heel_alone_is_held_where_it_rests() -> None:
    foot = solver(between((20, 40)), NONE)
    targets = foot.lock_targets
    heel = foot.original.heel[30]
    np.testing.assert_allclose(targets.heel[20:40], np.tile([*heel[:2], 0.005], (20, 1)), atol=1e-9)
    assert np.isnan(targets.heel[[19, 40]]).all() and np.isnan(targets.ball).all() and np.isnan(targets.normal).all()


def test_a_foot_in_the_ground_is_raised_as_a_whole_where_nothing_touches() -> None:
    """The ground is 5 cm over the soles; a heel's joint is 5 mm over them."""
    foot = solver(NONE, NONE)
    low = float(foot.original.heel[0, 2]) - 0.005
    sunk = solver(NONE, NONE, Plane(low + 0.05))
    soles = sunk.solve_soles()
    np.testing.assert_allclose(soles.heel, sunk.original.heel + 0.05 * UP, atol=1e-9)
    np.testing.assert_allclose(soles.ball - soles.heel, sunk.original.ball - sunk.original.heel, atol=1e-9)
    free = solver(NONE, NONE, Plane(low - 0.05)).solve_soles()
    np.testing.assert_allclose(free.ball, sunk.original.ball, atol=1e-9)


def test_a_foot_that_stands_is_put_on_the_ground_and_keeps_its_length() -> None:
    foot = solver(between((40, 80)), between((40, 80)), Plane(0.02))
    soles, targets = foot.solve_soles(), foot.lock_targets
    np.testing.assert_allclose(soles.ball[40:80], targets.ball[40:80], atol=1e-9)
    np.testing.assert_allclose(soles.heel[40:80], targets.heel[40:80], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(soles.ball - soles.heel, axis=-1), foot.sole_length)


def test_a_foot_without_a_toe_stands_on_its_ankle() -> None:
    whole = solver(NONE, NONE)
    leg = Leg(whole.leg.thigh, whole.leg.shin, whole.leg.foot, None)
    contacts = SoleContacts(between((40, 80)), NONE)
    foot = SoleSolver(whole.clip, leg, contacts, Plane(0.02), whole.clip, 1.0)
    ankle, own = foot.solve_ankle(), whole.clip.positions[:, leg.foot]
    np.testing.assert_allclose(ankle[40:80], np.tile([*own[0, :2], 0.02 + 0.072], (40, 1)), atol=1e-9)
    depth = max(0.02 + 0.072 - own[0, 2], 0.0)
    np.testing.assert_allclose(ankle[[0, -1]], own[[0, -1]] + depth * UP, atol=1e-9)


@pytest.mark.parametrize("pitch", [0.0, 0.3, -0.2])
def test_toes_lie_on_the_ground_while_their_ball_touches(pitch: float) -> None:
    foot = solver(NONE, between((40, 80)))
    turn = np.tile(from_axis_angle([1.0, 0.0, 0.0], pitch), (FRAMES, 1))
    bend = toe_bend(foot, turn)
    toes = rotate(multiply(bend, turn), foot.toe_vectors)
    np.testing.assert_allclose(toes[40:80], np.tile([0.0, -0.06, 0.0], (40, 1)), atol=1e-9)
    np.testing.assert_allclose(np.abs(bend[[30, 89], 0]), 1.0, atol=1e-12)
    assert (np.abs(bend[[35, 84], 0]) < 1.0).all() == (pitch != 0.0)
    still = toe_bend(solver(ALL, NONE), turn)
    np.testing.assert_array_equal(still, np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1)))


def test_a_heel_that_rests_stays_on_the_ground_while_its_ball_is_set_down_nearer_to_it() -> None:
    """As in a guard, whose foot turns about: its length fits between the two places only with the heel below."""
    flat = solver(NONE, NONE)
    heel, ball = flat.original.heel.copy(), flat.original.ball.copy()
    ball[80:] += 0.4 * (heel[80:] - ball[80:]) * [1.0, 1.0, 0.0]
    foot = placed(solver(ALL, between((0, 70), (84, FRAMES))), heel, ball)
    soles = foot.planted_soles()
    np.testing.assert_allclose(soles.heel[84:, 2], 0.005, atol=1e-9)
    np.testing.assert_allclose(soles.ball[84:, 2], 0.035, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(soles.ball - soles.heel, axis=-1), foot.sole_length, atol=1e-12)
