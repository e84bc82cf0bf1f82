"""Segments: labels as stretches of time, for people to look at and to edit."""

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
GAIT_KIND: Final = "GAIT"
ACTION_KIND: Final = "ACTION"
GOAL_KIND: Final = "GOAL"
SEGMENT_KINDS: Final = (CONTACT_KIND, GAIT_KIND, ACTION_KIND, GOAL_KIND)

MIN_SEGMENT_S: Final = 0.2
"""Seconds that a gait or an action lasts at least; a shorter one belongs to a neighbour."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One thing that holds from frame ``start`` up to, not including, ``stop``.

    Attributes:
        kind: one of ``SEGMENT_KINDS``.
        name: of the contact, gait or action.
        start, stop: frames.
        confidence: in [0, 1], the mean over its frames; 1 for goals, which follow from the actions.
        location: where a goal is, metres; ``None`` for the other kinds.
        yaw: which way a character faces at a goal, radians; 0 for the other kinds.
    """

    kind: str
    name: str
    start: int
    stop: int
    confidence: float
    location: tuple[float, float, float] | None = None
    yaw: float = 0.0


def segment_labels(labels: Labels) -> list[Segment]:
    """All segments, kind by kind in the order of ``SEGMENT_KINDS``, and in time.

    Contacts may overlap each other; gaits cover every frame once, and so do actions; goals are those of interactions
    only, since a goal of locomotion moves with every frame.
    """
    return [
        *_contact_segments(labels),
        *dominant_segments(GAIT_KIND, labels.gait_names, labels.gaits, labels.frame_rate),
        *dominant_segments(ACTION_KIND, labels.action_names, labels.actions, labels.frame_rate),
        *_goal_segments(labels),
    ]


def dominant_segments(kind: str, names: Sequence[str], shares: Array, rate: float) -> list[Segment]:
    """What dominates in shares (F, N), as segments that cover every frame and last 0.2 s at least.

    A shorter one goes to the neighbour that has the greater share in it; only a clip that is shorter itself, or whose
    ends are, keeps none but the best.
    """
    if len(shares) == 0:
        return []
    totals = np.concatenate([np.zeros((1, shares.shape[1])), np.cumsum(shares, axis=0)])
    dominant = shares.argmax(axis=1)
    edges = [0, *(np.flatnonzero(np.diff(dominant)) + 1).tolist(), len(dominant)]
    runs = [[int(dominant[start]), start, stop] for start, stop in pairwise(edges)]
    kept: list[list[int]] = []
    for index, (name, start, stop) in enumerate(runs):
        if kept and kept[-1][0] == name:
            kept[-1][2] = stop
            continue
        following = runs[index + 1] if index + 1 < len(runs) else None
        if stop - start >= MIN_SEGMENT_S * rate or (following is None and not kept):
            kept.append([name, start, stop])
            continue
        share = totals[stop] - totals[start]
        if following is not None and (not kept or share[following[0]] > share[kept[-1][0]]):
            following[1] = start
        else:
            kept[-1][2] = stop
    return [
        Segment(kind, names[name], start, stop, float((totals[stop] - totals[start])[name] / (stop - start)))
        for name, start, stop in kept
    ]


def _contact_segments(labels: Labels) -> list[Segment]:
    return [
        Segment(CONTACT_KIND, name, int(start), int(stop), float(labels.confidence[start:stop, column].mean()))
        for column, name in enumerate(labels.contact_joints)
        for start, stop in runs_of(labels.contacts[:, column] > CONTACT_THRESHOLD)
    ]


def _goal_segments(labels: Labels) -> list[Segment]:
    """Return a goal of an interaction begins where its name or its place is new."""
    goals = labels.goals
    if goals is None or len(goals.actions) == 0:
        return []
    dominant = goals.actions.argmax(axis=1)
    new = (np.diff(dominant) != 0) | np.any(np.diff(goals.positions, axis=0) != 0, axis=1)
    wanted = np.isin(
        dominant, [labels.action_names.index(name) for name in GOAL_ACTIONS if name in labels.action_names]
    )
    # Goals of locomotion are new at every frame that moves: only where an interaction is on does a new one count.
    edges = [0, *(np.flatnonzero(new & (wanted[1:] | wanted[:-1])) + 1).tolist(), len(dominant)]
    result = []
    for start, stop in pairwise(edges):
        if wanted[start]:
            x, y, z = map(float, goals.positions[start])
            segment = Segment(GOAL_KIND, labels.action_names[dominant[start]], start, stop, 1.0, (x, y, z))
            result.append(replace(segment, yaw=float(yaw_of(goals.directions[start]))))
    return result
