"""Bakes with inserted clips."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np

from ....core.control.edit.clip_insertion import Insertion, Seams, insert_clip, largest_seam_move, seam_speeds
from ....core.control.performance import Performance
from ....core.errors import FootfallError
from ....core.jobs.steps import finished
from ....core.labelling import label_clip
from ....core.message import Message
from ....core.motion.contacts import FootContacts
from ....core.terrain.ground import Scene
from ...animation.fcurve_io.body_reader import read_body
from ...label.labels import read_labels
from ...rig.sole_height import sole_offset
from ...rig.store import rig_map_of
from ...ui.translations import translate_interface
from ..clock import BakeClock

MAX_SPEED_STEP_M_S: Final = 0.6
"""Speed difference between clip and walk at a seam above which it is reported, m/s."""


@dataclass(frozen=True, eq=False)
class InsertedClips:
    """A motion with the clips of a character's list.

    Attributes:
        performance: the motion.
        issues: sentences about clips that hardly fit, by index in the list.
    """

    performance: Performance
    issues: dict[int, Message]


def with_inserted_clips(
    armature: bpy.types.Object, scene: bpy.types.Scene, performance: Performance, ground: Scene, clock: BakeClock
) -> InsertedClips:
    """Insert the clips in a character's list into a motion, earliest first; return the result.

    Raises:
        FootfallError: an action is missing, or cannot be inserted at its frame.
    """
    issues = dict[int, Message]()
    used = [(item.frame, index) for index, item in enumerate(armature.footfall.inserted_clips) if item.is_used]
    for frame, index in sorted(used):
        item = armature.footfall.inserted_clips[index]
        if item.action is None:
            raise FootfallError(
                "Inserted clip {number} has no action: choose one, or remove the clip", number=index + 1
            )
        if performance.ball is not None:
            raise FootfallError(
                "Clips cannot be inserted into a dribble, as the ball would be lost: remove the clip, or set Ball to "
                "No Ball"
            )
        insertion = _read_insertion(armature, scene, item, clock.frame_of(frame), clock.rate)
        made, seams = insert_clip(performance, insertion, ground)
        issues |= dict(_issues(index, item.action.name, made, performance, insertion, seams))
        performance = made
    return InsertedClips(performance, issues)


def store_inserts(armature: bpy.types.Object, inserted: InsertedClips) -> None:
    """Mark the clips in the list that hardly fit."""
    for index, item in enumerate(armature.footfall.inserted_clips):
        item.issue = translate_interface(inserted.issues[index]) if index in inserted.issues else ""


def _read_insertion(
    armature: bpy.types.Object, scene: bpy.types.Scene, item: bpy.types.PropertyGroup, frame: int, rate: float
) -> Insertion:
    """Return the insertion that an item of the list describes."""
    clip, first = finished(read_body(armature, item.action, scene, rig_map_of(armature)))
    labels = read_labels(armature, item.action, clip, first) if item.action.footfall.segments else label_clip(clip)
    offset = np.array([0.0, 0.0, sole_offset(clip.skeleton, armature) + labels.ground])
    clip = replace(clip, root_positions=clip.root_positions - offset).resampled(rate)
    marks = labels.resampled(rate, len(clip))
    return Insertion(frame, clip, FootContacts(marks.contacts[:, :4]), item.repeats)


def _issues(
    index: int, name: str, made: Performance, walk: Performance, insertion: Insertion, seams: Seams
) -> Iterator[tuple[int, Message]]:
    """Yield a message about a clip whose seams move faster than walk and clip do, or make the feet slide."""
    speeds = max(seam_speeds(walk, insertion, seams), key=lambda both: abs(both[0] - both[1]))
    if abs(speeds[0] - speeds[1]) > MAX_SPEED_STEP_M_S:
        yield (
            index,
            Message(
                "The clip '{name}' moves at {clip_speed} m/s, but the bake moves at {walk_speed} m/s at that "
                "frame, so the feet slide: insert the clip where the speeds match, such as at a Wait event",
                name=name,
                clip_speed=f"{speeds[1]:.1f}",
                walk_speed=f"{speeds[0]:.1f}",
            ),
        )
        return
    move, usual = largest_seam_move(made, walk, insertion, seams)
    if move > usual:
        yield (
            index,
            Message(
                "Blending the clip '{name}' in or out moves a joint by {distance} cm in one frame: insert the "
                "clip at a frame with a similar pose and motion",
                name=name,
                distance=f"{100 * move:.0f}",
            ),
        )
