"""A ball is passed from one character to another as a beat of both shots, and is the catcher's from then on."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.palms import palm_centers
from footfall.core.control.performance import ObjectTrack
from footfall.core.control.shot.balls import BallState
from footfall.core.control.shot.beats import BallBeat, Beat, BeatTime, PassBeat, WaitBeat, WalkBeat
from footfall.core.control.shot.cast import CastMember, CastRollout
from footfall.core.control.shot.memo import ShotMemo
from footfall.core.control.shot.outcome import Shot
from footfall.core.control.shot.request import ShotRequest
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers"
PLACES = {"Ada": (0.0, -1.0), "Bob": (1.0, 4.0)}
BALL = BallState.at("ball", np.array([0.3, 0.6, 0.12]))
IN_HANDS = BallState("ball", np.zeros((0, 3)), np.zeros((0, 4)), is_held=True)
RIM = np.array([4.0, 7.0, 3.05])
FASTEST_M_S = 9.5
"""Speed with which a shot ball falls to the ground, at most."""
FINGERS = 6
"""Number of frames in which a ball rolls over the fingers at a throw or a catch."""


@cache
def controllers() -> list[ControllerModel]:
    return [load_model(SHIPPED / f"{name}.safetensors") for name in ("locomotion", "interactions/everyday")]


def cast_of(
    balls: dict[str, BallState] | None = None, memos: dict[str, ShotMemo] | None = None, **beats: list[Beat]
) -> dict[str, Shot]:
    walks, acts = controllers()
    started = {"Ada": BALL} if balls is None else balls
    rollout = CastRollout(
        {
            name: CastMember(
                walks,
                acts,
                ShotRequest(
                    own,
                    np.array([*PLACES[name], 0.0]),
                    balls=[started[name]] if name in started else [],
                    scene_key="level",
                ),
                memo=(memos or {}).get(name),
            )
            for name, own in beats.items()
        }
    )
    while rollout.advance():
        pass
    return rollout.finish()


def balls_of(shots: dict[str, Shot]) -> list[ObjectTrack]:
    return [one for shot in shots.values() for one in shot.performance.objects if one.name == "ball"]


def away_from_palms(shot: Shot, ball: ObjectTrack) -> Array:
    """Largest distance (F) of a palm from the ball."""
    palms = palm_centers(shot.performance.clip)
    frames = min(len(palms), len(ball))
    return np.linalg.norm(palms[:frames] - ball.positions[:frames, None], axis=-1).max(axis=1)


def release_of(shots: dict[str, Shot], name: str, number: int) -> int:
    """Last frame before the catch at which the thrower holds the ball."""
    caught = shots[name].beats[number].caught
    (ball,) = balls_of(shots)
    assert caught is not None
    return int(np.flatnonzero(ball.held[:caught])[-1])


@cache
def shots() -> dict[str, Shot]:
    """Ada picks the ball up and passes it to Bob, who walks with it and shoots it."""
    return cast_of(
        Ada=[BallBeat("pick_up", 0), PassBeat("Bob", 0), WalkBeat(np.array([[-2.0, 0.0]]))],
        Bob=[PassBeat("Ada"), WalkBeat(np.array([[2.5, 3.0]])), BallBeat("shoot", 0, target=RIM)],
    )


def test_every_beat_is_done_and_the_ball_has_one_track() -> None:
    assert [str(one.reason) for shot in shots().values() for one in shot.beats if one.status != "done"] == []
    (ball,) = balls_of(shots())
    assert len(ball) == max(len(one.performance) for one in shots().values())


def test_both_face_each_other_at_their_distance_and_agree_about_the_catch() -> None:
    ada, bob = shots()["Ada"].beats[1], shots()["Bob"].beats[0]
    assert ada.caught == bob.caught is not None
    roots = [root_track(one.performance.clip) for one in shots().values()]
    way = roots[1].positions[ada.caught] - roots[0].positions[ada.caught]
    assert np.linalg.norm(way) == pytest.approx(3.5, abs=0.3)
    for sign, one in zip((1.0, -1.0), roots, strict=True):
        yaw = one.yaws[ada.caught]
        ahead = np.array([-np.sin(yaw), np.cos(yaw)])
        assert sign * ahead @ way / np.linalg.norm(way) > np.cos(np.radians(30.0))


def require_in_hands(shots: dict[str, Shot], thrower: str, number: int, catcher: str) -> None:
    """Check that the ball is between the palms except while it rolls over the fingers of a throw or a catch."""
    (ball,) = balls_of(shots)
    caught, released = shots[thrower].beats[number].caught, release_of(shots, thrower, number)
    assert caught is not None and 10 < caught - released < 60 and not ball.held[released + 1 : caught].any()
    begins = released - 30
    assert away_from_palms(shots[thrower], ball)[begins : released - FINGERS].max() < 0.015
    assert away_from_palms(shots[catcher], ball)[caught + FINGERS : caught + 60].max() < 0.015
    between = palm_centers(shots[thrower].performance.clip)[released].mean(axis=0)
    assert np.linalg.norm(ball.positions[released] - between) < 0.12, "at the tips of the fingers"


def require_no_jump(shots: dict[str, Shot]) -> None:
    """Check that the ball moves no faster than thrown, and its throws and catches no more suddenly than hands do."""
    (ball,), rate = balls_of(shots), controllers()[0].rate
    steps = np.linalg.norm(np.diff(ball.positions, axis=0), axis=1)
    assert steps.max() * rate < FASTEST_M_S and ball.positions[:, 2].min() > BALL.radius - 1e-4
    turns = np.abs((ball.rotations[1:] * ball.rotations[:-1]).sum(axis=1))
    assert turns.min() > np.cos(np.radians(15.0))


def test_ball_is_in_the_hands_until_the_release_and_from_the_catch_on() -> None:
    require_in_hands(shots(), "Ada", 1, "Bob")
    (ball,) = balls_of(shots())
    assert ball.positions[shots()["Bob"].beats[2].first :, 2].max() > RIM[2], "the catcher shoots it"


def test_ball_never_jumps() -> None:
    require_no_jump(shots())


def test_flying_ball_falls_freely() -> None:
    (ball,), rate = balls_of(shots()), controllers()[0].rate
    caught = shots()["Ada"].beats[1].caught
    flies = ball.positions[release_of(shots(), "Ada", 1) + 2 : caught]
    np.testing.assert_allclose(
        np.diff(flies, n=2, axis=0) * rate**2, np.tile([0.0, 0.0, -9.81], (len(flies) - 2, 1)), atol=0.05
    )


@cache
def back_and_forth() -> dict[str, Shot]:
    """Ada, who holds the ball at first, passes it at a set time and gets it back; she puts it down."""
    return cast_of(
        {"Ada": IN_HANDS, "Bob": IN_HANDS},
        Ada=[
            PassBeat("Bob", 0, np.array([0.5, 1.5]), 5.0, BeatTime(end=8.0)),
            PassBeat("Bob"),
            BallBeat("put_down", 0),
        ],
        Bob=[PassBeat("Ada"), PassBeat("Ada", 0, distance=2.5), BallBeat("shoot", 0, target=RIM)],
    )


def test_a_ball_that_comes_back_is_passed_on_without_a_jump() -> None:
    made = back_and_forth()
    assert [one.status for one in made["Ada"].beats] == ["done"] * 3
    require_in_hands(made, "Ada", 0, "Bob")
    require_in_hands(made, "Bob", 1, "Ada")
    require_no_jump(made)
    assert balls_of(made)[0].positions[-1, 2] == pytest.approx(BALL.radius, abs=1e-3)


def test_set_end_is_when_the_ball_leaves_the_hands() -> None:
    assert release_of(back_and_forth(), "Ada", 0) / controllers()[0].rate == pytest.approx(8.0, abs=0.15)


def test_ball_that_was_passed_away_cannot_be_shot() -> None:
    told = back_and_forth()["Bob"].beats[2]
    assert told.status == "left out" and "Another character has 'ball'" in str(told.reason)


def test_remade_shots_are_equal_and_reuse_the_pass() -> None:
    memos = {"Ada": ShotMemo(), "Bob": ShotMemo()}
    beats: dict[str, list[Beat]] = {"Ada": [PassBeat("Bob", 0)], "Bob": [PassBeat("Ada"), WaitBeat(0.5)]}
    first = cast_of({"Ada": IN_HANDS}, memos, **beats)
    again = cast_of({"Ada": IN_HANDS}, memos, **beats)
    assert memos["Ada"].reused == memos["Bob"].reused == 2
    np.testing.assert_array_equal(balls_of(first)[0].positions, balls_of(again)[0].positions)


@pytest.mark.parametrize(
    ("ada", "bob", "told"),
    [
        ([PassBeat("", 0)], [PassBeat("Ada")], "Beat 1 of 'Ada' has no partner"),
        ([PassBeat("Bob", 0)], [WaitBeat(1.0)], "the shot of 'Bob' has no pass with 'Ada'"),
        ([PassBeat("Bob")], [PassBeat("Ada")], "The pass of 'Ada' and 'Bob' in beat 1 has no ball"),
        ([PassBeat("Bob", 0)], [PassBeat("Ada", 0)], "Both 'Ada' and 'Bob' throw a ball in beat 1"),
        ([PassBeat("Bob", 0)] * 2, [PassBeat("Ada")] * 2, "'Ada' cannot pass 'ball' in beat 2, since 'Bob' has it"),
        ([PassBeat("Bob", 4)], [PassBeat("Ada")], "Beat 1 of 'Ada' has no ball"),
    ],
)
def test_impossible_passes_are_told_before_anything_is_made(ada: list[Beat], bob: list[Beat], told: str) -> None:
    with pytest.raises(FootfallError, match=told):
        cast_of(Ada=ada, Bob=bob)


@pytest.mark.parametrize(
    ("ball", "distance", "told"),
    [(replace(IN_HANDS, is_held=False), 3.5, "has no ball yet"), (IN_HANDS, 20.0, "choose a distance from 1.5 to 8 m")],
)
def test_a_pass_that_fails_is_told_for_both_and_both_go_on(ball: BallState, distance: float, told: str) -> None:
    stays = WaitBeat(0.5)
    made = cast_of(
        {"Ada": ball},
        Ada=[WalkBeat(np.array([[0.0, 0.0]])), PassBeat("Bob", 0, distance=distance), stays],
        Bob=[WalkBeat(np.array([[1.0, 3.0]])), PassBeat("Ada"), stays],
    )
    for shot in made.values():
        assert shot.beats[1].status == "left out" and told in str(shot.beats[1].reason)
