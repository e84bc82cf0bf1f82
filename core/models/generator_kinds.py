"""Kinds of generators of control series, and the default; without numpy, so that command lines start quickly."""

from typing import Final

ADVERSARIAL: Final = "adversarial"
VARIATIONAL: Final = "variational"
DENOISER: Final = "denoiser"
KINDS: Final = (ADVERSARIAL, VARIATIONAL, DENOISER)
"""Kinds of generators: adversarial as in Starke et al. 2020, variational auto-encoder, and denoiser."""
DEFAULT_KIND: Final = VARIATIONAL
"""The kind that varies cycles most at the least cost in response time; see *Generated control* in the benchmarks."""
DEFAULT_VARIATION: Final = 0.8
"""Default variation, 0 to 1: cycles differ about as much as a person's, and control responds less than 10 % slower."""
