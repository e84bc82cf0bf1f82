"""Inputs of the tables: the controller and the real clips."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..core.errors import FootfallError

if TYPE_CHECKING:
    from ..core.models.model_file import ControllerModel

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = "cmu_asfamc"
"""The largest coherent set: one skeleton's names and tree, many actors."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Folder of the mocap, and the measured controller (the shipped one if ``None``)."""

    data: Path
    controller: Path | None = None

    def model(self) -> "ControllerModel":
        """Return the controller; raise :class:`FootfallError` if there is none."""
        from ..core.models.model_file import load_model

        return load_model(self.model_path())

    def model_path(self) -> Path:
        """Return the controller's file."""
        from ..cli.walk import shipped_controller

        return self.controller or shipped_controller()

    def clips(self, *categories: str, split: str | None = None) -> Iterator[Path]:
        """Yield the CMU clips of some categories, of one split or both; raise :class:`FootfallError` without data."""
        listing = self.data / "SPLIT.csv"
        if not listing.is_file():
            raise FootfallError(f"The real clips are not in '{self.data}': name their folder with --data.")
        with listing.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["source"] == SOURCE and row["category"] in categories and split in (None, row["split"]):
                    yield self.data / row["file"]
