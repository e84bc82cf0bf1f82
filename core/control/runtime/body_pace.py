"""Pace of a body: a network's step is shortened where it would move hips or head faster than people move them.

Far from what it has seen, as at a new goal, a network jumps from one pose to another within a frame. A shortened step
shows, and feeds back, the part of it that a body can do; the next one goes on from there. Root and phase keep step.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.layout import Layout
from ...models.model_file import ControllerModel
from ...motion.rotations import Array

PACE_ROLES: Final = ("hips", "head")
"""Roles of the joints whose pace is bounded."""
MAX_SPEEDS_M_S: Final = np.array([1.0, 1.6])
"""Largest speeds of these joints relative to the root: people sit down and get up with 0.85 and lift with 1.5."""
MAX_ACCELERATIONS_M_S2: Final = np.array([14.0, 18.0])
"""Largest rates at which these speeds grow."""
MIN_SHARE: Final = 0.02
"""Least share of a step, so that no answer is waited for forever."""
POSE_GROUPS: Final = ("pose.position", "pose.velocity", "pose.rotation")
"""Groups of the output that hold the pose."""


@dataclass(frozen=True, eq=False)
class BodyPace:
    """The bounds of a controller's body.

    Attributes:
        joints: (N) indices of the bounded joints in the controller's pose.
        max_speeds: (N) m/s.
        max_accelerations: (N) m/s^2.
    """

    joints: list[int]
    max_speeds: Array
    max_accelerations: Array

    @staticmethod
    def of(model: ControllerModel) -> "BodyPace":
        """Return the bounds of a controller's body, for the roles that its pose has."""
        skeleton = model.skeleton
        known = {
            number: model.joints.index(skeleton.names[skeleton.roles[role]])
            for number, role in enumerate(PACE_ROLES)
            if role in skeleton.roles and skeleton.names[skeleton.roles[role]] in model.joints
        }
        numbers = list(known)
        return BodyPace(list(known.values()), MAX_SPEEDS_M_S[numbers], MAX_ACCELERATIONS_M_S2[numbers])

    def shares(self, pose: Array, answer: Array, speeds: Array, dt: float) -> tuple[Array, Array]:
        """Return the shares (B), 0 to 1, of a step that a body does, and the speeds (B, N), m/s, with which it does it.

        Args:
            pose: (B, P, 3) joint positions in the root's frame, meters.
            answer: (B, P, 3) those of the next frame.
            speeds: (B, N) of the bounded joints in the frame before, m/s.
            dt: seconds per frame.
        """
        wanted = np.linalg.norm(answer[:, self.joints] - pose[:, self.joints], axis=-1) / dt
        allowed = np.minimum(speeds + self.max_accelerations * dt, self.max_speeds)
        shares = np.clip(allowed / np.maximum(wanted, 1e-9), MIN_SHARE, 1.0).min(axis=1, initial=1.0)
        return shares, shares[:, None] * wanted


def shorten_step(
    layout: Layout, output: NDArray[np.float32], last_output: NDArray[np.float32], shares: Array
) -> NDArray[np.float32]:
    """Return an output (B, m) whose pose is only a share (B) of the way from that of the last output."""
    shortened = output.copy()
    for group in POSE_GROUPS:
        own, last = layout.view(shortened, group), layout.view(last_output, group)
        own[:] = last + shares.reshape(-1, *[1] * (own.ndim - 1)) * (own - last)
    return shortened
