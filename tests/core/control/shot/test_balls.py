"""A character picks up a ball, dribbles, sits, shoots and fetches the ball again, in one motion."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.palms import palm_centers
from footfall.core.control.ball.accompaniment import BallAccompaniment
from footfall.core.control.ball.dribble import Dribble, hand_spans
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import BallCue, Cues
from footfall.core.control.performance import ObjectTrack
from footfall.core.control.shot.balls import BallState
from footfall.core.control.shot.beats import BallBeat, Beat, BeatTime, DribbleBeat, TaskBeat, WaitBeat, WalkBeat
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.control.shot.shot import ShotRollout
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import load_model
from footfall.core.motion.signals import runs_of
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.training.interactions.props.seats import Chair

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers"
WALKS, DRIBBLES = (load_model(SHIPPED / f"{name}.safetensors") for name in ("locomotion", "dribble"))
ACTS = load_model(SHIPPED / "interactions" / "everyday.safetensors")
BALL = BallState.at("ball", np.array([0.3, 2.0, 0.12]))
IN_HANDS = BallState("ball", np.zeros((0, 3)), np.zeros((0, 4)), is_held=True)
RIM = np.array([1.0, 9.0, 3.05])
FASTEST_M_S = 9.5
"""Speed with which a shot ball falls to the ground, at most, and a dribbled one leaves the hand."""
CHAIR = InteractionObject(
    "chair",
    "seat",
    Collider.from_mesh(*Chair(seat_height=0.45).mesh()),
    np.array([2.0, 5.0, 0.0]),
    np.array([1.0, 0.0, 0.0, 0.0]),
)
BEATS = (
    BallBeat("pick_up", 0),
    DribbleBeat(WalkBeat(np.array([[1.0, 4.0]]), ball=0)),
    TaskBeat(InteractionTask("sit", 0, duration=1.0)),
    BallBeat("shoot", 0, target=RIM),
    BallBeat("pick_up", 0),
    TaskBeat(InteractionTask("lie", position=np.array([-1.0, 6.0, 0.0]), direction=np.array([0.0, 1.0]), duration=1.0)),
)


def shot_of(*beats: Beat, balls: Sequence[BallState] = (BALL,), memo: ShotMemo | None = None, yaw: float = 0.0) -> Shot:
    request = ShotRequest(beats, np.zeros(3), yaw, objects=[CHAIR], balls=balls, scene_key="level")
    rollout = ShotRollout(WALKS, ACTS, request, memo=memo, dribbles=DRIBBLES)
    while rollout.advance():
        pass
    return rollout.finish()


def ball_of(shot: Shot) -> ObjectTrack:
    return next(one for one in shot.performance.objects if one.name == "ball")


@pytest.fixture(scope="module")
def shot() -> Shot:
    return shot_of(*BEATS)


def test_every_beat_with_the_ball_is_done(shot: Shot) -> None:
    assert [(one.status, str(one.reason)) for one in shot.beats] == [("done", "")] * len(BEATS)


def test_ball_has_a_place_in_every_frame_and_never_jumps(shot: Shot) -> None:
    ball, rate = ball_of(shot), shot.performance.clip.rate
    assert len(ball) == len(shot.performance)
    steps = np.linalg.norm(np.diff(ball.positions, axis=0), axis=1)
    assert steps.max() * rate < FASTEST_M_S
    assert ball.positions[:, 2].min() > BALL.radius - 1e-4
    near = np.concatenate([steps[seam - 2 : seam + 2][ball.held[seam - 2 : seam + 2]] for seam in shot.seams])
    assert near.max() * rate < 2.5, "hands that carry it move no faster"


def test_held_ball_is_between_the_palms(shot: Shot) -> None:
    ball, palms = ball_of(shot), palm_centers(shot.performance.clip)
    apart = np.linalg.norm(palms - ball.positions[:, None], axis=-1).max(axis=1)
    for start, stop in runs_of(ball.held):
        assert apart[start + 21 : stop - 21].max() < 0.02, "away from where hands take and leave it"


def test_ball_clears_the_legs_of_a_character_that_sits_down_and_rises(shot: Shot) -> None:
    ball, clip, sits = ball_of(shot), shot.performance.clip, shot.beats[2]
    span = slice(sits.first, sits.last)
    for side in "LR":
        hip, knee = (clip.positions[span, clip.skeleton.joint(f"{part}.{side}")] for part in ("thigh", "shin"))
        share = np.linspace(0.0, 1.0, 20)[:, None, None]
        apart = np.linalg.norm(hip + share * (knee - hip) - ball.positions[span], axis=-1)
        assert apart.min() > BALL.radius + 0.04


def test_ball_lies_still_before_it_is_taken_and_after_it_was_put_down(shot: Shot) -> None:
    ball = ball_of(shot)
    first, last = (int(frame) for frame in np.flatnonzero(ball.held)[[0, -1]])
    np.testing.assert_allclose(ball.positions[:first], np.tile(BALL.places, (first, 1)), atol=1e-3)
    np.testing.assert_allclose(ball.positions[last + 1 :] - ball.positions[-1], 0.0, atol=1e-9)
    assert ball.positions[-1, 2] == pytest.approx(BALL.radius, abs=1e-6)


def test_it_falls_through_the_hoop_and_is_fetched_where_it_rolled(shot: Shot) -> None:
    ball = ball_of(shot)
    shoot, fetch = shot.beats[3], shot.beats[4]
    falls = [at for at in range(shoot.first, fetch.last) if ball.positions[at, 2] > RIM[2] >= ball.positions[at + 1, 2]]
    assert len(falls) == 1 and np.linalg.norm(ball.positions[falls[0], :2] - RIM[:2]) < 0.1
    taken = (
        shoot.first
        + 60
        + int(
            np.argmax(
                ball.held[shoot.first + 60 : fetch.last] & (ball.positions[shoot.first + 60 : fetch.last, 2] < 0.2)
            )
        )
    )
    assert fetch.first < taken < fetch.last


def test_seams_with_a_ball_move_no_faster_than_the_rest(shot: Shot) -> None:
    steps = np.linalg.norm(np.diff(shot.performance.clip.positions, axis=0), axis=2).max(axis=1)
    near = np.zeros(len(steps), dtype=bool)
    for seam in shot.seams:
        near[seam - 30 : seam + 30] = True
    assert steps[near].max() <= 1.05 * steps[~near].max()


def test_path_events_of_a_walk_play_as_in_a_walk_alone() -> None:
    points, lying = np.array([[0.0, 0.0], [0.0, 4.0]]), np.array([0.05, 0.95, 0.12])
    cues = Cues(balls=(BallCue("pick_up", 0.0, target=lying[None]), BallCue("shoot", 4.0, target=RIM[None])))
    shot = shot_of(WalkBeat(points, cues=cues, ball=0), balls=[BallState.at("ball", lying)])
    alone = make_walk(WALKS, WalkRequest(WalkPath(points), cues=cues, accompaniment=BallAccompaniment(kit=BALL.kit)))
    assert alone.ball is not None
    np.testing.assert_array_equal(ball_of(shot).positions, alone.ball.track.positions)
    np.testing.assert_array_equal(shot.performance.clip.rotations, alone.clip.rotations)


def test_dribble_alone_is_that_of_a_walk_alone() -> None:
    points, cues = np.array([[0.0, 0.0], [0.0, 4.0]]), Cues(hand_spans("right", [2.0]))
    shot = shot_of(DribbleBeat(WalkBeat(points, cues=cues, ball=0)), balls=[IN_HANDS])
    ball = BallAccompaniment(Dribble("right"))
    alone = make_walk(DRIBBLES, WalkRequest(WalkPath(points), target=WALKS.skeleton, cues=cues, accompaniment=ball))
    assert alone.ball is not None
    np.testing.assert_allclose(ball_of(shot).positions, alone.ball.track.positions, atol=1e-9)


def test_ball_is_picked_up_before_a_beat_that_needs_it() -> None:
    shot = shot_of(BallBeat("shoot", 0, target=RIM))
    ball = ball_of(shot)
    assert shot.beats[0].status == "done" and ball.held.any() and ball.positions[:, 2].max() > RIM[2]


@pytest.mark.parametrize(("place", "yaw"), [((0.05, 0.2), 0.0), ((0.0, 0.6), np.pi), ((0.6, 0.1), 1.5)])
def test_ball_at_the_feet_or_behind_is_picked_up(place: tuple[float, float], yaw: float) -> None:
    shot = shot_of(BallBeat("pick_up", 0), balls=[BallState.at("ball", np.array([*place, 0.12]))], yaw=yaw)
    assert shot.beats[0].status == "done" and ball_of(shot).held[-1]


def test_set_end_is_when_the_ball_comes_to_the_hands() -> None:
    shot = shot_of(BallBeat("pick_up", 0, time=BeatTime(end=6.0)))
    assert np.argmax(ball_of(shot).held) / shot.performance.clip.rate == pytest.approx(6.0, abs=0.1)


def test_beats_that_cannot_be_done_say_why() -> None:
    high, far = BallState.at("ball", np.array([0.3, 2.0, 0.9])), np.array([0.0, 40.0, 3.05])
    shot = shot_of(BallBeat("pick_up", 0), WalkBeat(np.array([[0.0, 1.0]])), balls=[high])
    assert shot.beats[0].status == "left out" and "above the ground" in str(shot.beats[0].reason)
    shot = shot_of(BallBeat("pick_up", 0), BallBeat("pick_up", 0), BallBeat("shoot", 0, target=far))
    reasons = [str(one.reason) for one in shot.beats]
    assert "already holds" in reasons[1] and "out of reach" in reasons[2]


def test_remade_shot_is_equal_to_the_bit_and_a_moved_ball_changes_its_own_beats_alone() -> None:
    beats, memo = (
        (WalkBeat(np.array([[0.0, 1.0]])), TaskBeat(InteractionTask("sit", 0)), BallBeat("pick_up", 0)),
        ShotMemo(),
    )
    moved = [BallState.at("ball", np.array([0.6, 2.0, 0.12]))]
    shot_of(*beats, memo=memo)
    again, fresh = shot_of(*beats, balls=moved, memo=memo), shot_of(*beats, balls=moved)
    assert memo.reused > 0
    np.testing.assert_array_equal(ball_of(again).positions, ball_of(fresh).positions)
    np.testing.assert_array_equal(again.performance.clip.rotations, fresh.performance.clip.rotations)


def test_a_ball_in_the_hands_is_put_down_and_picked_up_again() -> None:
    shot = shot_of(BallBeat("put_down", 0), BallBeat("pick_up", 0), balls=[IN_HANDS])
    assert [one.status for one in shot.beats] == ["done", "done"]
    assert len(ball_of(shot)) == len(shot.performance)


def test_a_ball_that_is_held_already_is_told_and_the_walk_is_done() -> None:
    shot = shot_of(WalkBeat(np.array([[0.0, 2.0]])), BallBeat("pick_up", 0), balls=[IN_HANDS])
    assert [one.status for one in shot.beats] == ["done", "left out"]
    assert "already holds" in str(shot.beats[1].reason)


def test_a_ball_goes_back_and_forth_between_two_characters_without_a_jump() -> None:
    seconds = np.arange(3000) / 60
    hands = np.stack([2.5 + 0.3 * np.sin(seconds), 3.0 + 0.4 * np.cos(0.7 * seconds), np.full(3000, 1.2)], axis=1)
    catch, throw = (
        BallCue(action, at, target=hands, with_other=True) for action, at in (("catch", 0.2), ("pass", 1.8))
    )
    shot = shot_of(
        WalkBeat(np.array([[0.0, 1.0]])),
        WaitBeat(0.5),
        WalkBeat(np.array([[0.0, 1.0], [0.0, 3.0]]), cues=Cues(balls=(catch, throw)), ball=0),
        WaitBeat(0.5),
        WalkBeat(np.array([[0.0, 3.0], [0.5, 4.5]]), cues=Cues(balls=(catch,)), ball=0),
        balls=[BallState("ball", np.zeros((0, 3)), np.zeros((0, 4)))],
    )
    assert [(one.status, str(one.reason)) for one in shot.beats] == [("done", "")] * 5
    ball, rate = ball_of(shot), shot.performance.clip.rate
    assert (np.linalg.norm(np.diff(ball.positions, axis=0), axis=1) * rate).max() < FASTEST_M_S
    theirs = np.linalg.norm(ball.positions - hands[: len(ball)], axis=1) < 1e-3
    held = runs_of(ball.held)
    assert len(held) == 2
    for before, first in zip((0, held[0][1] + 120), (start for start, _ in held), strict=True):
        assert theirs[before : first - 90].all(), "it goes with the hands that throw it"
