"""The state of a moving body, from which any other controller can continue."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array
from .handover import hand_to_interaction, hand_to_locomotion
from .interaction_runtime import InteractionRuntime
from .locomotion_runtime import LocomotionRuntime

VELOCITY_S: Final = 0.2
"""Time over which a body's velocity is averaged, seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyState:
    """The state of a moving body, in meters at the controllers' scale, which all have the same body.

    Attributes:
        runtime: runtime of the last controller, a batch of one.
        outputs: last two outputs (1, m) of the network, the newer one first.
        level: height of the ground below the body, meters.
    """

    runtime: LocomotionRuntime | InteractionRuntime
    outputs: tuple[NDArray[np.float32], ...]
    level: float

    @property
    def position(self) -> Array:
        """Root (2), meters, world."""
        return self.runtime.position[0]

    @property
    def yaw(self) -> float:
        """Yaw of the root, radians; zero faces +Y."""
        return float(self.runtime.yaw[0])

    @property
    def feet(self) -> Array:
        """Ankles (2, 2), left and right, meters, world."""
        model, state = self.runtime.model, self.runtime.state
        names = model.skeleton.names
        joints = [model.joints.index(names[model.skeleton.joint(f"foot.{side}")]) for side in "LR"]
        return self.position + out_of_frame(state.pose[0, joints, :2], self.runtime.yaw[0])

    @property
    def velocity(self) -> Array:
        """Velocity (2) of the root over the last steps, m/s, world."""
        runtime, count = self.runtime, round(VELOCITY_S * self.runtime.model.rate)
        acts = isinstance(runtime, InteractionRuntime)
        way = (runtime.state.past_samples.positions if acts else runtime.state.past_positions)[0]
        return (way[-1] - way[-1 - count]) / VELOCITY_S

    def enter_walk(self, walks: LocomotionRuntime) -> None:
        """Hand the body over to a locomotion controller.

        Args:
            walks: runtime of the locomotion controller, a batch of one before its first step; modified in place.
        """
        if isinstance(self.runtime, InteractionRuntime):
            hand_to_locomotion(self.runtime, walks)
        else:
            biases = walks.state.biases  # each activity has its own responsiveness
            walks.state = self.runtime.state.copy()
            walks.state.biases = biases

    def enter_interaction(self, acts: InteractionRuntime) -> None:
        """Hand the body over to an interaction controller.

        Args:
            acts: runtime of the interaction controller before its first step; modified in place.
        """
        if isinstance(self.runtime, LocomotionRuntime):
            hand_to_interaction(self.runtime, self.outputs, acts)
        else:
            acts.state = self.runtime.state.copy()
