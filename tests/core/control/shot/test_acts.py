"""Clips played in a shot: where, on which ground, for how long, and what comes after them."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.runtime.pose_decoder import standing_clip
from footfall.core.control.shot.act_clip import ActClip, fit_act_clip
from footfall.core.control.shot.beats import ActBeat, Beat, BeatTime, TaskBeat, WalkBeat
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array, exp, length, multiply
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.rest_pose_from_motion import Stance
from footfall.core.rig.clip_file import read_clip
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.terrain.ground import Plane, Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.core.control.shot.test_shot import CHAIR, SHIPPED
from footfall.tests.support.terrain_scenes import Boxes
from footfall.tests.support.walker import Walker

TOP = 0.6
PLATFORM = Boxes([((-50.0, -50.0, -1.0), (50.0, 50.0, 0.0)), ((-6.0, -6.0, -0.5), (6.0, 6.0, TOP))])
SEAT = replace(CHAIR, position=np.array([0.0, 4.0, 0.0]))
LOCKED_AGAIN = 120
"""Number of frames before a changed part whose feet are locked again."""


@cache
def controllers() -> tuple[ControllerModel, ControllerModel]:
    return load_model(SHIPPED / "locomotion.safetensors"), load_model(SHIPPED / "interactions/everyday.safetensors")


@cache
def wave(seconds: float = 2.0) -> ActClip:
    """A body that stands and raises its left arm."""
    model = controllers()[0]
    pose = standing_clip(model)
    assert pose is not None
    count, arm = round(seconds * model.rate), model.skeleton.joint("upper_arm.L")
    rotations = np.repeat(pose.rotations[:1], count, axis=0)
    angles = np.sin(np.linspace(0.0, np.pi, count))
    rotations[:, arm] = multiply(rotations[:, arm], exp(angles[:, None] * [0.0, 0.0, 1.5]))
    clip = Clip(model.skeleton, model.rate, np.repeat(pose.root_positions[:1], count, axis=0), rotations, "wave")
    return ActClip(clip, FootContacts(np.ones((count, 4))))


def fitted(clip: Clip, stance: Array | None = None) -> ActClip:
    model = controllers()[0]
    fit = calibrate(clip.skeleton, model.skeleton, source_stance=stance, controller="TARGET")
    return fit_act_clip(clip, fit, model.rate)


@cache
def travels() -> ActClip:
    """Another body that walks along a curve."""
    return fitted(Walker(seconds=3.0, heading=1.0).clip())


def shot_of(
    *beats: Beat,
    ground: Scene | None = None,
    objects: tuple[InteractionObject, ...] = (),
    level: float = 0.0,
    memo: ShotMemo | None = None,
) -> Shot:
    scene = WalkScene(ground or Plane())
    request = ShotRequest(beats, np.array([0.0, 0.0, level]), 0.0, scene, objects, scene_key="stage")
    rollout = ShotRollout(*controllers(), request, memo=memo)
    while rollout.advance():
        pass
    return rollout.finish()


def moves(clip: Clip) -> Array:
    return length(np.diff(clip.positions, axis=0)).max(axis=1)


@pytest.fixture(scope="module")
def memo() -> ShotMemo:
    return ShotMemo()


@pytest.fixture(scope="module")
def shot(memo: ShotMemo) -> Shot:
    sit = TaskBeat(InteractionTask("sit", 0, duration=0.5))
    walk = WalkBeat(np.array([[0.0, 0.0], [0.0, 1.2]]))
    return shot_of(walk, ActBeat(travels()), sit, ActBeat(wave()), objects=(SEAT,), memo=memo)


def test_a_clip_is_played_between_a_walk_and_a_seat(shot: Shot) -> None:
    assert [one.status for one in shot.beats] == ["done"] * 4
    clip, (walk, act, sit, last) = shot.performance.clip, shot.beats
    track = root_track(clip)
    assert length(track.positions[act.first] - [0.0, 1.2]) < 0.25
    way = length(track.positions[act.last] - track.positions[act.first])
    assert way > 1.5, "it travels"
    assert length(track.positions[sit.first] - track.positions[act.last]) < 0.1
    hips = clip.positions[sit.first : sit.last, clip.skeleton.joint("hips")]
    assert length((hips - SEAT.position)[:, :2]).min() < 0.15
    hand, head = (clip.positions[:, clip.skeleton.joint(role), 2] for role in ("hand.L", "head"))
    own = slice(last.first, last.last)
    assert (hand - head)[own].max() > -0.3 > (hand - head)[walk.first : walk.last].max()
    assert head[own].min() > 1.3, "it has got up before"


def test_its_seams_move_no_faster_than_the_rest(shot: Shot) -> None:
    steps = moves(shot.performance.clip)
    near = np.zeros(len(steps), dtype=bool)
    for seam in shot.seams:
        near[seam - 30 : seam + 30] = True
    assert steps[near].max() <= 1.05 * steps[~near].max()


def test_a_changed_clip_keeps_every_frame_before_it(shot: Shot, memo: ShotMemo) -> None:
    again = shot_of(
        WalkBeat(np.array([[0.0, 0.0], [0.0, 1.2]])),
        ActBeat(travels()),
        TaskBeat(InteractionTask("sit", 0, duration=0.5)),
        ActBeat(wave(3.0)),
        objects=(SEAT,),
        memo=memo,
    )
    assert memo.reused == 3 + (len(shot.seams) - 3)
    kept = shot.seams[-1] - LOCKED_AGAIN
    for name in ("root_positions", "rotations"):
        one, other = (getattr(each.performance.clip, name)[:kept] for each in (shot, again))
        np.testing.assert_array_equal(one, other)
    assert len(again.performance) > len(shot.performance) + 30


def test_two_clips_on_a_platform_stand_on_it() -> None:
    place, direction = np.array([0.0, 3.0]), np.array([1.0, 0.0])
    times = BeatTime(end=14.0)
    made = shot_of(ActBeat(wave()), ActBeat(travels(), place, direction, times), ground=PLATFORM, level=TOP)
    clip, (first, second) = made.performance.clip, made.beats
    assert [one.status for one in made.beats] == ["done", "done"]
    assert second.last + 1 == pytest.approx(14.0 * clip.rate, abs=2) and second.late < 0.05
    toes = [clip.skeleton.joint(f"toe.{side}") for side in "LR"]
    balls = clip.positions[:, toes, 2] - TOP
    assert balls.min() > 0.0 and balls.min(axis=1).max() < 0.1, "one foot is always on it"
    track = root_track(clip)
    assert length(track.positions[first.last] - track.positions[0]) < 0.1
    begins = np.argmin(length(track.positions - place))
    assert length(track.positions[begins] - place) < 0.05
    moved = track.positions[second.last] - place
    assert length(moved) > 1.0 and moved[0] > abs(moved[1]), "it walks off in the direction set for it"


def test_a_clip_ends_at_its_time() -> None:
    made = shot_of(ActBeat(wave(4.0), time=BeatTime(end=3.0)), WalkBeat(np.array([[0.0, 1.0]])))
    assert made.beats[0].last + 1 == pytest.approx(3.0 * made.performance.clip.rate, abs=2)


def test_a_clip_that_cannot_be_played_is_refused() -> None:
    clip = wave().motion
    with pytest.raises(FootfallError, match="too short to blend in and out"):
        fitted(clip.cut(0, 30))
    with pytest.raises(FootfallError, match="has no motion"):
        fitted(clip.cut(0, 1).repeated(90))
    other = Walker(seconds=3.0).clip()
    with pytest.raises(FootfallError, match="moves another body"):
        shot_of(ActBeat(ActClip(other, FootContacts(np.ones((len(other), 4))))))


def test_a_captured_clip_keeps_its_feet_on_the_ground(shared_data: Path) -> None:
    clip = read_clip(shared_data / "mocap" / "cmu_asfamc_more" / "everyday" / "14_04.bvh")
    act = fitted(clip.cut(0, 480), Stance.of(clip).pose)
    made = shot_of(ActBeat(act)).performance
    balls = made.clip.positions[:, [made.clip.skeleton.joint(f"toe.{side}") for side in "LR"], 2]
    assert balls.min() > 0.0 and balls.min(axis=1).max() < 0.08
    assert moves(made.clip).max() < 0.04, "it steps into the clip and out of it"
