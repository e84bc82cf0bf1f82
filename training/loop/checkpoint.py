"""Checkpoints: all that a run needs to go on exactly where it was, as tensors and plain numbers, never pickled code."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..config.checksummed_file import BrokenSealError, open_sealed, seal

FORMAT: Final = 3
Kind = TypeVar("Kind", "Checkpoint", "Best")


class CheckpointError(FootfallError):
    """A checkpoint is damaged, or belongs to another data set, network or version."""


@dataclass(slots=True)
class Best:
    """The network that walked best, or where none has walked did best on the held-out clips, and when that was;
    ``rollout`` is how it walked.
    """

    dataset: str
    stage: int
    total_steps: int
    loss: float
    validation_loss: float | None
    network: dict[str, Tensor]
    rollout: dict[str, Any] | None = None


@dataclass(slots=True)
class Checkpoint:
    """A run at one moment.

    Attributes:
        dataset: the digest of its data set.
        stage, step: index of the stage, steps done in it.
        total_steps: steps done in all stages.
        elapsed, spent: seconds spent in the stage, and in the stages before it.
        loss, validation_loss: as last reported; ``validation_loss`` is ``None`` where nothing was validated.
        judge: what the stage's networks have shown so far, see :class:`.judge.Judge`.
        kept: what ``best.pt`` is at that moment; ``None`` where there is none yet.
        learner: the network and its optimiser, see :meth:`.learner.Learner.state`.
    """

    dataset: str
    stage: int
    step: int
    total_steps: int
    elapsed: float
    spent: float
    loss: float
    validation_loss: float | None
    judge: dict[str, Any]
    kept: Best | None
    learner: dict[str, dict[str, Any]]


def to_bytes(value: Checkpoint | Best) -> bytes:
    """A checkpoint as the content of a file."""
    return seal({"format_version": FORMAT, **_plain(value)})


def _plain(value: Checkpoint | Best) -> dict[str, Any]:
    content = {one.name: getattr(value, one.name) for one in fields(value)}
    return {name: _plain(item) if isinstance(item, Best) else item for name, item in content.items()}


def from_bytes(data: bytes, device: torch.device) -> Checkpoint:
    """The inverse of :func:`to_bytes`, of a checkpoint that another process has read."""
    return _opened(data, "of the leading process", Checkpoint, device)


def newest(run: RunFolder, dataset: str, device: torch.device) -> Checkpoint | None:
    """The newest checkpoint that can be read, of a run on this data set; ``None`` where there is none at all.

    Raises:
        CheckpointError: there are checkpoints, but none can be read, or they are of another data set.
    """
    error: CheckpointError | None = None
    for path in run.checkpoints():
        try:
            found = _read(path, Checkpoint, device)
        except CheckpointError as problem:
            error = error or problem
            continue
        if found.dataset != dataset:
            raise CheckpointError(
                f"The checkpoints in '{run.path}' belong to another data set: start a new run or restore the clips."
            )
        return found
    if error is not None:
        raise error
    return None


def best_of(run: RunFolder, device: torch.device) -> Best | None:
    """The best network of a run; ``None`` where there is none (yet); raises :class:`CheckpointError` if damaged."""
    return _read(run.best_checkpoint, Best, device) if run.best_checkpoint.exists() else None


def _read(path: Path, kind: type[Kind], device: torch.device) -> Kind:
    return _opened(path, f"'{path}'", kind, device)


def _opened(source: Path | bytes, name: str, kind: type[Kind], device: torch.device) -> Kind:
    try:
        data = open_sealed(source, device)
    except BrokenSealError as error:
        raise CheckpointError(f"The checkpoint {name} is damaged and cannot be read: remove it and resume.") from error
    names = {one.name for one in fields(kind)}
    if not isinstance(data, dict) or data.pop("format_version", None) != FORMAT or set(data) != names:
        raise CheckpointError(f"The checkpoint {name} is of another version: start a new run.")
    if data.get("kept"):
        data["kept"] = Best(**{**data["kept"], "network": _on_cpu(data["kept"]["network"])})
    return kind(**data)


def _on_cpu(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.cpu() for name, tensor in tensors.items()}
