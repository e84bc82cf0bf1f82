"""Parts of the foot solver, on a person who stands and on one foot that is placed as it is told."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_pose import SoleContacts
from footfall.core.control.feet.foot_solver import _sole_roll
from footfall.core.control.feet.sole_solver import SoleSolver, toe_bend
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.rotations import UP, Array, from_axis_angle, multiply, rotate, rotation_about_up
from footfall.core.motion.signals import Mask
from footfall.core.retarget.contacts import SolePoints
from footfall.core.terrain.ground import Plane, Scene
from footfall.tests.support.terrain_scenes import FLOOR, Boxes, Carrier, relief
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


def test_the_direction_of_a_foot_is_from_heel_to_ball() -> None:
    for yaw in (0.0, 1.0, -2.0):
        foot = solver(NONE, NONE, yaw=yaw)
        expected = [np.sin(yaw), -np.cos(yaw)]
        np.testing.assert_allclose(foot._foot_direction(np.array([3, 9])), expected, atol=1e-9)
        toeless = SoleSolver(
            foot.clip, Leg(*(getattr(foot.leg, part) for part in ("thigh", "shin", "foot")), None), foot.contacts,
            foot.scene, foot.clip, 1.0,
        )  # fmt: skip
        np.testing.assert_allclose(toeless._foot_direction(np.array([3, 9])), expected, atol=1e-9)


@pytest.mark.parametrize(
    "heel, lead",
    [
        ((40, 60), 9),
        ((45, 60), 5),
        ((49, 60), 1),
        ((50, 60), 9),
        ((52, 60), 9),
        ((30, 50), 9),
        ((44, 50), 6),
        ((30, 49), 9),
    ],
)
def test_a_ball_goes_with_its_heel_until_it_has_landed(heel: tuple[int, int], lead: int) -> None:
    """The ball's contact begins at frame 50; corrections fade over 9 frames."""
    foot = solver(between(heel), between((50, 80)))
    assert foot._fade_frames == 9 and foot._heel_lead_frames().tolist() == [lead]


def test_ends_are_tilted_wholly_beside_a_contact_and_less_up_to_a_twentieth_of_a_second_away() -> None:
    weights = solver(between((40, 50)), between((45, 60)))._tilt_weights()
    np.testing.assert_array_equal(weights[39:61], 1.0)
    # The quintic falloff at a third and at two thirds.
    np.testing.assert_allclose(weights[[38, 37, 61, 62]], [64 / 81, 17 / 81, 64 / 81, 17 / 81])
    assert not weights[:37].any() and not weights[63:].any()
    assert not solver(NONE, NONE)._tilt_weights().any()


def test_heights_are_over_the_ground_that_is_there() -> None:
    step = relief(lambda xy: np.where(xy[..., 0] > 1.0, 0.2, np.where(xy[..., 0] < -1.0, np.nan, 0.0)))
    foot = solver(NONE, NONE, step)
    points = np.array([[0.0, 0.0, 0.1], [2.0, 0.0, 0.1], [-2.0, 0.0, 0.1]])
    np.testing.assert_allclose(foot._min_heights(points, 0.03, np.array([0, 1, 2])), [0.03, 0.23, -np.inf])
    for z, height in ((0.7 - 0.41, 0.03), (0.7 - 0.39, 0.73)):
        table = solver(NONE, NONE, Boxes([FLOOR, ((-1.0, -1.0, 0.699), (1.0, 1.0, 0.7))]))
        assert table._min_heights(np.array([[0.0, 0.0, z]]), 0.03, np.array([0]))[0] == pytest.approx(height)


@pytest.mark.parametrize("ground, rise", [(-1.0, 0.06), (0.05, 0.08), (0.2, 0.18), (5.0, 0.18)])
def test_an_end_is_tipped_out_of_the_ground_about_the_other(ground: float, rise: float) -> None:
    """The sole is 0.2 m long; the moving end is 0.06 m over the fixed one, and rises by 0.9 of the sole at most."""
    foot = solver(NONE, NONE, Plane(ground))
    vars(foot)["sole_length"] = 0.2
    fixed = np.tile([1.0, 2.0, 0.0], (FRAMES, 1))
    moving = fixed + np.array([0.0, -np.sqrt(0.04 - 0.06**2), 0.06])
    tipped = foot._tip_above_ground(fixed, moving, 0.03, between((0, 60)))
    expected = [1.0, 2.0 - np.sqrt(0.04 - rise**2), rise]
    np.testing.assert_allclose(tipped[:60], np.tile(expected, (60, 1)), atol=1e-9)
    np.testing.assert_array_equal(tipped[60:], moving[60:])


def test_an_offset_to_a_raised_end_is_that_where_it_is_lowest() -> None:
    offsets = np.zeros((FRAMES, 3))
    offsets[:, 0], offsets[:, 2] = np.arange(FRAMES), np.abs(np.arange(FRAMES) - 50) + 1.0
    foot = solver(NONE, NONE)
    np.testing.assert_allclose(foot._raised_offset(offsets, 0.03, 40, 60), [50.0, 0.0, 1.03])
    np.testing.assert_allclose(foot._raised_offset(offsets, -0.03, 60, 70), [60.0, 0.0, 10.97])


