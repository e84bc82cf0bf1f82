"""A changed shot remakes its motion from the first change on, with the same bits as a shot from the beginning."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import Beat, TaskBeat, WalkBeat
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.shot.test_shot import CHAIR, SHIPPED

LOCKED_AGAIN = 120
"""Frames before a new walk in which the feet are locked again with those of the walk."""
NEAR, FAR = (
    replace(CHAIR, name=name, position=np.array(place))
    for name, place in (("near", [0.0, 3.0, 0]), ("far", [7.0, 3, 0]))
)
SIT, SIT_FAR = (TaskBeat(InteractionTask("sit", number, duration=0.5)) for number in (0, 1))
WALK = WalkBeat(np.array([[0.0, 5.0], [4.0, 5.0]]))


@cache
def controllers() -> tuple[ControllerModel, ControllerModel]:
    return load_model(SHIPPED / "locomotion.safetensors"), load_model(SHIPPED / "interactions/everyday.safetensors")


def shot_of(beats: Sequence[Beat], objects: Sequence[InteractionObject], memo: ShotMemo, key: object = "room") -> Shot:
    request = ShotRequest(beats, np.zeros(3), objects=objects, scene_key=key)
    rollout = ShotRollout(*controllers(), request, memo=memo)
    while rollout.advance():
        pass
    return rollout.finish()


@pytest.fixture(scope="module")
def first() -> tuple[Shot, ShotMemo]:
    memo = ShotMemo()
    return shot_of([SIT, WALK, SIT_FAR], [NEAR, FAR], memo), memo


def require_equal(one: Shot, other: Shot, frames: int | None = None) -> None:
    for name in ("root_positions", "rotations"):
        values = (getattr(shot.performance.clip, name)[:frames] for shot in (one, other))
        np.testing.assert_array_equal(*values)


def test_an_unchanged_shot_is_taken_over_whole(first: tuple[Shot, ShotMemo]) -> None:
    shot, memo = first
    again = shot_of([SIT, WALK, SIT_FAR], [NEAR, FAR], memo)
    require_equal(shot, again)
    assert memo.reused == len(again.seams) + 1


def test_a_moved_object_changes_its_own_beat_and_the_walk_to_it(first: tuple[Shot, ShotMemo]) -> None:
    shot, memo = first
    moved = replace(FAR, position=FAR.position + np.array([0.2, 0.1, 0.0]))
    changed, fresh = (
        shot_of([SIT, WALK, SIT_FAR], [NEAR, moved], memo),
        shot_of([SIT, WALK, SIT_FAR], [NEAR, moved], ShotMemo()),
    )
    assert memo.reused >= 1
    require_equal(changed, fresh)
    require_equal(changed, shot, changed.beats[1].first - LOCKED_AGAIN)
    hips = changed.performance.clip.positions[:, 0, :2]
    assert np.linalg.norm(hips[-30] - moved.position[:2]) < 0.2


def test_another_scene_takes_nothing_over(first: tuple[Shot, ShotMemo]) -> None:
    _, memo = first
    shot_of([SIT], [NEAR, FAR], memo, key="other room")
    assert memo.reused == 0
