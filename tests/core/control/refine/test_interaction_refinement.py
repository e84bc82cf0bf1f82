"""Refinement of a scripted character that misses every contact by a hand's breadth."""

import numpy as np

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import (
    decode_interaction,
    refine_interaction,
)
from footfall.core.control.refine.seat_pose import SEATED_HIP_HEIGHT_RATIO
from footfall.core.retarget.calibration import calibrate
from footfall.tests.core.control.interaction.test_sequencer import BOX, SKELETON, STOOL, play
from footfall.tests.support.walker import person


def joint(performed_positions: np.ndarray, role: str) -> np.ndarray:
    return performed_positions[:, SKELETON.joint(role)]


def frame_of(done: InteractionSequencer, kind: str) -> int:
    return next(event.frame for event in done.events if event.kind == kind)


def test_hips_come_over_the_seat_smoothly() -> None:
    done = play([STOOL], InteractionTask("sit", 0, duration=1.5))
    result = refine_interaction(done.recording)
    hips = joint(result.clip.positions, "hips")
    seat = STOOL.seat
    assert seat is not None
    wanted = STOOL.position + seat.position + [0.0, 0.0, SEATED_HIP_HEIGHT_RATIO * SKELETON.leg_length]
    settled = frame_of(done, "reached") + 60
    seated = hips[settled:-12] - wanted
    np.testing.assert_allclose(seated[:, :2], 0.0, atol=5e-3)
    assert seated[:, 2].min() > -5e-3 and seated[:, 2].max() < 0.09, "as high as the puppet's steep thighs need"
    assert np.linalg.norm(np.diff(hips, axis=0), axis=1).max() < 0.1
    assert result.max_corrections["hips"] > 0.2


def test_bones_keep_their_lengths_and_feet_their_places() -> None:
    done = play([STOOL], InteractionTask("sit", 0, duration=1.5))
    result, raw = refine_interaction(done.recording), decode_interaction(done.recording)
    np.testing.assert_allclose(result.clip.skeleton.offsets, raw.skeleton.offsets)
    sole = frame_of(done, "reached") + 10
    for side in "LR":
        ball = joint(result.clip.positions, f"toe.{side}")[sole:]
        assert np.ptp(ball, axis=0).max() < 2e-3


def test_hands_are_on_the_box_while_it_is_carried() -> None:
    done = play([BOX], InteractionTask("carry", 0, position=np.array([3.0, 0.5, 0.75])))
    result = refine_interaction(done.recording)
    took, put = frame_of(done, "took"), frame_of(done, "put")
    for frame in range(took + 2, put - 1, 7):
        box = result.objects[frame][0].facing_side(done.recording.approach_sides[0])
        grips = box.grips
        assert grips is not None
        for side, grip in zip("LR", box.posed_collider.to_world(grips.hands), strict=True):
            hand = joint(result.clip.positions, f"hand.{side}")[frame]
            assert np.linalg.norm(hand - grip) < 0.06, "the wrist is a palm's thickness from the grip"


def test_a_walk_alone_is_not_corrected() -> None:
    done = play([], InteractionTask("walk", position=np.array([0.0, 2.0, 0.0])))
    result = refine_interaction(done.recording)
    assert result.max_corrections == {} and len(result.clip) == len(done.frames) == len(result.objects)


def test_a_larger_body_sits_on_the_seat_of_the_larger_scene() -> None:
    done = play([STOOL], InteractionTask("sit", 0, duration=1.5))
    body = person(1.2)
    result = refine_interaction(done.recording, calibrate(SKELETON, body))
    hips = joint(result.clip.positions, "hips")[frame_of(done, "reached") + 60]
    seat = STOOL.seat
    assert seat is not None
    wanted = 1.2 * (STOOL.position + seat.position) + [0.0, 0.0, SEATED_HIP_HEIGHT_RATIO * body.leg_length]
    np.testing.assert_allclose(hips[:2], wanted[:2], atol=0.01)
    assert -0.01 < hips[2] - wanted[2] < 0.12, "as high as the puppet's steep thighs need"
    np.testing.assert_allclose(result.clip.skeleton.offsets, body.offsets)


def test_decoding_from_a_frame_on_is_the_rest_of_the_whole() -> None:
    done = play([], InteractionTask("walk", position=np.array([0.0, 1.0, 0.0])))
    whole, rest = decode_interaction(done.recording), decode_interaction(done.recording, 20)
    assert len(rest) == len(whole) - 20
    np.testing.assert_allclose(rest.root_positions, whole.root_positions[20:])
    np.testing.assert_allclose(rest.positions, whole.positions[20:], atol=1e-9)
