"""Plans of walks: what is refused, and what a request becomes in meters of its controller."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from footfall.cli.dance import SHIPPED_CONTROLLER
from footfall.core.control.ball.accompaniment import BallAccompaniment
from footfall.core.control.ball.dribble import Dribble
from footfall.core.control.path.path import PATH_SPACING_M
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import Cues, CueSpan, Jump, Wait
from footfall.core.control.path.timed_waypoints import Waypoint
from footfall.core.control.path.velocity_profile import plan_timing
from footfall.core.control.walk.plan import (
    WalkRequest,
    model_styles,
    plan_walk,
    require_style,
)
from footfall.core.errors import FootfallError
from footfall.core.models.generator_kinds import ADVERSARIAL
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.retarget.calibration import calibrate
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.generators import random_generator
from footfall.tests.support.terrain_scenes import Boxes
from footfall.tests.support.walker import person

Controller = Callable[..., ControllerModel]

CONTROLLERS = Path(__file__).parents[4] / "presets" / "controllers"
NORTH = WalkPath(np.array([[0.0, 0.0], [0.0, 6.0]]))
WALL = WalkScene(obstacles=Boxes([((-0.5, 2.9, 0.0), (0.5, 3.1, 2.0))]))
"""A wall of a meter across the middle of the path to the north."""


@pytest.fixture(scope="module")
def model(controller: Controller) -> ControllerModel:
    return controller((0.0, 1.2))


@pytest.fixture(scope="module")
def jumper(controller: Controller) -> ControllerModel:
    return controller((0.0, 1.2), gaits=("stand", "walk", "run", "jump", "limp"))


def refusal(model: ControllerModel, **changes: object) -> str:
    """The sentence with which a walk is refused."""
    with pytest.raises(FootfallError) as said:
        plan_walk(WalkRequest(**({"path": NORTH} | changes)), model)  # type: ignore[arg-type]
    return str(said.value)


# --- What is refused


@pytest.mark.parametrize("speed", [0.29, 8.01, -1.0])
def test_a_speed_below_thirty_centimeters_or_above_eight_meters_a_second_is_refused(
    model: ControllerModel, speed: float
) -> None:
    said = f"The speed is {speed:g} m/s: choose one from 0.3 to 8 m/s"
    assert refusal(model, speed=speed) == said
    assert refusal(model, cues=Cues((CueSpan(1.0, 2.0, speed=speed),))) == said


def test_a_style_is_one_besides_standing_walking_running_and_jumping(jumper: ControllerModel) -> None:
    assert model_styles(jumper) == ("limp",)
    require_style(jumper, "limp")
    require_style(jumper, "")
    for style in ("stand", "walk", "run", "jump", "hop"):
        with pytest.raises(FootfallError, match=f"no style '{style}': choose one of limp"):
            require_style(jumper, style)


def test_a_jump_is_refused_by_a_controller_that_does_not_jump(model: ControllerModel) -> None:
    assert refusal(model, cues=Cues(jumps=(Jump(3.0),))).startswith("This controller was not trained to jump")


def test_a_controller_that_needs_a_partner_does_not_walk_alone() -> None:
    assert refusal(load_model(SHIPPED_CONTROLLER)).startswith(
        "This controller needs other input than a path (opponent)"
    )


def test_only_a_controller_with_a_ball_dribbles(model: ControllerModel) -> None:
    assert refusal(model, accompaniment=BallAccompaniment(Dribble())).startswith(
        "This controller does not play with a ball"
    )


def test_a_walk_on_four_legs_needs_a_body_with_four(model: ControllerModel) -> None:
    quadruped = load_model(CONTROLLERS / "quadruped.safetensors")
    for target in (person(), calibrate(model.skeleton, person())):
        assert refusal(quadruped, target=target).startswith("This controller walks on four legs, but the body has two")


# --- What a request becomes


def test_by_itself_a_walk_is_on_level_ground_by_the_controllers_own_body(model: ControllerModel) -> None:
    plan = plan_walk(WalkRequest(NORTH, seed=4, responsiveness=0.8), model)
    assert plan.drawn_path is NORTH
    np.testing.assert_array_equal(plan.path.points, NORTH.points)
    assert (plan.scale, plan.calibration, plan.speed, plan.seed, plan.responsiveness) == (1.0, None, 1.2, 4, 0.8)
    assert plan.body_scale == pytest.approx(1.0)
    assert (plan.warnings, plan.gazes, plan.accompaniment, plan.variation) == ((), (), None, None)
    assert plan.performer == ()
    assert len(plan.waypoint_lengths) == len(plan.waypoints) == len(plan.failure_reasons) == 0
    np.testing.assert_array_equal(plan.profile.heights, 0.0)
    expected = plan_timing(NORTH, 1.2, 60.0, plan.profile, gaits=model.gaits)
    np.testing.assert_allclose(plan.timing.distances, expected.distances)


@pytest.mark.parametrize("calibrated", [False, True])
def test_a_body_of_twice_the_size_walks_half_as_far_in_meters_of_the_controller(
    model: ControllerModel, calibrated: bool
) -> None:
    target = calibrate(model.skeleton, person(2.0)) if calibrated else person(2.0)
    cues = Cues((CueSpan(2.0, 4.0, speed=0.8),), waits=(Wait(5.0, 1.0),))
    request = WalkRequest(NORTH, 1.2, start_level=1.0, target=target, cues=cues)
    plan = plan_walk(request, model)
    assert plan.scale == pytest.approx(2.0) and plan.body_scale == pytest.approx(1.0)
    assert plan.drawn_path is NORTH and plan.path.length == pytest.approx(3.0)
    assert plan.speed == pytest.approx(0.4), "the slowest speed, of the path event"
    np.testing.assert_allclose(plan.profile.heights, 0.5)
    assert plan.walk_scene.ground.heights(np.zeros((1, 3))) == 1.0
    standing = np.flatnonzero(np.diff(plan.timing.distances) < 1e-9)
    np.testing.assert_allclose(plan.timing.distances[standing[5]], 2.5, atol=PATH_SPACING_M)
    assert plan.timing.speeds[np.searchsorted(plan.timing.distances, 1.5)] == pytest.approx(0.4, abs=0.02)
    assert plan.timing.speeds.max() == pytest.approx(0.6, abs=0.02)
    assert plan.calibration is not None and (plan.calibration is target) == calibrated


def test_waypoints_are_met_in_the_order_of_their_times(model: ControllerModel) -> None:
    late, early = Waypoint(6.0, np.array([0.2, 5.0])), Waypoint(3.0, np.array([-0.2, 2.0]))
    plan = plan_walk(WalkRequest(NORTH, waypoints=(late, early), target=person(2.0)), model)
    assert [waypoint.time for waypoint in plan.waypoints] == [3.0, 6.0]
    np.testing.assert_allclose([waypoint.position for waypoint in plan.waypoints], [[-0.1, 1.0], [0.1, 2.5]])
    assert plan.failure_reasons == ["", ""]
    np.testing.assert_allclose(plan.path.position_at(plan.waypoint_lengths), [[-0.1, 1.0], [0.1, 2.5]], atol=0.01)
    assert plan.path.length > 3.0 and plan.drawn_path.length == pytest.approx(2 * plan.path.length)
    frames = np.array([3.0, 6.0]) * 60 - 30
    np.testing.assert_allclose(plan.timing.distances[frames.astype(int)], plan.waypoint_lengths, atol=0.06)


def test_a_wall_is_walked_around_and_said(model: ControllerModel) -> None:
    plan = plan_walk(WalkRequest(NORTH, walk_scene=WALL), model)
    assert plan.drawn_path is NORTH and plan.path.length > 6.05
    assert len(plan.warnings) == 1 and str(plan.warnings[0]).endswith("m: walking around it")


def test_path_events_behind_a_detour_stay_at_their_places(model: ControllerModel) -> None:
    plan = plan_walk(WalkRequest(NORTH, walk_scene=WALL, cues=Cues(waits=(Wait(5.0, 1.0),))), model)
    stops = np.flatnonzero(np.diff(plan.timing.distances) < 1e-9)
    length = plan.timing.distances[stops[5]]
    assert length > 5.05
    np.testing.assert_allclose(plan.path.position_at(length), [0.0, 5.0], atol=0.05)


def test_a_jump_raises_the_body_where_it_is_cued(jumper: ControllerModel) -> None:
    plan = plan_walk(WalkRequest(NORTH, cues=Cues(jumps=(Jump(3.0),))), jumper)
    shares = plan.profile.jump_share_at(np.linspace(0.0, 6.0, 61))
    assert shares[30] > 0.99
    assert shares[:10].max() == shares[51:].max() == 0.0
    assert not plan_walk(WalkRequest(NORTH), jumper).profile.jump_share_at(np.linspace(0.0, 6.0, 61)).any()


# --- A varied control series, performers, crouching


def test_control_is_varied_by_a_generator_with_a_seed_and_an_amount(model: ControllerModel) -> None:
    def variation(model: ControllerModel = model, seed: int = 3, amount: float = 0.5, made: bool = True) -> object:
        generator = random_generator(ADVERSARIAL) if made else None
        plan = plan_walk(WalkRequest(NORTH, seed=seed, variation=amount, generator=generator), model)
        return plan.variation and (plan.variation.amount, plan.variation.seed)

    assert variation() == (0.5, 3)
    assert variation(seed=1, amount=0.01) == (0.01, 1)
    assert variation(seed=0) is None
    assert variation(amount=0.0) is None and variation(amount=-0.5) is None
    assert variation(made=False) is None
    assert variation(load_model(CONTROLLERS / "quadruped.safetensors")) is None, "generators are of people"
