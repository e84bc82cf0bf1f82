"""Generators of control series: the shipped ones, one of each kind, and files of the user's."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.models.control_generator import ControlGenerator
from ...core.models.generator_file import load_generator
from ...core.models.generator_kinds import ADVERSARIAL, DEFAULT_KIND, DENOISER, VARIATIONAL
from ..ui.preferences import user_folder

FOLDER: Final = Path(__file__).parents[2] / "presets" / "generators"
KIND_ITEMS: Final = (
    (VARIATIONAL.upper(), "Variational", "Variational autoencoder: varies the walk by noise in its latent code"),
    (ADVERSARIAL.upper(), "Adversarial", "Autoencoder trained against a discriminator, after Starke et al. 2020"),
    (DENOISER.upper(), "Denoiser", "Diffusion model: removes noise from the control of the walk step by step"),
)
"""Kinds of generators, as items of a drop-down list."""
FILE_ITEM: Final = "FILE"
GENERATOR_ITEMS: Final = (*KIND_ITEMS, (FILE_ITEM, "File", "Your own generator, from a file"))
"""Items of a drop-down list."""
DEFAULT_GENERATOR: Final = DEFAULT_KIND.upper()


def user_generators_folder() -> Path:
    """Return the folder for generators trained on this computer; it may not exist yet."""
    return Path(user_folder("generators", create=False))


def load_chosen_generator(identifier: str, file: str) -> ControlGenerator:
    """Return the generator of an item in the list; each file is read only once.

    Args:
        identifier: identifier of the item.
        file: file of the generator, for the item that stands for a file.

    Raises:
        FootfallError: no file is chosen, or the file is missing or damaged.
    """
    if identifier != FILE_ITEM:
        return _load_cached(FOLDER / f"{identifier.lower()}.safetensors", 0, 0)
    if not file:
        raise FootfallError("No generator is chosen: choose a file under Generator, or another generator")
    path = Path(bpy.path.abspath(file))
    try:
        state = path.stat()
    except OSError as error:
        raise FootfallError(
            "The generator '{path}' cannot be read ({error}): choose another under Generator",
            path=path,
            error=error.strerror or error,
        ) from error
    return _load_cached(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _load_cached(path: Path, _changed: int, _size: int) -> ControlGenerator:
    """Return the generator in a file; the time of change and size only make the cache notice a rewritten file."""
    return load_generator(path)
