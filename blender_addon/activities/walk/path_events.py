"""From a character's path events to the inputs of its walk."""

import bpy

from ....core.control.path.path_events import BallCue, Cues, CueSpan, CueUnit, Facing, Jump, Wait
from ....core.errors import FootfallError
from ...animation.fcurve_io.reader import scene_rate
from ...scene.mesh_ground import Clock
from ...scene.path_reader import WorldPath
from .ball_cues import BALL_ACTIONS, read_ball_cue
from .cue_targets import target_positions


def read_path_events(armature: bpy.types.Object, scene: bpy.types.Scene, path: WorldPath, clock: Clock) -> Cues:
    """Return the path events of an armature's walk along a path.

    Args:
        armature: the armature.
        scene: the scene of the frames and markers.
        path: the drawn path.
        clock: clock that maps frames of the walk to scene frames.

    Raises:
        FootfallError: a path event is incomplete, or refers to a deleted object or marker.
    """
    settings = armature.footfall
    stretches: list[CueSpan] = []
    waits: list[Wait] = []
    jumps: list[Jump] = []
    balls: list[BallCue] = []
    for number, cue in enumerate(settings.path_events, start=1):
        start, end, unit = _event_range(cue, number, scene, clock)
        if cue.type == "WAIT":
            waits.append(Wait(start, cue.duration, unit))
            continue
        if cue.type == "JUMP":
            jumps.append(Jump(start, unit))
            continue
        if cue.type in BALL_ACTIONS:
            balls.append(read_ball_cue(cue, number, (start, end, unit), armature, scene, clock))
            continue
        if end <= start:
            raise FootfallError("Event {number} does not end after its start: choose a later end", number=number)
        stretches.append(_make_event(cue, number, (start, end, unit), scene, clock))
    paces = path.point_radii if settings.speed_from_radius else None
    return Cues(tuple(stretches), tuple(waits), paces, tuple(balls), tuple(jumps))


def _make_event(
    event: bpy.types.PropertyGroup,
    number: int,
    event_range: tuple[float, float, CueUnit],
    scene: bpy.types.Scene,
    clock: Clock,
) -> CueSpan:
    if event.type == "SPEED":
        return CueSpan(*event_range, speed=float(event.speed))
    if event.type == "STYLE":
        return CueSpan(*event_range, style=event.style)
    if event.type == "HAND":
        return CueSpan(*event_range, hand=event.hand.lower())
    if event.type == "STRAFE":
        return CueSpan(*event_range, facing=Facing(float(event.angle)))
    if event.target is None:
        raise FootfallError("Event {number} has no target: choose an object", number=number)
    places = target_positions(event.target, scene, clock)
    if event.type == "LOOK_AT":
        return CueSpan(*event_range, gaze=places)
    return CueSpan(*event_range, facing=Facing(target=places[:, :2]))


def _event_range(
    event: bpy.types.PropertyGroup, number: int, scene: bpy.types.Scene, clock: Clock
) -> tuple[float, float, CueUnit]:
    """Return the start and end of a path event, and the unit in which they are given."""
    if event.range_type == "DISTANCE":
        return float(event.start_distance), float(event.end_distance), "meters"
    frames = (
        (event.start_frame, event.end_frame) if event.range_type == "FRAMES" else _marker_range(event, number, scene)
    )
    start, end = ((frame - clock.start) / scene_rate(scene) for frame in frames)
    return max(start, 0.0), end, "seconds"


def _marker_range(event: bpy.types.PropertyGroup, number: int, scene: bpy.types.Scene) -> tuple[int, int]:
    """Return the start and end frames of a path event, by its markers; the end defaults to the next marker."""
    found = scene.timeline_markers.get(event.start_marker)
    if found is None:
        raise FootfallError("Event {number} has no start marker: choose a timeline marker", number=number)
    if event.end_marker:
        last = scene.timeline_markers.get(event.end_marker)
        if last is None:
            raise FootfallError(
                "Event {number} refers to the marker '{marker}', which was deleted: choose another one",
                marker=event.end_marker,
                number=number,
            )
        return found.frame, last.frame
    later = [marker.frame for marker in scene.timeline_markers if marker.frame > found.frame]
    return found.frame, min(later, default=scene.frame_end)
