"""Crates that are pushed: along their line, never back, up to what is in the way; by a puppet, too."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.pushing import MAX_SPEED_M_S, Pushing, is_blocked, pushed_place, pushing_side
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.errors import FootfallError
from footfall.tests.core.control.interaction.test_sequencer import SKELETON, block, happened, play

CRATE = block("crate", "box", (0.6, 0.6, 0.8), (0.0, 2.0, 0.0))
PLACE = np.array([0.0, 3.0, 0.0])
WALL = block("wall", "obstacle", (2.0, 0.2, 2.0), (0.0, 4.0, 0.0))


def test_the_side_that_is_pushed_is_away_from_the_place() -> None:
    # The front (+Y) is side 0; sides follow counter-clockwise, so that +X is side 3.
    for offset, side in (((0.0, -1.0), 0), ((1.0, 0.0), 1), ((0.0, 1.0), 2), ((-1.0, 0.0), 3)):
        found, slant = pushing_side(CRATE, CRATE.position + np.append(offset, 0.0))
        assert (found, round(slant, 9)) == (side, 0.0)
    assert pushing_side(CRATE, CRATE.position + np.array([1.0, 1.0, 0.0]))[1] == pytest.approx(np.pi / 4)


def test_a_place_beside_the_line_of_the_nearest_side_is_taken_as_far_as_it_is_on_that_line() -> None:
    np.testing.assert_allclose(pushed_place(CRATE, np.array([0.4, 5.0, 0.0])), [0.0, 5.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(pushed_place(CRATE, np.array([-2.0, 1.5, 0.0])), [-2.0, 2.0, 0.0], atol=1e-12)


def test_a_crate_goes_with_the_character_never_back_and_to_its_place_at_most() -> None:
    pushing = Pushing(0, CRATE, PLACE, np.array([0.3, 1.0]))
    assert pushing.distance == 1.0
    one = pushing.advanced(np.array([0.0, 1.01]), [], 60.0)
    np.testing.assert_allclose(one.pushed_object.position, [0.0, 2.01, 0.0])
    assert one.advanced(np.array([0.0, 0.5]), [], 60.0).progress == one.progress
    assert one.advanced(np.array([0.0, 1.9]), [], 60.0).progress == pytest.approx(0.01 + MAX_SPEED_M_S / 60)
    near = replace(one, progress=0.999)
    np.testing.assert_allclose(near.advanced(np.array([0.0, 9.0]), [], 60.0).pushed_object.position, PLACE)


def test_a_crate_stops_before_what_is_in_its_way() -> None:
    near = replace(WALL, position=np.array([0.0, 2.405, 0.0]))
    assert not is_blocked(CRATE, [near.posed_collider])
    pushing = Pushing(0, CRATE, PLACE, np.zeros(2))
    stopped = pushing.advanced(np.array([0.0, 0.01]), [near.posed_collider], 60.0)
    assert stopped.is_stopped and stopped.progress == 0.0
    rug = block("rug", "obstacle", (2.0, 2.0, 0.02), (0.0, 2.5, 0.0))
    assert not pushing.advanced(np.array([0.0, 0.01]), [rug.posed_collider], 60.0).is_stopped


def test_a_puppet_pushes_a_crate_to_its_place_with_both_palms_on_the_face() -> None:
    done = play([CRATE], InteractionTask("push", 0, position=PLACE))
    assert [kind for kind, _ in happened(done)] == ["began", "took", "put"]
    np.testing.assert_allclose(done.current_objects[0].position, PLACE, atol=0.05)
    track = np.stack([things[0].position for things in done.recording.object_states])
    took, put = done.events[1].frame, done.events[2].frame
    assert np.ptp(track[:took], axis=0).max() == 0.0 and np.ptp(track[put:], axis=0).max() == 0.0
    assert np.diff(track[:, 1]).min() >= 0.0 and np.diff(track[:, 1]).max() <= MAX_SPEED_M_S / 60 + 1e-9
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
        (CRATE, None, "'crate' has no target to be pushed to"),
        (CRATE, (0.0, 2.05, 0.0), "'crate' is already at its target"),
        (CRATE, (1.0, 3.0, 0.0), "'crate' is pushed straight ahead: move the target"),
        (CRATE, (0.0, 5.0, 0.0), "'wall' is in the way of 'crate' that is pushed"),
        (replace(CRATE, position=np.array([0.0, 2.0, 0.7])), (0.0, 3.0, 0.0), "'crate' does not stand on the floor"),
        (
            block("low", "box", (0.6, 0.6, 0.2), (0.0, 2.0, 0.0)),
            (0.0, 3.0, 0.0),
            "'low' has no face to push with two palms",
        ),
    ],
)
def test_what_cannot_be_pushed_is_refused(crate, place: tuple[float, float, float] | None, words: str) -> None:
    position = None if place is None else np.array(place)
    with pytest.raises(FootfallError, match=words):
        play([crate, WALL], InteractionTask("push", 0, position=position))


@pytest.mark.parametrize(
    ("x", "y", "blocked"),
    [(0.3, 2.3, True), (-0.3, 1.7, True), (0.0, 2.0, True), (0.32, 2.0, False), (0.0, 2.32, False), (0, 1.68, False)],
)
def test_a_crate_that_moves_is_looked_at_all_around(x: float, y: float, blocked: bool) -> None:
    post = block("post", "obstacle", (0.02, 0.02, 1.0), (x, y, 0.0))
    assert is_blocked(CRATE, [post.posed_collider]) == blocked


@pytest.mark.parametrize(
    ("low", "high", "blocked"), [(0.0, 0.029, False), (0.0, 0.031, True), (0.79, 1.0, True), (0.81, 1.0, False)]
)
def test_what_is_flat_or_over_a_crate_does_not_stop_it(low: float, high: float, blocked: bool) -> None:
    shelf = block("shelf", "obstacle", (2.0, 2.0, high - low), (0.0, 2.0, low))
    assert is_blocked(CRATE, [shelf.posed_collider]) == blocked


def test_a_place_under_the_crate_has_no_direction_and_no_distance() -> None:
    here = Pushing(0, CRATE, CRATE.position, np.zeros(2))
    assert here.distance == 0.0 and not here.ahead.any()
    np.testing.assert_array_equal(here.placed_object.position, CRATE.position)
    assert pushing_side(CRATE, CRATE.position)[1] == pytest.approx(np.pi / 2)


def test_it_goes_along_a_slanted_line_as_the_character_does() -> None:
    place = CRATE.position + np.array([0.3, 0.4, 0.0])
    pushing = Pushing(0, CRATE, place, np.zeros(2))
    assert pushing.distance == pytest.approx(0.5)
    np.testing.assert_allclose(pushing.ahead, [0.6, 0.8])
    one = pushing.advanced(np.array([0.006 + 0.08, 0.008 - 0.06]), [], 60.0)
    np.testing.assert_allclose(one.pushed_object.position, CRATE.position + np.array([0.006, 0.008, 0.0]), atol=1e-12)
