"""What a trainer's environment is made of, as somebody chose it."""

import re
from dataclasses import dataclass
from pathlib import Path

from ...errors import FootfallError
from .requirements import TRAINING_REQUIREMENTS


class EnvironmentRecipeError(FootfallError):
    """Nothing can be made of it."""


@dataclass(frozen=True, slots=True)
class EnvironmentRecipe:
    """What an environment is made of.

    Attributes:
        python: a Python of 3.11 or later, with ``venv``.
        requirements: the packages, pinned.
        wheels: a folder that has all of them as wheels; then nothing is downloaded.
        index: address of the package index that is asked instead of pip's own.
        torch_index: address of the one that torch is taken from, for another build of it (CPU, CUDA, ROCm).
    """

    python: Path
    requirements: Path = TRAINING_REQUIREMENTS
    wheels: Path | None = None
    index: str = ""
    torch_index: str = ""

    @property
    def needs_network(self) -> bool:
        """Whether making it needs the network."""
        return self.wheels is None

    def check(self) -> None:
        """Raise :class:`EnvironmentRecipeError` where it cannot be one."""
        if not self.python.is_file():
            raise EnvironmentRecipeError(f"The Python '{self.python}' does not exist: choose another.")
        if self.wheels is not None and not any(self.wheels.glob("*.whl")):
            raise EnvironmentRecipeError(
                f"There are no wheels in '{self.wheels}': choose the folder that has those of "
                f"{self.requirements.name} (pip download -r {self.requirements.name})."
            )
        for address in (self.index, self.torch_index):
            if address and not re.match(r"(https?|file)://[^\s]+$", address):
                raise EnvironmentRecipeError(
                    f"'{address}' is no address of a package index: it begins with https:// or file://."
                )
