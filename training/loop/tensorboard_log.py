"""Progress of a training as TensorBoard scalars, if requested."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..config.config import ConfigError


class TensorBoardLog:
    """Writer of progress numbers to a TensorBoard folder; does nothing without one."""

    def __init__(self, folder: Path | None) -> None:
        """Open the folder; raise :class:`ConfigError` if TensorBoard is not installed."""
        self._writer = None
        if folder is not None:
            try:
                from torch.utils.tensorboard.writer import SummaryWriter
            except ImportError as error:
                raise ConfigError(
                    "TensorBoard is not installed in the Python for training: install it, or set tensorboard to false"
                ) from error
            self._writer = SummaryWriter(str(folder))

    def write(self, progress: Mapping[str, Any]) -> None:
        """Write the numbers of a progress report, including those of its roll-out, if any."""
        if self._writer is None:
            return
        for name in ("loss", "validation_loss", "learning_rate", "samples_per_second"):
            if progress[name] is not None:
                self._writer.add_scalar(f"{progress['stage']}/{name}", progress[name], progress["step"])
        for name, value in progress.get("rollout", {}).items():
            if isinstance(value, float):
                self._writer.add_scalar(f"rollout/{name}", value, progress["step"])

    def close(self) -> None:
        """Write buffered scalars to disk."""
        if self._writer is not None:
            self._writer.close()
