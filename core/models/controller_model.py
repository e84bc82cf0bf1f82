"""A trained controller in memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ..features import interaction, strikes
from ..features.layout import Layout
from ..motion.skeleton import Skeleton
from .network import Architecture, Float32, Network, Task

TURN_KEY: Final = "turn"
"""Provenance key of the side, ``left`` or ``right``, to which an interaction controller turns more promptly."""


@dataclass(frozen=True, eq=False)
class ControllerModel:
    """A trained controller: network, layouts, normalization, skeleton and initial pose.

    Attributes:
        architecture: the network's family, sizes and choices.
        tensors: the network's weights, by the architecture's names.
        input_layout: groups of x (n).
        output_layout: groups of y (m).
        x_mean: (n) mean of x, float32; x is normalized as (x - x_mean) / x_std.
        x_std: (n) deviation of x, float32, including the weights of PFNN section 5.3 (0.1 for joints).
        y_mean: (m) mean of y, float32; y is the network's output times y_std, plus y_mean.
        y_std: (m) deviation of y, float32.
        skeleton: the network skeleton, meters.
        joints: names of the P joints in the pose groups, in order.
        reference_rotations: (P, 4) mean rotations in the root's frame; ``pose.rotation`` is relative to them, as an
            exponential map or a pair of axes.
        gaits: names of the gaits, or of the actions of a controller of interactions.
        rate: frames per second.
        start: the initial standing pose: ``position`` and ``velocity`` (P, 3) in the root's frame, meters and meters
            per second, ``phase`` () in cycles and, if known, ``rotation`` (P, 4).
        provenance: data sets and settings of its training, as plain JSON data.
        performers: names of its performers, the default one first; empty for a controller without performers.
        sensors: names of the sensors with a local phase, in a system of local motion phases; empty in others.
    """

    architecture: Architecture
    tensors: Mapping[str, Float32]
    input_layout: Layout
    output_layout: Layout
    x_mean: Float32
    x_std: Float32
    y_mean: Float32
    y_std: Float32
    skeleton: Skeleton
    joints: tuple[str, ...]
    reference_rotations: Float32
    gaits: tuple[str, ...]
    rate: float
    start: Mapping[str, Float32]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    performers: tuple[str, ...] = ()
    sensors: tuple[str, ...] = ()

    @property
    def task(self) -> Task:
        """Task of the network: layouts of x and y, foot joints and frame rate."""
        bones = {role: self.skeleton.names[joint] for role, joint in self.skeleton.roles.items()}
        return Task.from_names(self.input_layout, self.output_layout, self.joints, bones, self.rate)

    def network(self) -> Network:
        """Return the network, ready to run; all callers share it.

        Raises:
            ValueError: the tensors have impossible values.
        """
        return self._network

    @cached_property
    def _network(self) -> Network:
        """The network, built on first use."""
        return self.architecture.network(self.tensors, self.task)

    @cached_property
    def trained_on_terrain(self) -> bool:
        """True if the controller was trained on rough ground; if not, its weights for terrain heights are untrained."""
        seen = "terrain.height" in self.input_layout.slices
        return seen and bool(self.input_layout.view(self.x_mean, "terrain.height").any())

    @property
    def is_interaction_controller(self) -> bool:
        """True if the controller acts toward goals, such as sitting or carrying, instead of along paths."""
        return interaction.has_goals(self.input_layout)

    @property
    def is_strike_controller(self) -> bool:
        """True if the controller makes attacks at targets, such as punches."""
        return strikes.has_targets(self.input_layout)

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of an interaction controller's actions, in layout order."""
        return self.gaits if self.is_interaction_controller else ()

    @property
    def goal_actions(self) -> tuple[str, ...]:
        """Names of the controller's actions that can be goals, such as *sit*; *climb* cannot."""
        return interaction.goal_actions_of(self.actions)

    @property
    def turns_left(self) -> bool:
        """True if an interaction controller turns to its left more promptly than to its right to sit down."""
        return self.provenance.get(TURN_KEY) != "right"

    @property
    def taught_goals(self) -> tuple[str, ...]:
        """Goal actions that occurred in training, that is, with a mean input above zero; if none has, all of them."""
        means = self.input_layout.view(self.x_mean, "goal.action").max(axis=0)
        shown = tuple(action for action, mean in zip(self.goal_actions, means, strict=True) if mean > 0.0)
        return shown or self.goal_actions
