"""From a character's cues to what its walk is told."""

from typing import Final

import bpy
import numpy as np

from ...core.control.path.path_events import Cues, CueSpan, CueUnit, Facing, Wait
from ...core.errors import FootfallError
from ...core.motion.rotations import Array
from ..animation.fcurve_io.reader import scene_rate
from ..scene.mesh_ground import Clock
from ..scene.mesh_ground.moving import may_move
from ..scene.path_reader import WorldPath

LOOKED_AT: Final = 120.0
"""Seconds for which a target that moves is followed; after them it stays where it is."""


def cues_of(armature: bpy.types.Object, scene: bpy.types.Scene, path: WorldPath, clock: Clock) -> Cues:
    """The cues of an armature's walk along a path.

    Args:
        armature: whose.
        scene: whose frames and markers are meant.
        path: as it is drawn.
        clock: which of the scene's frames a frame of the walk is.

    Raises:
        FootfallError: a cue says nothing, or what it names is gone.
    """
    settings = armature.footfall
    stretches: list[CueSpan] = []
    waits: list[Wait] = []
    for number, cue in enumerate(settings.cues, start=1):
        start, end, unit = _place(cue, number, scene, clock)
        if cue.kind == "WAIT":
            waits.append(Wait(start, cue.seconds, unit))
            continue
        if end <= start:
            raise FootfallError(f"Cue {number} ends where it begins or before: choose a later end.")
        stretches.append(_stretch(cue, number, (start, end, unit), scene, clock))
    paces = path.paces if settings.speed_by_radius else None
    return Cues(tuple(stretches), tuple(waits), paces)


def _stretch(
    cue: bpy.types.PropertyGroup, number: int, where: tuple[float, float, CueUnit], scene: bpy.types.Scene, clock: Clock
) -> CueSpan:
    if cue.kind == "SPEED":
        return CueSpan(*where, speed=float(cue.speed))
    if cue.kind == "STYLE":
        return CueSpan(*where, style=cue.style)
    if cue.kind == "TURN":
        return CueSpan(*where, facing=Facing(float(cue.turn)))
    if cue.target is None:
        raise FootfallError(f"Cue {number} looks at nothing: choose its target.")
    return CueSpan(*where, facing=Facing(target=places_of(cue.target, scene, clock)))


def _place(
    cue: bpy.types.PropertyGroup, number: int, scene: bpy.types.Scene, clock: Clock
) -> tuple[float, float, CueUnit]:
    """Where a cue begins and ends, and in which unit."""
    if cue.unit == "METRES":
        return float(cue.start), float(cue.end), "metres"
    frames = (cue.first, cue.last) if cue.unit == "FRAMES" else _marked(cue, number, scene)
    start, end = ((frame - clock.start) / scene_rate(scene) for frame in frames)
    return max(start, 0.0), end, "seconds"


def _marked(cue: bpy.types.PropertyGroup, number: int, scene: bpy.types.Scene) -> tuple[int, int]:
    """The frames of a cue's markers; without a second one, that of the marker that follows."""
    found = scene.timeline_markers.get(cue.first_marker)
    if found is None:
        raise FootfallError(f"Cue {number} begins at no marker of the timeline: choose one.")
    if cue.last_marker:
        last = scene.timeline_markers.get(cue.last_marker)
        if last is None:
            raise FootfallError(f"The marker '{cue.last_marker}' of cue {number} is gone: choose another.")
        return found.frame, last.frame
    later = [marker.frame for marker in scene.timeline_markers if marker.frame > found.frame]
    return found.frame, min(later, default=scene.frame_end)


def places_of(target: bpy.types.Object, scene: bpy.types.Scene, clock: Clock) -> Array:
    """Where (T, 2) an object is at each frame of a walk, metres; (1, 2) where it stands still."""
    if target not in may_move():
        return np.array([target.matrix_world.translation[:2]])
    current = scene.frame_current, scene.frame_subframe
    last = int(LOOKED_AT * scene_rate(scene))
    try:
        places = []
        for frame in range(last + 2):
            scene.frame_set(int(clock.start) + frame)
            places.append(target.matrix_world.translation[:2])
    finally:
        scene.frame_set(current[0], subframe=current[1])
    frames = np.arange(0.0, last, clock.step)
    return np.stack([np.interp(frames, np.arange(last + 2), axis) for axis in np.array(places).T], axis=-1)
