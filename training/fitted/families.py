"""The families that are fitted, by name."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .gaussian_process import fit_process
from .matching import fit_matching
from .material import Fit, Material, Tell

FITTED: Final[Mapping[str, Callable[[Any, Material, Tell], Fit]]] = {"gp": fit_process, "matching": fit_matching}
"""From the architecture that is asked for and the samples to the controller, by family."""
