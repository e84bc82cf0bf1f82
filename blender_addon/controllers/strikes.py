"""Controllers that attack: the shipped one, and any file; with the shipped walk controller they make a fighter."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import bpy

from ...core.control.strike.fight import Fighter
from ...core.errors import FootfallError
from ...core.models.model_file import ControllerModel, load_model
from . import library

SHIPPED: Final = Path(__file__).parents[2] / "presets" / "strikes" / "strikes.safetensors"
"""The shipped controller that attacks."""


def load_fighter(file: str) -> tuple[str, Fighter]:
    """Load an attack controller; return its name, and a fighter that combines it with the shipped walk controller.

    Args:
        file: the controller's file; empty for the shipped one.

    Raises:
        FootfallError: a file is missing or damaged, or its controller does not attack, or has another body.
    """
    path = Path(bpy.path.abspath(file)) if file else SHIPPED
    try:
        state = path.stat()
    except OSError:
        model = load_model(path)  # reports errors of the file
    else:
        model = _load_cached(path, state.st_mtime_ns, state.st_size)
    if not model.is_strike_controller:
        raise FootfallError(
            "The controller '{name}' cannot attack: choose a controller that was trained on attacks", name=path.name
        )
    _, walks = library.load(f"preset:{library.DEFAULT_STEM}", "")
    return path.stem, Fighter(model, walks)


@lru_cache(maxsize=2)
def _load_cached(path: Path, _changed: int, _size: int) -> ControllerModel:
    """Return the controller in a file; the time of change and size only make the cache notice a rewritten file."""
    return load_model(path)
