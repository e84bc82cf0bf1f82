"""Crates that are pushed: along their line, never back, up to what is in the way; by a puppet, too."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.pushing import TUNING as PUSHING_TUNING
from footfall.core.control.interaction.pushing import Pushing
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.errors import FootfallError
from footfall.tests.core.control.interaction.test_sequencer import SKELETON, block, happened, play

CRATE = block("crate", "box", (0.6, 0.6, 0.8), (0.0, 2.0, 0.0))
PLACE = np.array([0.0, 3.0, 0.0])
WALL = block("wall", "obstacle", (2.0, 0.2, 2.0), (0.0, 4.0, 0.0))


def test_a_crate_goes_with_the_character_never_back_and_to_its_place_at_most() -> None:
    pushing = Pushing(0, CRATE, PLACE, np.array([0.3, 1.0]))
    assert pushing.distance == 1.0
    one = pushing.advanced(np.array([0.0, 1.01]), [], 60.0)
    np.testing.assert_allclose(one.pushed_object.position, [0.0, 2.01, 0.0])
    assert one.advanced(np.array([0.0, 0.5]), [], 60.0).progress == one.progress
    assert one.advanced(np.array([0.0, 1.9]), [], 60.0).progress == pytest.approx(0.01 + PUSHING_TUNING.max_speed / 60)
    near = replace(one, progress=0.999)
    np.testing.assert_allclose(near.advanced(np.array([0.0, 9.0]), [], 60.0).pushed_object.position, PLACE)


def test_a_puppet_pushes_a_crate_to_its_place_with_both_palms_on_the_face() -> None:
    done = play([CRATE], InteractionTask("push", 0, position=PLACE))
    assert [kind for kind, _ in happened(done)] == ["began", "took", "put"]
    np.testing.assert_allclose(done.current_objects[0].position, PLACE, atol=0.05)
    track = np.stack([things[0].position for things in done.recording.object_states])
    took, put = done.events[1].frame, done.events[2].frame
    assert np.ptp(track[:took], axis=0).max() == 0.0 and np.ptp(track[put:], axis=0).max() == 0.0
    assert np.diff(track[:, 1]).min() >= 0.0 and np.diff(track[:, 1]).max() <= PUSHING_TUNING.max_speed / 60 + 1e-9
    roots = np.stack([frame.position[0] for frame in done.frames])
    assert (track[:, 1] - 0.3 - roots[:, 1]).min() > 0.2, "the crate is ahead of the body"
    result = refine_interaction(done.recording)
    hands = result.clip.positions[took + 10 : put - 2, [SKELETON.joint(f"hand.{side}") for side in "LR"]]
    face = np.stack([state[0].position for state in result.objects[took + 10 : put - 2]])[:, 1] - 0.3
    assert np.abs(hands[..., 1] - face[:, None]).max() < 0.12, "wrists are a palm's length before the face"
    assert (hands[:, 0, 0] < 0).all() and (hands[:, 1, 0] > 0).all()


def test_a_crate_that_is_stopped_is_let_go_of() -> None:
    box = block("parcel", "box", (2.0, 0.2, 0.5), (0.0, 2.8, 0.0))
    done = play([CRATE, box], InteractionTask("push", 0, position=PLACE))
    assert [kind for kind, _ in happened(done)] == ["began", "took", "put"]
    assert done.current_objects[0].position[1] + 0.3 < 2.7 and done.scene.pushing is None


@pytest.mark.parametrize(
    ("crate", "place", "words"),
    [
        (CRATE, None, "'crate' has no target"),
        (CRATE, (0.0, 2.05, 0.0), "'crate' is already at its target"),
        (
            CRATE,
            (1.0, 3.0, 0.0),
            "'crate' can only be pushed straight ahead: move the target",
        ),
        (CRATE, (0.0, 5.0, 0.0), "'wall' is in the way of the pushed 'crate'"),
        (replace(CRATE, position=np.array([0.0, 2.0, 0.7])), (0.0, 3.0, 0.0), "'crate' does not stand on the floor"),
        (
            block("low", "box", (0.6, 0.6, 0.2), (0.0, 2.0, 0.0)),
            (0.0, 3.0, 0.0),
            "'low' has no face that two palms could push",
        ),
    ],
)
def test_what_cannot_be_pushed_is_refused(crate, place: tuple[float, float, float] | None, words: str) -> None:
    position = None if place is None else np.array(place)
    with pytest.raises(FootfallError, match=words):
        play([crate, WALL], InteractionTask("push", 0, position=position))
