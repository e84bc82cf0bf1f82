"""Bakes with edited steps and retimed stretches."""

from dataclasses import dataclass, field
from typing import Final

import bpy
import numpy as np

from ....core.control.edit.foot import foot_named
from ....core.control.edit.retiming import Stretch, retime
from ....core.control.edit.step_edit import StepEdit, edit_steps, find_step
from ....core.control.performance import Performance
from ....core.message import Message
from ....core.motion.rotations import Array, wrap_angle
from ....core.terrain.ground import Scene
from ...ui.translations import translate_interface
from ...units import to_units, world_location
from ..clock import BakeClock

TIMES_PROPERTY: Final = "footfall_walk_times"
"""Property of a retimed action: the time before retiming, seconds, at each frame of the scene."""


@dataclass(frozen=True, eq=False)
class EditedSteps:
    """A motion with a character's edits of steps and timing.

    Attributes:
        performance: the motion.
        homes: position (3), meters, and yaw of the foot of each used step without its edit, by index in the list.
        issues: sentences about steps that could not be placed as edited, by index in the list.
        times: (F) time before retiming at each frame, seconds.
    """

    performance: Performance
    homes: dict[int, tuple[Array, float]] = field(default_factory=dict)
    issues: dict[int, Message] = field(default_factory=dict)
    times: Array = field(default_factory=lambda: np.zeros(0))


def with_edited_steps(
    armature: bpy.types.Object, performance: Performance, ground: Scene, clock: BakeClock
) -> EditedSteps:
    """Apply a character's edited steps and retimed stretches to a motion; return the result.

    Raises:
        FootfallError: an edit of a step or a stretch is impossible.
    """
    settings, rate = armature.footfall, clock.rate
    edits, homes = dict[int, StepEdit](), dict[int, tuple[Array, float]]()
    for index, item in enumerate(settings.edited_steps):
        if item.is_used:
            edits[index] = _read_step(item, clock)
            home = _home(performance, edits[index])
            if home is not None:
                homes[index] = home
    edited, told = edit_steps(performance, list(edits.values()), ground)
    places = list(edits)
    stretches = [_read_stretch(item, clock) for item in settings.retimed_stretches if item.is_used]
    made, times = retime(edited, stretches, ground)
    issues = {places[number]: issue for number, issue in told.items()}
    return EditedSteps(made, homes, issues, times / rate if stretches else np.zeros(0))


def store_edited_steps(
    armature: bpy.types.Object, action: bpy.types.Action, edited: EditedSteps, clock: BakeClock
) -> None:
    """Update the edited steps in the list and at the footprints, and store the times of a retimed bake."""
    settings = armature.footfall
    for index, item in enumerate(settings.edited_steps):
        item.issue = translate_interface(edited.issues[index]) if index in edited.issues else ""
        if index not in edited.homes:
            continue
        shift, turn = _displacement(item)
        item.home, item.home_yaw = edited.homes[index]
        if item.handle is not None:
            item.handle.location = to_units(np.array(item.home) + np.append(shift, 0.0))
            item.handle.rotation_euler = (0.0, 0.0, item.home_yaw + turn)
        seconds = item.time if not len(edited.times) else float(np.searchsorted(edited.times, item.time)) / clock.rate
        item.frame = clock.start_frame + round(seconds * clock.scene_rate)
    if len(edited.times):
        rates = clock.rate / clock.scene_rate
        at = np.minimum(np.arange(int(len(edited.times) / rates) + 1) * rates, len(edited.times) - 1)
        action[TIMES_PROPERTY] = np.interp(at, np.arange(len(edited.times)), edited.times).tolist()
    elif TIMES_PROPERTY in action:
        del action[TIMES_PROPERTY]


def time_before(action: bpy.types.Action, frame: int, rate: float) -> float:
    """Return the time, seconds, that a frame of a retimed bake had before retiming."""
    times = action.get(TIMES_PROPERTY)
    return frame / rate if times is None else float(np.array(times)[min(frame, len(times) - 1)])


def _read_step(item: bpy.types.PropertyGroup, clock: BakeClock) -> StepEdit:
    """Return the step edit that an item of the list describes."""
    shift, turn = _displacement(item)
    earlier, later = (frames / clock.scene_rate for frames in (item.earlier, item.later))
    return StepEdit(item.foot, round(item.time * clock.rate), shift, turn, earlier, later)


def _read_stretch(item: bpy.types.PropertyGroup, clock: BakeClock) -> Stretch:
    """Return the retimed stretch that an item of the list describes."""
    first, last = clock.frame_of(item.first), clock.frame_of(item.last)
    return Stretch(first, last, item.ratio)


def _displacement(item: bpy.types.PropertyGroup) -> tuple[Array, float]:
    """Return how far a step's footprint is from its unedited place: displacement (2), meters, and turn, radians."""
    if item.handle is None:
        return np.zeros(2), 0.0
    turn = float(wrap_angle(item.handle.matrix_world.to_euler().z - item.home_yaw))
    return world_location(item.handle)[:2] - np.array(item.home)[:2], turn


def _home(performance: Performance, edit: StepEdit) -> tuple[Array, float] | None:
    """Return the ankle position of a step in mid-contact, and the foot's yaw; ``None`` without a contact."""
    clip, contacts = performance.clip, performance.contacts
    foot = foot_named(clip.skeleton, edit.side)
    index = find_step(contacts, foot, edit.frame, clip.rate)
    if index is None:
        return None
    start, stop = foot.runs(contacts)[index]
    middle = int(start + stop - 1) // 2
    return foot.places(clip)[middle], foot.yaw(clip, middle)
