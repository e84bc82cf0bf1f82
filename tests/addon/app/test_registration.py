"""Registering and unregistering leaves nothing behind."""

import subprocess
import sys

import bpy
import pytest

import footfall
from footfall.blender_addon.label import watch
from footfall.blender_addon.registration import CLASSES

pytestmark = pytest.mark.every_blender


def known_to_blender() -> dict[str, object]:
    """Everything that an add-on may leave behind."""
    extended = (bpy.types.Action, bpy.types.Object, bpy.types.Scene, bpy.types.WindowManager)
    return {
        "classes": {name for name in dir(bpy.types) if name.startswith("FOOTFALL")},
        "properties": {f"{owner.__name__}.{item.identifier}" for owner in extended for item in owner.bl_rna.properties},
        "attributes": {owner.__name__ for owner in extended if hasattr(owner, "footfall")},
        "operators": set(dir(bpy.ops.footfall)),
        "handlers": {name: len(getattr(bpy.app.handlers, name)) for name in ("load_post", "save_pre", "undo_post")},
    }


def test_twice_leaves_nothing_behind(unregistered: None) -> None:
    before = known_to_blender()
    for _ in range(2):
        footfall.register()
        assert hasattr(bpy.types.Action, "footfall") and dir(bpy.ops.footfall)
        assert bpy.app.timers.is_registered(watch.look_for_edits)
        footfall.unregister()
        assert not bpy.app.timers.is_registered(watch.look_for_edits)
    assert known_to_blender() == before


def test_names_are_as_blender_wants_them() -> None:
    for cls in CLASSES:
        name = getattr(cls, "bl_idname", "")
        if issubclass(cls, bpy.types.Operator):
            prefix, _, rest = name.partition(".")
            assert cls.__name__ == f"FOOTFALL_OT_{rest}" and prefix == "footfall", cls
            assert cls.__doc__ and not cls.__doc__.endswith("."), f"{cls}: its tooltip"


LISTS_IMPORTED = """
import bpy, footfall, os, sys
footfall.register()
print(*sys.modules, flush=True)
os._exit(0)
"""


def test_what_the_first_bake_needs_is_imported_by_it() -> None:
    """Enabling the add-on, and starting Blender with it, must not wait for it; :mod:`scipy` alone takes 0.8 s."""
    command = [sys.executable, "-P", "-c", LISTS_IMPORTED]
    imported = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.split()
    parts = ("ndimage", "signal", "spatial", "optimize", "interpolate", "sparse", "special", "linalg", "stats")
    early = {"torch", *(f"scipy.{part}" for part in parts)} & set(imported)
    assert "footfall.blender_addon" in imported and not early, f"imported by registration: {sorted(early)}"
