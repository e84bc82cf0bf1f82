"""Hands of the seated: on armrests within reach, by a seed one of them elsewhere, without a jump on the way."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.resting_hands import rest_hands
from footfall.core.motion import Clip
from footfall.core.motion.blending import smooth_step
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.scene.object_usage import use_object
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play
from footfall.training.interactions.props.seats import Chair

CHAIR = Chair(width=0.56, arm_height=0.22)


@pytest.fixture(scope="module")
def raised() -> tuple[Clip, InteractionObject]:
    """Return a puppet's motion and a chair with armrests under its hips, which are upright over it at the end."""
    clip = decode_interaction(play([STOOL], InteractionTask("sit", 0, duration=3.0)).recording)
    hips = clip.positions[-1, clip.skeleton.joint("hips")]
    left = wrist(clip, "L")[-1] - wrist(clip, "R")[-1]
    chair = use_object("chair", *CHAIR.mesh(), "sit", None)
    place = hips - np.array([0.0, 0.0, CHAIR.seat_height + 0.17])
    return clip, chair.place_at(place, np.array([left[1], -left[0]]) / np.hypot(*left[:2]))


def rested(clip: Clip, seat: InteractionObject, seed: int) -> Clip:
    weights = smooth_step((np.arange(len(clip)) - len(clip) + 120) / 60)
    return rest_hands(clip, weights, seat, 1.0, [seed])


def wrist(clip: Clip, side: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.joint(f"hand.{side}")]


def test_hands_lie_on_armrests_and_now_and_then_one_elsewhere(raised: tuple[Clip, InteractionObject]) -> None:
    clip, chair = raised
    counts = set()
    for seed in range(8):
        result = rested(clip, chair, seed)
        count = 0
        for side in "LR":
            local = chair.posed_collider.to_local(wrist(result, side)[-1:])[0]
            over = local[2] - CHAIR.seat_height - 0.22
            # A wrist is 3.5 cm over the collider, which is up to 2 cm over the mesh.
            count += abs(abs(local[0]) - 0.26) < 0.03 and 0.02 < over < 0.07
            assert np.linalg.norm(np.diff(wrist(result, side), axis=0), axis=1).max() < 0.05, "in any frame"
        counts.add(count)
    assert counts == {1, 2}
