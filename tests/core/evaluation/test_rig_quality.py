"""What a rig shows beside its plan, and feet that slide in pairs."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.evaluation.planned_motion import neutral_directions, plan_motion
from footfall.core.evaluation.quality import summarise_traces
from footfall.core.evaluation.rig_quality import ShownMotion, rig_traces, sole_normal
from footfall.core.evaluation.sliding_pairs import sliding_pair_seconds
from footfall.core.motion.rotations import IDENTITY, UP, from_axis_angle, multiply, rotate
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.rest_pose import with_rest_pose
from footfall.tests.support.walker import Walker

WALK = Walker(speed=1.2, seconds=3.0).clip()
NEUTRAL = np.tile(UP, (len(WALK.skeleton), 1))
NOWHERE = np.full((len(WALK), 2), np.nan)


def verdicts(positions, rotations, floors=NOWHERE, soles=None, blended=None) -> dict[str, str]:
    plan = plan_motion(WALK, NEUTRAL, floors)
    count = len(plan.rows)
    blended = np.zeros(count, dtype=bool) if blended is None else blended
    shown = ShownMotion(WALK.skeleton, positions[plan.rows], rotations[plan.rows], soles or {}, blended)
    return {one.measure: one.verdict for one in summarise_traces(rig_traces(plan, shown))}


def test_a_rig_that_shows_its_plan_is_good() -> None:
    assert set(verdicts(*WALK.world).values()) == {"GOOD"}


@pytest.mark.parametrize(("degrees", "verdict"), [(4.0, "GOOD"), (6.0, "DOUBTFUL"), (10.0, "BAD")])
def test_a_lean_is_told_from_five_degrees_on(degrees: float, verdict: str) -> None:
    positions, rotations = (track.copy() for track in WALK.world)
    chest = WALK.skeleton.roles.get("chest", WALK.skeleton.roles["hips"])
    lean = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(degrees))
    rotations[:, chest] = multiply(rotations[:, chest], lean)
    assert verdicts(positions, rotations)["posture"] == verdict


@pytest.mark.parametrize(("raised", "verdict"), [(0.02, "GOOD"), (0.03, "DOUBTFUL"), (0.04, "BAD")])
def test_a_body_beside_its_plan_is_told(raised: float, verdict: str) -> None:
    positions, rotations = WALK.world
    assert verdicts(positions + raised * UP, rotations)["off_plan"] == verdict


@pytest.mark.parametrize(("degrees", "verdict"), [(0.0, "GOOD"), (20.0, "BAD")])
def test_soles_are_level_where_they_rest(degrees: float, verdict: str) -> None:
    positions, rotations = (track.copy() for track in WALK.world)
    foot = WALK.skeleton.roles["foot.L"]
    rotations[:, foot] = from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    floors = NOWHERE.copy()
    floors[:, 0] = 0.0
    assert verdicts(positions, rotations, floors)["sole_tilt"] == verdict


def test_a_sole_that_hangs_at_rest_is_measured_by_its_skin() -> None:
    grid = np.array([[x, y, -0.08] for x in (-0.04, 0.0, 0.04) for y in (-0.2, -0.1, 0.0)])
    assert sole_normal(grid) == pytest.approx(UP)
    hanging = rotate(from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(30.0)), grid)
    assert np.degrees(np.arccos(sole_normal(hanging)[2])) == pytest.approx(30.0)
    assert sole_normal(grid[:2]) == pytest.approx(UP), "too few points tell nothing"


def test_both_feet_sliding_are_told_with_their_time() -> None:
    gliding = np.zeros((120, 4))
    gliding[30:48] = 0.5
    assert sliding_pair_seconds(gliding, np.zeros((120, 4)), 60.0).max() == pytest.approx(0.3)
    assert sliding_pair_seconds(gliding, np.full((120, 4), 0.2), 60.0).max() == 0.0, "no foot bears weight"
    half = gliding * [1, 1, 0, 0]
    assert sliding_pair_seconds(half, np.zeros((120, 4)), 60.0).max() == 0.0, "one foot stands"


@pytest.mark.parametrize("still", [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]])
def test_a_foot_that_rolls_over_its_heel_or_ball_does_not_slide(still: list[int]) -> None:
    speeds = np.tile(np.array(still, dtype=float), (60, 1))
    assert sliding_pair_seconds(speeds, np.zeros((60, 4)), 60.0).max() == 0.0


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_a_slide_is_judged_in_the_size_of_the_body(size: float) -> None:
    speeds, heights = np.full((60, 4), 0.4 * size), np.full((60, 4), 0.02 * size)
    assert sliding_pair_seconds(speeds, heights, 60.0, size).max() == pytest.approx(1.0)
    assert sliding_pair_seconds(speeds / 2, heights, 60.0, size).max() == 0.0
    assert sliding_pair_seconds(speeds, 2 * heights, 60.0, size).max() == 0.0


def test_a_trunk_that_leans_back_at_rest_is_upright_where_its_people_stand() -> None:
    """The joints of a controller's spine are estimates: their bones lean back by ten degrees where people stand."""
    pose = np.tile(IDENTITY, (len(WALK.skeleton), 1))
    above = WALK.skeleton.roles["spine"]
    for joint, parent in enumerate(WALK.skeleton.parents):
        if joint == above or (parent >= 0 and pose[parent, 0] < 1.0):
            pose[joint] = from_axis_angle(np.eye(3)[0], np.radians(10.0))
    leaning = with_rest_pose(WALK.skeleton, pose)
    controller = calibrate(
        replace(leaning, names=tuple(f"{name}'" for name in leaning.names)), WALK.skeleton, controller="SOURCE"
    )
    assert neutral_directions(controller, None)[WALK.skeleton.roles["chest"]] == pytest.approx(UP, abs=1e-3)
