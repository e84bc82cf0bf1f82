"""Ball play of the walkers that ship: the ball at the palms, through the hoop and into hands, and bodies that stand."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.palms import palm_centers
from footfall.core.ball.takes import shipped_takes
from footfall.core.control.ball.accompaniment import BallAccompaniment
from footfall.core.control.ball.ball_flight import TUNING as BALL_FLIGHT_TUNING
from footfall.core.control.ball.ball_plan import BallKit
from footfall.core.control.ball.dribble import Dribble
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import BallCue, Cues
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.evaluation.quality import measure_traces, summarise_traces
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.signals import runs_of
from footfall.core.terrain.ground import Plane

CONTROLLERS = Path(__file__).parents[4] / "presets" / "controllers"
KIT = BallKit(shipped_takes())
RIM = np.array([1.0, 9.0, 3.05])
LYING = np.array([0.05, 0.95, 0.12])
SOURCE = np.array([2.0, 8.0, 1.3])
GOAL = np.array([-3.0, 9.0, 1.2])


@pytest.fixture(scope="module")
def walker() -> ControllerModel:
    return load_model(CONTROLLERS / "locomotion_small.safetensors")


def play(model: ControllerModel, *balls: BallCue, length: float = 4.0, dribble: Dribble | None = None) -> Walk:
    path = WalkPath(np.array([[0.0, 0.0], [0.0, length]]))
    ball = BallAccompaniment(dribble, KIT)
    walk = make_walk(model, WalkRequest(path, 1.2, cues=Cues(balls=balls), accompaniment=ball))
    assert walk.ball is not None
    return walk


def palm_distances(walk: Walk) -> np.ndarray:
    """Return the distance (F, 2) of the ball from its place in each hand, meters."""
    assert walk.ball is not None
    return np.linalg.norm(palm_centers(walk.clip) - walk.ball.track.positions[:, None], axis=-1)


def largest_moves(walk: Walk) -> np.ndarray:
    """Return the largest move (F - 1) of a joint in a frame, meters."""
    return np.linalg.norm(np.diff(walk.clip.positions, axis=0), axis=-1).max(axis=1)


@pytest.fixture(scope="module")
def shooter(walker: ControllerModel) -> Walk:
    return play(walker, BallCue("pick_up", 0.0, target=LYING[None]), BallCue("shoot", 4.0, target=RIM[None]))


def test_the_ball_lies_until_hands_are_at_it_and_falls_through_the_hoop(shooter: Walk) -> None:
    assert shooter.ball is not None
    places, contacts = shooter.ball.track.positions, shooter.ball.track.contacts
    taken = int(np.flatnonzero(contacts.all(axis=1))[0])
    np.testing.assert_allclose(places[:taken], np.broadcast_to(LYING, (taken, 3)), atol=1e-9)
    falls = np.flatnonzero((places[:-1, 2] > RIM[2]) & (places[1:, 2] <= RIM[2]))
    share = (places[falls, 2] - RIM[2]) / (places[falls, 2] - places[falls + 1, 2])
    through = places[falls] + share[:, None] * (places[falls + 1] - places[falls])
    assert len(falls) == 1 and np.linalg.norm(through[0] - RIM) < 0.005


def test_palms_are_at_the_ball_while_they_hold_it(shooter: Walk) -> None:
    assert shooter.ball is not None
    held = shooter.ball.track.contacts.all(axis=1)
    start, stop = runs_of(held)[0]
    apart = palm_distances(shooter)[start : stop - round(BALL_FLIGHT_TUNING.fingers * shooter.clip.rate)]
    assert apart.max() < 0.12 and np.median(apart) < 1e-6, "long arms reach a ball on the ground, short ones nearly"


def test_a_ball_moves_without_a_jump(shooter: Walk) -> None:
    assert shooter.ball is not None
    speeds = np.linalg.norm(np.diff(shooter.ball.track.positions, axis=0), axis=-1) * shooter.clip.rate
    assert speeds.max() < 11.0
    release = int(np.flatnonzero(shooter.ball.track.contacts.all(axis=1))[-1])
    assert abs(speeds[release] - speeds[release - 1]) < 1.0, "it leaves the hands as fast as they move it"


def test_feet_stand_and_no_joint_jumps_while_a_take_is_done(shooter: Walk) -> None:
    assert shooter.ball is not None
    found = {one.measure: one.mean for one in summarise_traces(measure_traces(shooter.clip, shooter.contacts, Plane()))}
    assert found["foot_sliding"] < 3.0
    assert largest_moves(shooter).max() < 0.15


def test_a_caught_ball_comes_from_its_source_and_hands_give_way(walker: ControllerModel) -> None:
    walk = play(walker, BallCue("catch", 4.0, target=SOURCE[None]))
    assert walk.ball is not None
    places = walk.ball.track.positions
    caught = int(np.flatnonzero(walk.ball.track.contacts.all(axis=1))[0])
    np.testing.assert_allclose(places[0], SOURCE, atol=1e-9)
    fingers = round(BALL_FLIGHT_TUNING.fingers * walk.clip.rate)
    assert palm_distances(walk)[caught + fingers :].max() < 0.05
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * walk.clip.rate
    assert speeds[caught - 1] > 3.0 and speeds[caught + 20] < 0.3 * speeds[caught - 1]
    assert abs(speeds[caught] - speeds[caught - 1]) < 1.5, "it is stopped over some frames"
    assert largest_moves(walk)[caught - 30 : caught + 30].max() < 0.09, "hands do not fly at the ball"


def test_a_pass_goes_through_its_point_or_stays_in_hands(walker: ControllerModel) -> None:
    through = play(walker, BallCue("pass", 4.0, target=GOAL[None]))
    assert through.ball is not None
    assert np.linalg.norm(through.ball.track.positions - GOAL, axis=-1).min() < 1e-6
    stays = play(walker, BallCue("pass", 4.0, target=GOAL[None], with_other=True))
    assert stays.ball is not None
    np.testing.assert_allclose(stays.ball.track.positions[-1], GOAL, atol=1e-9)


def test_a_pass_is_timed_to_a_catch(walker: ControllerModel) -> None:
    free = play(walker, BallCue("pass", 4.0, target=GOAL[None], with_other=True))
    assert free.ball is not None
    arrives = int(np.flatnonzero(np.linalg.norm(free.ball.track.positions - GOAL, axis=-1) < 1e-9)[0])
    later = (arrives + 12) / free.clip.rate
    timed = play(walker, BallCue("pass", 4.0, target=GOAL[None], with_other=True, meetings=(1.0, later, later + 30.0)))
    assert timed.ball is not None and not timed.ball.elsewhere[: arrives + 12].any()
    assert timed.ball.elsewhere[arrives + 12 :].all(), "then another one has it"
    assert int(np.flatnonzero(np.linalg.norm(timed.ball.track.positions - GOAL, axis=-1) < 1e-9)[0]) == arrives + 12
