"""A walk that is baked once, and opened by each test that edits it: a bake takes seconds, a file none."""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import bpy

from footfall.tests.addon.support.scenes import add_curve

Point = tuple[float, float, float]


def open_baked_walk(points: Sequence[Point]) -> bpy.types.Object:
    """Open a file with a character whose walk along a path is baked, and return the active character."""
    file, name = _bake(tuple(points))
    bpy.ops.wm.open_mainfile(filepath=str(file))
    return bpy.data.objects[name]


@cache
def _bake(points: tuple[Point, ...]) -> tuple[Path, str]:
    """Return the file of a baked walk, and the name of its character."""
    assert bpy.ops.footfall.add_character(controller="preset:locomotion_small") == {"FINISHED"}
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", points)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    file = Path(tempfile.mkdtemp()) / "walk.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    return file, armature.name
