"""A shipped controller that answers another character: where its rule says, facing it, on feet that stand."""

import pathlib
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from footfall.core.control.path.path import Path
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand
from footfall.core.control.walk.answer_walk import AnswerWalk, begin_answer
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import walk_path
from footfall.core.control.walk.relation import AnswerTrack, Relation
from footfall.core.control.walk.relation_kinds import RelationKind
from footfall.core.errors import FootfallError
from footfall.core.evaluation.feet import skate_speeds
from footfall.core.evaluation.footing import measure_footing
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import RootTrack, root_track, yaw_of
from footfall.core.motion.rotations import wrap_angle
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.commands import next_command
from footfall.tests.support.terrain_scenes import Boxes

PRESETS = pathlib.Path(__file__).parents[4] / "presets"
DISTANCE_M = 1.3


@cache
def controller() -> ControllerModel:
    return load_model(PRESETS / "controllers" / "locomotion_small.safetensors")


@cache
def leader() -> Clip:
    """Return a character that walks around a corner, from standing to standing."""
    return walk_path(controller(), Path(np.array([[0.0, 0.0], [2.5, 0.0], [2.5, 1.5]])), 1.0).clip


@cache
def answered(kind: RelationKind) -> Walk:
    answer = begin_answer(controller(), Relation(kind, DISTANCE_M, 0.6, np.array([9.0, 9.0])), leader(), seed=1)
    while answer.advance(30):
        pass
    assert answer.frames_done == answer.total_frames
    return answer.finish()


@pytest.mark.parametrize("kind", ["follow", "face", "circle"])
def test_the_distance_is_kept_and_the_other_faced(kind: RelationKind) -> None:
    own, other = root_track(answered(kind).clip, 0.3), root_track(leader(), 0.3)
    away = other.positions - own.positions
    assert np.percentile(np.abs(np.linalg.norm(away, axis=-1) - DISTANCE_M), 95) < 0.5
    assert np.median(np.abs(wrap_angle(yaw_of(away) - own.yaws))) < 0.35


def test_it_goes_backward_upright() -> None:
    walk = answered("face")
    heights = walk.clip.positions[:, walk.clip.skeleton.joint("head"), 2]
    assert heights.min() > 0.92 * heights[0]


def test_standing_feet_do_not_slide() -> None:
    walk = answered("face")
    toes = [walk.clip.skeleton.joint(f"toe.{side}") for side in "LR"]
    assert skate_speeds(walk.clip.positions[:, toes], walk.contacts.probabilities[:, [1, 3]], 60.0).mean() < 0.04


def test_controllers_that_need_more_than_a_path_are_refused() -> None:
    for name in ("dances/salsa", "controllers/quadruped"):
        with pytest.raises(FootfallError, match="choose another one"):
            begin_answer(load_model(PRESETS / f"{name}.safetensors"), Relation("face", 1.0), leader())


def test_stairs_are_stood_on() -> None:
    floor = ((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))
    steps = [((1.5 + 0.3 * number, -3.0, -1.0), (20.0, 3.0, 0.17 * (number + 1))) for number in range(5)]
    scene = WalkScene(Boxes([floor, *steps]))
    other = walk_path(controller(), Path(np.array([[0.0, 0.0], [5.0, 0.0]])), 0.9, scene).clip
    answer = begin_answer(controller(), Relation("follow", DISTANCE_M), other, scene=scene)
    answer.advance(answer.total_frames)
    walk = answer.finish()
    footing = measure_footing(walk.clip, walk.contacts, scene.ground, walk.standing_clip)
    assert footing["penetration_max_mm"] < 5.0 and footing["float_mean_mm"] < 10.0
    hips = walk.clip.root_positions[:, 2]
    assert hips[-1] - hips[0] == pytest.approx(5 * 0.17, abs=0.05)


# --- Along a straight track, of a controller that answers with constants

DT = 1 / 60


@pytest.fixture(scope="module")
def stiff(controller: Callable[..., ControllerModel]) -> ControllerModel:
    return controller((0.0, 1.2))


def along(model: ControllerModel, speed: float, turn: float = 0.0, seed: int = 0, level: float = 0.0) -> AnswerWalk:
    """The walk of two seconds to the north at a speed, that turns to the left by so many radians a second."""
    times = np.arange(121) * DT
    roots = RootTrack(np.stack([np.zeros(121), speed * times], axis=-1), turn * times)
    return AnswerWalk(model, AnswerTrack(roots, np.full(121, level)), WalkScene(), seed)


def moved_to(walk: AnswerWalk, position: tuple[float, float], yaw: float) -> AnswerWalk:
    walk._runtime.state.position = np.array([position])
    walk._runtime.state.yaw = np.array([yaw])
    return walk


