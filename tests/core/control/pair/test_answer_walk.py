"""A shipped controller that answers another character: where its rule says, facing it, on feet that stand."""

import pathlib
from functools import cache

import numpy as np
import pytest

from footfall.core.control.pair.answer_walk import begin_answer
from footfall.core.control.pair.relation import Relation
from footfall.core.control.pair.relation_kinds import RelationKind
from footfall.core.control.path.path import Path
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.evaluation.feet import skate_speeds
from footfall.core.evaluation.footing import measure_footing
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import root_track, yaw_of
from footfall.core.motion.rotations import wrap_angle
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import Boxes

PRESETS = pathlib.Path(__file__).parents[4] / "presets"
DISTANCE_M = 1.3


@cache
def controller() -> ControllerModel:
    return load_model(PRESETS / "controllers" / "locomotion_small.safetensors")


@cache
def leader() -> Clip:
    """Return a character that walks around a corner, from standing to standing."""
    return make_walk(controller(), WalkRequest(Path(np.array([[0.0, 0.0], [2.5, 0.0], [2.5, 1.5]])), 1.0)).clip


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
        with pytest.raises(FootfallError, match="choose a walking controller"):
            begin_answer(load_model(PRESETS / f"{name}.safetensors"), Relation("face", 1.0), leader())


def test_stairs_are_stood_on() -> None:
    floor = ((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0))
    steps = [((1.5 + 0.3 * number, -3.0, -1.0), (20.0, 3.0, 0.17 * (number + 1))) for number in range(5)]
    scene = WalkScene(Boxes([floor, *steps]))
    other = make_walk(controller(), WalkRequest(Path(np.array([[0.0, 0.0], [5.0, 0.0]])), 0.9, scene)).clip
    answer = begin_answer(controller(), Relation("follow", DISTANCE_M), other, scene=scene)
    answer.advance(answer.total_frames)
    walk = answer.finish()
    footing = measure_footing(walk.clip, walk.contacts, scene.ground, walk.standing_clip)
    assert footing["penetration_max_mm"] < 5.0 and footing["float_mean_mm"] < 10.0
    hips = walk.clip.root_positions[:, 2]
    assert hips[-1] - hips[0] == pytest.approx(5 * 0.17, abs=0.05)
