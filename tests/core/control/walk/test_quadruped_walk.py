"""The controller of four legs that ships: along paths, over a slope, onto another body."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import begin_walk, make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.evaluation.path_error import cross_track_error
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import StaticScene
from footfall.core.terrain.heightfield import Heightfield
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.dog import dog
from footfall.tests.support.leg_bends import backward_frames

FILE = Path(__file__).parents[4] / "presets" / "controllers" / "quadruped.safetensors"
BEND = np.array([[0.0, 0.0], [3.0, 0.0], [4.5, 1.5]])
SLOPE = 0.2


@cache
def controller() -> ControllerModel:
    return load_model(FILE)


def walked(points: Array, speed: float, scene: WalkScene | None = None, target: Skeleton | None = None) -> Walk:
    return make_walk(controller(), WalkRequest(WalkPath(points), speed, scene, target=target))


@pytest.mark.parametrize("speed", (0.8, 1.5))
def test_it_keeps_to_its_path_with_planted_paws(speed: float) -> None:
    walk = walked(BEND, speed)
    off = cross_track_error(root_track(walk.clip, 0.3).positions[60:-60], BEND)
    assert off.mean() < 0.05, "the aim: 5 cm on the mean"
    assert np.linalg.norm(root_track(walk.clip).positions[-1] - BEND[-1]) < 0.4
    steps = np.linalg.norm(np.diff(paw_tracks(walk.clip)[..., :2], axis=0), axis=-1) * walk.clip.rate
    assert 100 * steps[walk.contacts.held[1:]].mean() < 2.0, "the aim: 2 cm/s"
    assert (walk.contacts.held.mean(axis=0) > 0.25).all()


@pytest.mark.parametrize("speed", (1.6, 3.0, 5.0))
def test_no_knee_hock_or_elbow_bends_backward(speed: float) -> None:
    """Neither in the network's own motion nor in what is baked: elbows turned inside out once or twice a second."""
    rollout = begin_walk(controller(), WalkRequest(WalkPath(np.array([[0.0, 0.0], [4.0 * speed, 0.0]])), speed))
    while rollout.advance(64):
        pass
    assert backward_frames(rollout.decode_walk()) == 0
    assert backward_frames(rollout.finish().clip) == 0


def test_paws_stand_on_a_slope() -> None:
    x = np.arange(-2.0, 7.0, 0.05)
    hill = StaticScene(Heightfield(np.tile(SLOPE * x, (80, 1)), 0.05, np.array([-2.0, -2.0])))
    walk = walked(np.array([[0.0, 0.0], [4.0, 0.0]]), 0.8, WalkScene(hill))
    assert walk.standing_clip is not None
    soles = np.median(paw_tracks(walk.standing_clip)[..., 2], axis=0)
    paws = paw_tracks(walk.clip)
    over = (paws[..., 2] - SLOPE * paws[..., 0] - soles)[walk.contacts.held]
    assert np.abs(over).mean() < 0.01, "the aim: 10 mm"


def test_another_animal_walks_in_steps_of_its_own_size() -> None:
    larger = dog(2.0)
    walk = walked(BEND, 1.5, target=larger)
    assert walk.clip.skeleton is larger
    heights = paw_tracks(walk.clip)[..., 2]
    assert np.percentile(heights, 10, axis=0).max() < 0.05 and heights.max() > 0.08


def test_a_rig_with_three_mapped_legs_is_refused_in_a_sentence() -> None:
    three = {role: joint for role, joint in dog().roles.items() if role not in ("thigh.L", "shin.L")}
    with pytest.raises(FootfallError, match="the left hind leg has none"):
        walked(BEND, 1.0, target=replace(dog(), roles=three))
