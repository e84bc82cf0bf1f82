"""The training device (CUDA, Apple's MPS or the CPU), and the processes that train together."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, distributed

from ...core.errors import FootfallError
from ..config.config import ConfigError, TrainingConfig

DEVICE_ERROR_PATTERN: Final = re.compile("(CUDA|cuDNN|HIP|NCCL) error|CUBLAS_STATUS|CUDNN_STATUS")
"""Pattern of the messages of device failures in older versions of torch."""


class DeviceError(FootfallError):
    """Error: the training device stopped working or has too little memory."""


def choose_device(name: str) -> torch.device:
    """Return the device that a setting names; ``"auto"`` selects the first available of CUDA, MPS and CPU.

    Raises:
        ConfigError: the named device is not available.
    """
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        name = next(kind for kind, there in present.items() if there)
    if not present[name]:
        raise ConfigError(
            "PyTorch finds no {device} device on this computer: set device to auto or cpu", device=name.upper()
        )
    return torch.device(name, int(os.environ.get("LOCAL_RANK", "0"))) if name == "cuda" else torch.device(name)


def set_up_device(settings: TrainingConfig) -> torch.device:
    """Return the device named in the settings, after configuring torch's threads and precision for it.

    Raises:
        ConfigError: the device is not available.
    """
    if settings.threads:
        torch.set_num_threads(settings.threads)
    torch.set_float32_matmul_precision("high")
    device = choose_device(settings.device)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    return device


def device_failure(error: Exception) -> DeviceError | None:
    """Return the error to report for an exception caused by the device's failure; ``None`` for other exceptions."""
    what = f"{error}".splitlines()[0].rstrip(".") if f"{error}" else type(error).__name__
    if isinstance(error, torch.OutOfMemoryError) or "out of memory" in what:
        return DeviceError(
            "The training device has too little memory: lower the setting 'batch', or free memory and resume the run"
        )
    if isinstance(error, torch.AcceleratorError) or DEVICE_ERROR_PATTERN.search(what):
        return DeviceError(
            "The training device stopped working ({error}): check the device, then resume the run", error=what
        )
    return None


def is_worker() -> bool:
    """Return whether this process is one of several started by ``torchrun``, and not the leader."""
    return int(os.environ.get("RANK", "0")) > 0


def was_restarted() -> bool:
    """Return whether ``torchrun`` has restarted this process after a failure."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) > 0


def half_precision(device: torch.device, config: TrainingConfig) -> torch.dtype | None:
    """Return the half-precision type that speeds up matrix products on the device; ``None`` if none does."""
    if config.amp == "off" or device.type not in ("cuda", "cpu"):
        return None
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    # Processors with bfloat16 instructions train one and a half times as fast; others are slower with it.
    able = getattr(torch.cpu, "get_capabilities", dict[str, bool])()
    return torch.bfloat16 if able.get("avx512_bf16") or able.get("amx_bf16") else None


@dataclass(frozen=True, slots=True)
class World:
    """The processes that train one network together, started by ``torchrun``; usually one.

    They do synchronous data-parallel gradient descent. Gradients are summed here, not by ``DistributedDataParallel``: a
    PFNN has only six tensors, stage two runs it many times before each backward pass, and the parts of a batch differ
    in size.
    """

    rank: int = 0
    size: int = 1

    @staticmethod
    def from_environment() -> "World":
        """Join the group that ``torchrun``'s environment variables describe, and wait for all its processes."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size == 1:
            return World()
        if not distributed.is_initialized():
            from .process_group import join_process_group  # missing in some builds of torch

            # Broadcast values are in CPU memory, so that no process waits for a GPU.
            backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
            join_process_group(backend)
        return World(distributed.get_rank(), size)

    @property
    def is_leader(self) -> bool:
        """True if this process is the leader, which writes the run folder."""
        return self.rank == 0

    def sum_gradients(self, parameters: Iterable[Tensor], loss: Tensor) -> Tensor:
        """Replace every parameter's gradient with its sum over all processes; return the sum of their losses ()."""
        if self.size == 1:
            return loss
        parameters = list(parameters)
        gradients = [torch.zeros_like(one) if one.grad is None else one.grad for one in parameters]
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), loss.flatten()])
        distributed.all_reduce(flat)
        parts = flat.split([*(gradient.numel() for gradient in gradients), 1])
        for parameter, part in zip(parameters, parts, strict=False):
            parameter.grad = part.view_as(parameter)
        return flat[-1]

    def broadcast_tensors(self, tensors: Iterable[Tensor]) -> None:
        """Overwrite the tensors of every process with those of the leader."""
        if self.size > 1:
            for tensor in tensors:
                distributed.broadcast(tensor.detach(), 0)

    def broadcast(self, data: bytes) -> bytes:
        """Send the leader's ``data`` to every process, and return it; the data of other processes is ignored."""
        if self.size == 1:
            return data
        size = torch.tensor([len(data)])
        distributed.broadcast(size, 0)
        content = torch.frombuffer(bytearray(data or b" "), dtype=torch.uint8)
        if not self.is_leader or not data:
            content = torch.zeros(max(int(size), 1), dtype=torch.uint8)
        distributed.broadcast(content, 0)
        return content.numpy().tobytes()[: int(size)]

    def broadcast_values(self, *values: float) -> list[float]:
        """Send the leader's numbers to every process, and return them; those of other processes are ignored.

        Decisions that depend on the clock or on the stop file must be equal in all processes.
        """
        if self.size == 1:
            return list(values)
        tensor = torch.tensor(values, dtype=torch.float64)
        distributed.broadcast(tensor, 0)
        return tensor.tolist()

    def wait_for_leader(self) -> bool:
        """Wait until the leader has prepared the data; return false if it ends without a training."""
        return self.broadcast_values(self.is_leader)[0] > 0.5

    def release_workers(self) -> None:
        """Tell waiting processes that no training will start, and leave the group; only the leader calls this."""
        self.broadcast_values(False)
        self.close()

    def close(self) -> None:
        """Leave the process group; call it once, at the end."""
        if self.size > 1:
            distributed.destroy_process_group()
