"""Where a network is trained: on CUDA, on Apple's MPS or on the CPU, alone or as one process of several."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, distributed

from ..core.errors import FootfallError
from .config import ConfigError, TrainingConfig

LOST: Final = re.compile("(CUDA|cuDNN|HIP|NCCL) error|CUBLAS_STATUS|CUDNN_STATUS")
"""How torch's older errors tell that a device, and not a program, went wrong."""


class DeviceError(FootfallError):
    """The device stopped working, or its memory is too small."""


def choose_device(name: str) -> torch.device:
    """The device of a setting's name; ``"auto"`` takes the first that is there of CUDA, MPS and CPU.

    Raises:
        ConfigError: the device that was asked for is not there.
    """
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        name = next(kind for kind, there in present.items() if there)
    if not present[name]:
        raise ConfigError(f"This machine's torch has no {name.upper()} device: choose device auto or cpu.")
    return torch.device(name, int(os.environ.get("LOCAL_RANK", "0"))) if name == "cuda" else torch.device(name)


def device_failure(error: Exception) -> DeviceError | None:
    """What to tell of an error that is the device's own; ``None`` where it is another's."""
    what = f"{error}".splitlines()[0].rstrip(".") if f"{error}" else type(error).__name__
    if isinstance(error, torch.OutOfMemoryError) or "out of memory" in what:
        return DeviceError("The device has too little memory for this training: lower batch, or free some and resume.")
    if isinstance(error, torch.AcceleratorError) or LOST.search(what):
        return DeviceError(f"The device stopped working ({what}): see that it is there and resume the run.")
    return None


def follows() -> bool:
    """Whether this is a process of ``torchrun`` that only lends its gradients."""
    return int(os.environ.get("RANK", "0")) > 0


def half_precision(device: torch.device, config: TrainingConfig) -> torch.dtype | None:
    """The half-precision type in which the device multiplies matrices quicker; ``None`` where there is none."""
    if config.amp == "off" or device.type not in ("cuda", "cpu"):
        return None
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    # Processors with instructions for it train one and a half times as fast; without them it is slower.
    able = getattr(torch.cpu, "get_capabilities", dict[str, bool])()
    return torch.bfloat16 if able.get("avx512_bf16") or able.get("amx_bf16") else None


def random_states(device: torch.device) -> dict[str, Tensor]:
    """The states of torch's global generators, for a checkpoint."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    elif device.type == "mps":
        states["mps"] = torch.mps.get_rng_state()
    return states


def restore_random_states(device: torch.device, states: dict[str, Tensor]) -> None:
    """The inverse of :func:`random_states`; a state of a device that is not used is left alone."""
    torch.set_rng_state(states["cpu"])
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"], device)
    elif device.type == "mps" and "mps" in states:
        torch.mps.set_rng_state(states["mps"])


@dataclass(frozen=True, slots=True)
class World:
    """The processes that train one network together, as ``torchrun`` starts them; usually one.

    Gradients are averaged here and not by ``DistributedDataParallel``: a PFNN has six tensors, and stage two runs it
    many times before it goes back.
    """

    rank: int = 0
    size: int = 1

    @staticmethod
    def from_environment(device: torch.device) -> "World":
        """The world that ``torchrun``'s variables describe."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size == 1:
            return World()
        if not distributed.is_initialized():
            distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return World(distributed.get_rank(), size)

    @property
    def leads(self) -> bool:
        """Whether this process is the one that writes the run folder."""
        return self.rank == 0

    def average_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Makes every process's gradients the mean of all."""
        if self.size == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        flat /= self.size
        start = 0
        for gradient in gradients:
            gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient))
            start += gradient.numel()

    def share(self, tensors: Iterable[Tensor]) -> None:
        """Makes every process's tensors the leader's."""
        if self.size > 1:
            for tensor in tensors:
                distributed.broadcast(tensor.detach(), 0)

    def agreed(self, values: list[float], device: torch.device) -> list[float]:
        """The leader's values, in every process: clocks and stop files must mean the same to all."""
        if self.size == 1:
            return values
        tensor = torch.tensor(values, device=device, dtype=torch.float32)
        distributed.broadcast(tensor, 0)
        return tensor.tolist()
