"""The origin of a fine-tuning run: the base controller, the new style and the rehearsal data."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .config import ConfigError


@dataclass(frozen=True, slots=True)
class FineTuningOrigin:
    """The starting point of a fine-tuning run.

    Attributes:
        controller: file of the base controller, which supplies weights, network skeleton and normalization.
        style: name of a new gait shown by the run's clips; empty if the controller knows all their gaits.
        rehearsal_dataset: data set of the old clips, if available; else the controller generates its own rehearsal
            data.
    """

    controller: Path
    style: str = ""
    rehearsal_dataset: Path | None = None

    def to_mapping(self) -> dict[str, Any]:
        """Return the fields, with absolute paths, as plain data for a run's ``config.toml``."""
        replay = {} if self.rehearsal_dataset is None else {"replay": str(self.rehearsal_dataset.absolute())}
        return {"controller": str(self.controller.absolute()), "style": self.style, **replay}

    @staticmethod
    def from_mapping(data: Mapping[str, Any], source_name: str) -> "FineTuningOrigin":
        """Return the origin from the plain data of :meth:`to_mapping`; raise :class:`ConfigError` if damaged.

        ``source_name`` names the data in the message.
        """
        controller, style, replay = data.get("controller"), data.get("style", ""), data.get("replay")
        if not isinstance(controller, str) or not isinstance(style, str) or not isinstance(replay, str | None):
            raise ConfigError(
                "The path of the base controller in {source} is not text: start a new run",
                source=source_name,
            )
        return FineTuningOrigin(Path(controller), style, None if replay is None else Path(replay))
