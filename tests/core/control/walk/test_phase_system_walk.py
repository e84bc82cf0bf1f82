"""The controller of the phase system that ships: along paths, over stairs and slopes, onto another body."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.crowd_walk import plan_and_batch
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.path_walk import begin_walk, make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.evaluation.path_error import cross_track_error
from footfall.core.features.phase_system import is_phase_system, system_parts
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Skeleton
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Plane, Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.core.control.feet.footing import creep, gaps
from footfall.tests.support.terrain_scenes import slope, stairs
from footfall.tests.support.walker import person

FILE = Path(__file__).parents[4] / "presets" / "controllers" / "phase_system.safetensors"
BEND = np.array([[0.0, 0.0], [4.0, 0.0], [6.0, 2.0]])
EAST = np.array([[0.0, 0.0], [10.0, 0.0]])
DEEPEST_M = 0.015
MAX_BYTES = 12_000_000


@cache
def controller() -> ControllerModel:
    return load_model(FILE)


def walked(points: Array, speed: float, scene: Scene | None = None, target: Skeleton | None = None) -> Walk:
    return make_walk(controller(), WalkRequest(WalkPath(points), speed, WalkScene(scene or Plane()), target=target))


def hips(walk: Walk) -> Array:
    return walk.clip.positions[:, walk.clip.skeleton.joint("hips")]


def test_it_is_a_system_of_the_feet_that_names_where_its_clips_come_from() -> None:
    model = controller()
    assert is_phase_system(model.input_layout) and not system_parts(model.input_layout)
    assert model.sensors == FOOT_CONTACTS
    assert FILE.stat().st_size < MAX_BYTES
    sources = str(model.provenance)
    assert all(name in sources for name in ("CMU", "ACCAD", "Open 3D Engine"))


@pytest.mark.parametrize("speed", (0.8, 1.3, 3.0))
def test_it_keeps_to_its_path_and_ends_standing(speed: float) -> None:
    walk = walked(BEND, speed)
    off = cross_track_error(root_track(walk.clip, 0.3).positions[60:-60], BEND)
    assert off.mean() < 0.1
    assert np.linalg.norm(hips(walk)[-1, :2] - BEND[-1]) < 0.3
    at, roles = walk.clip.positions, walk.clip.skeleton.roles
    apart = np.linalg.norm((at[-30:, roles["foot.L"]] - at[-30:, roles["foot.R"]])[:, :2], axis=-1)
    assert apart.max() < 0.5
    hands = at[:, [roles["hand.L"], roles["hand.R"]]]
    assert (hands[..., 2].max(axis=1) < at[:, roles["neck"], 2] + 0.1).all(), "arms hang"


@pytest.mark.parametrize("scene", [stairs(), slope(20.0)], ids=["stairs", "slope"])
def test_it_walks_over_stairs_and_slopes(scene: Scene) -> None:
    walk = walked(EAST, 1.2, scene)
    assert np.linalg.norm(hips(walk)[-1, :2] - EAST[-1]) < 0.3
    assert gaps(walk.clip, walk.standing_clip, scene).min() > -DEEPEST_M, "no sole in the ground"
    still = np.sort(creep(walk.clip, walk.standing_clip, walk.contacts.held, scene))
    assert still[: int(0.97 * len(still))].max() < 0.001, "what touches stays"


def test_another_body_walks_by_it() -> None:
    small = person(0.6)
    walk = walked(BEND, 0.8, target=small)
    assert walk.clip.skeleton is small
    assert np.linalg.norm(hips(walk)[-1, :2] - BEND[-1]) < 0.3


def test_two_walk_together_and_make_way() -> None:
    paths = [WalkPath(EAST[::order]) for order in (1, -1)]
    walks = [
        begin_walk(controller(), WalkRequest(path, 1.2, seed=number)) for number, path in enumerate(paths, start=1)
    ]
    assert plan_and_batch(walks, start_frames=[0, 0]) == [(), ()]
    while walks[0].advance(1000):
        pass
    for walk, path in zip(walks, paths, strict=True):
        assert np.linalg.norm(hips(walk.finish())[-1, :2] - path.points[-1]) < 0.3
