"""The result of a bake."""

from dataclasses import dataclass

import bpy


@dataclass(frozen=True)
class BakeResult:
    """The action that a bake wrote, and its messages."""

    action: bpy.types.Action
    message: str
