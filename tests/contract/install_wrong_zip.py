"""Inside Blender: who has installed the right zip (the first argument) chooses one for another Blender (the second)."""

import sys

import bpy

MODULE = "bl_ext.user_default.footfall"


def install(archive: str) -> None:
    bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)


def main(right: str, wrong: str) -> None:
    install(right)
    try:
        install(wrong)
    except RuntimeError as refusal:
        print("refused:", refusal)
    assert MODULE in bpy.context.preferences.addons, "what worked is still there"
    assert bpy.ops.footfall.add_character() == {"FINISHED"}
    print(f"done in Blender {bpy.app.version[0]}.{bpy.app.version[1]}")


main(*sys.argv[1:])
