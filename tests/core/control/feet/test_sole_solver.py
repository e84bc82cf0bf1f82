"""Parts of the foot solver, on a person who stands and on one foot that is placed as it is told."""

import numpy as np

from footfall.core.control.feet.foot_pose import SoleContacts
from footfall.core.control.feet.sole_solver import SoleSolver
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.rotations import UP, Array, rotation_about_up
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
