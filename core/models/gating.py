"""The input of a gating network: columns of x, and products of two columns."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..features import interaction
from ..features.interaction import GATING_GROUPS, has_goals
from ..features.layout import Layout
from ..features.locomotion import SAMPLE_OFFSETS_FRAMES
from .dense import PHASE_INPUT_COUNT
from .network import Task

GATING_KINDS: Final = ("velocity", "phase", "phase_vectors", "goals", "concatenated")
"""Kinds of gating inputs; :meth:`GatingInput.of` defines them."""
PHASE_VECTOR_GROUP: Final = "phase.vector"
GATING_ONLY_GROUPS: Final = (PHASE_VECTOR_GROUP, *GATING_GROUPS)
"""The groups of x that the gate sees and the experts do not."""
FOOT_VELOCITY_GAIN: Final = 10.0
"""Factor of foot velocities in the gate's input: normalized x scales joint values down to a tenth (PFNN section 5.3).
"""
CONCATENATED_GROUPS: Final = ("trajectory.action", "goal.action", "goal.position", "goal.direction")
"""The groups of x that gating features multiply with the phase; the concatenated gate takes them as they are."""

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class GatingInput:
    """Selection of a gate's input from x (n): columns, then products of two columns, and optionally the phase.

    Attributes:
        direct: (A) columns of x that are inputs themselves.
        direct_gains: (A) factors of these columns.
        first_factors: (B) columns of x, first factors of the products.
        second_factors: (B) columns of x, second factors of the products.
        phase: whether sine and cosine of the phase follow the columns and products.
    """

    direct: Index
    direct_gains: NDArray[np.float32]
    first_factors: Index
    second_factors: Index
    phase: bool = False

    @property
    def size(self) -> int:
        """Length of the gate's input: A + B, plus the inputs of the phase."""
        return len(self.direct) + len(self.first_factors) + PHASE_INPUT_COUNT * self.phase

    def __call__(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the gate's inputs (..., A + B), without the phase, from normalized x (..., n)."""
        single = x[..., self.direct] * self.direct_gains
        return (
            np.concatenate([single, x[..., self.first_factors] * x[..., self.second_factors]], axis=-1)
            if len(self.first_factors)
            else single
        )

    @staticmethod
    def of(gating: str, task: Task) -> "GatingInput":
        """Create the gate's input of the given kind.

        Args:
            gating: ``"velocity"`` (MANN, Zhang et al. 2018): velocities of feet and toes, the current gait, and the
                trajectory's last position, which represents the commanded velocity. ``"phase"`` (NSM eq. 5 to 7): the
                Kronecker product of phase vectors and gaits at each sample. ``"phase_vectors"`` (Starke et al. 2020,
                section 4): phase vectors at all samples. ``"goals"`` (NSM eq. 5 to 7): the gating features that x
                contains. ``"concatenated"`` (NSM Fig. 12): the factors of the gating features side by side.
            task: layouts of x and y.

        Raises:
            ValueError: the task lacks groups that this kind needs.
        """
        if gating == "velocity":
            return _velocity_input(task)
        if gating == "goals":
            return _groups_input(task, GATING_GROUPS)
        if gating == "concatenated":
            return replace(_groups_input(task, CONCATENATED_GROUPS), phase=True)
        if PHASE_VECTOR_GROUP not in task.inputs.slices:
            raise ValueError(f"the network is gated by '{gating}', but has no phase vectors as input")
        vectors = _columns(task.inputs, PHASE_VECTOR_GROUP)
        single, gains = vectors.ravel(), np.ones(vectors.size, dtype=np.float32)
        if gating == "phase_vectors":
            return GatingInput(single, gains, single[:0], single[:0])
        gaits = _columns(task.inputs, "trajectory.gait")
        left, right = np.broadcast_arrays(vectors.reshape(len(vectors), -1, 1), gaits[:, None])
        # The paper's gaits sum to one, so that its products contain the phase itself; normalized gaits sum to zero, and
        # a single gait is always zero, so that the phase must be an additional input.
        return GatingInput(single, gains, left.ravel(), right.ravel())


def _groups_input(task: Task, groups: Iterable[str]) -> GatingInput:
    """Return the gate's input made of whole groups of an interaction layout."""
    if not has_goals(task.inputs):
        raise ValueError("the network is gated by goals, but has no goals as input")
    single = np.concatenate([_columns(task.inputs, name).ravel() for name in groups])
    return GatingInput(single, np.ones(single.size, dtype=np.float32), single[:0], single[:0])


def _velocity_input(task: Task) -> GatingInput:
    """Return the gate's input made of foot velocities, the current gait and the trajectory's last position."""
    if not task.foot_joints:
        raise ValueError("the network is gated by the velocity of the feet, but the feet of the skeleton are unknown")
    feet = _columns(task.inputs, "pose.velocity")[list(task.foot_joints)].ravel()
    last_position = _columns(task.inputs, "trajectory.position")[-1]
    single = np.concatenate([feet, _current_action_columns(task.inputs), last_position])
    gains = np.where(np.arange(len(single)) < len(feet), FOOT_VELOCITY_GAIN, 1.0).astype(np.float32)
    return GatingInput(single, gains, single[:0], single[:0])


def _current_action_columns(layout: Layout) -> Index:
    """Return the columns of the current gait, or of the current action in interaction layouts."""
    if "trajectory.gait" in layout.slices:
        return _columns(layout, "trajectory.gait")[SAMPLE_OFFSETS_FRAMES.index(0)]
    return _columns(layout, "trajectory.action")[interaction.SAMPLE_OFFSETS_FRAMES.index(0)]


def _columns(layout: Layout, name: str) -> Index:
    """Return the columns that a group has in the vector, in the group's shape."""
    return layout.view(np.arange(layout.size), name)
