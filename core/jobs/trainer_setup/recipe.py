"""The recipe of a trainer's environment: Python and package sources, as chosen by the user."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ...errors import FootfallError
from .requirements import TRAINING_REQUIREMENTS

LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
"""Hosts that provide packages without a network."""


class EnvironmentRecipeError(FootfallError):
    """A recipe names a file, folder or address that cannot be used."""


@dataclass(frozen=True, slots=True)
class EnvironmentRecipe:
    """Python, packages and indexes of an environment.

    Attributes:
        python: a Python, 3.11 or later, with ``venv``.
        requirements: the pinned packages.
        wheels: a folder with all packages as wheels; with it no files are downloaded.
        index: address of the package index to use instead of pip's own.
        torch_index: address of the index of another build of torch (CPU, CUDA, ROCm).
    """

    python: Path
    requirements: Path = TRAINING_REQUIREMENTS
    wheels: Path | None = None
    index: str = ""
    torch_index: str = ""

    @property
    def needs_network(self) -> bool:
        """True if the packages have to be downloaded."""
        return self.wheels is None

    def check(self) -> None:
        """Raise :class:`EnvironmentRecipeError` if a file, folder or address of the recipe cannot be used."""
        if not self.python.is_file():
            raise EnvironmentRecipeError("The Python '{python}' does not exist: choose another one", python=self.python)
        if self.wheels is not None and not any(self.wheels.glob("*.whl")):
            raise EnvironmentRecipeError(
                "There are no wheels in '{folder}': choose the folder with the wheels of {requirements} (pip "
                "download -r {requirements})",
                folder=self.wheels,
                requirements=self.requirements.name,
            )
        for address in (self.index, self.torch_index):
            if address and not re.match(r"(https?|file)://[^\s]+$", address):
                raise EnvironmentRecipeError(
                    "'{address}' is not the address of a package index: give an address that begins with "
                    "https:// or file://",
                    address=address,
                )
            if address.startswith("http://") and urlsplit(address).hostname not in LOCAL_HOSTS:
                raise EnvironmentRecipeError(
                    "'{address}' is not encrypted, so its packages could be tampered with on the way: give an "
                    "address that begins with https://, or choose a folder of wheels",
                    address=address,
                )
