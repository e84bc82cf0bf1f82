"""A place that is moved by a hair makes the same take: float noise of a scene is no change of it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.shot.beats import TaskBeat
from footfall.core.control.shot.shot import ShotRequest, ShotRollout
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import Array, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.training.interactions.props.seats import Chair

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers"
CHAIR = InteractionObject(
    "chair",
    "seat",
    Collider.from_mesh(*Chair(seat_height=0.45).mesh()),
    np.array([0.35, 1.2, 0.0]),
    rotation_about_up(np.array(2.8)),
)
SIT = InteractionTask("sit", 0, duration=0.3)


@pytest.fixture(scope="module")
def acts() -> ControllerModel:
    return load_model(SHIPPED / "interactions" / "everyday.safetensors")


def hair(seed: int) -> tuple[Array, InteractionObject]:
    """Return a start (3) and the chair, both moved at random."""
    moves = np.random.default_rng(seed).uniform(-1e-7, 1e-7, (2, 3)) * [1.0, 1.0, 0.0] * (seed > 0)
    return moves[0], replace(CHAIR, position=CHAIR.position + moves[1])


def test_a_shot_is_the_same(acts: ControllerModel) -> None:
    walks = load_model(SHIPPED / "locomotion.safetensors")

    def joints(seed: int) -> Array:
        start, chair = hair(seed)
        rollout = ShotRollout(walks, acts, ShotRequest([TaskBeat(SIT)], start, objects=[chair]))
        while rollout.advance():
            pass
        return rollout.finish().performance.clip.positions

    before = joints(0)
    for seed in (1, 2):
        np.testing.assert_allclose(joints(seed), before, atol=1e-3)


def test_the_roll_out_itself_does_not_amplify_it_on_the_way_to_a_seat(acts: ControllerModel) -> None:
    def roots(seed: int) -> Array:
        start, chair = hair(seed)
        play = InteractionSequencer(acts, [chair], [SIT], start[:2])
        while play.advance(60):
            pass
        return np.concatenate([frame.position for frame in play.frames])

    before = roots(0)
    for seed in (1, 2):
        np.testing.assert_allclose(roots(seed), before, atol=1e-4)
