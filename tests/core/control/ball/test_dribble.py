"""Dribbling along a path: its plan, and walks of the controller that ships."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.ball.accompaniment import BallAccompaniment
from footfall.core.control.ball.dribble import (
    PIVOT_M,
    BallPivots,
    Dribble,
    hand_spans,
    plan_dribble,
    plays_ball,
    require_level,
)
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import Cues, CueSpan
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.timings import plain_timing

CONTROLLERS = Path(__file__).parents[4] / "presets" / "controllers"
PATH = WalkPath(np.array([[0.0, 0.0], [0.0, 4.0], [2.0, 6.0], [5.0, 6.0]]))
TIMING = plain_timing(np.linspace(0.0, 8.0, 481), np.ones(481))
LEVEL = TerrainProfile.from_path(PATH, WalkScene(Plane()), 0.0)


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(CONTROLLERS / "dribble.safetensors")


@pytest.fixture(scope="module")
def walk(model: ControllerModel) -> Walk:
    cues = Cues(hand_spans("right", [4.5]))
    return make_walk(model, WalkRequest(PATH, 1.2, cues=cues, accompaniment=BallAccompaniment(Dribble("right"))))


def sides(spans: tuple[CueSpan, ...], hand: str = "right") -> np.ndarray:
    return plan_dribble(Dribble(hand), spans, TIMING, 1.0, 60.0).sides


def test_the_hand_is_the_dribble_s_where_no_event_names_another() -> None:
    np.testing.assert_allclose([sides(()), sides((), "left")], np.outer([1.0, -1.0], np.ones(481)))
    found = sides((CueSpan(2.0, 4.0, hand="left"),))
    assert np.sign(found[[60, 180, 300]]).tolist() == [1.0, -1.0, 1.0]
    assert np.interp(2.0, TIMING.distances, found) == pytest.approx(0.0, abs=0.05), "midway where the hand changes"


def test_a_ball_wants_level_ground() -> None:
    rising = replace(LEVEL, heights=np.linspace(0.0, 0.5, len(LEVEL.heights)))
    with pytest.raises(FootfallError, match="The path rises or falls by 50 cm, but dribbling needs level ground"):
        require_level(rising, 1.0)


def test_pivots_are_at_the_side_that_is_commanded(model: ControllerModel) -> None:
    plan = plan_dribble(Dribble("left"), (CueSpan(4.0, 9.0, hand="right"),), TIMING, 1.0, 60.0)
    pivots = BallPivots(model, [plan, None])
    found = pivots.conditions(np.array([0, 1]), np.array([100, 100]))
    scale = model.skeleton.leg_length / ADULT_LEG_LENGTH_M
    np.testing.assert_allclose(found["interaction.position"][0, 6], scale * PIVOT_M * [-1.0, 1.0, 1.0])
    assert not found["interaction.position"][1].any() and not found["interaction.velocity"][1].any()
    changing = pivots.conditions(np.array([0]), np.array([240]))["interaction.velocity"]
    assert changing[0, 6, 0] > 0.5 and np.abs(changing[0, 6, 1:]).max() < 1e-9


def test_a_controller_without_a_ball_is_a_sentence() -> None:
    walker = load_model(CONTROLLERS / "locomotion_small.safetensors")
    assert not plays_ball(walker)
    with pytest.raises(FootfallError, match="This controller does not play with a ball"):
        make_walk(walker, WalkRequest(PATH, accompaniment=BallAccompaniment(Dribble())))


def test_the_ball_is_dribbled_and_never_lost(walk: Walk) -> None:
    assert walk.ball is not None
    track, joined = walk.ball.track, walk.ball.joined
    assert len(track) == len(walk.clip) and joined.contacts >= 6 and len(walk.ball.bounces) >= joined.contacts - 2
    assert track.positions[:, 2].min() >= track.radius - 1e-9
    roots = walk.clip.positions[:, 0, :2]
    assert np.linalg.norm(track.positions[:, :2] - roots, axis=1).max() < 1.2
    assert joined.added <= 1, "nearly all contacts are the controller's own"


def test_the_other_hand_takes_over_where_it_is_commanded(walk: Walk) -> None:
    assert walk.ball is not None
    contacts = walk.ball.track.contacts
    change = int(np.flatnonzero(walk.clip.positions[:, 0, 1] > 4.4)[0])
    assert contacts[: change - 60, 1].any() and not contacts[: change - 60, 0].any()
    assert contacts[change + 90 :, 0].any() and not contacts[change + 90 :, 1].any()
