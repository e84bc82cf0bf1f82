"""Kinds of generators of control series, and the default; without numpy, so that command lines start quickly."""

from typing import Final

ADVERSARIAL: Final = "adversarial"
VARIATIONAL: Final = "variational"
DENOISER: Final = "denoiser"
KINDS: Final = (ADVERSARIAL, VARIATIONAL, DENOISER)
"""The paper's kind, and two alternatives."""
DEFAULT_KIND: Final = VARIATIONAL
"""The kind with the most variation at the least cost; see *Generated control* in the benchmarks."""
DEFAULT_VARIATION: Final = 0.8
"""Variation at which cycles differ about as much as a person's, with a response slower by less than a tenth."""
