"""Checkpoints: the complete state from which a run continues exactly, as tensors and plain numbers."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..config.checksummed_file import ChecksumError, load_checksummed, to_checksummed_bytes

FORMAT_VERSION: Final = 1
Kind = TypeVar("Kind", "Checkpoint", "BestNetwork")


class CheckpointError(FootfallError):
    """Error: a checkpoint is damaged, or belongs to another data set, network or version."""


@dataclass(slots=True)
class BestNetwork:
    """The best network of a run so far, by roll-out score or, without roll-outs, by validation loss.

    ``rollout`` has the results of its judged roll-out, as plain data; ``None`` without one.
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
    """The state of a training run at one moment.

    Attributes:
        dataset: digest of the run's data set.
        stage, step: index of the stage, and steps done in it.
        total_steps: steps done in all stages.
        elapsed, spent: seconds spent in the stage, and in the stages before it.
        loss, validation_loss: last reported values; ``validation_loss`` is ``None`` without validation.
        judge: state of the model selection, as plain data.
        kept: content of ``best.pt`` at this moment; ``None`` if there is none yet.
        learner: state dictionaries of network, optimizer and gradient scaler, by name.
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
    """Return a checkpoint or the best network as checksummed bytes, the content of its file."""
    return to_checksummed_bytes({"format_version": FORMAT_VERSION, **_to_mapping(value)})


def _to_mapping(value: Checkpoint | BestNetwork) -> dict[str, Any]:
    """Return the fields of a checkpoint as a dictionary, recursively."""
    content = {one.name: getattr(value, one.name) for one in fields(value)}
    return {name: _to_mapping(item) if isinstance(item, BestNetwork) else item for name, item in content.items()}


def from_bytes(data: bytes, device: torch.device) -> Checkpoint:
    """Return the checkpoint that :func:`to_bytes` has converted to bytes, with its tensors on a device."""
    return _decode(data, "of the main process", Checkpoint, device)


def read_newest(run: RunFolder, dataset: str, device: torch.device) -> Checkpoint | None:
    """Return the newest readable checkpoint of a run; ``None`` if there is none.

    ``dataset`` is the digest of the run's data set.

    Raises:
        CheckpointError: all checkpoints are unreadable, or they belong to another data set.
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
                "The checkpoints in '{path}' belong to another data set: start a new run, or restore the "
                "original clips",
                path=run.path,
            )
        return found
    if error is not None:
        raise error
    return None


def read_best(run: RunFolder, device: torch.device) -> BestNetwork | None:
    """Return the best network of a run so far; ``None`` without one. Raise :class:`CheckpointError` if damaged."""
    return _read_file(run.best_checkpoint, BestNetwork, device) if run.best_checkpoint.exists() else None


def _read_file(path: Path, kind: type[Kind], device: torch.device) -> Kind:
    """Read a checkpoint from a file, checking its kind."""
    return _decode(path, f"'{path}'", kind, device)


def _decode(source: Path | bytes, description: str, kind: type[Kind], device: torch.device) -> Kind:
    """Convert checked content to a checkpoint of a kind."""
    try:
        data = load_checksummed(source, device)
    except ChecksumError as error:
        raise CheckpointError(
            "The checkpoint {name} is damaged and cannot be read: delete it and resume the run", name=description
        ) from error
    names = {one.name for one in fields(kind)}
    if not isinstance(data, dict) or data.pop("format_version", None) != FORMAT_VERSION or set(data) != names:
        raise CheckpointError(
            "The checkpoint {name} is from another version of Footfall: start a new run", name=description
        )
    try:
        if data.get("kept"):
            data["kept"] = BestNetwork(**{**data["kept"], "network": _to_cpu(data["kept"]["network"])})
        return kind(**data)
    except (LookupError, TypeError, AttributeError) as error:
        raise CheckpointError(
            "The checkpoint {name} is damaged and cannot be read: delete it and resume the run", name=description
        ) from error


def _to_cpu(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.cpu() for name, tensor in tensors.items()}
