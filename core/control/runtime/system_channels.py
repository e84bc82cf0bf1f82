"""Additional state of controllers with a system of local motion phases (Starke et al. 2020, section 4)."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...features.layout import Layout
from ...features.phase_system import FUTURE_OFFSETS_FRAMES, SAMPLE_STEP_S, sensor_contacts
from ...models.model_file import ControllerModel
from ...motion.root_frame import into_frame
from ...motion.rotations import AXIS_PAIR_SIZE, Array
from .batch_state import PAST_FRAMES, PAST_SAMPLES
from .resting import standing_axes


@dataclass(eq=False)
class SystemChannels:
    """Expected velocities and actions, past contacts and joint rotations of B characters.

    Attributes:
        expected_velocities: (B, S, 2) predicted velocities of the root, m/s, in the root's frame.
        expected_gaits: (B, S, G) predicted actions.
        past_contacts: (B, PAST_FRAMES + 1, K) contacts of all sensors up to the previous frame.
        rotation: (B, P, 6) joint rotations of the last frame relative to the reference rotations, as pairs of axes.
        rate: (B) frames per second.
    """

    expected_velocities: Array
    expected_gaits: Array
    past_contacts: Array
    rotation: Array
    rate: Array

    @classmethod
    def begin(cls, model: ControllerModel, count: int) -> Self:
        """Return the channels of standing characters, with heels and balls on the ground."""
        samples, layout = len(FUTURE_OFFSETS_FRAMES), model.output_layout
        gaits = np.zeros((count, samples, len(model.gaits)))
        gaits[..., model.gaits.index("stand")] = 1.0
        contacts = np.zeros(sensor_contacts(layout, np.zeros(layout.size)).shape)
        contacts[: layout.view(np.zeros(layout.size), "contact").size] = 1.0
        axes = standing_axes(model)
        if axes is None:
            axes = np.tile(np.eye(3)[1:].ravel(), (len(model.joints), 1))
        assert axes.shape == (len(model.joints), AXIS_PAIR_SIZE)
        return cls(
            np.zeros((count, samples, 2)),
            gaits,
            np.tile(contacts, (count, PAST_FRAMES + 1, 1)),
            np.repeat(axes[None], count, axis=0),
            np.full(count, model.rate),
        )

    def fill_inputs(
        self,
        layout: Layout,
        x: NDArray[np.float32],
        past_positions: Array,
        commanded_positions: Array,
        yaws: Array,
        command_weights: Array,
        shifts: Array,
    ) -> None:
        """Write velocities, past contacts and rotations into the network's inputs.

        Future velocities are blended with the commanded ones by equation 1, and the velocities of `shifts` are added.

        Args:
            layout: layout of the inputs.
            x: (B, n) inputs, modified in place.
            past_positions: (B, PAST_FRAMES + 1, 2) roots of the remembered frames, meters, world.
            commanded_positions: (B, S, 2) commanded positions, meters, world.
            yaws: (B) yaws of the roots, radians.
            command_weights: (B, S, 1) weights of the command along the future.
            shifts: (B, S, 2) displacements of the future positions by a variation of the control, meters, world.
        """
        steps = np.diff(past_positions, axis=1, prepend=past_positions[:, :1]) * self.rate[:, None, None]
        steps[:, 0] = steps[:, 1]
        commanded = into_frame(_velocities(past_positions[:, -1:], commanded_positions), yaws[:, None])
        varied = into_frame(_velocities(np.zeros_like(shifts[:, :1]), shifts), yaws[:, None])
        past = into_frame(steps[:, PAST_SAMPLES], yaws[:, None])
        ahead = self.expected_velocities * (1 - command_weights) + commanded * command_weights + varied
        layout.view(x, "trajectory.velocity")[:] = np.concatenate([past, ahead], axis=1)
        layout.view(x, "contact.past")[:] = self.past_contacts[:, PAST_SAMPLES]
        layout.view(x, "pose.rotation")[:] = self.rotation

    def advance(self, layout: Layout, y: NDArray[np.float32]) -> None:
        """Advance by a frame with the network's outputs.

        Args:
            layout: layout of the outputs.
            y: (B, m) outputs, not normalized.
        """
        self.expected_velocities = layout.view(y, "trajectory.velocity")[:, 1:].astype(float)
        self.expected_gaits = np.clip(layout.view(y, "trajectory.gait")[:, 1:].astype(float), 0.0, 1.0)
        self.past_contacts[:, :-1] = self.past_contacts[:, 1:]
        self.past_contacts[:, -1] = sensor_contacts(layout, y)
        self.rotation = layout.view(y, "pose.rotation").astype(float)


def _velocities(now: Array, ahead: Array) -> Array:
    """Return the root velocities (B, S, 2), m/s, at positions ahead (B, S, 2) that follow the current one (B, 1, 2)."""
    return np.gradient(np.concatenate([now, ahead], axis=1), SAMPLE_STEP_S, axis=1)[:, 1:]
