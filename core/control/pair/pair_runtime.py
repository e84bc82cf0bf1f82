"""Runtime of two characters with each other as input (Starke et al. 2020, section 4, opponent information)."""

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...features.opponent import GROUPS, HAND_ROLES, SampledRoots, opponent_features
from ...features.phase_system import system_parts
from ...features.terrain import CENTER_SAMPLE_INDEX
from ...models.model_file import ControllerModel
from ...motion.root_frame import out_of_frame, yaw_of
from ...motion.rotations import Array
from ...terrain.ground import Plane
from ..runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from ..runtime.response_bias import ResponseBias


class PairRuntime(LocomotionRuntime):
    """Two characters of one controller that advance together on level ground.

    Args:
        model: the controller.
        positions: (2, 2) roots of both characters, meters, world.
        yaws: (2) yaws of both roots, radians.
        bias: response biases of both characters.

    Raises:
        FootfallError: the controller has no inputs for a partner, or needs other additional inputs as well.
    """

    def __init__(self, model: ControllerModel, positions: Array, yaws: Array, bias: ResponseBias | None = None) -> None:
        require_partner(model)
        super().__init__(model, positions, yaws, np.zeros(2), [Plane(), Plane()], bias)
        names = model.skeleton.names
        self._hands = [model.joints.index(names[model.skeleton.joint(role)]) for role in HAND_ROLES]

    def joint_positions(self) -> Array:
        """Return the joint positions (2, P, 3) of both characters' latest poses, meters, world."""
        state = self.state
        roots, yaws = state.past_positions[:, -2], state.past_yaws[:, -2, None]
        ground = state.past_heights[:, -1, CENTER_SAMPLE_INDEX]
        return out_of_frame(state.pose, yaws) + np.column_stack([roots, ground])[:, None]

    def _network_input(self, command: LocomotionCommand) -> tuple[NDArray[np.float32], Array]:
        """Return the network's inputs (2, n), with those about the opponent, and the roots' heights (2), meters."""
        x, height = super()._network_input(command)
        layout, state = self.model.input_layout, self.state
        yaws = state.yaw[:, None]
        at = out_of_frame(layout.view(x, "trajectory.position").astype(float), yaws) + state.position[:, None]
        moving = out_of_frame(layout.view(x, "trajectory.velocity").astype(float), yaws)
        looking = yaw_of(layout.view(x, "trajectory.direction").astype(float)) + yaws
        joints = self.joint_positions()
        other = SampledRoots(at[::-1], looking[::-1], moving[::-1])
        hands = joints[::-1][:, self._hands]
        seen = opponent_features(state.position, state.yaw, at, other, joints, joints[::-1], hands)
        for name in GROUPS:
            layout.view(x, name)[:] = seen[name]
        return x, height


def require_partner(model: ControllerModel) -> None:
    """Raise :class:`FootfallError` unless a controller's only additional inputs are those for a partner."""
    if model.is_interaction_controller or system_parts(model.input_layout) != ("opponent",):
        raise FootfallError(
            "This controller does not move with a partner: choose one that was trained on pairs, such "
            "as the shipped salsa"
        )
