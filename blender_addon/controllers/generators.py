"""The shipped generators of control series, one of each kind."""

from functools import cache
from pathlib import Path
from typing import Final

from ...core.models.control_generator import ControlGenerator
from ...core.models.generator_file import load_generator
from ...core.models.generator_kinds import ADVERSARIAL, DEFAULT_KIND, DENOISER, VARIATIONAL

FOLDER: Final = Path(__file__).parents[2] / "presets" / "generators"
GENERATOR_ITEMS: Final = (
    (VARIATIONAL.upper(), "Variational", "A variational auto-encoder, with noise in its latent code"),
    (ADVERSARIAL.upper(), "Adversarial", "An auto-encoder trained against a discriminator, after Starke et al. 2020"),
    (DENOISER.upper(), "Denoiser", "Removes noise from the control step by step, as diffusion models do"),
)
"""Items of a drop-down list."""
DEFAULT_GENERATOR: Final = DEFAULT_KIND.upper()


@cache
def load_shipped_generator(identifier: str) -> ControlGenerator:
    """Return a shipped generator by the identifier of its item.

    Raises:
        FootfallError: its file is missing or damaged.
    """
    return load_generator(FOLDER / f"{identifier.lower()}.safetensors")
