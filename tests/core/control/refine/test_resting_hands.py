"""Hands of the seated: on armrests within reach, by a seed one of them elsewhere, without a jump on the way."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.resting_hands import _elbow_direction, _on_armrest, _on_thigh, rest_hands
from footfall.core.motion import Clip
from footfall.core.motion.blending import smooth_step
from footfall.core.motion.rotations import normalize
from footfall.core.scene.armrests import Armrest
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.scene.object_usage import use_object
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play
from footfall.tests.support.walker import Walker
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


def test_hands_of_no_weight_stay_where_they_are(raised: tuple[Clip, InteractionObject]) -> None:
    clip, chair = raised
    made = rest_hands(clip, np.zeros(len(clip)), chair, 1.0, [3])
    np.testing.assert_allclose(made.positions, clip.positions, atol=1e-6)


# --- Where hands are put

WALK = Walker(seconds=1.0).clip()
SMALL = Walker(seconds=1.0, scale=0.5).clip()


@pytest.mark.parametrize(("clip", "scale"), [(WALK, 1.0), (SMALL, 0.5)], ids=["an adult", "half the size"])
@pytest.mark.parametrize(("side", "share"), [("L", 0.5), ("R", 0.75)])
def test_a_hand_lies_over_the_skin_of_its_thigh_and_points_inward(
    clip: Clip, scale: float, side: str, share: float
) -> None:
    """A thigh's radius goes from 8.5 cm to 5.5 cm, and the wrist is 2.5 cm over it; 15 degrees inward."""
    place, pointing = _on_thigh(clip, side, share)
    hip, knee = (clip.positions[:, clip.skeleton.joint(f"{part}.{side}")] for part in ("thigh", "shin"))
    thigh = normalize(knee - hip)
    away = place - (hip + share * (knee - hip))
    np.testing.assert_allclose(np.sum(away * thigh, axis=-1), 0.0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(away, axis=-1), scale * (0.085 - share * 0.03 + 0.025))
    assert (away[:, 2] > 0.0).all()
    np.testing.assert_allclose(np.sum(pointing * thigh, axis=-1), np.cos(np.radians(15.0)))
    inward = np.sum(np.cross(thigh, pointing) * normalize(away), axis=-1)
    np.testing.assert_allclose(inward, np.sin(np.radians(15.0)) * (-1.0 if side == "L" else 1.0))


def armrest(rear: float, front: float) -> tuple[Armrest, InteractionObject]:
    """An armrest along +Y at a height of 60 cm, of a seat at the origin."""
    nothing = PosedCollider(Collider(np.zeros((1, 3)), np.ones((1, 3))), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
    seat = cast("Any", SimpleNamespace(posed_collider=nothing))
    return Armrest(np.array([-0.3, rear, 0.6]), np.array([-0.3, front, 0.6])), seat


@pytest.mark.parametrize(
    ("rear", "front", "place"),
    [(-1.0, 1.0, 0.2), (-1.0, 0.15, 0.14), (0.3, 1.0, 0.3), (0.1, 0.105, 0.1)],
    ids=["long", "short", "ahead", "a knob"],
)
def test_a_hand_lies_on_an_armrest_ahead_of_its_shoulder_and_not_over_its_ends(
    rear: float, front: float, place: float
) -> None:
    """Twenty centimeters ahead of it; the wrist is a centimeter behind the front, and 3.5 cm over the top."""
    shoulder = WALK.positions[0, WALK.skeleton.joint("upper_arm.L"), 1]
    still = Clip(
        WALK.skeleton,
        60.0,
        np.repeat(WALK.root_positions[:1], 5, axis=0) - [0.0, shoulder, 0.0],
        np.repeat(WALK.rotations[:1], 5, axis=0),
    )
    rest, seat = armrest(rear, front)
    wrist, pointing = _on_armrest(still, rest, seat, 1.0, 0.2, "L")
    np.testing.assert_allclose(wrist, np.tile([-0.3, place, 0.635], (5, 1)), atol=1e-6)
    np.testing.assert_allclose(pointing, np.tile([0.0, 1.0, 0.0], (5, 1)), atol=1e-9)
    larger, _ = _on_armrest(still, armrest(rear / 2, front / 2)[0], seat, 2.0, 0.2, "L")
    np.testing.assert_allclose(larger[0, 1:], [place, 1.235], atol=1e-6)


def test_elbows_are_behind_their_hands_outward_and_down() -> None:
    ahead = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(_elbow_direction(ahead, "L"), [[-0.3, -0.7, -0.5], [-0.7, 0.3, -0.5]])
    np.testing.assert_allclose(_elbow_direction(ahead, "R"), [[0.3, -0.7, -0.5], [-0.7, -0.3, -0.5]])
