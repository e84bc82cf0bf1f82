"""Crouched walks of the controller that ships: learned postures under roofs, as a style and for a stretch."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.passes import duck
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, CueSpan
from footfall.core.control.walk.crouch_trial import crouch_response
from footfall.core.control.walk.path_walk import WalkRollout, begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.evaluation.feet import skate_speeds
from footfall.core.features.crouch import crouch_depth
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import roof

LINE = Path(np.array([[0.0, 0.0], [9.0, 0.0]]))


@cache
def shipped() -> ControllerModel:
    return load_model(shipped_controller())


def rolled_out(model: ControllerModel, path: Path = LINE, **request) -> WalkRollout:
    """A whole roll-out."""
    walk = begin_walk(model, WalkRequest(path, **request))
    while walk.advance(1000):
        pass
    return walk


def depths_between(clip: Clip, begin: float, end: float) -> Array:
    """The crouch depths while the hips are between two places on the way east."""
    places = clip.positions[:, clip.skeleton.joint("hips"), 0]
    return crouch_depth(clip)[(places > begin) & (places < end)]


def test_the_controller_that_ships_walks_crouched() -> None:
    response = crouch_response(shipped())
    assert response.is_learned
    assert (np.diff(response.weights) > 0).all()
    assert (np.diff(response.head_drops) > 0).all()
    assert response.head_drops[-1] > 0.3, "meters"
    assert crouch_response(shipped()) is response, "it is tried once"


@pytest.mark.parametrize("speed", [0.5, 0.8, 1.1])
def test_as_a_style_it_is_as_deep_as_people_crouch(speed: float) -> None:
    walk = rolled_out(shipped(), speed=speed, style="crouch")
    raw = walk.decode_walk()
    depths = depths_between(raw, 2.0, 7.0)
    assert 0.3 < depths.min() < depths.max() < 0.6
    lowest = raw.positions[:, [raw.skeleton.joint(f"foot.{side}") for side in "LR"], 2]
    assert np.ptp(lowest[120:-120], axis=0).min() > 0.1, "it steps"
    assert np.linalg.norm(walk.trace.frames.position[-1] - [9.0, 0.0]) < 0.3
    finished = walk.finish()
    feet = finished.clip.positions[:, [finished.clip.skeleton.joint(f"toe.{side}") for side in "LR"]]
    held = finished.contacts.probabilities[:, [1, 3]]
    assert np.median(skate_speeds(feet, held, finished.clip.rate)) < 0.01


@pytest.mark.parametrize("height", [1.65, 1.5])
def test_under_a_roof_the_network_itself_is_low_enough(height: float) -> None:
    scene = roof(height, begin=3.0, end=6.0)
    walk = rolled_out(shipped(), walk_scene=WalkScene(scene))
    raw = walk.decode_walk()
    assert depths_between(raw, 3.0, 6.0).min() > 0.25
    assert depths_between(raw, 0.0, 1.0).max() < 0.05
    head = raw.positions[:, raw.skeleton.joint("head")]
    under = (head[:, 0] > 3.0) & (head[:, 0] < 6.0)
    assert head[under, 2].max() + duck.TUNING.head_top * raw.skeleton.leg_length < height + 0.02


@pytest.mark.parametrize("speed", [0.7, 1.1, 1.3])
def test_behind_a_crouch_it_walks_upright_again_and_stays_upright(speed: float) -> None:
    span = CueSpan(3.0, 5.0, style="crouch")
    walk = rolled_out(shipped(), Path(np.array([[0.0, 0.0], [15.0, 0.0]])), speed=speed, cues=Cues((span,)))
    raw = walk.decode_walk()
    assert depths_between(raw, 3.8, 4.8).min() > 0.3
    assert depths_between(raw, 7.0, 14.0).max() < 0.1
    upright = depths_between(raw, 1.0, 2.0)
    assert upright.max() < 0.05
    standing = raw.positions[0, raw.skeleton.joint("head"), 2]
    assert raw.positions[:, raw.skeleton.joint("head"), 2].max() < standing + 0.06, "it does not jump up"


def test_a_changed_end_changes_nothing_under_the_roof_before() -> None:
    scene = WalkScene(roof(1.5, begin=3.0, end=5.0))

    def path(last: float) -> Path:
        return Path(np.array([[0.0, 0.0], [10.0, 0.0], [12.0, last]]))

    before = rolled_out(shipped(), path(0.0), walk_scene=scene)
    again, fresh = (begin_walk(shipped(), WalkRequest(path(2.0), walk_scene=scene)) for _ in range(2))
    assert again.resume_from(before) > 400
    for walk in (again, fresh):
        while walk.advance(1000):
            pass
    np.testing.assert_array_equal(again.finish().clip.rotations, fresh.finish().clip.rotations)


def test_who_never_learned_it_cannot_be_asked_for_it_and_walks_under_roofs_as_ever(
    controller: Callable[..., ControllerModel],
) -> None:
    model = controller((0.0, 1.2))
    assert not crouch_response(model).is_learned
    with pytest.raises(FootfallError, match="was not trained to crouch"):
        begin_walk(model, WalkRequest(LINE, style="crouch"))
    with pytest.raises(FootfallError, match="was not trained to crouch"):
        begin_walk(model, WalkRequest(LINE, cues=Cues((CueSpan(1.0, 2.0, style="crouch"),))))
    walk = begin_walk(model, WalkRequest(LINE, walk_scene=WalkScene(roof(1.3, begin=3.0, end=5.0))))
    np.testing.assert_array_equal(walk.plan.timing.style_weights, 0.0)
