"""Response time of a character to a new command (NSM Table 2)."""

from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.features.interaction import ACTIONS
from ..core.models.model_file import ControllerModel
from ..core.motion.root_frame import facing_direction
from .interactions import interacting
from .setup import Setup
from .tables import Part, table
from .unseen import SEATS, seat

TITLE = "Responses to new goals"
PAPER: Final = {"idle to walk": 1.49, "idle to run": 0.81, "walk to sit": 4.92, "run to sit": 5.10}
"""Seconds in NSM's Table 2."""
WAYS: Final = {"front": 0.0, "left": np.pi / 2, "back": np.pi, "right": -np.pi / 2}
"""Directions of places to walk to, as yaws from the front, radians."""
SITS: Final = 10
DONE: Final = 0.9
"""Least weight of an action that is done."""
GOAL_M: Final = 5.0
"""Distance of commanded walks and runs."""
AROUND_M: Final = (1.5, 3.0)
"""Distances of a walking or running character from its seat, meters: as in the paper, at most three."""
LONGEST: Final = 900

NOTES = """\
Seconds until the network says that the new action is done to 90 %, means of those that were done. From standing: to
walk, or run, to a place 5 m to the front, the left, the back and the right."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    model = interacting(setup)
    objects = setup.data.parent / "objects"
    rows: list[list[object]] = []
    directions: list[list[object]] = []
    for name, paper in PAPER.items():
        before, _, after = name.partition(" to ")
        row: list[object] = [name]
        by_way: list[object] = []
        for help in (Assistance.none(), FULL_ASSISTANCE):
            if after == "sit":
                times = [sits(model, objects, before, trial, assistance=help) for trial in range(SITS)]
            else:
                times = [goes(model, after, way, assistance=help) for way in WAYS.values()]
                by_way += times
            done = [time for time in times if time is not None]
            row += [f"{len(done)} of {len(times)}", float(np.mean(done)) if done else None, max(done, default=None)]
        rows.append([*row, paper])
        if by_way:
            directions.append([name, *by_way])
    head = ["", "alone: done", "mean s", "longest s", "shipped: done", "mean s", "longest s", "NSM s"]
    ways = ["to the", *(f"{way}, {kind}" for kind in ("alone", "shipped") for way in WAYS)]
    return [table(head, rows), table(ways, directions), NOTES]


def goes(model: ControllerModel, action: str, way: float, assistance: Assistance = FULL_ASSISTANCE) -> float | None:
    """Return the seconds from idling to walking or running toward a yaw from the front, radians.

    ``assistance`` as in :class:`InteractionSequencer`.
    """
    aim = GOAL_M * facing_direction(np.array(way))
    play = InteractionSequencer(
        model,
        [],
        [InteractionTask("idle", duration=1.0), InteractionTask(action, position=np.append(aim, 0.0))],
        np.zeros(2),
        assistance=assistance,
    )
    while len(play.frames) < LONGEST and play.advance(1):
        began = play.recording.event_frame("began", 1)
        if began is not None and play.frames[-1].actions[0, ACTIONS.index(action)] > DONE:
            return (len(play.frames) - began) / model.rate
    return None


def sits(
    model: ControllerModel, objects: Path, before: str, trial: int, assistance: Assistance = FULL_ASSISTANCE
) -> float | None:
    """Return the seconds from walking or running to sitting."""
    generator = np.random.default_rng([trial, 15])
    way, turned = facing_direction(generator.uniform(-np.pi, np.pi, 2))
    at = np.array([0.0, 2.0]) + generator.uniform(*AROUND_M) * way
    one = seat(objects, SEATS[trial % len(SEATS)]).place_at(np.append(at, 0.0), turned)
    first = InteractionTask(before, position=np.array([0.0, 2.0, 0.0]))
    tasks = [first, InteractionTask("sit", 0, duration=0.5)]
    play = InteractionSequencer(model, [one], tasks, np.zeros(2), 0.0, assistance)
    while len(play.frames) < LONGEST and play.advance(30):
        pass
    began, reached = (play.recording.event_frame(kind, 1) for kind in ("began", "reached"))
    return (reached - began) / model.rate if began is not None and reached is not None else None
