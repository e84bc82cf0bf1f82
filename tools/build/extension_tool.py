"""Blender's own tool for extensions."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .environments import BLENDERS
from .messages import BuildError
from .processes import clean_environment


def extension_tool(blender_version: str) -> list[str]:
    """Return the command of Blender's own tool for extensions, which `blender --command extension` calls."""
    environment = BLENDERS[blender_version]
    pattern = f"**/bpy/{blender_version}/scripts/addons_core/bl_pkg/cli/blender_ext.py"
    return [str(environment.python), str(next(environment.folder.glob(pattern)))]


def validate(archive: Path, blender_version: str) -> None:
    """Raise a :class:`BuildError`, and delete the zip, unless Blender's own `extension validate` accepts it."""
    command = [*extension_tool(blender_version), "validate", str(archive)]
    child = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    if child.returncode != 0:
        archive.unlink()
        raise BuildError(f"Blender {blender_version} does not accept {archive}:\n{child.stdout}{child.stderr}")
