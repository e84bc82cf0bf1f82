"""The side to which a trained controller turns more promptly before it sits down, found by trials.

Takes show both sides equally, yet a network prefers one; to face the other way, it turns the long way round.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...core.control.interaction.sequencer import InteractionSequencer
from ...core.control.interaction.task import InteractionTask
from ...core.control.runtime.assistance import FULL_ASSISTANCE
from ...core.control.runtime.batch_state import BrokenControllerError
from ...core.models.controller_model import TURN_KEY, ControllerModel
from ...core.motion.rotations import rotation_about_up
from ...core.scene.collider import Collider
from ...core.scene.interaction_object import InteractionObject
from ...core.tuning import Tuning, tuned
from .props.seats import Chair

ACTION: Final = "sit"


@dataclass(frozen=True, slots=True)
class TurnTrial(Tuning):
    """Tuned numbers of the trials."""

    ahead: float = tuned(2.2, "m", 1.0, 5.0)
    """Distance of the seat ahead of the character."""
    beside: tuple[float, ...] = tuned((0.6, 1.2), "m", 0.0, 3.0)
    """Sideways distances of the seat from the character's path, one per trial."""
    longest: float = tuned(12.0, "s", 3.0, 60.0)
    """Time after which a trial is ended."""


TRIAL: Final = TurnTrial()


def with_prompter_turn(model: ControllerModel) -> ControllerModel:
    """Return the controller with the side to which it turns more promptly in its provenance, if it sits at all."""
    if not model.is_interaction_controller or ACTION not in model.taught_goals:
        return model
    try:
        left, right = (sum(_seconds(model, sign * beside) for beside in TRIAL.beside) for sign in (-1.0, 1.0))
    except BrokenControllerError:
        return model
    return replace(model, provenance={**model.provenance, TURN_KEY: "left" if left <= right else "right"})


def _seconds(model: ControllerModel, beside: float) -> float:
    """Return the seconds until a character sits on a seat that faces it from beside its path.

    Args:
        model: the controller.
        beside: distance of the seat to the right of the path, m; positive makes the character turn right.
    """
    place, about = np.array([beside, TRIAL.ahead, 0.0]), rotation_about_up(np.array(np.pi))
    seat = InteractionObject("seat", "seat", Collider.from_mesh(*Chair().mesh()), place, about)
    by_itself = replace(FULL_ASSISTANCE, mirrors=False)
    play = InteractionSequencer(model, [seat], [InteractionTask(ACTION, 0)], np.zeros(2), assistance=by_itself)
    longest = round(TRIAL.longest * model.rate)
    while len(play.frames) < longest and play.run.stay_frame == 0 and play.advance(1):
        pass
    return len(play.frames) / model.rate
