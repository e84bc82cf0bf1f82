"""Inside Blender: what there is of the installed extension in the running program, by kinds of things."""

import gc
import sys
import threading
import types
import typing
from pathlib import Path

import bpy

MODULE = "bl_ext.user_default.footfall"
UNTIL_RESTART = ("modules", "alive")
"""What Blender keeps of an extension that is disabled; of one that is removed nothing may be left."""


def traces() -> dict[str, list[str]]:
    """Kind -> names, sorted, each as often as it is there; an empty list where there is none of a kind."""
    found = {
        "classes": _classes(),
        "operators": list(dir(bpy.ops.footfall)),
        "properties": _properties(),
        "handlers": _handlers(),
        "menus": _menus(),
        "timers": [_name(function) for function in _functions() if bpy.app.timers.is_registered(function)],
        "keymaps": _keymaps(),
        "presets": [path for path in bpy.utils.preset_paths("") if _own_folder() in Path(path, "x").parents],
        "manuals": [_name(function) for function in bpy.utils._manual_map if _is_own(function)],
        "translations": _translations(),
        "threads": [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()],
        "modules": [name for name in sys.modules if _is_ours(name)],
        "alive": _alive(),
    }
    return {kind: sorted(names) for kind, names in found.items()}


def left_behind(ignored: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The kinds of which there is something, without those to be ignored."""
    return {kind: names for kind, names in traces().items() if names and kind not in ignored}


def files_left_behind() -> list[str]:
    """Paths below Blender's user folder that are Footfall's own or its packages', but for presets that a user saved."""
    user = Path(bpy.utils.resource_path("USER"))
    own, kept = ("footfall", "scipy", "safetensors"), user / "scripts" / "presets"
    found = (path for path in user.rglob("*") if path.name.startswith(own) and kept not in path.parents)
    return sorted(str(path.relative_to(user)) for path in found)


def _own_folder() -> Path:
    return Path(bpy.utils.resource_path("USER"), "extensions", "user_default", "footfall")


def _is_ours(module: object) -> bool:
    return isinstance(module, str) and (module == MODULE or module.startswith(f"{MODULE}."))


def _is_own(thing: object) -> bool:
    return _is_ours(getattr(thing, "__module__", None))


def _name(thing: object) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def _types() -> list[type]:
    found = (getattr(bpy.types, name, None) for name in dir(bpy.types))
    return [one for one in found if hasattr(one, "bl_rna")]


def _classes() -> list[str]:
    return [one.__name__ for one in _types() if _is_own(one)]


def _properties() -> list[str]:
    return [
        f"{one.__name__}.{name}"
        for one in _types()
        for name in {*one.bl_rna.properties.keys(), *vars(one)}
        if "footfall" in name
    ]


def _handlers() -> list[str]:
    lists = ((name, getattr(bpy.app.handlers, name)) for name in dir(bpy.app.handlers))
    return [f"{name}: {_name(one)}" for name, some in lists if isinstance(some, list) for one in some if _is_own(one)]


def _menus() -> list[str]:
    return [
        f"{one.__name__}: {_name(function)}"
        for one in _types()
        for function in getattr(getattr(one, "draw", None), "_draw_funcs", ())
        if _is_own(function)
    ]


def _keymaps() -> list[str]:
    configurations = (one for one in bpy.context.window_manager.keyconfigs if one is not None)
    items = ((keymap.name, item) for one in configurations for keymap in one.keymaps for item in keymap.keymap_items)
    return [f"{keymap}: {item.idname}" for keymap, item in items if item.idname.startswith("footfall.")]


def _translations() -> list[str]:
    """Modules whose words Blender knows: it refuses to be told them twice (as a Python module it knows no words)."""
    known = []
    for name in {MODULE, f"{MODULE}.blender_addon", *filter(_is_ours, sys.modules)}:
        try:
            bpy.app.translations.register(name, {})
        except ValueError:
            known.append(name)
        else:
            bpy.app.translations.unregister(name)
    return known


def _functions() -> list[types.FunctionType]:
    return [one for one in gc.get_objects() if isinstance(one, types.FunctionType) and _is_own(one)]


def _alive() -> list[str]:
    """Functions and classes of the add-on that something still holds: a draw handler, a callback, a command."""
    for clear in typing._cleanups:  # the cache of annotations such as `Callable[[Clip], None]`
        clear()
    gc.collect()
    kinds = (types.FunctionType, type)
    some = (one for one in gc.get_objects() if isinstance(one, kinds) and _is_own(one))
    return [_name(one) for one in some if one.__module__.startswith((f"{MODULE}.blender_addon", f"{MODULE}.cli"))]
