"""Combinations of strikes as text, so that presets keep them: what strikes after how many seconds."""

import math
from typing import Final

import bpy

from ...animation.fcurve_io.reader import scene_rate

AIM_PROPERTIES: Final = ("weapon", "both_hands", "target", "bone", "place", "vertex", "corners", "shares")
"""Properties of a strike about its target and its weapon."""
MAX_STRIKES: Final = 200
"""Strikes of a combination that are read at most."""
MAX_SECONDS: Final = 1e4


def write_combination(settings: bpy.types.PropertyGroup, rate: float) -> str:
    """Return a character's strikes as text: end effector and seconds after the first one of each, in time."""
    strikes = sorted(settings.strikes, key=lambda one: one.frame)
    return " ".join(f"{one.effector}:{(one.frame - strikes[0].frame) / rate:.3f}" for one in strikes)


def apply_combination(settings: bpy.types.PropertyGroup, text: str, scene: bpy.types.Scene) -> None:
    """Make a combination a character's strikes, from the frame of the first on, or from the current frame.

    Targets and weapons stay those of the strikes that are there; further ones have those of the last.
    """
    strikes = settings.strikes
    first = min((one.frame for one in strikes), default=scene.frame_current)
    kinds = settings.bl_rna.properties["strikes"].fixed_type.properties["effector"].enum_items.keys()
    parts = [part.partition(":") for part in text.split()][:MAX_STRIKES]
    wanted = [(kind, _seconds(time)) for kind, _, time in parts if kind in kinds]
    while len(strikes) > len(wanted):
        strikes.remove(len(strikes) - 1)
    for index, (kind, seconds) in enumerate(wanted):
        if index == len(strikes):
            strikes.add()
            if index:
                copy_aim(strikes[index - 1], strikes[index])
        strikes[index].effector, strikes[index].frame = kind, first + round(seconds * scene_rate(scene))


def copy_aim(source: bpy.types.PropertyGroup, strike: bpy.types.PropertyGroup) -> None:
    """Give a strike the target and the weapon of another one."""
    for name in AIM_PROPERTIES:
        setattr(strike, name, getattr(source, name))


def _seconds(text: str) -> float:
    """Return a time of a preset, seconds; a damaged one counts as none."""
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), MAX_SECONDS) if math.isfinite(seconds) else 0.0
