"""Drives with tasks, as beats of a shot."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.drive.driven_beats import DoneTask, DrivenWalk, beats_of
from footfall.core.control.drive.driver import DriveMoment
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.path.path import Path as WalkedPath
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import length

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers" / "locomotion_small.safetensors"
SIT = InteractionTask("sit", 0, duration=2.0)


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(SHIPPED)


def going(*legs: tuple[float, float, float], style: str = "") -> list[DriveMoment]:
    """Moments of legs, each with a velocity (2), m/s, and its seconds."""
    place, moments = np.zeros(3), []
    for x, y, seconds in legs:
        speed = float(np.hypot(x, y))
        for _ in range(round(60 * seconds)):
            place = place + np.array([x, y, 0.0]) / 60
            moments.append(DriveMoment(place, 0.0, speed, style, wished=speed))
    return moments


def walks_of(beats: list[DrivenWalk | InteractionTask]) -> list[DrivenWalk]:
    return [beat for beat in beats if isinstance(beat, DrivenWalk)]


def test_a_walk_around_a_corner_a_stand_and_a_run_are_beats_along_the_driven_way(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 3.0), (1.3, 0.0, 3.0), (0.0, 0.0, 2.0), (0.0, 3.0, 3.0))
    walk, stand, run = beats_of(moments, [], model)
    assert isinstance(walk, DrivenWalk) and isinstance(stand, InteractionTask) and isinstance(run, DrivenWalk)
    assert (walk.runs, stand.action, run.runs) == (False, "idle", True)
    assert stand.duration == pytest.approx(1.6, abs=0.2), "without the time in which it brakes and starts"
    np.testing.assert_allclose([walk.speed, run.speed], [1.3, 3.0], rtol=0.05)
    line = WalkedPath(np.concatenate([one.curve.line() for one in (walk, run)])).points
    driven = np.array([moment.root[:2] for moment in moments])
    off = np.array([length(line - place).min() for place in driven])
    assert off.max() < 0.15 and np.median(off) < 0.02, "the smoothed way rounds the corner"
    assert len(walk.curve.points) < 12


def test_a_walk_begins_where_the_wished_speed_changes_and_joins_the_one_before(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 3.0), (0.0, 3.0, 3.0), (0.0, 1.3, 3.0))
    one, two, three = walks_of(beats_of(moments, [], model))
    assert [walk.runs for walk in (one, two, three)] == [False, True, False]
    np.testing.assert_allclose([walk.speed for walk in (one, two, three)], [1.3, 3.0, 1.3], rtol=0.15)
    np.testing.assert_array_equal(one.curve.points[-1], two.curve.points[0])
    np.testing.assert_allclose(two.curve.points[0, 1], 3.9, atol=0.2)
    np.testing.assert_array_equal(two.curve.points[-1], three.curve.points[0])


def test_a_walk_begins_where_the_style_changes(model: ControllerModel) -> None:
    upright = going((0.0, 1.0, 3.0))
    low = [DriveMoment(one.root + upright[-1].root, 0.0, 1.0, "crouch", wished=1.0) for one in going((0.0, 1.0, 3.0))]
    one, two = walks_of(beats_of(upright + low, [], model))
    assert (one.style, two.style) == ("", "crouch")
    np.testing.assert_allclose(two.curve.points[0], [0.0, 3.0, 0.0], atol=0.1)


def test_a_task_stands_between_the_walk_to_it_and_the_one_from_it(model: ControllerModel) -> None:
    before, used, after = going((0.0, 1.3, 2.0)), going((0.0, 0.5, 6.0)), going((0.3, 1.3, 2.0))
    moments = [*before, *used, *after]
    walk, task, on = beats_of(moments, [DoneTask(120, 480, SIT)], model)
    assert task is SIT and isinstance(walk, DrivenWalk) and isinstance(on, DrivenWalk)
    assert beats_of(moments[120:480], [DoneTask(0, 360, SIT)], model) == [SIT]
    with pytest.raises(FootfallError, match="did nothing"):
        beats_of(moments[:1], [], model)


def test_the_walk_to_a_task_includes_the_way_on_which_its_controller_walks_up(model: ControllerModel) -> None:
    moments = going((0.0, 1.3, 2.0), (1.0, 0.0, 5.0), (0.0, 0.0, 3.0))
    beats = beats_of(moments, [DoneTask(120, len(moments), SIT, arrived=420)], model)
    assert beats[-1] is SIT and len(walks_of(beats)) == len(beats) - 1
    end = walks_of(beats)[-1].curve.points[-1]
    assert end[1] == pytest.approx(2.6, abs=0.05) and 2.5 < end[0] < 4.5, "up to a few steps before the seat"
