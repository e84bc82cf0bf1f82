"""What a fine-tuning run goes on from: a controller, a style that is new to it, and what it keeps practising."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .config import ConfigError


@dataclass(frozen=True, slots=True)
class FineTuningOrigin:
    """Where a run does not begin from nothing.

    Attributes:
        controller: the file that the network's weights, body and normalisation are of.
        style: name of a new gait that the run's clips are in; empty where they are in gaits that it knows.
        rehearsal_dataset: data set of the old clips, where it is at hand; else the controller replays what it can do.
    """

    controller: Path
    style: str = ""
    rehearsal_dataset: Path | None = None

    def to_mapping(self) -> dict[str, Any]:
        """Plain data with absolute paths, for :meth:`from_mapping`."""
        replay = {} if self.rehearsal_dataset is None else {"replay": str(self.rehearsal_dataset.absolute())}
        return {"controller": str(self.controller.absolute()), "style": self.style, **replay}

    @staticmethod
    def from_mapping(data: Mapping[str, Any], source_name: str) -> "FineTuningOrigin":
        """Return the inverse; raises :class:`ConfigError`."""
        controller, style, replay = data.get("controller"), data.get("style", ""), data.get("replay")
        if not isinstance(controller, str) or not isinstance(style, str) or not isinstance(replay, str | None):
            raise ConfigError(f"What {source_name} says of the controller it starts from is no text: start a new run.")
        return FineTuningOrigin(Path(controller), style, None if replay is None else Path(replay))
