"""The fitted families and their fit functions."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..config.reporting import ProgressCallback
from .gaussian_process import fit_gaussian_processes
from .matching import fit_matching
from .material import FittedController, FittingData

FIT_FUNCTIONS: Final[Mapping[str, Callable[[Any, FittingData, ProgressCallback], FittedController]]] = {
    "gp": fit_gaussian_processes,
    "matching": fit_matching,
}
"""By family, the function that fits a controller, given an architecture and samples."""
