"""Boxes too deep for their bearer's arms, and how far before the chest they are held."""

from copy import copy
from typing import Final

import numpy as np
import pytest

from footfall.core.control.interaction.attachment import HANDOVER_S
from footfall.core.control.interaction.recording import replace_at
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.held_object import (
    PUSH_BODY_PARTS,
    ease_grasps,
    move_held_object,
    push_held_object,
)
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.interaction_object import InteractionObject, animated_collider
from footfall.tests.core.control.interaction.test_sequencer import STOOL, block, play

LIFTING_S = 0.7
MAX_PUSH_M = 0.2
DESK: Final = np.array([2.2, 1.5, 0.75])
DEEP = block("box", "box", (0.46, 0.5, 0.3), (0.0, 2.0, 0.7))
"""Held between two hands that are 0.3 m before the hips, it begins 5 cm before them."""


class Carrying:
    """A recording in which a box is carried, and its object states after :func:`push_held_object`."""

    def __init__(self, box: InteractionObject) -> None:
        self.play = play(
            [STOOL, box], InteractionTask("carry", 1, position=DESK), InteractionTask("idle", duration=0.2)
        )
        self.clip = decode_interaction(self.play.recording)
        frames = {event.kind: event.frame for event in self.play.events}
        self.took, self.put = frames["took"], frames["put"]
        self.places = push_held_object(self.play.recording, self.clip, 1.0)

    @property
    def shift(self) -> Array:
        """Displacement (F, 3) of the box from the hands, meters."""
        before, after = (
            [now[1].position for now in places] for places in (self.play.recording.object_states, self.places)
        )
        return np.array(after) - np.array(before)

    def depths(self, places: list[tuple[InteractionObject, ...]]) -> Array:
        """Return the depth (F) of the body parts in the box, meters."""
        body = BodyCapsules.from_skeleton(self.clip.skeleton)
        return body.sphere_penetrations(self.clip, animated_collider([now[1] for now in places]))[
            :, body.sphere_indices(PUSH_BODY_PARTS)
        ].max(axis=1)


@pytest.fixture(scope="module")
def deep() -> Carrying:
    return Carrying(DEEP)


def test_a_deep_box_is_held_before_the_chest_and_not_in_it(deep: Carrying) -> None:
    held = slice(deep.took + round(HANDOVER_S * 60) + 5, deep.put - 5)
    assert deep.depths(deep.play.recording.object_states)[held].max() > 0.05
    assert deep.depths(deep.places)[held].max() < 0.02
    box = np.array([now[1].position for now in deep.places])[held, :2]
    hips = deep.clip.positions[held, deep.clip.skeleton.joint("hips"), :2]
    before = np.array([now[1].position for now in deep.play.recording.object_states])[held, :2]
    assert (np.linalg.norm(box - hips, axis=1) > np.linalg.norm(before - hips, axis=1) + 0.03).all()
    fronts = np.array(
        [
            now[1].facing_side(deep.play.recording.approach_sides[0]).front_direction
            for now in deep.play.recording.object_states
        ]
    )[held]
    away = np.sum(deep.shift[held, :2] * fronts, axis=1)
    np.testing.assert_allclose(away, -np.linalg.norm(deep.shift[held], axis=1), atol=1e-9, err_msg="straight ahead")
    assert np.linalg.norm(deep.shift, axis=1).max() < MAX_PUSH_M


def test_a_box_comes_into_motion_from_rest(deep: Carrying) -> None:
    recording, ease = copy(deep.play.recording), round(LIFTING_S * 60)
    box, hand_speed = recording.object_states[0][1], np.array([0.0, 0.0, 0.02])
    recording.object_states = [
        replace_at(state, 1, box.place_at(box.position + max(frame - deep.took, 0) * hand_speed, box.front_direction))
        for frame, state in enumerate(recording.object_states)
    ]
    places = np.array([now[1].position for now in ease_grasps(recording)])
    hands = np.array([now[1].position for now in recording.object_states])
    np.testing.assert_array_equal(places[: deep.took], hands[: deep.took])
    np.testing.assert_array_equal(places[deep.took + ease :], hands[deep.took + ease :])
    within = slice(deep.took - 2, deep.took + ease + 2)
    change = np.linalg.norm(np.diff(places[within], 2, axis=0), axis=1)
    assert change.max() < 0.3 * np.linalg.norm(np.diff(hands[within], 2, axis=0), axis=1).max()


def test_a_larger_body_in_a_scene_of_its_scale_gets_the_same_displacement(deep: Carrying) -> None:
    scale, clip = 1.3, deep.clip
    skeleton = copy(clip.skeleton)
    object.__setattr__(skeleton, "offsets", scale * clip.skeleton.offsets)
    larger = Clip(skeleton, clip.rate, scale * clip.root_positions, clip.rotations)
    shift = np.array([now[1].position for now in push_held_object(deep.play.recording, larger, scale)])
    shift -= np.array([now[1].position for now in deep.play.recording.object_states])
    # A centimeter by which flesh gives way is less of a larger body.
    np.testing.assert_allclose(shift, deep.shift, atol=0.005)


def test_a_held_object_moves_with_its_bearer_and_lies_where_it_lay() -> None:
    done = play([STOOL, DEEP], InteractionTask("carry", 1, position=DESK), InteractionTask("idle", duration=1.0))
    shift = np.tile([0.1, -0.05, 0.0], (len(done.frames), 1))
    moved = np.stack(
        [
            now[1].position - was[1].position
            for now, was in zip(move_held_object(done.recording, shift), done.recording.object_states, strict=True)
        ]
    )
    took, put = (next(event.frame for event in done.events if event.kind == kind) for kind in ("took", "put"))
    np.testing.assert_allclose(moved[(took + put) // 2], shift[0], atol=1e-9)
    np.testing.assert_array_equal(moved[:took], 0.0)
    np.testing.assert_array_equal(moved[put + 30 :], 0.0)
    assert np.linalg.norm(np.diff(moved, axis=0), axis=1).max() < 0.02
