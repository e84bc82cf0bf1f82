"""Footfall in Blender's own command line: ``blender -b shot.blend --command footfall bake --all --save``."""

from typing import Final

import bpy

NAME: Final = "footfall"


class _Registered:
    """What Blender gave for the command, to take it back with."""

    handle: object | None = None


def execute(arguments: list[str]) -> int:
    """What Blender calls with all that follows the command's name; its exit code is Blender's."""
    # Blender starts faster without what only the command line needs.
    from .main import main
    from .standard_output import take_standard_output

    return main(arguments, take_standard_output)


def register() -> None:
    """Makes the command known to Blender, which refuses to run one that is known twice."""
    unregister()
    _Registered.handle = bpy.utils.register_cli_command(NAME, execute)


def unregister() -> None:
    """Takes it back."""
    if _Registered.handle is not None:
        bpy.utils.unregister_cli_command(_Registered.handle)
        _Registered.handle = None
