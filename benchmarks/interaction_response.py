"""Response time of a character to a new command (NSM Table 2)."""

from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.runtime.interaction_runtime import GoalCommand, InteractionRuntime
from ..core.features.interaction import ACTIONS
from ..core.models.model_file import ControllerModel
from ..core.motion.root_frame import facing_direction
from .document import table
from .interactions import interacting
from .setup import Setup
from .unseen import SEATS, seat

TITLE = "Responses to new goals"
PAPER: Final = {"idle to walk": 1.49, "idle to run": 0.81, "walk to sit": 4.92, "run to sit": 5.10}
"""Seconds, of NSM's Table 2."""
TRIALS: Final = 8
THERE: Final = 0.9
"""Share of an action from which it is done."""
AHEAD: Final = 3.0
"""Distance from a walking or running character to its seat, meters."""
LONGEST: Final = 900

NOTES = """\
Eight trials each; seconds until the network says that the new action is done to 90 %. From idling, somebody is told to
walk, or run, to a place 5 m away, in any direction; from walking and running, to sit on a seat 3 m before them, facing
them or not (until seated and still). NSM's are of its own data, and its table does not say how far seats were."""


def measure(setup: Setup) -> str:
    """Return the section's table."""
    model = interacting(setup)
    objects = setup.data.parent / "objects"
    rows: list[list[object]] = []
    for name, paper in PAPER.items():
        before, _, after = name.partition(" to ")
        times = [
            sits(model, objects, before, trial) if after == "sit" else goes(model, after, trial)
            for trial in range(TRIALS)
        ]
        done = [time for time in times if time is not None]
        mean = float(np.mean(done)) if done else None
        rows.append([name, f"{len(done)} of {TRIALS}", mean, max(done, default=None), paper])
    return f"{table(['', 'done', 'mean s', 'longest s', 'NSM s'], rows)}\n\n{NOTES}"


def goes(model: ControllerModel, action: str, trial: int, both: bool = True) -> float | None:
    """Return the seconds from idling to walking or running; ``both`` as in :class:`InteractionRuntime`."""
    generator = np.random.default_rng([trial, 14])
    actors = InteractionRuntime(model, np.zeros((1, 2)), [0.0], both)
    way = facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    idle, away = (
        GoalCommand("idle", np.zeros(3), np.array([0.0, 1.0])),
        GoalCommand(action, np.append(5 * way, 0.0), way),
    )
    for _ in range(60):
        actors.step([idle], [])
    for frame in range(LONGEST):
        acted = actors.step([away], [])
        if acted.actions[0, ACTIONS.index(action)] > THERE:
            return frame / model.rate
    return None


def sits(model: ControllerModel, objects: Path, before: str, trial: int, both: bool = True) -> float | None:
    """Return the seconds from walking or running to sitting; ``both`` as in :class:`InteractionSequencer`."""
    generator = np.random.default_rng([trial, 15])
    one = seat(objects, SEATS[trial % len(SEATS)]).place_at(
        np.array([0.0, 2.0 + AHEAD, 0.0]), facing_direction(np.array(generator.uniform(-np.pi, np.pi)))
    )
    first = InteractionTask(before, position=np.array([0.0, 2.0, 0.0]))
    play = InteractionSequencer(model, [one], [first, InteractionTask("sit", 0, duration=0.5)], np.zeros(2), 0.0, both)
    while len(play.frames) < LONGEST and play.advance(30):
        pass
    began = [event.frame for event in play.events if event.kind == "began" and event.task_index == 1]
    reached = [event.frame for event in play.events if event.kind == "reached" and event.task_index == 1]
    return (reached[0] - began[0]) / model.rate if began and reached else None
