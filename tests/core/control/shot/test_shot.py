"""One character walks up stairs, sits on the landing, gets up and walks down, in one motion."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import Beat, TaskBeat, WaitBeat, WalkBeat
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import Boxes
from footfall.training.interactions.props.seats import Chair
from footfall.training.interactions.props.tables import Box

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers"
STEPS, RISE, TREAD, FOOT = 4, 0.17, 0.3, 2.0
TOP = STEPS * RISE
LANDING = FOOT + STEPS * TREAD, FOOT + STEPS * TREAD + 3.0
STAIRS = Boxes(
    [
        ((-50.0, -50.0, -1.0), (50.0, 50.0, 0.0)),
        *(
            ((-1.5, FOOT + TREAD * step, -0.5), (1.5, LANDING[1] + TREAD * (STEPS - 1 - step), RISE * (step + 1)))
            for step in range(STEPS)
        ),
    ]
)
CHAIR = InteractionObject(
    "chair",
    "seat",
    Collider.from_mesh(*Chair(seat_height=0.45).mesh()),
    np.array([-0.9, LANDING[0] + 1.8, TOP]),
    rotation_about_up(np.array(-np.pi / 2)),
)
UP = WalkBeat(np.array([[0.0, 0.0], [0.2, 1.0], [0.0, 2.0], [0.1, LANDING[0] + 0.4]]))
DOWN = WalkBeat(np.array([[0.0, LANDING[1] - 0.3], [0.2, LANDING[1] + STEPS * TREAD + 1.0]]))
SIT = TaskBeat(InteractionTask("sit", 0, duration=1.0))


SOFA = InteractionObject(
    "sofa",
    "",
    Collider(np.array([[-1.0, -0.4, 0.0]]), np.array([[1.0, 0.4, 0.8]])),
    np.array([0.0, -3.0, 0.0]),
    np.array([1.0, 0.0, 0.0, 0.0]),
)


BOX = InteractionObject(
    "box", "box", Collider.from_mesh(*Box().mesh()), np.array([2.0, -2.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])
)


def shot_of(*beats: Beat) -> Shot:
    walks, acts = (
        load_model(SHIPPED / name) for name in ("locomotion.safetensors", "interactions/everyday.safetensors")
    )
    rollout = ShotRollout(walks, acts, ShotRequest(beats, np.zeros(3), 0.0, WalkScene(STAIRS), [CHAIR, SOFA, BOX]))
    while rollout.advance():
        pass
    return rollout.finish()


@pytest.fixture(scope="module")
def shot() -> Shot:
    return shot_of(UP, SIT, WaitBeat(1.0), DOWN)


def test_every_beat_is_done_in_its_order(shot: Shot) -> None:
    assert [one.status for one in shot.beats] == ["done"] * 4
    up, sit, wait, down = shot.beats
    assert [one.first for one in (up, sit, down)] == [0, *shot.seams]
    assert sit.first < sit.last == wait.first - 1 < wait.last == down.first - 1
    assert shot.beats[-1].last == len(shot.performance) - 1


def test_it_sits_on_the_chair_on_the_landing_for_as_long_as_it_waits(shot: Shot) -> None:
    clip = shot.performance.clip
    seated = np.linalg.norm(clip.positions[:, clip.skeleton.joint("hips"), :2] - CHAIR.position[:2], axis=1) < 0.1
    assert 2.0 < seated.sum() / clip.rate < 4.5
    assert clip.positions[seated, clip.skeleton.joint("hips"), 2].min() > TOP + 0.5


def test_it_comes_down_again(shot: Shot) -> None:
    end = shot.performance.clip.root_positions[-1]
    assert np.linalg.norm(end[:2] - DOWN.points[-1]) < 0.3 and end[2] < 1.1


def test_a_seam_moves_no_faster_than_the_rest(shot: Shot) -> None:
    clip = shot.performance.clip
    steps = np.linalg.norm(np.diff(clip.positions, axis=0), axis=2).max(axis=1)
    near = np.zeros(len(steps), dtype=bool)
    for seam in shot.seams:
        near[seam - 30 : seam + 30] = True
    assert steps[near].max() <= 1.05 * steps[~near].max()


def test_a_beat_that_cannot_be_done_is_left_out_with_its_reason() -> None:
    made = shot_of(TaskBeat(InteractionTask("push", 0, position=np.array([0.0, 1.0, 0.0]))), UP)
    assert [one.status for one in made.beats] == ["left out", "done"]
    assert made.beats[0].reason
    assert made.performance.clip.root_positions[-1, 2] > TOP + 0.8


def test_a_walk_that_cannot_be_planned_is_left_out_and_the_next_beat_is_done() -> None:
    made = shot_of(WalkBeat(UP.points[:2], style="moonwalk"), SIT)
    assert [one.status for one in made.beats] == ["left out", "done"]
    assert "moonwalk" in str(made.beats[0].reason)


def test_a_shot_without_a_beat_that_can_be_done_says_why() -> None:
    with pytest.raises(FootfallError, match="chair"):
        shot_of(TaskBeat(InteractionTask("carry", 0)))


def test_a_walk_leads_around_furniture() -> None:
    shot = shot_of(WalkBeat(np.array([[0.0, -6.0]])))
    hips = shot.performance.clip.positions[:, shot.performance.clip.skeleton.joint("hips")]
    assert np.linalg.norm(hips[-1, :2] - [0.0, -6.0]) < 0.3
    beside = np.abs(hips[np.abs(hips[:, 1] + 3.0) < 0.4, 0])
    assert len(beside) and beside.min() > 1.15


def test_a_box_is_taken_at_once_and_carried_to_a_place_behind_the_feet() -> None:
    shot = shot_of(TaskBeat(InteractionTask("carry", 2, position=np.array([2.0, -1.35, 0.0]))))
    (beat,), (track,) = shot.beats, (one for one in shot.performance.objects if one.name == "box")
    assert beat.status == "done"
    moves = np.flatnonzero(np.linalg.norm(np.diff(track.positions, axis=0), axis=1) > 1e-4)
    hips = shot.performance.clip.positions[:, shot.performance.clip.skeleton.joint("hips"), :2]
    near = np.flatnonzero(np.linalg.norm(hips - BOX.position[:2], axis=1) < 0.65)[0]
    rate = shot.performance.clip.rate
    assert (moves[0] - near) / rate < 4.0
    assert (moves[-1] - moves[0]) / rate < 9.0
    assert np.linalg.norm(track.positions[-1] - [2.0, -1.35, 0.0]) < 0.01


def test_a_walk_reaches_its_drawn_end_although_the_next_seat_stands_beside_it() -> None:
    end = np.array([0.0, LANDING[0] + 0.7])
    shot = shot_of(WalkBeat(np.array([[0.0, 0.0], [0.0, 2.0], end])), SIT)
    assert [one.status for one in shot.beats] == ["done", "done"]
    hips = shot.performance.clip.positions[:, shot.performance.clip.skeleton.joint("hips"), :2]
    assert np.linalg.norm(hips - end, axis=1).min() < 0.3
