"""What the gate of a mixture of experts sees: which numbers of x, and which products of two of them."""

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
PHASE_VECTOR_GROUP: Final = "phase.vector"
GATING_ONLY_GROUPS: Final = (PHASE_VECTOR_GROUP, *GATING_GROUPS)
"""The groups that the gate sees and the experts do not."""
FOOT_VELOCITY_GAIN: Final = 10.0
"""Joints count a tenth among the experts' inputs (PFNN section 5.3); a gate that goes by the feet has to see them."""
CONCATENATED_GROUPS: Final = ("trajectory.action", "goal.action", "goal.position", "goal.direction")
"""What the products of the phase and of what is done and wanted are made of, besides the phase."""

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class GatingInput:
    """How a gate's input is made of x (n): numbers as they are, then products of two, and maybe the phase.

    Attributes:
        single, gains: (A) each, places in x, and what their numbers are multiplied by.
        left, right: (B) each, places in x whose numbers are multiplied.
        phase: whether the phase's sine and cosine come after them, see ``dense.with_phase``.
    """

    direct: Index
    direct_gains: NDArray[np.float32]
    first_factors: Index
    second_factors: Index
    phase: bool = False

    @property
    def size(self) -> int:
        """The length of the gate's input, A + B and what the phase takes."""
        return len(self.direct) + len(self.first_factors) + PHASE_INPUT_COUNT * self.phase

    def __call__(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the gate's inputs (..., A + B), but for the phase, of normalised x (..., n)."""
        single = x[..., self.direct] * self.direct_gains
        return (
            np.concatenate([single, x[..., self.first_factors] * x[..., self.second_factors]], axis=-1)
            if len(self.first_factors)
            else single
        )

    @staticmethod
    def of(gating: str, task: Task) -> "GatingInput":
        """What a gate sees; raises ``ValueError`` where the task has nothing of the kind.

        ``"velocity"`` (MANN, Zhang et al. 2018): velocities of feet and toes, the gait now and where the character is
        wanted to be at the last sample, which is the velocity it is wanted to have.
        ``"phase"`` (NSM eq. 5 to 7): the Kronecker product of phase vectors and gaits at each sample.
        ``"phase_vectors"`` (Starke 2020, section 4): phase vectors at all samples.
        ``"goals"`` (NSM eq. 5 to 7): the product of the phase and of what is done and wanted, which x has ready.
        ``"concatenated"`` (NSM Fig. 12): the same side by side, and no products.
        """
        if gating == "velocity":
            return _velocity_input(task)
        if gating == "goals":
            return _groups_input(task, GATING_GROUPS)
        if gating == "concatenated":
            return replace(_groups_input(task, CONCATENATED_GROUPS), phase=True)
        if PHASE_VECTOR_GROUP not in task.inputs.slices:
            raise ValueError(f"its gate is of the kind '{gating}' and there are no phase vectors")
        vectors = _columns(task.inputs, PHASE_VECTOR_GROUP)
        single, gains = vectors.ravel(), np.ones(vectors.size, dtype=np.float32)
        if gating == "phase_vectors":
            return GatingInput(single, gains, single[:0], single[:0])
        gaits = _columns(task.inputs, "trajectory.gait")
        left, right = np.broadcast_arrays(vectors.reshape(len(vectors), -1, 1), gaits[:, None])
        # The paper's gaits sum to one, so that its products have the phase itself among them; normalised gaits sum to
        # nothing and where only one is known are nothing, so that the phase has to be there as well.
        return GatingInput(single, gains, left.ravel(), right.ravel())


def _groups_input(task: Task, groups: Iterable[str]) -> GatingInput:
    if not has_goals(task.inputs):
        raise ValueError("its gate goes by goals and there are none")
    single = np.concatenate([_columns(task.inputs, name).ravel() for name in groups])
    return GatingInput(single, np.ones(single.size, dtype=np.float32), single[:0], single[:0])


def _velocity_input(task: Task) -> GatingInput:
    if not task.foot_joints:
        raise ValueError("its gate is of the kind 'velocity' and the skeleton's feet are not known")
    feet = _columns(task.inputs, "pose.velocity")[list(task.foot_joints)].ravel()
    wanted = _columns(task.inputs, "trajectory.position")[-1]
    single = np.concatenate([feet, _current_action_columns(task.inputs), wanted])
    gains = np.where(np.arange(len(single)) < len(feet), FOOT_VELOCITY_GAIN, 1.0).astype(np.float32)
    return GatingInput(single, gains, single[:0], single[:0])


def _current_action_columns(layout: Layout) -> Index:
    """Where the gait of this moment is, or of interactions what is done."""
    if "trajectory.gait" in layout.slices:
        return _columns(layout, "trajectory.gait")[SAMPLE_OFFSETS_FRAMES.index(0)]
    return _columns(layout, "trajectory.action")[interaction.SAMPLE_OFFSETS_FRAMES.index(0)]


def _columns(layout: Layout, name: str) -> Index:
    """Where a group's numbers are in the vector, in the group's shape."""
    return layout.view(np.arange(layout.size), name)
