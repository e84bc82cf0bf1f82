"""Learning from balls in closed form: still hands that hold a ball, throw it and catch it."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.ball.ball_track import BallTrack
from footfall.core.ball.free_motion import Arc, BallPhysics, released_arcs, sample_arcs
from footfall.core.ball.hands import HandMotion
from footfall.core.ball.learning import CapturedBall, captured_ball, learn_cue_model
from footfall.core.motion.rotations import IDENTITY, Array
from footfall.tests.support.walker import Walker

RADIUS = 0.1
HELD = np.array([0.0, 0.2, 1.0])
UPWARD = np.array([0.2, 0.1, 2.0])
BOTH_FRAMES, LEFT_FRAMES, RIGHT_FRAMES = 6, 4, 3


def still(frames: int) -> HandMotion:
    """Hands whose axes, and a trunk whose axes, are those of the world."""

    def always(value: object) -> Array:
        array = np.asarray(value, dtype=float)
        return np.broadcast_to(array, (frames, *array.shape)).copy()

    return HandMotion(
        1.0,
        0.0,
        always([[0.1, 0.0, 1.0], [-0.1, 0.0, 1.0]]),
        always([[0.1, 0.0, 1.3], [-0.1, 0.0, 1.3]]),
        always([np.eye(3)] * 2),
        always([0.0, 0.0, 0.9]),
        always([0.0, 0.0, 1.6]),
        always([0.0, 1.0, 0.0]),
        always(np.eye(3)),
    )


def thrown(flight_frames: int, velocity: Array = UPWARD, gravity: float = 9.81) -> CapturedBall:
    """A ball in both hands, that flies, and is in the left and in the right hand then."""
    frames = BOTH_FRAMES + flight_frames + LEFT_FRAMES + RIGHT_FRAMES
    contacts = np.ones((frames, 2), dtype=bool)
    landing = BOTH_FRAMES + flight_frames
    contacts[BOTH_FRAMES:landing] = False
    contacts[landing : landing + LEFT_FRAMES, 1] = contacts[landing + LEFT_FRAMES :, 0] = False
    centers = np.tile(HELD, (frames, 1))
    times = np.arange(1, flight_frames + 1) / 60.0
    physics = BallPhysics(gravity, RADIUS)
    arcs = released_arcs(0.0, HELD, velocity, 10.0, physics) if gravity else [Arc(0.0, HELD, velocity)]
    centers[BOTH_FRAMES:landing] = sample_arcs(arcs, times, physics)
    return CapturedBall(still(frames), centers, contacts, RADIUS)


def test_what_is_known_of_no_cue_is_the_mean_of_what_was_captured() -> None:
    model = learn_cue_model([thrown(20), replace(thrown(20), radius=0.14)], "two throws")
    np.testing.assert_allclose(model.release.offset, UPWARD * [0.0, 1.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(model.catch.offset, [0.0, 0.1, 2.0 - 9.81 * 21 / 60.0], atol=1e-9)
    in_left, in_right = HELD - [0.1, 0.0, 1.0], HELD - [-0.1, 0.0, 1.0]
    alone = (LEFT_FRAMES * in_left + RIGHT_FRAMES * in_right) / (LEFT_FRAMES + RIGHT_FRAMES)
    np.testing.assert_allclose(model.single.offset, alone, atol=1e-12)
    np.testing.assert_allclose(model.double.offset, (in_left + in_right) / 2.0, atol=1e-12)
    touched = 2 * BOTH_FRAMES + LEFT_FRAMES + RIGHT_FRAMES
    np.testing.assert_allclose(model.contact.offset, 2.0 * touched / (2.0 * 33) - 1.0)
    assert model.radius == pytest.approx(0.12) and model.sources == "two throws"


def test_every_sample_is_a_center_up_to_their_number_and_throws_are_learned_mirrored_too() -> None:
    model = learn_cue_model([thrown(20)] * 10, "ten throws")
    samples = {"contact": 600, "single": 70, "double": 120, "catch": 20, "release": 20}
    assert {name: len(getattr(model, name).centers) for name in samples} == samples
    cues = model.catch.centers * model.catch.deviation + model.catch.mean
    own, mirrored = cues[0].reshape(-1, 3), cues[1].reshape(-1, 3)
    np.testing.assert_allclose(mirrored, own * [-1.0, 1.0, 1.0], atol=1e-9)


def test_a_captured_ball_is_in_the_lengths_of_an_adult_over_the_floor() -> None:
    clip = Walker(seconds=1.0, scale=0.5, floor=0.2).clip()
    frames = len(clip)
    positions = np.column_stack([np.arange(frames), np.zeros(frames), np.full(frames, 1.2)])
    contacts = np.column_stack([np.arange(frames) < 7, np.arange(frames) < 9])
    track = BallTrack(clip.rate, 0.1, positions, np.tile(IDENTITY, (frames, 1)), contacts)
    found = captured_ball(clip, track, 0.2)
    assert found.centers is not None and found.radius == pytest.approx(0.2)
    np.testing.assert_allclose(found.centers, positions * [2.0, 2.0, 0.0] + [0.0, 0.0, 2.0])
    np.testing.assert_array_equal(found.contacts, contacts)
    shorter = captured_ball(clip, replace(track, positions=positions[:30], contacts=contacts[:30]), 0.2)
    assert shorter.centers is not None
    np.testing.assert_allclose(shorter.centers[30:], np.tile(shorter.centers[29], (frames - 30, 1)))