@pytest.mark.parametrize("last, share", [(48, 1.0), (60, 0.64), (96, 0.25)])
def test_a_step_is_where_its_heel_landed_and_a_longer_stance_is_less_so(last: int, share: float) -> None:
    """The contacts of both begin at frame 0: of 0.8 s the whole way counts, and then less with their square."""
    foot = solver(between((0, last)), between((0, last)))
    heel = np.tile([0.03, 0.0, 0.0], (FRAMES, 1))
    ball = np.tile([0.0, 0.0, 0.0], (FRAMES, 1))
    vars(foot)["sole_length"] = 0.2
    offset = placed(foot, heel, ball)._landing_offset(0, last, np.array([0.0, -1.0]))
    np.testing.assert_allclose(offset, share * np.array([0.03, -0.2]))


def test_a_ball_belongs_to_the_heel_with_which_it_stands_longest() -> None:
    foot = solver(between((0, 10), (14, 40), (60, 90)), between((5, 48)))
    heel = np.zeros((FRAMES, 3))
    heel[:12, 0], heel[12:50, 0], heel[50:, 0] = 1.0, 2.0, 3.0
    vars(foot)["sole_length"] = 0.2
    offset = placed(foot, heel, np.zeros((FRAMES, 3)))._landing_offset(5, 48, np.zeros(2))
    np.testing.assert_allclose(offset, [2.0, 0.0])


def test_a_place_rides_with_the_ground() -> None:
    deck = Boxes([((-9.0, -9.0, 0.0), (9.0, 9.0, 0.1))])
    ferry = Carrier(Boxes([FLOOR]), deck, velocity=(0.02, 0.0, 0.0))
    place = np.array([0.0, 0.0, 0.1])
    moved = solver(NONE, NONE, ferry)._carry_with_ground(place, 20, 18, 24)
    np.testing.assert_allclose(moved[:, 0], 0.02 * np.arange(-2, 4), atol=1e-9)
    np.testing.assert_array_equal(solver(NONE, NONE)._carry_with_ground(place, 20, 18, 24), np.tile(place, (6, 1)))


def test_corrections_fade_over_nine_frames_beside_their_targets() -> None:
    track, targets = np.zeros((FRAMES, 3)), np.full((FRAMES, 3), np.nan)
    targets[50:60] = [0.0, 0.1, 0.0]
    moved = solver(NONE, NONE)._blend_to_targets(track, targets)
    np.testing.assert_allclose(moved[50:60, 1], 0.1)
    assert np.flatnonzero(moved[:, 1]).tolist() == list(range(41, 69))
    np.testing.assert_allclose(moved[41:50, 1], moved[68:59:-1, 1])
    early = solver(NONE, NONE)._blend_to_targets(track, targets, np.array([4], dtype=np.intp))
    assert np.flatnonzero(early[:, 1]).tolist() == list(range(46, 69))
    none = solver(NONE, NONE)._blend_to_targets(track, np.full((FRAMES, 3), np.nan))
    assert none is not track and not none.any()


@pytest.mark.parametrize("height", [0.0, 0.7])
def test_a_foot_that_stands_flat_is_held_where_it_is(height: float) -> None:
    """Its ball is as high over the ground as a ball is, and its heel behind it by the sole's length.

    Two seconds count a sixth: the ball is led ahead by that much of what the tilted sole is shorter from above.
    """
    foot = solver(ALL, ALL, Plane(height))
    targets = foot.lock_targets
    ball, ahead = foot.original.ball[0], foot._foot_direction(np.arange(3))
    reach = np.sqrt(foot.sole_length**2 - 0.03**2)
    place = ball[:2] + 0.4**2 * (foot.sole_length - reach) * ahead
    np.testing.assert_allclose(targets.ball, np.tile([*place, height + 0.035], (FRAMES, 1)), atol=1e-9)
    np.testing.assert_allclose(targets.heel[:, :2], np.tile(place - reach * ahead, (FRAMES, 1)), atol=1e-9)
    np.testing.assert_allclose(targets.heel[:, 2], height + 0.005, atol=1e-9)
    np.testing.assert_allclose(targets.normal, np.tile([0.0, 0.0, 1.0], (FRAMES, 1)), atol=1e-12)


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


@pytest.mark.parametrize("roll", [0.0, 0.2, -0.3])
def test_a_sole_rolls_onto_the_ground_while_both_ends_touch(roll: float) -> None:
    foot = solver(between((40, 80)), between((30, 80)))
    soles = SolePoints(foot.original.ball + np.array([0.0, 0.2, 0.0]), foot.original.ball)
    turn = np.tile(from_axis_angle([0.0, -1.0, 0.0], roll), (FRAMES, 1))
    rolled = multiply(_sole_roll(foot, soles, turn), turn)
    np.testing.assert_allclose(np.abs(rolled[40:80, 0]), 1.0, atol=1e-9)
    np.testing.assert_allclose(rolled[[20, 95]], turn[[20, 95]], atol=1e-12)
    none = _sole_roll(solver(between((40, 60)), between((60, 80))), soles, turn)
    np.testing.assert_array_equal(none, np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1)))


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
