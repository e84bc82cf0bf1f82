# SPDX-License-Identifier: GPL-3.0-or-later
"""Footfall: neural locomotion controllers for Blender (imports nothing until Blender calls `register`)."""


def register() -> None:
    from . import blender_addon

    blender_addon.register()


def unregister() -> None:
    from . import blender_addon

    blender_addon.unregister()
