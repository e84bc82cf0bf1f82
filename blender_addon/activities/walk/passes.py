"""Passes between characters: positions of the other character's hands, times of their contacts, and one common ball."""

from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np

from ....core.ball.ball_track import BallTrack
from ....core.ball.other_hands import ball_places, exchange_frames
from ....core.control.ball.ball_plan import RELEASE_RATIO
from ....core.control.path.path import Path
from ....core.errors import FootfallError
from ....core.features.ball import HAND_SENSORS
from ....core.jobs.steps import finished
from ....core.message import Message
from ....core.motion.rotations import Array
from ....core.motion.signals import Mask
from ...animation.fcurve_io.body_reader import read_body
from ...animation.fcurve_io.reader import scene_rate
from ...label.ball_object import ball_motion, find_ball, played_ball
from ...rig.store import mapped_skeleton, rig_map_of
from ...scene.mesh_ground import Clock
from ...scene.path_reader import read_path

COUNTERPARTS: Final = {"PASS": "CATCH", "CATCH": "PASS"}
"""Corresponding path events of the other character."""


def partners_of(armature: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the characters that an armature passes to or catches from in its path events."""
    for event in armature.footfall.path_events:
        if event.type in COUNTERPARTS and event.target is not None and event.target.type == "ARMATURE":
            yield event.target


def common_ball(armature: bpy.types.Object) -> bpy.types.Object | None:
    """Return the ball that a character shares with its passing partners, else its own ball, if any."""
    others = (played_ball(other) for other in partners_of(armature))
    return next((ball for ball in others if ball is not None), None) or find_ball(armature)


def waiting_partners(armature: bpy.types.Object) -> list[str]:
    """Return sentences about an armature's passing partners that have not been baked yet."""
    others = {other.name: other for other in partners_of(armature)}
    return [
        Message("Bake '{name}' next: it passes or catches the ball, too", name=name)
        for name, other in others.items()
        if _action_of(other) is None
    ]


def hands_of(
    target: bpy.types.Object, armature: bpy.types.Object, kind: str, scene: bpy.types.Scene, clock: Clock
) -> tuple[Array, tuple[float, ...]]:
    """Return another character's ball positions (T, 3) at the frames of a walk, and its contact times.

    The position is that of the ball while the hands touch it, otherwise the point between the hands. For a character
    that is not baked yet, it is the place of its own catch or pass.

    Args:
        target: the other character.
        armature: the walking character.
        kind: kind of the walking character's path event, ``"PASS"`` or ``"CATCH"``.
        scene: the scene of the actions.
        clock: clock that maps frames of the walk to scene frames.

    Returns:
        Positions, meters, world, and times since the first frame of the walk, seconds, at which both hands catch a
        ball, for a pass, or release it, for a catch.

    Raises:
        FootfallError: the position is unknown, or the other character has no hands.
    """
    action = _action_of(target)
    if action is None:
        return _planned_place(target, armature, kind), ()
    clip, first = finished(read_body(target, action, scene, rig_map_of(target)))
    frames = np.arange(first, first + len(clip))
    contacts = np.zeros((len(frames), len(HAND_SENSORS)), dtype=bool)
    for span in action.footfall.segments:
        if span.name in HAND_SENSORS:
            contacts[:, HAND_SENSORS.index(span.name)] |= (frames >= span.start) & (frames <= span.end)
    ball = played_ball(target)
    motion = None if ball is None else ball_motion(ball)
    track = None if motion is None else motion[1][np.clip(frames - motion[0], 0, len(motion[1]) - 1)]
    places = ball_places(clip, contacts, track)
    count = int((first + len(clip) - clock.start) / clock.step) + 1
    at = np.clip(clock.start + clock.step * np.arange(max(count, 1)) - first, 0, len(clip) - 1)
    places = np.column_stack([np.interp(at, np.arange(len(clip)), axis) for axis in places.T])
    exchanged = np.array(exchange_frames(contacts, "pass" if kind == "PASS" else "catch"), dtype=float)
    times = (first + exchanged - clock.start) / scene_rate(scene)
    return places, tuple(times[times > 0.0].tolist())


def one_ball(
    own: BallTrack, elsewhere: Mask, first_frame: int, armature: bpy.types.Object, places: Array
) -> tuple[BallTrack, int]:
    """Combine the ball's tracks in the bakes of all its characters; return it and its first scene frame.

    While another character has the ball, it moves as in that character's bake or, without a bake, with the hands.

    Args:
        own: the ball of a character's bake, at the scene's rate.
        elsewhere: (F) whether another character has the ball.
        first_frame: scene frame of the ball's first frame.
        armature: the character.
        places: (N, 3) positions of the hands of the last receiver, from the first frame on, meters.
    """
    if not elsewhere.any():
        return own, first_frame
    played = (played_ball(other) for other in partners_of(armature))
    motion = next((ball_motion(ball) for ball in played if ball is not None), None)
    turns = np.broadcast_to(own.rotations[-1], (len(places), 4))
    start, there, turned = (first_frame, places, turns) if motion is None else motion
    last = len(own) - 1 + first_frame
    begin = min(start, first_frame) if elsewhere[0] else first_frame
    end = max(start + len(there) - 1, last) if elsewhere[-1] else last
    frames = np.arange(begin, end + 1)
    theirs, ours = np.clip(frames - start, 0, len(there) - 1), np.clip(frames - first_frame, 0, len(own) - 1)
    is_own = (frames >= first_frame) & (frames <= last) & ~elsewhere[ours]
    track = BallTrack(
        own.rate,
        own.radius,
        np.where(is_own[:, None], own.positions[ours], there[theirs]),
        np.where(is_own[:, None], own.rotations[ours], turned[theirs]),
        own.contacts[ours] & is_own[:, None],
    )
    return track, begin


def _planned_place(target: bpy.types.Object, armature: bpy.types.Object, kind: str) -> Array:
    """Return the hand position (1, 3) planned for a character without a bake; arguments as for :func:`hands_of`."""
    settings, counterpart = target.footfall, COUNTERPARTS[kind]
    event = next((one for one in settings.path_events if (one.type, one.target) == (counterpart, armature)), None)
    if event is None or settings.path is None or event.range_type != "DISTANCE":
        raise FootfallError(
            "'{name}' has no action, so it is unknown where its hands are: bake it first, or give it a path with an "
            "event Catch Ball and '{passer}' as the target"
            if kind == "PASS"
            else "'{name}' has no action, so it is unknown where its hands are: bake it first, or give it a path with "
            "an event Pass Ball and '{passer}' as the target",
            name=target.name,
            passer=armature.name,
        )
    drawn = read_path(settings.path)
    path = Path(drawn.points)
    legs = mapped_skeleton(target, rig_map_of(target)).leg_length
    place = path.position_at(min(float(event.start_distance), path.length))
    return np.array([[*place, drawn.mean_height + RELEASE_RATIO[counterpart.lower()] * legs]])


def _action_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Return the action assigned to an armature; ``None`` without one."""
    return armature.animation_data.action if armature.animation_data else None
