"""Selection of controllers on a command line."""

from pathlib import Path
from typing import Final

from ....core.errors import FootfallError
from ...controllers import library

MODEL_SUFFIX: Final = ".safetensors"
CONTROLLER_HELP: Final = (
    f"controller: included, your own or of a training run (locomotion, own:hero, run:first), or a {MODEL_SUFFIX} file"
)
"""For the help."""


def resolve_controller(name: str) -> tuple[str, str]:
    """Return the settings that select a controller by name or file: its identifier, and its file if given.

    Raises:
        FootfallError: no controller has this name.
    """
    if name.endswith(MODEL_SUFFIX):
        return library.FILE_IDENTIFIER, require_controller_file(name)
    known = [item[0] for item in library.enum_items(None, None) if item[0] != library.FILE_IDENTIFIER]
    found = next((one for one in known if name in (one, one.partition(":")[2])), None)
    if found is None:
        raise FootfallError(
            "There is no controller '{name}': give a {suffix} file, or one of {names}",
            name=name,
            suffix=MODEL_SUFFIX,
            names=", ".join(known),
        )
    return found, ""


def require_controller_file(name: str) -> str:
    """Return a controller's file; raise :class:`FootfallError` if it does not exist."""
    path = Path(name).absolute()
    if not path.is_file():
        raise FootfallError("The controller file '{path}' does not exist: give another file", path=path)
    return str(path)
