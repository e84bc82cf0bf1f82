"""State that all runtimes have: root, phase, pose and network memory of a batch of one controller's characters."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import FootfallError
from ...features.layout import Layout
from ...features.locomotion import SAMPLE_OFFSETS_FRAMES
from ...models.model_file import ControllerModel
from ...models.network import Memory, Network
from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array
from ...tuning import Tuning, tuned

PAST_FRAMES: Final = -SAMPLE_OFFSETS_FRAMES[0]
"""Number of remembered frames before the current one, equal for locomotion and interaction controllers."""
PAST_SAMPLES: Final = slice(0, PAST_FRAMES + 1, SAMPLE_OFFSETS_FRAMES[1] - SAMPLE_OFFSETS_FRAMES[0])
"""The samples up to the current frame, among the remembered frames."""


@dataclass(frozen=True, slots=True)
class BatchStateTuning(Tuning):
    max_output: float = tuned(1e4, "1", 100.0, 1e8)
    """Largest magnitude of a network output that counts as valid: meters, m/s, radians and similar units."""
    standing_damping: float = tuned(0.25, "1", 0.0, 2.0)
    """Exponent of the share of moving that scales the root's motion, so that a standing root does not creep."""


TUNING: Final = BatchStateTuning()


class BrokenControllerError(FootfallError):
    """The error of a network that outputs impossible numbers."""


@dataclass(eq=False)
class BatchState:
    """The state of B characters that determines the next frame; each array has one row per character.

    The subclass of each runtime adds past and predicted samples: arrays, ``None``, or data classes of arrays.

    Attributes:
        position: (B, 2) roots, meters, world.
        yaw: (B) yaw, radians.
        phase: (B) phase, cycles.
        pose: (B, P, 3) joint positions of the last frame in its root's frame, meters.
        velocity: (B, P, 3) joint velocities of the last frame in its root's frame, m/s.
        memory: arrays that the network carries from frame to frame.
    """

    position: Array
    yaw: Array
    phase: Array
    pose: Array
    velocity: Array
    memory: Memory

    @staticmethod
    def standing(model: ControllerModel, network: Network, positions: Array, yaws: ArrayLike) -> "BatchState":
        """Return the state of characters in the controller's standing pose.

        Args:
            model: the controller.
            network: the controller's network.
            positions: (B, 2) roots, meters, world.
            yaws: (B) yaws, radians; zero faces +Y.
        """
        position = np.array(positions, dtype=float)
        count = len(position)
        return BatchState(
            position=position,
            yaw=np.array(yaws, dtype=float),
            phase=np.full(count, float(model.start["phase"])),
            pose=np.repeat(np.asarray(model.start["position"], dtype=float)[None], count, axis=0),
            velocity=np.repeat(np.asarray(model.start["velocity"], dtype=float)[None], count, axis=0),
            memory=network.begin(count),
        )

    def __len__(self) -> int:
        """Return the number of characters."""
        return len(self.position)

    def advance(self, layout: Layout, output: NDArray[np.float32], moving: Array, dt: float) -> None:
        """Update root, phase and pose from the network's output.

        Args:
            layout: layout of the output.
            output: (B, m) output.
            moving: (B) shares of moving, from 0 for standing, which damps the root's motion, to 1.
            dt: seconds per frame.

        Raises:
            BrokenControllerError: the output has impossible numbers.
        """
        if not np.abs(output).max(initial=0.0) <= TUNING.max_output:  # true also for NaN
            raise BrokenControllerError(
                "The controller produced invalid motion: it is damaged or badly trained, so choose another one"
            )
        self.pose = layout.view(output, "pose.position").astype(float)
        self.velocity = layout.view(output, "pose.velocity").astype(float)
        rate = layout.view(output, "phase.rate")[:, 0].astype(float)
        self.phase = (self.phase + np.maximum(rate, 0.0) * dt) % 1.0
        damped_dt = dt * moving**TUNING.standing_damping
        velocity = out_of_frame(layout.view(output, "root.velocity"), self.yaw)
        self.position = self.position + velocity * damped_dt[:, None]
        self.yaw = self.yaw + layout.view(output, "root.angular_velocity")[:, 0] * damped_dt

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return the state of the characters at some rows."""
        return _map_arrays(lambda array: array[rows], self)

    def copy(self) -> Self:
        """Return an independent copy."""
        return _map_arrays(lambda array: array.copy(), self)

    def concat(self, other: Self) -> Self:
        """Return the state of these characters followed by those of another state."""
        return _map_arrays(lambda *arrays: np.concatenate(arrays), self, other)


def _map_arrays(function: Callable[..., Array], *parts: Any) -> Any:
    """Apply a function to corresponding arrays of nested states: data classes, tuples, arrays and ``None``."""
    first = parts[0]
    if first is None:
        return None
    if isinstance(first, np.ndarray):
        return function(*parts)
    if isinstance(first, tuple):
        return tuple(_map_arrays(function, *each) for each in zip(*parts, strict=True))
    mapped = {
        field.name: _map_arrays(function, *(getattr(part, field.name) for part in parts)) for field in fields(first)
    }
    return replace(first, **mapped)
