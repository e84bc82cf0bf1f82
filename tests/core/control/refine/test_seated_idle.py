"""Seated characters that live: bounded, smooth, with hips and feet where they are, and different by seed."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.hanging_legs import hang_legs
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.seated_idle import idle_on_seats
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.scene.interaction_object import animated_collider
from footfall.tests.core.control.interaction.test_sequencer import STOOL, block, play

RATE = 60


@pytest.fixture(scope="module")
def seated() -> tuple[Clip, dict[int, Clip], int]:
    """Return a puppet's motion on a stool, the same with idling by seeds, and the frame at which it sits."""
    done = play([STOOL], InteractionTask("sit", 0, duration=12.0))
    clip = decode_interaction(done.recording)
    collider = animated_collider([state[0] for state in done.recording.object_states])
    idling = {seed: idle_on_seats(replace(done.recording, seed=seed), clip, [collider]) for seed in (0, 0, 1)}
    reached = done.recording.event_frame("reached", 0)
    assert reached is not None
    return clip, idling, reached


def track(clip: Clip, role: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.joint(role)]


def test_the_head_moves_and_hips_and_feet_stay(seated: tuple[Clip, dict[int, Clip], int]) -> None:
    clip, idling, reached = seated
    head = track(idling[0], "head")[reached + RATE :]
    moved = np.linalg.norm(head[40:] - head[:-40], axis=1)
    assert np.median(moved) > 0.001 and moved.max() < 0.15
    for role in ("foot.L", "foot.R"):
        np.testing.assert_allclose(track(idling[0], role), track(clip, role), atol=1e-5)
    np.testing.assert_allclose(hip_joints(idling[0]), hip_joints(clip), atol=1e-5)


def hip_joints(clip: Clip) -> np.ndarray:
    """Return the middle of both hip joints, about which the pelvis rolls on its seat."""
    return (track(clip, "thigh.L") + track(clip, "thigh.R")) / 2


def test_idling_is_smooth_and_begins_where_the_character_sits(seated: tuple[Clip, dict[int, Clip], int]) -> None:
    clip, idling, reached = seated
    added = track(idling[0], "head") - track(clip, "head")
    assert np.abs(added[: reached - 1]).max() < 1e-9
    accelerations = np.linalg.norm(np.diff(added, 2, axis=0), axis=1) * RATE**2
    assert accelerations.max() < 12.0


def test_legs_hang_from_a_high_seat_and_stand_before_a_usual_one() -> None:
    for height, hangs in ((0.45, False), (0.78, True)):
        stool = block("stool", "seat", (0.4, 0.4, height), (0.0, 3.0, 0.0))
        done = play([stool], InteractionTask("sit", 0, duration=2.0))
        clip = decode_interaction(done.recording)
        raised, held = hang_legs(done.recording, clip, FootContacts(np.ones((len(clip), 4))), 1.0)
        assert (held.probabilities[-1].max() == 0.0) == hangs
        assert bool(np.abs(track(raised, "foot.L") - track(clip, "foot.L")).max() > 0.05) == hangs
        np.testing.assert_allclose(track(raised, "hips"), track(clip, "hips"), atol=1e-6)
