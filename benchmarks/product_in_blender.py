"""Script for Blender's Python: imports and enables the add-on, and draws its panels; prints seconds as JSON.

``package`` and ``import`` are times of the package and of all modules for its registration, ``enabling`` of both and
the registration. ``panels`` has the median draw time of each visible panel of a baked character, with a layout that
accepts every call and shows nothing: Blender's work on the buttons is not measured.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from time import perf_counter
from types import MethodType, SimpleNamespace
from typing import Any, Final

import bpy

DRAWS: Final = 50
POINTS: Final = ((0.0, 0.0), (2.0, 0.5), (4.0, 0.0))


class Taking:
    """A substitute for a layout and the results of its functions: accepts every call and every assignment."""

    def __getattr__(self, name: str) -> Any:
        return self._taken

    def _taken(self, *_: object, **__: object) -> "Taking":
        return Taking()


def enabled() -> dict[str, float]:
    """Return the seconds to enable the add-on, in a Blender without it."""
    import addon_utils  # bpy adds it to the path

    start = perf_counter()
    import footfall

    package = perf_counter()
    import footfall.blender_addon

    imported = perf_counter()
    assert addon_utils.enable("footfall", default_set=True) is footfall
    ready = perf_counter()
    others = sum(name.partition(".")[0] == "scipy" for name in sys.modules)
    return {"package": package - start, "import": imported - start, "enabling": ready - start, "scipy": others}


def baked_character() -> None:
    """Add a character with a short walk, so that most panels have content."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(POINTS) - 1)
    for point, (x, y) in zip(spline.points, POINTS, strict=True):
        point.co = (x, y, 0.0, 1.0)
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    bpy.ops.footfall.add_character()
    bpy.context.object.footfall.path = curve
    bpy.ops.footfall.bake_shot()


def drawn() -> dict[str, float]:
    """Return the median seconds of a draw of each visible panel, by its name."""
    from footfall.benchmarks.stopwatch import median_seconds

    found = (getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("FOOTFALL_PT_"))
    panels = [panel for panel in found if issubclass(panel, bpy.types.Panel)]
    shown = [panel for panel in panels if not hasattr(panel, "poll") or panel.poll(bpy.context)]
    return {panel.__name__: median_seconds(lambda panel=panel: draw(panel), DRAWS) for panel in shown}


def draw(panel: type) -> None:
    """Draw a panel below its header, with a substitute, as only Blender can create panels."""
    like = SimpleNamespace(layout=Taking())
    for base in reversed(panel.__mro__):
        for name, value in vars(base).items():
            if not name.startswith("__") and (callable(value) or isinstance(value, str)):
                setattr(like, name, MethodType(value, like) if callable(value) else value)
    panel.draw(like, bpy.context)


bpy.ops.wm.read_factory_settings(use_empty=True)
seconds: dict[str, Any] = dict(enabled())
if sys.argv[1:] == ["panels"]:
    baked_character()
    seconds["panels"] = drawn()
print(json.dumps(seconds), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
