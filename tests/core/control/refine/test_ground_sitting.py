"""Sitting on the ground: when a body rests there, and hips that bear on it."""

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.interaction.recording import InteractionRecording
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.ground_sitting import descent_weights, sit_on_ground
from footfall.core.features.interaction import ACTIONS
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.tests.support.walker import person

COUNT, RATE = 300, 60.0
BODY = person()
PLACE = np.array([0.0, 0.0, 0.0])


@dataclass
class Model:
    """The part of a controller that is looked at."""

    actions: tuple[str, ...] = ACTIONS


@dataclass
class Recorded:
    """A recording of one task that begins at frame 0, whose place is reached at a frame, and that ends at another."""

    action: str
    reached: int | None
    stop: int
    actions: Array
    model: Model = field(default_factory=Model)
    contacts: Array = field(default_factory=lambda: np.zeros((COUNT, 7)))

    @property
    def tasks(self) -> list[InteractionTask]:
        return [InteractionTask(self.action, position=PLACE)]

    def __len__(self) -> int:
        return COUNT

    def task_intervals(self) -> list[tuple[int, int, int]]:
        return [(0, self.stop, 0)]

    def event_frame(self, kind: str, task_index: int) -> int | None:
        return self.reached if kind == "reached" and task_index == 0 else None


def recorded(action: str = "sit_ground", reached: int | None = 100, stop: int = 200, **known: Any) -> Any:
    """A body that sits on the ground by a weight of 0.8 from frame 50 to 250."""
    weights = np.zeros((COUNT, len(ACTIONS)))
    weights[50:250, ACTIONS.index("sit_ground")] = 0.8
    weights[:20, ACTIONS.index("lie")] = 0.3
    return cast("InteractionRecording", Recorded(action, reached, stop, weights, **known))


def test_it_comes_down_and_gets_up_with_the_weight_of_sitting_and_lies_with_that_of_lying() -> None:
    weights = descent_weights(recorded())
    np.testing.assert_allclose(
        weights[[0, 19, 20, 50, 99, 100, 199, 200, 249, 250]], [0.3, 0.3, 0, 0.8, 0.8, 0, 0, 0.8, 0.8, 0]
    )


def sitting(height: float) -> Clip:
    """A body whose hips are at a height over the ground, meters, with its arms out."""
    rotations = np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (COUNT, len(BODY), 1))
    return Clip(BODY, RATE, np.tile([0.0, 0.0, height], (COUNT, 1)), rotations)


@pytest.mark.parametrize(("contact", "weight", "held"), [(0.51, 0.8, True), (0.49, 0.8, False), (0.51, 0.49, False)])
def test_hands_that_touch_are_held_while_it_sits(contact: float, weight: float, held: bool) -> None:
    one = recorded(contacts=np.tile([0.0, contact, 0.0, 0.0, 0.0, 0.0, 0.0], (COUNT, 1)))
    one.actions[50:250, ACTIONS.index("sit_ground")] = weight
    clip = sitting(0.6)
    swaying = Clip(
        BODY,
        RATE,
        clip.root_positions + 0.03 * np.sin(np.arange(COUNT) / 20)[:, None] * [0.0, 1.0, 0.0],
        clip.rotations,
    )
    made = sit_on_ground(one, swaying)
    left, right = (np.ptp(made.positions[110:190, BODY.joint(f"hand.{side}"), 1]) for side in "LR")
    assert right > 0.025 and (left < 0.01) == held
