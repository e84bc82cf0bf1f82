"""Combinations of strikes as text for presets: end effectors and their times in seconds."""

import math
from typing import Final

import bpy

from ...animation.fcurve_io.reader import scene_rate

STRIKE: Final = "strike"
"""Type of a beat that strikes."""
AIM_PROPERTIES: Final = ("weapon", "both_hands", "target", "bone", "place", "vertex", "corners", "shares")
"""Properties of a strike about its target and its weapon."""
MAX_STRIKES: Final = 200
"""Largest number of strikes read from a combination."""
MAX_SECONDS: Final = 1e4


def write_combination(settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
    """Return a character's strikes that end at a frame as text: end effectors and seconds since the first of them."""
    strikes = sorted((one for one in _strikes(settings) if one.has_end), key=lambda one: one.end_frame)
    rate = scene_rate(scene)
    return " ".join(f"{one.effector}:{(one.end_frame - strikes[0].end_frame) / rate:.3f}" for one in strikes)


def apply_combination(settings: bpy.types.PropertyGroup, text: str, scene: bpy.types.Scene) -> None:
    """Replace a character's strikes with a combination, from the end of the first one, or from the current frame.

    Existing strikes keep their targets and weapons; additional strikes follow the last one, and get its target and
    weapon.
    """
    beats, ends = settings.interaction_tasks, [one.end_frame for one in _strikes(settings) if one.has_end]
    first = min(ends, default=scene.frame_current)
    kinds = beats.add().bl_rna.properties["effector"].enum_items.keys()
    beats.remove(len(beats) - 1)
    parts = [part.partition(":") for part in text.split()][:MAX_STRIKES]
    wanted = [(kind, _seconds(time)) for kind, _, time in parts if kind in kinds]
    places = [index for index, one in enumerate(beats) if one.type == STRIKE]
    for index in reversed(places[len(wanted) :]):
        beats.remove(index)
    for number, (kind, seconds) in enumerate(wanted):
        if number == len(places):
            places.append(places[-1] + 1 if places else len(beats))
            beats.add()
            beats.move(len(beats) - 1, places[number])
            beats[places[number]].type = STRIKE
            if number:
                _copy_aim(beats[places[number - 1]], beats[places[number]])
        beat = beats[places[number]]
        beat.effector, beat.has_end, beat.end_marker = kind, True, ""
        beat.end_frame = first + round(seconds * scene_rate(scene))


def _strikes(settings: bpy.types.PropertyGroup) -> list[bpy.types.PropertyGroup]:
    """Return a character's beats that strike."""
    return [one for one in settings.interaction_tasks if one.type == STRIKE]


def _copy_aim(source: bpy.types.PropertyGroup, strike: bpy.types.PropertyGroup) -> None:
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
