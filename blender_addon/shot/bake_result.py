"""The result of a bake."""

from dataclasses import dataclass

import bpy


@dataclass(frozen=True)
class BakeResult:
    """The action written by a bake, and its messages."""

    action: bpy.types.Action
    message: str
