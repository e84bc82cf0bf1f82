"""Footfall in Blender's own command line: ``blender -b shot.blend --command footfall bake --all --save``."""

from typing import Final

import bpy

COMMAND_NAME: Final = "footfall"


class CommandHandle:
    """The handle that unregisters the command."""

    handle: object | None = None


def execute(arguments: list[str]) -> int:
    """Run the command with the arguments that follow its name; return Blender's exit code."""
    # Blender starts faster without the modules of the command line.
    from .main import main
    from .standard_output import redirect_standard_output

    return main(arguments, redirect_standard_output)


def register() -> None:
    """Register the command with Blender, which rejects a command that is registered twice."""
    unregister()
    CommandHandle.handle = bpy.utils.register_cli_command(COMMAND_NAME, execute)


def unregister() -> None:
    """Unregister the command."""
    if CommandHandle.handle is not None:
        bpy.utils.unregister_cli_command(CommandHandle.handle)
        CommandHandle.handle = None
