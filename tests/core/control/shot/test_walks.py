"""Walks of a shot: their stays, what they face there, and what is in their way."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import Beat, TaskBeat, WalkBeat
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import IDENTITY
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.shot.test_memo import NEAR, controllers, shot_of
from footfall.training.interactions.props.mesh_primitives import box_mesh

ASIDE = np.array([[-2.0, 0.0]])
SIT = TaskBeat(InteractionTask("sit", 0, duration=0.5))


def wall(x: float, y: float) -> InteractionObject:
    """A wall of a cell about (-4, 0), at one of its sides."""
    half = np.array([1.1 - abs(x), 1.1 - abs(y), 1.0])
    collider = Collider.from_mesh(*box_mesh(tuple(-half), tuple(half)))
    return InteractionObject(f"wall {x} {y}", "obstacle", collider, np.array([x - 4.0, y, 1.0]), IDENTITY)


def by_itself(*beats: Beat) -> Shot:
    """A shot of an interaction controller without a walking controller."""
    acts = controllers()[1]
    rollout = ShotRollout(acts, acts, ShotRequest(beats, np.zeros(3), objects=[NEAR]))
    while rollout.advance():
        pass
    return rollout.finish()


def test_a_walk_stays_facing_its_direction_before_the_next_task() -> None:
    walk = WalkBeat(ASIDE, direction=np.array([0.0, -1.0]), wait=2.0)
    shot = shot_of([walk, SIT], [NEAR], ShotMemo())
    track, rate = root_track(shot.performance.clip), shot.performance.clip.rate
    there = np.linalg.norm(track.positions[:, :2] - ASIDE, axis=1) < 0.2
    assert there.sum() / rate > 2.0
    turned = np.abs(np.cos(track.yaws[shot.beats[0].last - 10]) + 1.0)
    assert turned < 0.05, "it faces -Y, after walking along -X"
    assert [one.status for one in shot.beats] == ["done", "done"]


def test_a_walk_into_a_closed_cell_is_not_done() -> None:
    cell = [wall(x, y) for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))]
    shot = shot_of([WalkBeat(ASIDE), WalkBeat(2.0 * ASIDE)], cell, ShotMemo())
    assert [one.status for one in shot.beats] == ["done", "gave up"]
    assert "an obstacle blocks every way to the target" in str(shot.beats[1].reason)


def test_a_walk_to_an_object_ends_before_it_and_is_done() -> None:
    shot = shot_of([WalkBeat(NEAR.position[None, :2])], [NEAR], ShotMemo())
    assert shot.beats[0].status == "done"


def test_an_interaction_controller_without_a_walker_does_tasks_but_no_walks() -> None:
    shot = by_itself(SIT, WalkBeat(ASIDE), TaskBeat(InteractionTask("walk", position=np.append(ASIDE[0], 0.0))))
    assert [one.status for one in shot.beats] == ["done", "left out", "done"]
    assert "were trained for different bodies, so they cannot share a shot" in str(shot.beats[1].reason)
    assert np.linalg.norm(shot.performance.clip.root_positions[-1, :2] - ASIDE[0]) < 0.4


@pytest.mark.parametrize("beats", [1, 2])
def test_a_walk_to_where_the_character_stands_is_done(beats: int) -> None:
    walks = [WalkBeat(np.array([[0.0, 0.0]])), WalkBeat(np.array([[0.0, 2.0]]))][:beats]
    assert {one.status for one in shot_of(walks, [], ShotMemo()).beats} == {"done"}
