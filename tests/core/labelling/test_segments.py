"""Labels as stretches of time."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling import label_clip
from footfall.core.labelling.labels import Labels
from footfall.core.labelling.segments import (
    ACTION_KIND,
    CONTACT_KIND,
    GAIT_KIND,
    GOAL_KIND,
    SEGMENT_KINDS,
    Segment,
    dominant_segments,
    segment_labels,
)
from footfall.core.labelling.semantics.actions import ACTION_NAMES as ACTIONS
from footfall.core.labelling.semantics.gaits import GAIT_NAMES as GAITS
from footfall.core.labelling.semantics.goals import GoalLabels
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array

RATE = 60.0
NONE = np.zeros(0, dtype=np.intp)


def one_hot(count: int, *runs: tuple[int, int]) -> Array:
    """Rows (F, N) in which each of ``runs``, a column and a number of frames, is certain."""
    return np.repeat(np.eye(count)[[column for column, _ in runs]], [frames for _, frames in runs], axis=0)


def labels(gaits: Array, contacts: Array | None = None, **changes: Array | GoalLabels) -> Labels:
    frames = len(gaits)
    touching = np.zeros((frames, 1)) if contacts is None else contacts
    return Labels(
        RATE,
        ("foot.L",),
        touching,
        np.zeros(frames),
        GAITS,
        gaits,
        NONE,
        NONE,
        0.0,
        **changes,  # type: ignore[arg-type]
    )


def of_kind(segments: list[Segment], kind: str) -> list[tuple[str, int, int]]:
    return [(segment.name, segment.start, segment.stop) for segment in segments if segment.kind == kind]


def test_contacts_are_runs_above_a_half() -> None:
    contacts = np.concatenate([np.full(10, 0.2), np.full(20, 0.9), np.full(10, 0.3), np.full(20, 0.7)])[:, None]
    sure = np.concatenate([np.full(10, 0.8), np.full(20, 0.9), np.full(10, 0.7), np.full(20, 1.0)])[:, None]
    found = segment_labels(labels(one_hot(6, (0, 60)), contacts, confidence=sure))
    assert of_kind(found, CONTACT_KIND) == [("foot.L", 10, 30), ("foot.L", 40, 60)]
    assert [segment.confidence for segment in found if segment.kind == CONTACT_KIND] == pytest.approx([0.9, 1.0])


def test_gaits_and_actions_are_the_dominant_ones() -> None:
    found = segment_labels(labels(one_hot(6, (0, 30), (1, 40)), actions=one_hot(8, (0, 20), (3, 50))))
    assert of_kind(found, GAIT_KIND) == [("stand", 0, 30), ("walk", 30, 70)]
    assert of_kind(found, ACTION_KIND) == [("idle", 0, 20), ("sit", 20, 70)]
    assert [segment.kind for segment in found] == sorted((segment.kind for segment in found), key=SEGMENT_KINDS.index)


def test_a_flicker_belongs_to_the_neighbour_that_is_nearer() -> None:
    shares = one_hot(6, (0, 30), (2, 5), (1, 30))
    shares[30:35] = [0.1, 0.4, 0.5, 0.0, 0.0, 0.0]
    assert [(span.name, span.start, span.stop) for span in dominant_segments(GAIT_KIND, GAITS, shares, RATE)] == [
        ("stand", 0, 30),
        ("walk", 30, 65),
    ]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 40)), min_size=1, max_size=30))
def test_spans_cover_every_frame_once_and_last(runs: list[tuple[int, int]]) -> None:
    shares = one_hot(6, *runs)
    found = dominant_segments(GAIT_KIND, GAITS, shares, RATE)
    assert [span.start for span in found] == [0, *(span.stop for span in found[:-1])]
    assert found[-1].stop == len(shares)
    assert all(one.name != other.name for one, other in pairwise(found))
    assert len(found) == 1 or all(span.stop - span.start >= 12 for span in found)


def test_goals_of_interactions_have_a_place_and_a_yaw() -> None:
    actions = one_hot(8, (0, 30), (3, 60), (0, 10), (3, 20), (1, 10))
    positions = np.zeros((130, 3))
    positions[:, 0] = np.arange(130)
    positions[30:90] = [1.0, 2.0, 0.5]
    positions[100:120] = [3.0, 0.0, 0.5]
    directions = np.tile([0.0, 1.0], (130, 1))
    directions[100:120] = [-1.0, 0.0]
    found = [
        segment
        for segment in segment_labels(labels(one_hot(6, (0, 130)), goals=GoalLabels(actions, positions, directions)))
        if segment.kind == GOAL_KIND
    ]
    assert [(goal.name, goal.start, goal.stop, goal.location) for goal in found] == [
        ("sit", 30, 90, (1.0, 2.0, 0.5)),
        ("sit", 100, 120, (3.0, 0.0, 0.5)),
    ]
    assert [goal.yaw for goal in found] == pytest.approx([0.0, np.pi / 2])


def test_a_recorded_clip_has_segments_of_its_frames(shared_data: Path) -> None:
    clip = read_bvh(shared_data / "mocap" / "accad_male1" / "run" / "Male1_C04_RunToWalk.bvh")
    found = label_clip(clip)
    assert [name for name, _, _ in of_kind(segment_labels(found), GAIT_KIND)] == ["run", "jog", "walk"]
    assert {name for name, _, _ in of_kind(segment_labels(found), ACTION_KIND)} <= set(ACTIONS)
    assert all(0 <= one.start < one.stop <= len(clip) for one in segment_labels(found))
