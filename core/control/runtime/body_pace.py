"""Body pace: a network's step is shortened if it would move hips or head faster than people can.

Far from its training data, for example after a change of goal, a network jumps between poses within a frame. Then only
the feasible part of the step is output and fed back, and the next step continues from there. The phase advances by the
same share.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.layout import Layout
from ...models.model_file import ControllerModel
from ...motion.rotations import Array, length

PACE_ROLES: Final = ("hips", "head")
"""Roles of the joints whose pace is limited."""
MAX_SPEEDS_M_S: Final = np.array([0.9, 1.4])
"""Largest speeds of hips and head relative to the root; captured people reach 0.85 sitting down, and 1.5 lifting."""
MAX_ACCELERATIONS_M_S2: Final = np.array([16.0, 22.0])
"""Largest accelerations of hips and head relative to the root; captured people exceed 20 in 1% of the frames."""
MIN_SHARE: Final = 0.02
"""Smallest share of a step that is taken, so that every step makes progress."""
POSE_GROUPS: Final = ("pose.position", "pose.velocity", "pose.rotation")
"""Output groups that make up the pose."""


@dataclass(frozen=True, eq=False)
class BodyPace:
    """The pace limits of a controller's body.

    Attributes:
        joints: (N) indices of the limited joints in the controller's pose.
        max_speeds: (N) largest speeds, m/s.
        max_accelerations: (N) largest accelerations, m/s^2.
    """

    joints: list[int]
    max_speeds: Array
    max_accelerations: Array

    @staticmethod
    def of(model: ControllerModel) -> "BodyPace":
        """Create the pace limits of a controller's body, for those of ``PACE_ROLES`` that its pose has."""
        skeleton = model.skeleton
        known = {
            number: model.joints.index(skeleton.names[skeleton.roles[role]])
            for number, role in enumerate(PACE_ROLES)
            if role in skeleton.roles and skeleton.names[skeleton.roles[role]] in model.joints
        }
        numbers = list(known)
        return BodyPace(list(known.values()), MAX_SPEEDS_M_S[numbers], MAX_ACCELERATIONS_M_S2[numbers])

    def follow(
        self,
        layout: Layout,
        answer: NDArray[np.float32],
        last: NDArray[np.float32],
        before_last: NDArray[np.float32],
        dt: float,
    ) -> tuple[NDArray[np.float32], Array]:
        """Return the feasible output (B, m), and the share (B), 0 to 1, of the network's step that it takes.

        The body continues its motion (inertialization, Bollo 2018) and changes it toward the network's output.

        Args:
            layout: layout of the output.
            answer: (B, m) output of the network.
            last: (B, m) output that the body followed in the last frame.
            before_last: (B, m) output that the body followed in the frame before the last.
            dt: seconds per frame.
        """
        pose, own, older = (
            layout.view(part, "pose.position")[:, self.joints].astype(float) for part in (answer, last, before_last)
        )
        wanted, moved = pose - own, own - older
        changes = length(wanted - moved)
        allowed = self.max_accelerations * dt**2
        shares = np.maximum(allowed / np.maximum(changes, 1e-9), MIN_SHARE).min(axis=1, initial=1.0)
        moves = length(moved + shares[:, None, None] * (wanted - moved))
        slower = (self.max_speeds * dt / np.maximum(moves, 1e-9)).min(axis=1, initial=1.0)
        followed = answer.copy()
        share, slow = shares[:, None], slower[:, None]
        for columns in _pose_columns(layout):
            now, own = followed[:, columns], last[:, columns]
            moved = own - before_last[:, columns]
            now[:] = own + slow * (moved + share * (now - own - moved))
        return followed, shares * slower


@cache
def _pose_columns(layout: Layout) -> tuple[slice, ...]:
    """Return the columns of the pose in a layout, with neighboring groups as one slice."""
    columns: list[slice] = []
    for one in sorted((layout.slices[group] for group in POSE_GROUPS), key=lambda one: one.start):
        if columns and columns[-1].stop == one.start:
            one = slice(columns.pop().start, one.stop)
        columns.append(one)
    return tuple(columns)
