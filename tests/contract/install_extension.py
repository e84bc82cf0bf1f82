"""Inside Blender: the life of the extension whose zip is given, from its installation to its removal.

Installed, enabled, used, registered twice over, disabled, enabled again, updated by a newer version, removed: each time
Blender holds of it what it should, and nothing of it afterwards.
"""

import importlib
import sys
import tomllib
import zipfile
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
from traces import MODULE, UNTIL_RESTART, files_left_behind, left_behind, traces

NEWER = "99.0.0"


def prefer_bundled_wheels() -> None:
    """Have the wheels that Blender unpacks found before this environment's scipy (a real Blender has none)."""
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    lib = "Lib/site-packages" if sys.platform == "win32" else f"lib/{python}/site-packages"
    folder = Path(bpy.utils.resource_path("USER"), "extensions", ".local", lib)
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(folder))


def install(archive: Path) -> None:
    result = bpy.ops.extensions.package_install_files(
        filepath=str(archive), repo="user_default", enable_on_install=True
    )
    assert result == {"FINISHED"}, result
    assert MODULE in bpy.context.preferences.addons, "installed, but not enabled"


def disable() -> None:
    assert bpy.ops.preferences.addon_disable(module=MODULE) == {"FINISHED"}
    assert MODULE not in bpy.context.preferences.addons
    assert not left_behind(UNTIL_RESTART), left_behind(UNTIL_RESTART)


def uninstall() -> None:
    repositories = [one.module for one in bpy.context.preferences.extensions.repos]
    index = repositories.index("user_default")
    assert bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="footfall") == {"FINISHED"}


def newer_version(archive: Path) -> Path:
    """A copy of the zip with a higher version and a line more in one of its modules."""
    target = Path(bpy.app.tempdir, "newer.zip")
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            content = source.read(name)
            if name == "blender_manifest.toml":
                version = tomllib.loads(content.decode())["version"]
                content = content.replace(f'\nversion = "{version}"'.encode(), f'\nversion = "{NEWER}"'.encode())
            if name == "blender_addon/activities/shot/panel.py":
                content += b"\nIS_NEWER = True\n"
            copy.writestr(name, content)
    return target


def stands_on_its_own() -> None:
    """Code and packages come from the zip, none of them from this environment or the checkout."""
    core = importlib.import_module(f"{MODULE}.core")
    scipy = importlib.import_module("scipy.spatial.transform")
    safetensors = importlib.import_module("safetensors.numpy")
    for module in (core, scipy, safetensors):
        assert module.__file__ and bpy.utils.resource_path("USER") in module.__file__, module.__file__
    assert abs(scipy.Rotation.from_euler("z", 90, degrees=True).apply([1.0, 0.0, 0.0])[1] - 1.0) < 1e-12
    assert not {"torch", "footfall"} & set(sys.modules), "the extension stands on its own"


def is_as_before(before: dict[str, list[str]]) -> None:
    now = traces()
    assert now == before, {kind: set(now[kind]) ^ set(before[kind]) for kind in now if now[kind] != before[kind]}


def registers_twice_over(enabled: dict[str, list[str]]) -> None:
    extension = sys.modules[MODULE]
    for _ in range(2):
        extension.unregister()
        extension.register()
    is_as_before(enabled)


def main(archive: Path) -> None:
    prefer_bundled_wheels()
    assert not left_behind(), left_behind()
    install(archive)
    stands_on_its_own()
    enabled = traces()
    assert all(enabled[kind] for kind in ("classes", "operators", "properties", "handlers", "menus", "timers"))
    registers_twice_over(enabled)

    disable()
    assert bpy.ops.preferences.addon_enable(module=MODULE) == {"FINISHED"}
    is_as_before(enabled)
    assert bpy.ops.footfall.add_character() == {"FINISHED"}, "it works as before"

    install(newer_version(archive))
    is_as_before(enabled)
    assert sys.modules[f"{MODULE}.blender_addon.activities.shot.panel"].IS_NEWER, "the new version runs"
    assert bpy.ops.footfall.add_character() == {"FINISHED"}

    uninstall()
    assert MODULE not in bpy.context.preferences.addons
    assert not left_behind(), left_behind()
    assert not files_left_behind(), files_left_behind()
    print(f"done in Blender {bpy.app.version[0]}.{bpy.app.version[1]}")


main(Path(sys.argv[1]))
