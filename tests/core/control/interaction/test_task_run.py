"""Characters that stand where they are to act: told anew, and sent back to come again after that."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions.base import TUNING as ACTION_BASE_TUNING
from footfall.core.control.interaction.actions.carry_tuning import TUNING as CARRY_TUNING
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TUNING as TASK_RUN_TUNING
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.control.runtime.assistance import Assistance
from footfall.core.features.interaction import ACTIONS
from footfall.tests.core.control.interaction.test_sequencer import BOX, OUT, REST, STOOL, Model, Puppet, block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

CARRY = InteractionTask("carry", 0, position=np.array([2.0, 0.0, 0.7]))


class Waiting(Puppet):
    """A puppet that stands, does not reach for the box, and never begins."""

    def step(self, x: Any, phase: Any, memory: tuple[()]) -> tuple[np.ndarray, tuple[()]]:
        y, memory = super().step(x, phase, memory)
        OUT.view(y, "trajectory.action")[..., ACTIONS.index("carry")] = 0.0
        OUT.view(y, "root.velocity")[:] = OUT.view(y, "contact")[:, :3] = 0.0
        OUT.view(y, "pose.position")[:] = REST
        return y, memory


class WaitingModel(Model):
    def network(self) -> Puppet:
        return Waiting()


def standing(assistance: Assistance | None = None, away: float = 0.0) -> InteractionSequencer:
    """Return a puppet that stands where a box is taken, or some meters from there, and waits."""
    model: Any = WaitingModel()
    place = BOX.position[:2] + np.array([0.0, -CARRY_TUNING.start_distance - away])
    return InteractionSequencer(model, [BOX], [CARRY], place, assistance=assistance or Assistance())


def commands(done: InteractionSequencer, seconds: float) -> list[Any]:
    """Return the commands of the next seconds."""
    result = []
    for _ in range(round(60 * seconds)):
        result.append(done.goal_command())
        done.advance(1)
    return result


def test_a_character_that_stands_at_a_box_is_told_anew_every_two_seconds() -> None:
    told = [
        frame
        for frame, one in enumerate(commands(standing(), TASK_RUN_TUNING.max_tellings * TASK_RUN_TUNING.telling))
        if one.is_new
    ]
    assert len(told) == TASK_RUN_TUNING.max_tellings and told[0] < 30
    assert np.diff(told) / 60 == pytest.approx(TASK_RUN_TUNING.telling, abs=0.05)


def test_after_that_it_goes_back_and_comes_again() -> None:
    series = commands(
        standing(), TASK_RUN_TUNING.max_tellings * TASK_RUN_TUNING.telling + TASK_RUN_TUNING.going_back + 1.5
    )
    actions = np.array([one.action for one in series])
    back = np.flatnonzero(actions == "walk")
    assert back[0] / 60 == pytest.approx(TASK_RUN_TUNING.max_tellings * TASK_RUN_TUNING.telling, abs=0.6)
    assert np.ptp(back) == len(back) - 1 == pytest.approx(60 * TASK_RUN_TUNING.going_back, abs=2)
    away = BOX.position[:2] - series[back[0]].position[:2]
    np.testing.assert_allclose(away, [0.0, CARRY_TUNING.start_distance + ACTION_BASE_TUNING.back_distance], atol=1e-9)
    assert set(actions[back[-1] + 1 :]) == {"carry"} and series[back[-1] + 1].is_new


WALK = InteractionTask("walk", position=np.array([9.0, 0.0, 0.0]), duration=0.5)
PLACE = np.array([1.0, 2.0])


def walking(at: tuple[float, float] = (0.0, 0.0)) -> TaskRun:
    return task_run(WALK, STOOL, at=at)


def test_one_that_leaves_does_not_linger() -> None:
    run = walking()
    put(run, PLACE + np.array([0.0, 0.99]))
    run.goes_back(PLACE)
    record(run, frame_of(run), 400)
    put(run, PLACE + np.array([0.0, 1.01]))
    assert not run.goes_back(PLACE) and run.near_frame is None
    put(run, PLACE)
    record(run, frame_of(run), 400)
    assert not run.goes_back(PLACE) and run.near_frame == 800


@pytest.mark.parametrize(
    ("distance", "frames", "settled"),
    [(0.039, 0, True), (0.041, 0, False), (0.29, 60, False), (0.29, 61, True), (0.31, 200, False)],
)
def test_a_point_has_settled_that_has_arrived_or_is_near_and_comes_no_nearer(
    distance: float, frames: int, settled: bool
) -> None:
    run = walking()
    first = run.has_settled(distance, 0.3)
    record(run, frame_of(run), frames)
    assert (first or run.has_settled(distance, 0.3)) == settled


def test_the_duration_counts_from_the_arrival() -> None:
    run = walking()
    record(run, frame_of(run), 10)
    assert not run.stay(False) and run.stay_frame == 0
    assert not run.stay(True) and run.stay_frame == 10
    record(run, frame_of(run), 29)
    assert not run.stay(False)
    record(run, frame_of(run))
    assert run.stay(False)
    assert [event.kind for event in run.recording.events] == ["began", "reached"]


def test_the_nearest_side_with_room_is_chosen() -> None:
    cube = block("cube", "box", (0.4, 0.4, 0.6), (0.0, 3.0, 0.0))
    # Sides from the front, +Y, counter-clockwise: -X is 1, -Y is 2, +X is 3.
    for at, side in (((0.0, 0.0), 2), ((-2.0, 3.0), 1), ((2.0, 3.0), 3), ((0.0, 6.0), 0)):
        run = task_run(InteractionTask("idle", 0), cube, at=at)
        run.choose_side((0, 1, 2, 3))
        assert run.approach_side == side
    run.choose_side((3,))
    assert run.approach_side == 3
    wall = block("wall", "obstacle", (3.0, 0.1, 2.0), (0.0, 2.5, 0.0))
    run = task_run(InteractionTask("idle", 0), cube, wall, at=(0.0, 0.0))
    run.choose_side((0, 1, 2, 3))
    assert run.approach_side in (1, 3)


def test_paths_may_pass_through_the_tasks_own_object() -> None:
    run = task_run(InteractionTask("idle", 0), STOOL)
    told: list[tuple[float, ...]] = []

    def flow(goal: np.ndarray, start: np.ndarray, excluded: Any) -> None:
        told.append((*goal, *start, *excluded))

    scene: Any = SimpleNamespace(flow_field=flow)
    run.scene = scene
    run.flow_field_to(np.array([1.0, 2.0]))
    run.flow_field_to(np.array([1.0, 2.0]), passes_object=True)
    assert told == [(1.0, 2.0, 0.0, 0.0), (1.0, 2.0, 0.0, 0.0, 0)]
