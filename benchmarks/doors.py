"""Walking through doors in walls, until the character has walked off on the other side."""

from typing import Final

import numpy as np

from ..core.control.interaction.sequencer import InteractionSequencer
from ..core.control.interaction.task import InteractionTask
from ..core.control.refine.interaction_refinement import refine_interaction
from ..core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from ..core.models.model_file import ControllerModel
from .document import table
from .interaction_measures import penetration_depths
from .interaction_motion import WALK_OFF_M, has_given_up, measure_motion, motion_row, motion_table
from .interactions import interacting
from .rooms import walled
from .setup import Setup

TITLE = "Going through doors"
STARTS: Final = 20
START_M: Final = 2.2
"""Distance before a door at which a character stands at first, meters."""
LATERAL_M: Final = 0.5
"""Largest distance beside and before that place."""
LONGEST: Final = 3000

NOTES = """\
Twenty doors of 82 to 100 cm, hinged left or right, from the front and from the back, from 2.2 m before them, facing
anywhere, standing. *Done*: through within 25 s, and 2.5 m on. *Deep*: the largest depth of a bone's capsule in leaf or
wall, mean of the trials. *Leaf*: its fastest turn, mean. *Motion* as in the table of sitting down."""


def measure(setup: Setup) -> str:
    """Return the section's tables."""
    model = interacting(setup)
    rows, motion = [], []
    for name, starts in (("from the front", range(1, STARTS, 2)), ("from the back", range(0, STARTS, 2))):
        plays = [_play(model, start) for start in starts]
        refined = [refine_interaction(play.recording) for play in plays]
        deep = [float(penetration_depths(part, play).max()) for part, play in zip(refined, plays, strict=True)]
        done = sum(play.done and not has_given_up(play.recording) for play in plays)
        seconds = [len(play.frames) / model.rate for play in plays]
        leaf = [_leaf_speed(play) for play in plays]
        said = f"{done} of {len(plays)}"
        rows.append([name, said, *(float(np.mean(part)) for part in (seconds, 100 * np.array(deep), leaf))])
        motion.append(motion_row(name, [measure_motion(part.clip) for part in refined]))
    head = ["door", "done", "seconds", "deep cm", "leaf deg/s"]
    return f"{table(head, rows)}\n\n{motion_table(motion, [])}\n\n{NOTES}"


def _play(model: ControllerModel, start: int) -> InteractionSequencer:
    """Have a standing character go through a door and walk off."""
    play = to_open(model, start)
    while len(play.frames) < LONGEST and play.advance(60):
        pass
    return play


def to_open(model: ControllerModel, start: int, assistance: Assistance = FULL_ASSISTANCE) -> InteractionSequencer:
    """Return a standing character with the command to go through a door and to walk off; help as in the sequencer."""
    generator = np.random.default_rng([start, 19])
    things, tasks, _ = walled(generator)
    ahead = things[0].front_direction * (1 if start % 2 else -1)
    place = START_M * ahead + generator.uniform(-LATERAL_M, LATERAL_M, 2)
    off = InteractionTask("walk", position=np.append(-WALK_OFF_M * ahead, 0.0))
    yaw = float(generator.uniform(-np.pi, np.pi))
    return InteractionSequencer(model, things, [*tasks, off], place, yaw, assistance=assistance)


def _leaf_speed(play: InteractionSequencer) -> float:
    """Return the largest speed with which the leaf turned, degrees per second."""
    rotations = np.stack([state[0].rotation for state in play.recording.object_states])
    turns = 2 * np.arccos(np.clip(np.abs(np.sum(rotations[1:] * rotations[:-1], axis=-1)), 0.0, 1.0))
    return float(np.degrees(turns.max()) * play.model.rate)
