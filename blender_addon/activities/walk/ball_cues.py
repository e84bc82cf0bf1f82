"""From path events about a ball to the inputs of a walk, and detection of obstacles in flights."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ....core.ball.ball_track import BallTrack
from ....core.control.path.path_events import BallActionName, BallCue, CueUnit
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.signals import Mask, runs_of
from ...label.ball_object import BALL_PROPERTY
from ...scene.mesh_ground import Clock
from ...units import require_meters_for_ball
from .cue_targets import target_positions
from .passes import hands_of

BALL_ACTIONS: Final[Mapping[str, BallActionName]] = {
    "HOLD": "hold",
    "PICK_UP": "pick_up",
    "PASS": "pass",
    "CATCH": "catch",
    "SHOOT": "shoot",
}
"""Actions with a ball by kinds of path events."""
MISSING_TARGETS: Final = {
    "PASS": "Event {number} has no target to pass to: choose one",
    "CATCH": "Event {number} has no target to catch from: choose where the ball comes from",
    "SHOOT": "Event {number} has no target to shoot at: choose the hoop",
}
"""Sentences about path events without a target, or whose target was deleted."""
MAX_CROSSINGS: Final = 20
"""Largest number of surfaces of characters and balls along a frame's flight; beyond it, the rest counts as free."""


def read_ball_cue(
    event: bpy.types.PropertyGroup,
    number: int,
    event_range: tuple[float, float, CueUnit],
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    clock: Clock,
) -> BallCue:
    """Return the action with the ball that a path event describes.

    Args:
        event: one of :data:`BALL_ACTIONS`.
        number: number of the event in the list, from 1 on.
        event_range: start and end of the event, and their unit.
        armature: the character.
        scene: the scene.
        clock: clock that maps frames of the walk to scene frames.

    Raises:
        FootfallError: the target is missing, or the character itself, or a character without an action.
    """
    require_meters_for_ball()
    start, end, unit = event_range
    if event.type == "HOLD" and end <= start:
        raise FootfallError("Event {number} does not end after its start: choose a later end", number=number)
    target, action = event.target, BALL_ACTIONS[event.type]
    if target is None or event.type == "HOLD":
        if event.type in MISSING_TARGETS:
            raise FootfallError("{reason}", reason=Message(MISSING_TARGETS[event.type], number=number))
        return BallCue(action, start, end, unit)
    if not target.users_scene:
        raise FootfallError(
            "The target '{name}' of event {number} was deleted: choose another one", name=target.name, number=number
        )
    if armature in (target, target.find_armature(), target.parent):
        raise FootfallError(
            "The target of event {number} is the character itself: choose another object", number=number
        )
    if target.type == "ARMATURE" and event.type in ("PASS", "CATCH"):
        places, meetings = hands_of(target, armature, event.type, scene, clock)
        return BallCue(action, start, end, unit, places, with_other=True, meetings=meetings)
    return BallCue(action, start, end, unit, target_positions(target, scene, clock), float(event.rim_radius))


def why_no_target(settings: bpy.types.PropertyGroup) -> str | None:
    """Return the reason why a character's ball events cannot be baked, such as a missing target; `None` if they can."""
    for number, event in enumerate(settings.path_events, start=1):
        if event.type in MISSING_TARGETS and event.target is None:
            return Message(MISSING_TARGETS[event.type], number=number)
    return None


def require_free_flight(
    track: BallTrack, elsewhere: Mask, targets: Iterable[bpy.types.Object], context: bpy.types.Context
) -> None:
    """Raise an error if a ball flies through an object of the scene before it first touches the ground.

    Characters, balls and the targets of the cues, such as a hoop, are ignored.

    Args:
        track: the ball at the scene's frames.
        elsewhere: (F) whether another character has the ball, whose bake has checked these frames.
        targets: objects to ignore.
        context: the context of the scene in its current state.

    Raises:
        FootfallError: an object is in the way.
    """
    spared = set(targets)
    low = track.positions[:, 2] < track.positions[:, 2].min() + 0.5 * track.radius
    flies = ~np.any(track.contacts, axis=1) & ~low & ~elsewhere
    for start, stop in runs_of(flies):
        after_release = start > 0 and track.contacts[start - 1].any()
        before_catch = stop < len(track) and track.contacts[stop].any()
        if not after_release and not before_catch:
            continue
        points = track.positions[max(start - 1, 0) : stop]
        for place, end in pairwise(points):
            hit = _first_in_the_way(place, end, spared, context)
            if hit is not None:
                raise FootfallError(
                    "The ball would hit '{name}' after {distance} m of flight: move the event, its target, or "
                    "the obstacle",
                    name=hit.name,
                    distance=f"{np.linalg.norm(place - points[0]):.1f}",
                )


def _first_in_the_way(
    start: np.ndarray, end: np.ndarray, spared: set[bpy.types.Object], context: bpy.types.Context
) -> bpy.types.Object | None:
    """Return the first object that blocks the line between two points (3); `None` if it is free."""
    graph, place, goal = context.evaluated_depsgraph_get(), Vector(start.tolist()), Vector(end.tolist())
    for _ in range(MAX_CROSSINGS):
        way = goal - place
        if way.length < 1e-6:
            return None
        found, where, _, _, thing, _ = context.scene.ray_cast(graph, place, way.normalized(), distance=way.length)
        if not found:
            return None
        thing = thing.original
        is_spared = thing in spared or thing.parent in spared or thing.find_armature() is not None
        if not is_spared and BALL_PROPERTY not in thing:
            return thing
        place = where + 1e-4 * way.normalized()
    return None
