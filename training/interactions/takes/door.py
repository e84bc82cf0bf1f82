"""Takes of opening doors; since no clip shows that, a hand of a walking character is moved to the handle by IK.

A pushed door swings away ahead of the character, led by the hand on its handle, is released when wide open, and falls
shut behind the character. Other doors are pulled, see :mod:`pulled_door`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.control.interaction.door import TUNING as DOOR_TUNING
from ....core.control.interaction.wrist_targets import palm_offset, wrist_on_handle
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.blending import smooth_falloff
from ....core.motion.root_frame import facing_direction, root_track, yaw_of
from ....core.motion.rotations import Array, rotate, rotation_about_up
from ....core.scene.affordances import Handle
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from ..props.doors import Door
from ..take import InteractionTake, frame_origins
from ..take_assembly import begin_turned, trim_walk
from ..take_labels import TakeAction, action_weights, label_take, locomotion_actions
from ..walk_library import WalkLibrary
from .door_objects import make_leaf, make_wall
from .pulled_door import make_pulled_door_take


@dataclass(frozen=True, slots=True)
class DoorTuning(Tuning):
    handle_distance: tuple[float, float] = tuned((0.46, 0.58), "m", 0.2, 1.0)
    """Range of the handle's distance ahead of the hips during the passage."""
    release_angle: float = tuned(np.radians(73.0), "rad", 0.1, np.pi)
    """Angle of the door at which it is released."""
    reach: int = tuned(32, "frames", 1, 240)
    """Frames in which a hand reaches for the handle, and in which it withdraws."""
    lateral_offset: tuple[float, float] = tuned((0.0, 0.12), "m", 0.0, 0.4)
    """Range of the path's offset from the door's middle, toward the handle's side."""
    pulled_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of doors that are pulled."""


TUNING: Final = DoorTuning()


@dataclass(frozen=True, slots=True)
class _DoorFrames:
    """Frames of a take: start of the reach, grasp, release, end of the reach, and end of the passage."""

    reach_start: int
    grasp: int
    release: int
    reach_end: int
    through: int


def make_door_take(walk_library: WalkLibrary, source: ClipSource, seed: int) -> InteractionTake | None:
    """Make a take of walking through a door; return ``None`` if the door does not fit the walk."""
    if np.random.default_rng([seed, 12]).random() < TUNING.pulled_share:
        return make_pulled_door_take(walk_library, source, seed)
    return make_pushed_door_take(walk_library, source, seed)


def make_pushed_door_take(
    walk_library: WalkLibrary, source: ClipSource, seed: int, door: Door | None = None
) -> InteractionTake | None:
    """Make a take of pushing a door open and walking through; return ``None`` if the door does not fit the walk."""
    generator = np.random.default_rng([seed, 4])
    walk, at = walk_library.draw_straight(generator)
    trimmed = trim_walk(walk, generator)
    middle = int(np.argmin(np.linalg.norm(root_track(trimmed.clip).positions - at, axis=1)))
    made = begin_turned(trimmed, generator)
    clip = walk_library.with_locked_feet(made.motion.clip)
    door = door or _draw_door(generator)
    track = root_track(clip)
    crossing = middle + len(made) - len(trimmed)
    around = slice(max(crossing - 60, 0), crossing + 60)
    line = track.positions[around]
    yaw = float(yaw_of(line[-1] - line[0]))
    # The front faces the character, which walks toward -Y of the door.
    turn = rotation_about_up(np.array(yaw + np.pi))
    handle = door.affordance()
    aside = np.sign(-handle.position[0]) * float(generator.uniform(*TUNING.lateral_offset))
    sill = np.append(track.positions[crossing], 0.0) + rotate(turn, np.array([aside, 0.0, 0.0]))
    angles, events = _door_angles(clip, sill, yaw, door, float(generator.uniform(*TUNING.handle_distance)))
    if events is None:
        return None
    clip = _lead_hand(clip, sill, turn, angles, handle, events)
    objects = make_leaf(door, sill, yaw + np.pi, angles), make_wall(door, sill, turn, len(clip), generator)
    action = _door_action(clip, events, handle.pushing_hand, made.steps)
    return label_take(clip, action, objects, generator, seed, source)


def _draw_door(generator: np.random.Generator) -> Door:
    return Door(
        width=float(generator.uniform(0.8, 1.05)),
        height=float(generator.uniform(1.95, 2.2)),
        handle_height=float(generator.uniform(0.92, 1.12)),
        hinge_side=int(generator.choice([-1, 1])),
    )


def _door_angles(clip: Clip, sill: Array, yaw: float, door: Door, clear: float) -> tuple[Array, _DoorFrames | None]:
    """Return the signed opening angle (F), rad, and the frames of the events; ``None`` if some event is missing."""
    track, handle = root_track(clip), door.affordance()
    beyond = (track.positions - sill[:2]) @ facing_direction(np.array(yaw))
    radius = handle.hinge_distance
    share = np.clip((beyond + clear) / radius, 0.0, 1.0)
    angle = gaussian_filter1d(np.maximum.accumulate(np.arcsin(share)), 4.0)
    held, open_, passed = (
        np.flatnonzero(rows)
        for rows in (angle > 0.01, angle > TUNING.release_angle, beyond > radius + DOOR_TUNING.passed_distance)
    )
    if not len(held) or not len(open_) or not len(passed) or held[0] < TUNING.reach:
        return angle, None
    holds, lets, through = int(held[0]), int(open_[0]), int(passed[0])
    frames = np.arange(len(clip))
    angle[lets:] = angle[lets]
    fallen = 0.1 ** (np.maximum(frames - through, 0) / (DOOR_TUNING.closing * clip.rate))
    # The leaf turns toward -Y; the side of its hinge determines the sign.
    sign = -1.0 if handle.position[0] > handle.hinge[0] else 1.0
    events = _DoorFrames(holds - TUNING.reach, holds, lets, min(lets + TUNING.reach, len(clip) - 1), through)
    return sign * angle * fallen, events


def _lead_hand(clip: Clip, sill: Array, turn: Array, angles: Array, handle: Handle, events: _DoorFrames) -> Clip:
    frames = np.clip(np.arange(len(clip)), events.grasp, events.release)
    pivot = sill + rotate(turn, handle.hinge)
    swings = rotation_about_up(angles[frames])
    own = wrist_on_handle(handle, palm_offset(clip.skeleton.leg_length)) - handle.hinge
    wanted = pivot + rotate(swings, np.tile(rotate(turn, own), (len(clip), 1)))
    away = np.maximum(events.grasp - np.arange(len(clip)), np.arange(len(clip)) - events.release)
    weight = smooth_falloff(np.clip(away / TUNING.reach, 0.0, 1.0))
    return solve_full_body_ik(clip, [EffectorGoal(f"hand.{handle.pushing_hand}", wanted, weight)])


def _door_action(clip: Clip, events: _DoorFrames, hand: str, steps: Sequence[range]) -> TakeAction:
    """Return the action of a door take; while the door is opened, walking has weight too."""
    count = len(clip)
    opens = action_weights(count, (events.reach_start, events.grasp), (events.release, events.reach_end))
    actions = locomotion_actions(clip)
    actions[:, ACTIONS.index("open")] = opens
    contacts = np.zeros((count, 5))
    contacts[events.grasp : events.release + 1, 1 + "LR".index(hand)] = 1.0
    built = frame_origins(count, composed=[*steps, range(events.reach_start, events.reach_end)])
    return TakeAction("open a door", "open", events.through, actions, contacts, label_clip(clip).phase, built)
