"""Dances: controllers for two characters, each with its dance figures in a file of the same name beside it."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import bpy

from ...core.control.pair.dance_figures import DanceFigures
from ...core.control.pair.pair_runtime import require_partner
from ...core.errors import FootfallError
from ...core.models.model_file import ControllerModel, load_model

FOLDER: Final = Path(__file__).parents[2] / "presets" / "dances"
FILE_ITEM: Final = "FILE"
SHIPPED: Final = tuple(sorted(FOLDER.glob("*.safetensors")))
DANCE_ITEMS: Final = (
    *((file.stem.upper(), file.stem.capitalize(), "Salsa controller that is included in Footfall") for file in SHIPPED),
    (FILE_ITEM, "From File", "Controller for two characters, with the file of its dance figures in the same folder"),
)
"""Items of a drop-down list."""
DEFAULT_DANCE: Final = DANCE_ITEMS[0][0]


def load_dance(identifier: str, file: str) -> tuple[str, ControllerModel, DanceFigures]:
    """Return the name, controller and figures of a dance, given its identifier in the list.

    Args:
        identifier: identifier of the item.
        file: file of the controller, for the item that stands for a file.

    Raises:
        FootfallError: no file is chosen, or the controller or the figures are missing, damaged or not for a pair.
    """
    if identifier != FILE_ITEM:
        path = FOLDER / f"{identifier.lower()}.safetensors"
    elif file:
        path = Path(bpy.path.abspath(file))
    else:
        raise FootfallError("No dance is chosen: choose one from the list, or a controller file")
    return path.stem, load_pair_model(path), DanceFigures.load(path.with_suffix(".npz"))


def load_pair_model(path: Path) -> ControllerModel:
    """Load a controller for two characters; each file is read only once.

    Raises:
        FootfallError: the file is missing or damaged, or its controller does not move with a partner.
    """
    try:
        state = path.stat()
    except OSError:
        model = load_model(path)  # reports errors of the file
    else:
        model = _load_cached(path, state.st_mtime_ns, state.st_size)
    require_partner(model)
    return model


@lru_cache(maxsize=2)
def _load_cached(path: Path, _changed: int, _size: int) -> ControllerModel:
    """Return the controller in a file; the time of change and size only make the cache notice a rewritten file."""
    return load_model(path)
