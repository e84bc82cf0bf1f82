"""Hand-over of a moving body between two controllers: each continues from the other's pose and trajectory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...features.interaction import FUTURE_OFFSETS_FRAMES, TimeSeries
from ...features.locomotion import future_offsets, pose_rotations
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, exp, inverse, log, multiply, to_axis_pair
from ...tuning import Tuning, tuned
from .interaction_runtime import InteractionRuntime
from .locomotion_runtime import LocomotionRuntime


@dataclass(frozen=True, slots=True)
class HandoverTuning(Tuning):
    stride_rate: float = tuned(1.0, "Hz", 0.2, 5.0)
    """Typical number of strides per second in walking and running."""
    standing_feet: float = tuned(0.05, "m", 0.0, 0.5)
    """Distance between the ankles along the facing direction below which a body counts as standing instead of striding.
    """
    same_body: float = tuned(1e-4, "m", 1e-6, 0.01)
    """Largest difference between bone offsets at which two controllers count as having the same body."""


TUNING: Final = HandoverTuning()


def is_same_body(walks: ControllerModel, acts: ControllerModel) -> bool:
    """Return whether two controllers have equal skeletons and frame rates."""
    own, other = walks.skeleton, acts.skeleton
    is_same = own.matches(other) and walks.joints == acts.joints and walks.rate == acts.rate
    return is_same and bool(np.abs(own.offsets - other.offsets).max() <= TUNING.same_body)


def require_same_body(walks: ControllerModel, acts: ControllerModel) -> None:
    """Raise :class:`FootfallError` unless two controllers have equal skeletons and frame rates.

    Raises:
        FootfallError: the bodies or rates differ.
    """
    if not is_same_body(walks, acts):
        raise FootfallError(
            "The controller and the interaction controller were trained for different bodies: choose two that "
            "were trained for the same body"
        )


def hand_to_interaction(
    walks: LocomotionRuntime, outputs: Sequence[NDArray[np.float32]], acts: InteractionRuntime
) -> None:
    """Hand a character over from a locomotion controller to an interaction controller.

    Args:
        walks: runtime of the locomotion controller, a batch of one.
        outputs: last two outputs (1, m) of the locomotion controller's network, the newer one first.
        acts: runtime of the interaction controller for the same character, before its first step; modified in place.
    """
    source, target, model = walks.state, acts.state, acts.model
    (last, target.rotation), (before, _) = (_outputs_of(walks.model, output, model) for output in outputs)
    target.outputs = last, before
    target.position, target.yaw, target.phase = source.position.copy(), source.yaw.copy(), source.phase.copy()
    target.pose, target.velocity = source.pose.copy(), source.velocity.copy()
    if source.channels is not None:
        target.phase[0] = _stride_phase(model, source.pose[0], source.velocity[0], float(source.phase[0]))
    positions = np.concatenate([source.past_positions[:, 1:], source.position[:, None]], axis=1)
    yaws = np.concatenate([source.past_yaws[:, 1:], source.yaw[:, None]], axis=1)
    names, gaits = walks.model.gaits, source.past_gaits
    still, runs = gaits[..., names.index("stand")], gaits[..., names.index("run")]
    shares = {"idle": still, "run": runs, "walk": np.clip(1.0 - still - runs, 0.0, 1.0)}
    target.past_samples = TimeSeries(positions, facing_direction(yaws), _weights(model.actions, shares))
    frames = np.array([0, *future_offsets(walks.model.input_layout)], dtype=float)
    ahead, turned = _resampled(
        frames,
        np.concatenate([source.position[:, None], source.expected_positions], axis=1)[0],
        np.concatenate([source.yaw[:, None], source.expected_yaws], axis=1)[0],
        np.array(FUTURE_OFFSETS_FRAMES, dtype=float),
    )
    ending = {name: np.repeat(share[:, -1:], len(FUTURE_OFFSETS_FRAMES), axis=1) for name, share in shares.items()}
    target.future_samples = TimeSeries(ahead, facing_direction(turned), _weights(model.actions, ending))
    target.past_goal_samples, target.future_goal_samples = (
        TimeSeries(_raised(part.positions), part.directions, _weights(model.goal_actions, weights))
        for part, weights in ((target.past_samples, shares), (target.future_samples, ending))
    )


def hand_to_locomotion(acts: InteractionRuntime, walks: LocomotionRuntime) -> None:
    """Hand a character over from an interaction controller to a locomotion controller.

    Args:
        acts: runtime of the interaction controller, a batch of one.
        walks: runtime of the locomotion controller for the same character, before its first step; modified in place.
    """
    source, target, model = acts.state, walks.state, walks.model
    target.position, target.yaw, target.phase = source.position.copy(), source.yaw.copy(), source.own_phase()
    target.pose, target.velocity = source.pose.copy(), source.velocity.copy()
    past = source.past_samples
    target.past_positions, target.past_yaws = past.positions.copy(), yaw_of(past.directions)
    still, runs = (past.actions[..., acts.model.actions.index(name)] for name in ("idle", "run"))
    shares = {"stand": still, "run": runs, "walk": np.clip(1.0 - still - runs, 0.0, 1.0)}
    target.past_gaits = _weights(model.gaits, shares)
    target.expected_positions, target.expected_yaws = _resampled(
        np.array([0, *FUTURE_OFFSETS_FRAMES], dtype=float),
        np.concatenate([source.position[:, None], source.future_samples.positions], axis=1)[0],
        np.concatenate([source.yaw[:, None], yaw_of(source.future_samples.directions)], axis=1)[0],
        np.array(future_offsets(model.input_layout), dtype=float),
    )
    if target.channels is not None:
        rotations = multiply(acts.model.reference_rotations, exp(source.rotation))
        target.channels.rotation = to_axis_pair(multiply(inverse(model.reference_rotations), rotations))


def _stride_phase(model: ControllerModel, pose: Array, velocity: Array, standing: float) -> float:
    """Return the phase of a stride, cycles, computed from the swing of the ankles, since local phases deviate from it.

    Args:
        model: a controller with the joints of the pose.
        pose: (P, 3) joint positions in the root's frame, meters.
        velocity: (P, 3) joint velocities, m/s.
        standing: phase to return for a body that does not stride.
    """
    skeleton = model.skeleton
    left, right = (model.joints.index(skeleton.names[skeleton.joint(f"foot.{side}")]) for side in "LR")
    ahead = float(pose[left, 1] - pose[right, 1])
    swing = float(velocity[left, 1] - velocity[right, 1]) / (2 * np.pi * TUNING.stride_rate)
    if np.hypot(ahead, swing) < TUNING.standing_feet:
        return standing
    return float(np.arctan2(swing, -ahead) / (2 * np.pi) % 1.0)


def _weights(names: Sequence[str], shares: dict[str, Array]) -> Array:
    """Return weights (1, F, A) of named actions that sum to 1, made from the shares (1, F) given by name."""
    total = np.maximum(np.sum([*shares.values()], axis=0), 1e-6)
    weights = np.zeros((*total.shape, len(names)))
    for name, share in shares.items():
        weights[..., list(names).index(name)] = share / total
    return weights


def _raised(positions: Array) -> Array:
    """Return positions (..., 2) as points (..., 3) with height 0."""
    return np.concatenate([positions, np.zeros((*positions.shape[:-1], 1))], axis=-1)


def _resampled(frames: Array, positions: Array, yaws: Array, wanted: Array) -> tuple[Array, Array]:
    """Return positions (1, N, 2) and yaws (1, N) at given frames (N), interpolated or extrapolated from M frames."""
    inside = np.minimum(wanted, frames[-1])
    beyond = ((wanted - inside) / (frames[-1] - frames[-2]))[:, None]
    places = np.column_stack([np.interp(inside, frames, axis) for axis in positions.T])
    places = places + beyond * (positions[-1] - positions[-2])
    return places[None], np.interp(inside, frames, np.unwrap(yaws))[None]


def _outputs_of(
    model: ControllerModel, output: NDArray[np.float32], acts: ControllerModel
) -> tuple[NDArray[np.float32], Array]:
    """Return a locomotion output as an output (1, m) of an interaction controller, and its rotations (1, P, 3)."""
    rotations = pose_rotations(output.astype(float), model.output_layout, model.reference_rotations)
    turned = log(multiply(inverse(acts.reference_rotations), rotations))
    made = np.zeros((1, acts.output_layout.size), dtype=np.float32)
    for group in ("pose.position", "pose.velocity"):
        acts.output_layout.view(made, group)[:] = model.output_layout.view(output, group)
    acts.output_layout.view(made, "pose.rotation")[:] = turned
    return made, turned
