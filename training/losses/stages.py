"""The training stages: on the data's own inputs, unrolled on the network's own poses, and settling."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from ...core.features.interaction import pose_feedback_groups
from ..config.config import TrainingConfig
from ..data.dataset import Dataset
from ..data.manifest import DatasetError
from ..data.samples import GroundPlacement, SplitSamples, WindowBatch
from ..networks.network import TrainedNetwork
from .group_tensors import GroupScaling
from .schedule import cosine_decay, learning_rate_for_batch, warm_restarts

SHARE_BEFORE_TIME_COUNTS: Final = 0.05
"""Share of a stage's time, at its start, in which only epochs count as progress."""


@dataclass(frozen=True, slots=True)
class TrainingStage:
    """Settings of one training stage.

    Attributes:
        name: ``"frames"``, ``"windows"`` or ``"settling"``, as in progress reports.
        window_frames: consecutive frames of a window; 1 is a single frame.
        teacher_forcing: probability that a frame's input has the data's pose instead of the predicted one.
        epochs, batch: number of epochs, and of windows per batch, as in :class:`TrainingConfig`.
        learning_rate: initial learning rate, for this batch size.
        dropout, final_dropout: share of units dropped at the stage's beginning and at its end.
        restart_epochs: epochs after which the cosine of the learning rate first restarts; 0 for a single cosine.
        time_limit_s: seconds after which the stage ends; 0 is no limit.
        selects_anew: whether the stage's best network replaces that of earlier stages whatever the scores.
    """

    name: str
    window_frames: int
    teacher_forcing: float
    epochs: int
    batch: int
    learning_rate: float
    dropout: float
    final_dropout: float
    restart_epochs: int
    time_limit_s: float
    selects_anew: bool = False

    @property
    def has_constant_dropout(self) -> bool:
        """True if the dropout is the same throughout the stage."""
        return self.dropout == self.final_dropout

    def progress_at(self, epochs: float, seconds: float) -> float:
        """Return the progress of the stage, 0 to 1, after a number of epochs and seconds.

        It is the larger of the share of epochs and the share of time. At first only epochs count, so that a slow first
        step has no effect: if the time limit suffices for all epochs, repeated runs are bit-identical.
        """
        done = epochs / self.epochs
        spent = seconds / self.time_limit_s if self.time_limit_s else 0.0
        return min(max(done, spent) if spent > SHARE_BEFORE_TIME_COUNTS else done, 1.0)

    def learning_rate_at(self, progress: float) -> float:
        """Return the scheduled learning rate at a progress of the stage from 0 to 1."""
        if self.restart_epochs:
            return self.learning_rate * warm_restarts(progress * self.epochs, self.restart_epochs)
        return self.learning_rate * cosine_decay(progress)

    def dropout_at(self, progress: float) -> float:
        """Return the dropout at a progress of the stage from 0 to 1, linear between its two ends."""
        return self.dropout + (self.final_dropout - self.dropout) * progress

    def window_starts(self, samples: SplitSamples) -> Tensor:
        """Return the first frames (W) of all windows that the stage can draw from a split."""
        return samples.window_starts(self.window_frames)

    def steps_per_epoch(self, samples: SplitSamples) -> int:
        """Return the number of steps in an epoch, which together draw about as many frames as the split has."""
        return max(1, len(samples) // (self.window_frames * self.batch))

    def draw_starts(self, starts: Tensor, count: int, generator: torch.Generator) -> Tensor:
        """Return random first frames (count) of windows for one epoch.

        Single frames are drawn at most once each, longer windows with replacement.

        Args:
            starts: (W) first frames to draw from.
            count: number of draws.
            generator: torch's random generator.
        """
        if self.window_frames == 1 and count <= len(starts):
            return starts[torch.randperm(len(starts), generator=generator)[:count]]
        return starts[torch.randint(len(starts), (count,), generator=generator)]


def stages_of(config: TrainingConfig) -> list[TrainingStage]:
    """Return the training stages that a configuration describes, in order; skipped ones are missing."""
    frames_s, windows_s, settling_s = _time_limits(config)
    frames = TrainingStage(
        name="frames",
        window_frames=config.sequence_steps,
        teacher_forcing=1.0,
        epochs=config.epochs,
        batch=config.batch,
        learning_rate=learning_rate_for_batch(config.learning_rate, config.batch, config.rate_batch),
        dropout=config.dropout,
        final_dropout=config.dropout,
        restart_epochs=config.restart_epochs,
        time_limit_s=frames_s,
    )
    stages = [frames]
    if config.unroll_steps > 0:
        rate = learning_rate_for_batch(config.unroll_learning_rate, config.unroll_batch, config.unroll_rate_batch)
        stages.append(
            TrainingStage(
                name="windows",
                window_frames=config.unroll_steps,
                teacher_forcing=config.unroll_forcing,
                epochs=config.unroll_epochs,
                batch=config.unroll_batch,
                learning_rate=rate,
                dropout=config.unroll_dropout,
                final_dropout=config.unroll_dropout,
                restart_epochs=config.restart_epochs,
                time_limit_s=windows_s,
            )
        )
    if _settles(config):
        settling = replace(
            frames,
            name="settling",
            epochs=config.settle_epochs,
            learning_rate=learning_rate_for_batch(config.settle_learning_rate, config.batch, config.rate_batch),
            final_dropout=config.settle_dropout,
            time_limit_s=settling_s,
            selects_anew=True,
        )
        stages.append(settling)
    return stages


def _settles(config: TrainingConfig) -> bool:
    """Return whether there is a settling stage; it needs a stage of windows before it."""
    return config.unroll_steps > 0 and config.settle_share > 0.0


def _time_limits(config: TrainingConfig) -> tuple[float, float, float]:
    """Return the time limits, s, of the stages of frames, windows and settling; 0 for none."""
    seconds = 60.0 * config.time_limit
    if config.phases == "periodic":
        seconds *= 1.0 - config.phase_share
    settling = seconds * config.settle_share if _settles(config) else 0.0
    unrolled = seconds - settling
    frames = unrolled * (1.0 - config.unroll_share) if config.unroll_steps > 0 else unrolled
    return frames, unrolled - frames, settling


class PoseFeedback:
    """Pose feedback: conversion of predicted pose outputs into the pose inputs of the next frame.

    ``pose.position`` and ``pose.velocity`` of y at one frame are those of x at the next; only their normalizations
    differ, so the conversion is a scale and a shift per number.
    """

    def __init__(self, dataset: Dataset, device: torch.device) -> None:
        inputs, outputs, norm = dataset.input_layout, dataset.output_layout, dataset.normalization
        self._inputs = GroupScaling(inputs, norm.x_mean, norm.x_std, device)
        self._outputs = GroupScaling(outputs, norm.y_mean, norm.y_std, device)
        self._pose_slices: dict[str, tuple[slice, slice]] = {}
        self._pose_scales: dict[str, tuple[Tensor, Tensor]] = {}
        for name in pose_feedback_groups(inputs):
            into, out = inputs.slices[name], outputs.slices[name]
            self._pose_slices[name] = into, out
            self._pose_scales[name] = (
                torch.from_numpy(norm.y_std[out] / norm.x_std[into]).to(device),
                torch.from_numpy((norm.y_mean[out] - norm.x_mean[into]) / norm.x_std[into]).to(device),
            )
        trajectory, future = inputs.slices["trajectory.position"], outputs.slices["trajectory.position"]
        count = (future.stop - future.start) // 2
        ahead = slice(trajectory.stop - 2 * count, trajectory.stop)
        self._future_slice, self._future_std = ahead, torch.from_numpy(norm.x_std[ahead]).to(device).view(-1, 2)
        self._future_share = torch.arange(1, count + 1, device=device)[:, None] / count

    def insert_pose(self, x: Tensor, y: Tensor) -> Tensor:
        """Return normalized inputs x (B, n) with the pose of normalized outputs y (B, m) in place of their own."""
        x = x.clone()
        for name, values in self.pose_inputs(lambda name: y[:, self._pose_slices[name][1]]).items():
            x[:, self._pose_slices[name][0]] = values
        return x

    def next_input(self, before: Tensor, following: Tensor, answer: Tensor) -> Tensor:
        """Return the normalized inputs (B, n) of the next frame, with the pose from the network's own outputs.

        Args:
            before: (B, n) normalized inputs of this frame.
            following: (B, n) normalized inputs of the data at the next frame.
            answer: (B, m) normalized outputs of the network for ``before``.
        """
        return self.insert_pose(following, answer)

    def pose_inputs(self, answered: Callable[[str], Tensor]) -> dict[str, Tensor]:
        """Return the pose groups (B, k) of the next frame's normalized inputs, by name.

        Args:
            answered: function that returns a group (B, k) of the normalized outputs, given its name.
        """
        return {name: answered(name) * scale + shift for name, (scale, shift) in self._pose_scales.items()}

    def add_pose_noise(self, x: Tensor, deviation: float) -> Tensor:
        """Return inputs x (..., n) with Gaussian noise added to the pose, of ``deviation`` in normalized units.

        The noise acts as regularization (Bishop 1995).
        """
        if deviation == 0.0:
            return x
        x = x.clone()
        for into, _ in self._pose_slices.values():
            x[..., into] += deviation * torch.randn_like(x[..., into])
        return x

    def add_trajectory_noise(self, x: Tensor, deviation_m: float) -> Tensor:
        """Return inputs x (..., n) with random linear and quadratic errors added to the future trajectory.

        Args:
            x: (..., n) normalized inputs.
            deviation_m: standard deviation of each error at the last sample, m.
        """
        if deviation_m == 0.0:
            return x
        line, bend = torch.randn(2, *x.shape[:-1], 1, 2, device=x.device) * deviation_m
        off = (line * self._future_share + bend * self._future_share**2) / self._future_std
        x = x.clone()
        x[..., self._future_slice] += off.flatten(-2)
        return x


@dataclass(frozen=True, slots=True)
class InputNoise:
    """Noise on the inputs of windows; all values are standard deviations.

    Attributes:
        pose: noise of a window's first pose, in normalized units.
        trajectory: noise of the future trajectory, m.
        root: noise of a window's first root position, m; only for interactions.
        phase: noise of a window's first phase, cycles; only for interactions.
    """

    pose: float = 0.0
    trajectory: float = 0.0
    root: float = 0.0
    phase: float = 0.0


def window_loss(
    network: TrainedNetwork,
    feedback: PoseFeedback,
    ground_placement: GroundPlacement,
    windows: WindowBatch,
    teacher_forcing: float = 0.0,
    noise: InputNoise | None = None,
) -> Tensor:
    """Return the mean squared error () over windows in which the network's own poses are fed back as inputs.

    Gradients flow through time (Werbos 1990), with scheduled sampling (Bengio et al. 2015) if ``teacher_forcing`` is
    between 0 and 1. The first pose is the data's, with noise; trajectories (with noise), terrain and phase are always
    the data's. With T = 1 and no noise this is the loss of PFNN section 5.3.

    Args:
        network: the network in training.
        feedback: conversion of predicted poses into inputs.
        ground_placement: adjusts the height of poses from one ground patch to the next.
        windows: B windows of T frames.
        teacher_forcing: probability that a frame's input has the data's pose.
        noise: noise on the inputs; none by default.
    """
    noise = noise or InputNoise()
    x = feedback.add_trajectory_noise(windows.x, noise.trajectory)
    if teacher_forcing == 1.0 or x.shape[1] == 1:
        return mse_loss(
            network.forward_sequence(feedback.add_pose_noise(x, noise.pose), windows.phase).float(), windows.y
        )
    given, memory = feedback.add_pose_noise(x[:, 0], noise.pose), network.begin(len(x))
    losses: list[Tensor] = []
    for frame in range(x.shape[1]):
        predicted, memory = network.step(given, windows.phase[:, frame], memory)
        predicted = predicted.float()
        losses.append(mse_loss(predicted, windows.y[:, frame]))
        if frame + 1 < x.shape[1]:
            given = ground_placement.raise_pose(
                feedback.next_input(given, x[:, frame + 1], predicted), windows.ground_step[:, frame]
            )
            if teacher_forcing > 0.0:
                forced = torch.rand(len(x), 1, device=x.device) < teacher_forcing
                given = torch.where(forced, x[:, frame + 1], given)
    return torch.stack(losses).mean()


def require_windows(stage: TrainingStage, count: int) -> None:
    """Raise :class:`DatasetError` if the training split has no windows for the stage."""
    if count == 0:
        setting = "unroll_steps" if stage.name == "windows" else "sequence_steps"
        raise DatasetError(
            "No training clip has {count} consecutive frames: add longer clips, or lower the setting '{setting}'",
            count=stage.window_frames,
            setting=setting,
        )
