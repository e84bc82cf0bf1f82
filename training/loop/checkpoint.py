"""Checkpoints: all that a run needs to go on exactly where it was, as tensors and plain numbers, never pickled code."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..config.checksummed_file import ChecksumError, load_checksummed, to_checksummed_bytes

FORMAT_VERSION: Final = 3
Kind = TypeVar("Kind", "Checkpoint", "BestNetwork")


class CheckpointError(FootfallError):
    """A checkpoint is damaged, or belongs to another data set, network or version."""


@dataclass(slots=True)
class BestNetwork:
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
    kept: BestNetwork | None
    learner: dict[str, dict[str, Any]]


def to_bytes(value: Checkpoint | BestNetwork) -> bytes:
    """Return a checkpoint as the content of a file."""
    return to_checksummed_bytes({"format_version": FORMAT_VERSION, **_to_mapping(value)})


def _to_mapping(value: Checkpoint | BestNetwork) -> dict[str, Any]:
    content = {one.name: getattr(value, one.name) for one in fields(value)}
    return {name: _to_mapping(item) if isinstance(item, BestNetwork) else item for name, item in content.items()}


def from_bytes(data: bytes, device: torch.device) -> Checkpoint:
    """Return the inverse of :func:`to_bytes`, of a checkpoint that another process has read."""
    return _decode(data, "of the leading process", Checkpoint, device)


def read_newest(run: RunFolder, dataset: str, device: torch.device) -> Checkpoint | None:
    """Return the newest checkpoint that can be read, of a run on this data set; ``None`` where there is none at all.

    Raises:
        CheckpointError: there are checkpoints, but none can be read, or they are of another data set.
    """
    error: CheckpointError | None = None
    for path in run.checkpoints():
        try:
            found = _read_file(path, Checkpoint, device)
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


def read_best(run: RunFolder, device: torch.device) -> BestNetwork | None:
    """Return the best network of a run; ``None`` where there is none (yet); raises :class:`CheckpointError` if
    damaged.
    """
    return _read_file(run.best_checkpoint, BestNetwork, device) if run.best_checkpoint.exists() else None


def _read_file(path: Path, kind: type[Kind], device: torch.device) -> Kind:
    return _decode(path, f"'{path}'", kind, device)


def _decode(source: Path | bytes, description: str, kind: type[Kind], device: torch.device) -> Kind:
    try:
        data = load_checksummed(source, device)
    except ChecksumError as error:
        raise CheckpointError(
            f"The checkpoint {description} is damaged and cannot be read: remove it and resume."
        ) from error
    names = {one.name for one in fields(kind)}
    if not isinstance(data, dict) or data.pop("format_version", None) != FORMAT_VERSION or set(data) != names:
        raise CheckpointError(f"The checkpoint {description} is of another version: start a new run.")
    if data.get("kept"):
        data["kept"] = BestNetwork(**{**data["kept"], "network": _to_cpu(data["kept"]["network"])})
    return kind(**data)


def _to_cpu(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.cpu() for name, tensor in tensors.items()}
