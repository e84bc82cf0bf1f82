"""Selection of controllers on a command line."""

from pathlib import Path
from typing import Final

from ....core.errors import FootfallError
from ...controllers import library

MODEL_SUFFIX: Final = ".safetensors"
CONTROLLER_HELP: Final = (
    f"controller: shipped, kept or trained here (locomotion, own:hero, run:first), or a {MODEL_SUFFIX} file"
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
            "There is no controller '{name}': give a {MODEL_SUFFIX} file, or one of {join}",
            name=name,
            MODEL_SUFFIX=MODEL_SUFFIX,
            join=", ".join(known),
        )
    return found, ""


def require_controller_file(name: str) -> str:
    """Return a controller's file; raise :class:`FootfallError` if it does not exist."""
    path = Path(name).absolute()
    if not path.is_file():
        raise FootfallError("There is no file '{path}': look for the controller elsewhere", path=path)
    return str(path)
