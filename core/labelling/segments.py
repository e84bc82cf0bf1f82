"""Label segments: labels as intervals of frames, for display and editing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from ..motion.contacts import CONTACT_THRESHOLD
from ..motion.root_frame import yaw_of
from ..motion.rotations import Array
from ..motion.signals import runs_of
from .labels import Labels
from .semantics.goals import GOAL_ACTIONS

CONTACT_KIND: Final = "CONTACT"
"""Kind of a contact's segment."""
GAIT_KIND: Final = "GAIT"
"""Kind of a gait's segment."""
ACTION_KIND: Final = "ACTION"
"""Kind of an action's segment."""
GOAL_KIND: Final = "GOAL"
"""Kind of a goal's segment."""
SEGMENT_KINDS: Final = (CONTACT_KIND, GAIT_KIND, ACTION_KIND, GOAL_KIND)
"""All kinds, in the order of :func:`segment_labels`."""

MIN_SEGMENT_S: Final = 0.2
"""Shortest segment of a gait or an action; shorter ones are merged into a neighbor."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A half-open interval of frames with one label.

    Attributes:
        kind: one of :data:`SEGMENT_KINDS`.
        name: name of the sensor, the gait or the action.
        start: first frame.
        stop: frame after the last.
        confidence: mean over the frames, in [0, 1]; 1 for goals, which follow from the actions.
        location: position of a goal, meters, world; ``None`` for other kinds.
        yaw: direction to face at a goal, radians about Z; 0 for other kinds.
    """

    kind: str
    name: str
    start: int
    stop: int
    confidence: float
    location: tuple[float, float, float] | None = None
    yaw: float = 0.0


def segment_labels(labels: Labels) -> list[Segment]:
    """Return labels as segments, sorted by kind in the order of :data:`SEGMENT_KINDS`, then by time.

    Contacts may overlap; gaits cover every frame once, and so do actions. Only goals of interactions have segments,
    since a goal of locomotion moves with every frame.
    """
    return [
        *_contact_segments(labels),
        *dominant_segments(GAIT_KIND, labels.gait_names, labels.gaits, labels.frame_rate),
        *dominant_segments(ACTION_KIND, labels.action_names, labels.actions, labels.frame_rate),
        *_goal_segments(labels),
    ]


def dominant_segments(kind: str, names: Sequence[str], shares: Array, rate: float) -> list[Segment]:
    """Return segments of the label with the largest weight, which cover all frames, none below :data:`MIN_SEGMENT_S`.

    A shorter segment is merged into the neighbor whose label has the greater weight in it. A clip below that length is
    one segment.

    Args:
        kind: kind of the segments.
        names: (N) names of the labels.
        shares: (F, N) weights of the labels.
        rate: frames per second.
    """
    if len(shares) == 0:
        return []
    totals = np.concatenate([np.zeros((1, shares.shape[1])), np.cumsum(shares, axis=0)])
    dominant = shares.argmax(axis=1)
    edges = [0, *(np.flatnonzero(np.diff(dominant)) + 1).tolist(), len(dominant)]
    runs = [[int(dominant[start]), start, stop] for start, stop in pairwise(edges)]
    merged: list[list[int]] = []
    for index, (name, start, stop) in enumerate(runs):
        if merged and merged[-1][0] == name:
            merged[-1][2] = stop
            continue
        following = runs[index + 1] if index + 1 < len(runs) else None
        if stop - start >= MIN_SEGMENT_S * rate or (following is None and not merged):
            merged.append([name, start, stop])
            continue
        share = totals[stop] - totals[start]
        if following is not None and (not merged or share[following[0]] > share[merged[-1][0]]):
            following[1] = start
        else:
            merged[-1][2] = stop
    return [
        Segment(kind, names[name], start, stop, float((totals[stop] - totals[start])[name] / (stop - start)))
        for name, start, stop in merged
    ]


def _contact_segments(labels: Labels) -> list[Segment]:
    return [
        Segment(CONTACT_KIND, name, int(start), int(stop), float(labels.confidence[start:stop, column].mean()))
        for column, name in enumerate(labels.contact_joints)
        for start, stop in runs_of(labels.contacts[:, column] > CONTACT_THRESHOLD)
    ]


def _goal_segments(labels: Labels) -> list[Segment]:
    """Return the segments of goals of interactions; one begins where the action or the goal's position changes."""
    goals = labels.goals
    if goals is None or len(goals.actions) == 0:
        return []
    dominant = goals.actions.argmax(axis=1)
    new = (np.diff(dominant) != 0) | np.any(np.diff(goals.positions, axis=0) != 0, axis=1)
    is_interaction = np.isin(
        dominant, [labels.action_names.index(name) for name in GOAL_ACTIONS if name in labels.action_names]
    )
    # Goals of locomotion change in every moving frame; only changes from or to an interaction count.
    edges = [0, *(np.flatnonzero(new & (is_interaction[1:] | is_interaction[:-1])) + 1).tolist(), len(dominant)]
    result = []
    for start, stop in pairwise(edges):
        if is_interaction[start]:
            x, y, z = map(float, goals.positions[start])
            segment = Segment(GOAL_KIND, labels.action_names[dominant[start]], start, stop, 1.0, (x, y, z))
            result.append(replace(segment, yaw=float(yaw_of(goals.directions[start]))))
    return result
