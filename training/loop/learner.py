"""A network in training: its loss on a batch, and one step of its optimiser."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from ..config.config import TrainingConfig
from ..data.dataset import Dataset
from ..data.samples import Footing, Windows
from ..distributed.device import World, half_precision
from ..losses.stages import Feedback, Noise, Stage, window_loss
from ..networks.network import TrainedNetwork

GRADIENT_LIMIT: Final = 1.0
"""The gradient's largest norm where it has come through several frames."""
MANY_STEPS: Final = 50_000
"""From so many steps on, compiling one is worth its time on a GPU: a step takes about a millisecond there."""


class Learner:
    """A network on its device, its AdamW (Loshchilov and Hutter 2019), and the noise that one stage wants.

    Args:
        network: as it is at the stage's beginning.
        stage: which frames it is fed its own poses in.
        settings: of precision, noise and regularisation.
        dataset: whose windows it will see.
        device: where those are.
        world: those that share every batch.
        steps: how many there will be, about.
        say: called with a sentence where something is not as it was asked for.
    """

    def __init__(
        self,
        network: TrainedNetwork,
        stage: Stage,
        settings: TrainingConfig,
        dataset: Dataset,
        device: torch.device,
        world: World | None = None,
        steps: int = 0,
        say: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.network = network.to(device)
        self._stage, self._device, self._world = stage, device, world or World()
        self._l1, self._half = settings.l1, half_precision(device, settings)
        self._feedback, self._footing = Feedback(dataset, device), Footing(dataset, device)
        self._noise = Noise(settings.pose_noise * dataset.joint_weight, settings.trajectory_noise)
        self._world.share(self.network.state_dict().values())
        self._optimiser = torch.optim.AdamW(
            self.network.parameters(),
            lr=stage.learning_rate,
            weight_decay=settings.weight_decay,
            fused=device.type in ("cpu", "cuda"),
        )
        self._scaler = torch.amp.GradScaler(device.type, enabled=self._half == torch.float16)
        self._loss, self._untried, self._say = window_loss, is_compiled(settings, device, steps), say
        if self._untried:
            self._loss = torch.compile(window_loss)

    def state(self) -> dict[str, dict[str, Any]]:
        """All that changes: state dictionaries of network, optimiser and scaler."""
        parts = {"network": self.network, "optimiser": self._optimiser, "scaler": self._scaler}
        return {name: part.state_dict() for name, part in parts.items()}

    def load(self, state: dict[str, dict[str, Any]]) -> None:
        """The inverse of :meth:`state`."""
        self.network.load_state_dict(state["network"])
        self._optimiser.load_state_dict(state["optimiser"])
        if state["scaler"]:  # empty where it was saved on a device that needs none
            self._scaler.load_state_dict(state["scaler"])

    def step(self, windows: Windows, rate: float, seed: int, share: float = 1.0) -> Tensor:
        """One step of AdamW.

        Args:
            windows: this process's part of the batch.
            rate: the learning rate.
            seed: of dropout and noise.
            share: how much of the batch the part is.

        Returns:
            The whole batch's loss without the penalty, (), on the device.
        """
        self.network.train()
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        try:
            loss = self._gradients(windows, seed, share)
        except Exception as error:  # of a compiler there are many kinds
            if not self._untried:
                raise
            self._say(f"torch.compile does not work here ({_first_line(error)}): the training goes on without it.")
            self._loss = window_loss
            loss = self._gradients(windows, seed, share)
        self._untried = False
        loss = self._world.sum_gradients(self.network.parameters(), loss)
        self._scaler.unscale_(self._optimiser)
        add_weight_penalty(self.network, self._l1)
        if self._stage.length > 1:
            clip_grad_norm_(self.network.parameters(), GRADIENT_LIMIT)
        self._scaler.step(self._optimiser)
        self._scaler.update()
        return loss

    def _gradients(self, windows: Windows, seed: int, share: float) -> Tensor:
        """Makes the gradients of this part of the batch; returns its share of the loss ()."""
        torch.manual_seed(seed)
        self._optimiser.zero_grad(set_to_none=True)
        if share == 0.0:
            return torch.zeros((), device=self._device)
        with self._autocast():
            loss = share * self._loss(
                self.network, self._feedback, self._footing, windows, self._stage.forcing, self._noise
            )
        self._scaler.scale(loss).backward()
        return loss.detach()

    @torch.no_grad()
    def loss(self, windows: Windows) -> Tensor:
        """The loss on windows, (), without noise and dropout."""
        self.network.eval()
        with self._autocast():
            return window_loss(self.network, self._feedback, self._footing, windows, self._stage.forcing)

    def _autocast(self) -> AbstractContextManager[object]:
        return nullcontext() if self._half is None else torch.autocast(self._device.type, dtype=self._half)


def is_compiled(settings: TrainingConfig, device: torch.device, steps: int) -> bool:
    """Whether so many steps are worth the minute that torch takes to compile one.

    On a CPU they never are: matrix products take the time there, which no compiler makes quicker.
    """
    if settings.compile == "auto":
        return device.type == "cuda" and steps >= MANY_STEPS
    return settings.compile == "on"


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0].rstrip(" .:")


@torch.no_grad()
def add_weight_penalty(network: torch.nn.Module, weight: float) -> None:
    """Adds to the gradients those of ``weight`` times the mean over the network's tensors of their mean absolute value
    (the l1 term of PFNN eq. 4, per weight): their signs.
    """
    trained = [parameter for parameter in network.parameters() if parameter.grad is not None]
    for parameter in trained if weight else ():
        assert parameter.grad is not None
        parameter.grad.add_(parameter.sign(), alpha=weight / (len(trained) * parameter.numel()))
