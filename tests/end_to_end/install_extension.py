"""Inside Blender: install the zip given as argument, enable it, use it, register it twice over, disable it."""

import importlib
import sys
from pathlib import Path

import bpy

MODULE = "bl_ext.user_default.footfall"


def registered_names() -> set[str]:
    """The names of all classes, and of the properties on the types that add-ons extend, that Blender knows now."""
    classes = {name for name in dir(bpy.types) if hasattr(bpy.types, name)}
    extended = (bpy.types.Action, bpy.types.Object, bpy.types.Scene, bpy.types.WindowManager)
    return classes | {f"{owner.__name__}.{item.identifier}" for owner in extended for item in owner.bl_rna.properties}


def prefer_bundled_wheels() -> None:
    """Have the wheels that Blender unpacks found before this environment's scipy (a real Blender has none)."""
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    lib = "Lib/site-packages" if sys.platform == "win32" else f"lib/{python}/site-packages"
    folder = Path(bpy.utils.resource_path("USER"), "extensions", ".local", lib)
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(folder))


def main(archive: str) -> None:
    prefer_bundled_wheels()
    before = registered_names()
    result = bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
    assert result == {"FINISHED"}, result
    assert MODULE in bpy.context.preferences.addons, "installed, but not enabled"

    core = importlib.import_module(f"{MODULE}.core")
    scipy = importlib.import_module("scipy.spatial.transform")
    safetensors = importlib.import_module("safetensors.numpy")
    for module in (core, scipy, safetensors):
        assert module.__file__ and bpy.utils.resource_path("USER") in module.__file__, module.__file__
    assert abs(scipy.Rotation.from_euler("z", 90, degrees=True).apply([1.0, 0.0, 0.0])[1] - 1.0) < 1e-12
    assert not {"torch", "footfall"} & set(sys.modules), "the extension stands on its own"

    extension = sys.modules[MODULE]
    enabled = registered_names()
    for _ in range(2):
        extension.unregister()
        extension.register()
    assert registered_names() == enabled, sorted(registered_names() ^ enabled)

    assert bpy.ops.preferences.addon_disable(module=MODULE) == {"FINISHED"}
    assert MODULE not in bpy.context.preferences.addons
    assert registered_names() <= before, f"left behind: {sorted(registered_names() - before)}"
    print(f"done in Blender {bpy.app.version[0]}.{bpy.app.version[1]}")


main(*sys.argv[1:])
