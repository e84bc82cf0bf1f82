"""Sitting down on the ground: where, how long, what is refused, and how refinement puts the body there."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.ground_sitting import resting_frames
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.errors import FootfallError
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.tests.core.control.interaction.test_sequencer import block, happened, play

PLACE, AHEAD = np.array([0.0, 2.0, 0.0]), np.array([0.0, 1.0])
SITTING = InteractionTask("sit_ground", position=PLACE, direction=AHEAD, duration=1.0)


def test_a_character_sits_down_at_a_place_stays_and_leaves() -> None:
    done = play([], SITTING, InteractionTask("walk", position=np.array([2.0, 0.0, 0.0])))
    assert done.done and happened(done) == [("began", 0), ("reached", 0), ("began", 1), ("reached", 1)]
    reached, left = done.events[1].frame, done.events[2].frame
    assert left - reached == 60
    np.testing.assert_array_equal(np.flatnonzero(resting_frames(done.recording)), np.arange(reached, left))


def test_a_seated_body_bears_on_the_ground_and_stands_on_its_feet() -> None:
    done = play([], SITTING)
    rests = resting_frames(done.recording)
    refined = refine_interaction(done.recording)
    body = BodyCapsules.from_skeleton(refined.clip.skeleton)
    spheres = body.sphere_indices(("hips",))
    bottoms = (body.sphere_centres(refined.clip)[:, spheres, 2] - body.radii[spheres]).min(axis=1)
    assert np.abs(bottoms[rests]).max() < 0.01, "the puppet stands there; its hips are brought down"
    assert bottoms[: int(np.argmax(rests)) - 60].min() > 0.3, "only there"
    assert refined.contacts[rests, 3:].min(axis=0).max() > 0.5, "feet of a seated body are held"
    ankles = refined.clip.positions[rests][:, [refined.clip.skeleton.joint(f"foot.{side}") for side in "LR"]]
    assert np.linalg.norm(ankles - ankles[0], axis=-1).max() < 0.01


def test_sitting_down_needs_a_place_with_room_for_legs() -> None:
    with pytest.raises(FootfallError, match="There is no target at which to sit down"):
        play([], InteractionTask("sit_ground"))
    table = block("table", "obstacle", (0.6, 0.6, 0.7), (0.0, 3.1, 0.0))
    with pytest.raises(FootfallError, match="'table' leaves no room to sit on the ground"):
        play([table], SITTING)
    turned = InteractionTask("sit_ground", position=PLACE, direction=-AHEAD)
    assert happened(play([table], turned, frames=60)) == [("began", 0)], "turned, there is room"
