"""The state of walking characters that determines the next frame."""

from dataclasses import dataclass

from ...features.phase_vectors import PhaseVectors
from ...motion.rotations import Array
from .batch_state import BatchState
from .system_channels import SystemChannels


@dataclass(eq=False)
class LocomotionState(BatchState):
    """The state of B walking characters, in addition to that of :class:`BatchState`.

    Attributes:
        past_positions: (B, PAST_FRAMES + 1, 2) root positions in the remembered frames, meters, world.
        past_yaws: (B, PAST_FRAMES + 1) yaws of the root in the remembered frames, radians.
        past_gaits: (B, PAST_FRAMES + 1, G) gait weights in the remembered frames.
        past_heights: (B, PAST_FRAMES + 1, 3) heights of the ground left of, under and right of the root, meters.
        expected_positions: (B, S, 2) predicted roots at the S future samples, meters, world.
        expected_yaws: (B, S) predicted yaws at the future samples, radians.
        idle_start: (B) time of the idling motion at which each character starts it, seconds.
        performer: (B, K) shares of the controller's K performers in each character's manner of moving.
        biases: (B, 2) response biases of positions and directions, the exponents of :class:`ResponseBias`.
        phase_vectors: local phases; ``None`` if the controller has none.
        channels: further state of controllers that are gated by local phases; ``None`` for other controllers.
    """

    past_positions: Array
    past_yaws: Array
    past_gaits: Array
    past_heights: Array
    expected_positions: Array
    expected_yaws: Array
    idle_start: Array
    performer: Array
    biases: Array
    phase_vectors: PhaseVectors | None
    channels: SystemChannels | None