@pytest.mark.parametrize(("speed", "moving"), [(0.05, 0.0), (0.1, 0.0), (0.2, 0.5), (0.3, 1.0), (1.0, 1.0)])
def test_it_moves_from_a_tenth_to_three_tenths_of_a_meter_a_second(
    stiff: ControllerModel, speed: float, moving: float
) -> None:
    walk = along(stiff, speed)
    np.testing.assert_allclose(walk._gaits, np.tile([1 - moving, moving, 0.0, 0.0], (121, 1)), atol=1e-9)
    np.testing.assert_allclose(walk._moving, moving, atol=1e-9)


def test_it_runs_where_its_track_is_as_fast(stiff: ControllerModel) -> None:
    np.testing.assert_allclose(along(stiff, 4.0)._gaits[60], [0.0, 0.0, 1.0, 0.0], atol=1e-9)


def test_a_turn_on_the_spot_is_moving(stiff: ControllerModel) -> None:
    walk = along(stiff, 0.0, turn=2.0)
    np.testing.assert_allclose(walk._gaits[0], [0.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize(("gap", "shift"), [(0.1, 0.1 / 0.5), (-0.1, -0.1 / 0.5), (0.24, 0.48), (0.6, 0.48)])
def test_a_root_is_drawn_to_its_track_in_half_a_second_by_four_tenths_of_its_speed_at_most(
    stiff: ControllerModel, gap: float, shift: float
) -> None:
    for place, away in (((-gap, 1.2), (1.0, 0.0)), ((0.0, 1.2 - gap), (0.0, 1.0))):
        walk = moved_to(along(stiff, 1.2), place, 0.0)
        walk._correct(60)
        np.testing.assert_allclose(walk._runtime.position[0], place + shift * DT * np.array(away), atol=1e-9)


@pytest.mark.parametrize(("off", "turn"), [(0.1, 0.1 / 0.25), (-0.1, -0.4), (0.5, 1.5), (-2.0, -1.5), (6.2, -0.3327)])
def test_a_root_is_turned_to_its_track_in_a_quarter_second_by_one_and_a_half_radians_a_second_at_most(
    stiff: ControllerModel, off: float, turn: float
) -> None:
    walk = moved_to(along(stiff, 1.2), (0.0, 1.2), -off)
    walk._correct(60)
    assert walk._runtime.yaw[0] == pytest.approx(-off + turn * DT, abs=1e-5)


def test_a_standing_character_is_neither_drawn_nor_turned(stiff: ControllerModel) -> None:
    walk = moved_to(along(stiff, 0.0), (0.3, 0.0), 0.5)
    walk._correct(60)
    np.testing.assert_array_equal(walk._runtime.position, [[0.3, 0.0]])
    assert walk._runtime.yaw[0] == 0.5


def commanded(walk: AnswerWalk, monkeypatch: pytest.MonkeyPatch) -> LocomotionCommand:
    """The command of the next frame."""
    return next_command(walk._runtime, walk._advance_frame, monkeypatch)


def test_it_is_told_its_track_ahead_and_what_it_is_off_by_fades_by_the_square(
    stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = moved_to(along(stiff, 1.2, turn=0.1, level=0.0), (0.1, -0.2), 0.3)
    command, left = commanded(walk, monkeypatch), np.array([0.8, 0.6, 0.4, 0.2, 0.0]) ** 2
    ahead = 0.2 * np.arange(1, 6)
    np.testing.assert_allclose(command.positions[0], np.stack([0.1 * left, ahead - 0.2 * left], axis=-1), atol=1e-9)
    np.testing.assert_allclose(command.yaws[0], 0.1 * ahead / 1.2 + 0.3 * left, atol=1e-9)
    np.testing.assert_allclose(command.gaits[0], np.tile([0.0, 1.0, 0.0, 0.0], (5, 1)), atol=1e-9)


def test_at_its_end_the_track_rests(stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch) -> None:
    walk = along(stiff, 1.2)
    assert walk.total_frames == 121 and walk.advance(119)
    moved_to(walk, (0.0, 1.2 * 119 * DT), 0.0)
    command = commanded(walk, monkeypatch)
    np.testing.assert_allclose(command.positions[0, :, 1], 2.4)
    assert walk.frames_done == 120 and not walk.advance(9) and walk.frames_done == 121


def test_a_low_body_is_raised_by_three_tenths_of_a_crouch_as_far_as_it_moves(
    stiff: ControllerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for speed, weight in ((1.2, -0.3), (0.2, -0.15)):
        walk = along(stiff, speed)
        walk._runtime.state.pose[..., 2] -= 0.6
        np.testing.assert_allclose(commanded(walk, monkeypatch).gaits[0, :, 3], weight, atol=1e-9)


def test_it_is_prompt_and_its_seed_draws_its_phase(stiff: ControllerModel) -> None:
    """Twice the usual exponents."""
    np.testing.assert_allclose(along(stiff, 1.2)._runtime.state.biases, [[4.0, 10.0]])
    assert along(stiff, 1.2)._runtime.phase[0] == pytest.approx(0.25)
    assert along(stiff, 1.2, seed=3)._runtime.phase[0] != pytest.approx(0.25)
    assert along(stiff, 1.2, level=0.4).start_level == 0.4
