"""Combinations of strikes as text for presets: end effectors and their times in seconds."""

import math
from typing import Final

import bpy

from ...animation.fcurve_io.reader import scene_rate

AIM_PROPERTIES: Final = ("weapon", "both_hands", "target", "bone", "place", "vertex", "corners", "shares")
"""Properties of a strike about its target and its weapon."""
MAX_STRIKES: Final = 200
"""Largest number of strikes read from a combination."""
MAX_SECONDS: Final = 1e4


def write_combination(settings: bpy.types.PropertyGroup, rate: float) -> str:
    """Return a character's strikes as text, in order of time: end effectors and seconds since the first strike."""
    strikes = sorted(settings.strikes, key=lambda one: one.frame)
    return " ".join(f"{one.effector}:{(one.frame - strikes[0].frame) / rate:.3f}" for one in strikes)


def apply_combination(settings: bpy.types.PropertyGroup, text: str, scene: bpy.types.Scene) -> None:
    """Replace a character's strikes with a combination, from the frame of the first strike or the current frame.

    Existing strikes keep their targets and weapons; additional strikes get the target and weapon of the last existing
    strike.
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
    """Copy the target and the weapon of a strike to another."""
    for name in AIM_PROPERTIES:
        setattr(strike, name, getattr(source, name))


def _seconds(text: str) -> float:
    """Parse a time in a preset, seconds; return zero if it is damaged."""
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), MAX_SECONDS) if math.isfinite(seconds) else 0.0
