"""A network in training: its loss on a batch, and one step of its optimizer."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from ...core.features.interaction import has_goals
from ...core.features.phase_system import is_phase_system
from ..config.config import TrainingConfig
from ..data.dataset import Dataset
from ..data.samples import GroundPlacement, WindowBatch
from ..distributed.device import World, half_precision
from ..losses.closed_loop import InteractionFeedback, closed_loop_loss
from ..losses.stages import InputNoise, PoseFeedback, TrainingStage, window_loss
from ..losses.system_feedback import SystemFeedback
from ..networks.network import TrainedNetwork

MAX_GRADIENT_NORM: Final = 1.0
"""Largest gradient norm in unrolled training; larger gradients are scaled down (Pascanu et al. 2013)."""
MIN_STEPS_TO_COMPILE: Final = 50_000
"""Least number of steps that justifies compiling the training step on a GPU; a step takes about 1 ms there."""


class Learner:
    """A network on its device, with optimizer and input noise, for one training stage.

    The optimizer is AdamW (Loshchilov and Hutter 2019); losses are scaled for half precision (Micikevicius et al.
    2018).

    Args:
        network: the network at the stage's start.
        stage: the stage.
        settings: precision, noise and regularization.
        dataset: the data set of the windows.
        device: the device of the windows.
        world: the processes that share every batch.
        total_steps: expected number of steps.
        log: function called with a sentence if a setting cannot be applied.
    """

    def __init__(
        self,
        network: TrainedNetwork,
        stage: TrainingStage,
        settings: TrainingConfig,
        dataset: Dataset,
        device: torch.device,
        world: World | None = None,
        total_steps: int = 0,
        log: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.network = network.to(device)
        self._stage, self._device, self._world = stage, device, world or World()
        self._l1, self._autocast_dtype = settings.l1, half_precision(device, settings)
        interacts = has_goals(dataset.input_layout)
        kind = SystemFeedback if is_phase_system(dataset.input_layout) else PoseFeedback
        self._feedback = (InteractionFeedback if interacts else kind)(dataset, device)
        self._ground_placement = GroundPlacement(dataset, device)
        self._noise = InputNoise(
            settings.pose_noise * dataset.joint_weight,
            settings.trajectory_noise,
            settings.root_noise,
            settings.phase_noise,
        )
        self._world.broadcast_tensors(self.network.state_dict().values())
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(),
            lr=stage.learning_rate,
            weight_decay=settings.weight_decay,
            fused=device.type in ("cpu", "cuda"),
        )
        self._scaler = torch.amp.GradScaler(device.type, enabled=self._autocast_dtype == torch.float16)
        self._window_loss = closed_loop_loss if interacts else window_loss
        self._loss_function, self._compilation_untested, self._log = (
            self._window_loss,
            # Compiled code is for one dropout rate; each other rate compiles it again.
            stage.has_constant_dropout and should_compile(settings, device, total_steps),
            log,
        )
        if self._compilation_untested:
            self._loss_function = torch.compile(self._window_loss)

    def state_dict(self) -> dict[str, dict[str, Any]]:
        """Return the state dictionaries of the network, the optimizer and the gradient scaler."""
        parts = {"network": self.network, "optimiser": self._optimizer, "scaler": self._scaler}
        return {name: part.state_dict() for name, part in parts.items()}

    def load_state_dict(self, state: dict[str, dict[str, Any]]) -> None:
        """Restore network, optimizer and gradient scaler from the result of :meth:`state_dict`."""
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimiser"])
        if state["scaler"]:  # Empty if it was saved on a device without loss scaling.
            self._scaler.load_state_dict(state["scaler"])

    def step(self, windows: WindowBatch, learning_rate: float, seed: int, batch_share: float = 1.0) -> Tensor:
        """Compute the gradients of a batch, and take one optimizer step.

        Args:
            windows: this process's part of the batch.
            learning_rate: the learning rate.
            seed: seed of dropout and noise.
            batch_share: share of this process's part in the batch, 0 to 1.

        Returns:
            The loss () of the whole batch, without the L1 penalty, on the device.
        """
        self.network.train()
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate
        try:
            loss = self._compute_gradients(windows, seed, batch_share)
        except Exception as error:  # A compiler has many kinds of errors.
            if not self._compilation_untested:
                raise
            self._log(f"torch.compile does not work here ({_first_line(error)}): the training continues without it.")
            self._loss_function = self._window_loss
            loss = self._compute_gradients(windows, seed, batch_share)
        self._compilation_untested = False
        loss = self._world.sum_gradients(self.network.parameters(), loss)
        self._scaler.unscale_(self._optimizer)
        add_l1_gradient(self.network, self._l1)
        if self._stage.window_frames > 1:
            clip_grad_norm_(self.network.parameters(), MAX_GRADIENT_NORM)
        self._scaler.step(self._optimizer)
        self._scaler.update()
        return loss

    def _compute_gradients(self, windows: WindowBatch, seed: int, batch_share: float) -> Tensor:
        """Compute the gradients of this process's part of the batch; return the part's share of the loss ()."""
        torch.manual_seed(seed)
        self._optimizer.zero_grad(set_to_none=True)
        if batch_share == 0.0:
            return torch.zeros((), device=self._device)
        with self._autocast():
            loss = batch_share * self._loss_function(
                self.network, self._feedback, self._ground_placement, windows, self._stage.teacher_forcing, self._noise
            )
        self._scaler.scale(loss).backward()
        return loss.detach()

    @torch.no_grad()
    def loss(self, windows: WindowBatch) -> Tensor:
        """Return the mean loss () over windows, computed without noise, dropout and gradients."""
        self.network.eval()
        with self._autocast():
            return self._window_loss(
                self.network, self._feedback, self._ground_placement, windows, self._stage.teacher_forcing
            )

    def _autocast(self) -> AbstractContextManager[object]:
        """Return the context in which matrix products use half precision, if enabled."""
        return (
            nullcontext()
            if self._autocast_dtype is None
            else torch.autocast(self._device.type, dtype=self._autocast_dtype)
        )


def should_compile(settings: TrainingConfig, device: torch.device, total_steps: int) -> bool:
    """Return whether there are enough steps to repay the minute that compiling the training step takes.

    On a CPU there never are, since matrix products dominate, which compiling does not speed up.

    Args:
        settings: settings; ``compile`` decides unless it is ``"auto"``.
        device: the device.
        total_steps: expected number of steps.
    """
    if settings.compile == "auto":
        return device.type == "cuda" and total_steps >= MIN_STEPS_TO_COMPILE
    return settings.compile == "on"


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0].rstrip(" .:")


@torch.no_grad()
def add_l1_gradient(network: torch.nn.Module, weight: float) -> None:
    """Add the subgradient of the L1 penalty (PFNN eq. 4, per weight) to the gradients.

    The penalty is ``weight`` times the mean over the network's tensors of their mean absolute value.
    """
    trained = [parameter for parameter in network.parameters() if parameter.grad is not None]
    for parameter in trained if weight else ():
        assert parameter.grad is not None
        parameter.grad.add_(parameter.sign(), alpha=weight / (len(trained) * parameter.numel()))
