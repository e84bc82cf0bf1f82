"""Rigs for bakes, built by script like those of their tools; imported only by Blender's Python."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from collections.abc import Callable, Mapping
from typing import Final

import bpy

from .auto_rig import auto_rig_pro
from .game import mixamo, unreal
from .generated import metarig, rigify

RIGS: Final[Mapping[str, Callable[[], bpy.types.Object]]] = {
    "mixamo": mixamo,
    "unreal": unreal,
    "rigify_metarig": metarig,
    "auto_rig_pro": auto_rig_pro,
    "rigify": rigify,
}
"""The rig of each shipped map."""
