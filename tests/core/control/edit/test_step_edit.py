"""Edited steps: feet stand where they are put and for as long as they are told, and all else stays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.edit.foot import feet_of, foot_named
from footfall.core.control.edit.step_edit import (
    SHORTEST_SWING_S,
    StepEdit,
    edit_steps,
    find_step,
)
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.errors import FootfallError
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import Array, length
from footfall.core.terrain.ground import Plane
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=6.0)
RATE = 60.0
CLIP = WALKER.clip()
WALK = Walk(CLIP, FootContacts(WALKER.contacts), WALKER.phase, np.ones((len(CLIP), 1)))
GROUND = Plane()
LEFT = foot_named(CLIP.skeleton, "L")
TROT, STANDS = trot(dog(), 240, travels=True)
TROTTING = Walk(TROT, FootContacts(STANDS.astype(float)), np.zeros(240), np.ones((240, 1)))
STEP = 2
"""Index of the contact that is edited."""


def contact(side: str, walk: Walk = WALK, index: int = STEP) -> tuple[int, int]:
    start, stop = walk.contacts.runs(side)[index]
    return int(start), int(stop)


def edit(side: str, shift: tuple[float, float] = (0.0, 0.0), **changes: float) -> StepEdit:
    return StepEdit(side, sum(contact(side)) // 2, np.array(shift), **changes)


def ankle(walk: Walk, side: str) -> Array:
    return walk.clip.positions[:, walk.clip.skeleton.joint(f"foot.{side}")]


def toe_yaws(walk: Walk, side: str) -> Array:
    body = walk.clip.skeleton
    way = walk.clip.positions[:, body.joint(f"toe.{side}")] - walk.clip.positions[:, body.joint(f"foot.{side}")]
    return np.unwrap(np.arctan2(way[:, 1], way[:, 0]))


@given(st.sampled_from("LR"), st.floats(-0.12, 0.12), st.floats(-0.12, 0.12))
@settings(max_examples=examples(20), deadline=None)
def test_a_moved_step_stands_elsewhere_and_all_other_contacts_stay(side: str, along: float, aside: float) -> None:
    made, _ = edit_steps(WALK, [edit(side, (aside, along))], GROUND)
    start, stop = contact(side)
    moved = ankle(made, side) - ankle(WALK, side)
    np.testing.assert_allclose(moved[start:stop], np.broadcast_to([aside, along, 0.0], (stop - start, 3)), atol=2e-4)
    for each in "LR":
        for first, last in WALK.contacts.runs(each):
            if (each, first) != (side, start):
                span = slice(first, last)
                np.testing.assert_allclose(ankle(made, each)[span], ankle(WALK, each)[span], atol=2e-4)
    np.testing.assert_array_equal(made.contacts.held, WALK.contacts.held)


def test_the_body_goes_along_by_half_and_is_elsewhere_what_it_was() -> None:
    made, _ = edit_steps(WALK, [edit("L", (0.1, 0.0))], GROUND)
    beside = (made.clip.root_positions - CLIP.root_positions)[:, 0]
    assert beside.max() == pytest.approx(0.05, abs=0.005)
    start, stop = contact("L")
    far = np.abs(np.arange(len(CLIP)) - (start + stop) / 2) > 90
    np.testing.assert_allclose(made.clip.positions[far], CLIP.positions[far], atol=1e-4)


def test_a_turned_foot_turns_about_the_middle_of_its_stance() -> None:
    made, _ = edit_steps(WALK, [edit("R", turn=0.4)], GROUND)
    start, stop = contact("R")
    turned = (toe_yaws(made, "R") - toe_yaws(WALK, "R"))[start:stop]
    np.testing.assert_allclose(turned, 0.4, atol=1e-3)
    middle = (start + stop - 1) // 2
    np.testing.assert_allclose(ankle(made, "R")[middle], ankle(WALK, "R")[middle], atol=1e-3)


@pytest.mark.parametrize(("earlier", "later"), [(0.05, 0.1), (-0.08, 0.0), (0.0, -0.1)])
def test_a_contact_is_held_longer_or_shorter(earlier: float, later: float) -> None:
    made, _ = edit_steps(WALK, [edit("L", earlier=earlier, later=later)], GROUND)
    (start, stop), (first, last) = contact("L"), contact("L", made)
    assert first == pytest.approx(start - earlier * RATE, abs=1) and last == pytest.approx(stop + later * RATE, abs=1)
    stance = ankle(made, "L")[first:last]
    usual = length(np.diff(ankle(WALK, "L")[start:stop], axis=0)).max()
    assert length(np.diff(stance, axis=0)).max() <= 1.6 * usual + 1e-4
    others = [index for index in range(len(WALK.contacts.runs("L"))) if index != STEP]
    np.testing.assert_array_equal(made.contacts.runs("L")[others], WALK.contacts.runs("L")[others])
    np.testing.assert_array_equal(made.contacts.runs("R"), WALK.contacts.runs("R"))


def test_a_step_that_is_moved_onto_a_kerb_stands_on_it() -> None:
    class Kerb(Plane):
        def heights(self, points: Array, frame: float = 0.0) -> Array:
            on = np.asarray(points)[..., 0] > CLIP.root_positions[:, 0].max() + 0.15
            return np.where(on & (np.asarray(points)[..., 2] > 0.12), 0.12, 0.0)

    side = "L" if ankle(WALK, "L")[:, 0].mean() > ankle(WALK, "R")[:, 0].mean() else "R"
    made, _ = edit_steps(WALK, [edit(side, (0.3, 0.0))], Kerb())
    start, stop = contact(side)
    risen = (ankle(made, side) - ankle(WALK, side))[start:stop, 2]
    np.testing.assert_allclose(risen, 0.12, atol=5e-3)


def test_a_step_that_the_leg_does_not_reach_is_told_with_by_how_much() -> None:
    far, near = edit("L", (3.0, 0.0)), edit("R", (0.05, 0.0))
    _, told = edit_steps(WALK, [far], GROUND)
    assert "beyond the leg's reach" in str(told[0])
    assert not edit_steps(WALK, [near], GROUND)[1]


def test_a_step_that_takes_the_body_far_aside_is_told() -> None:
    _, told = edit_steps(WALK, [edit("L", (0.85, 0.0))], GROUND)
    assert "so the body goes 42 cm off its way" in str(told[0])
    assert not edit_steps(WALK, [edit("L", (0.3, 0.0))], GROUND)[1]


def test_a_step_is_found_beside_its_contact_but_not_far_from_it() -> None:
    start, _ = contact("L")
    assert find_step(WALK.contacts, LEFT, start - 5, RATE) == STEP
    swing = (contact("L", index=STEP - 1)[1] + start) // 2
    assert find_step(WALK.contacts, LEFT, swing, RATE) is not None
    assert find_step(FootContacts(np.zeros((100, 4))), LEFT, 50, RATE) is None


def test_what_cannot_be_is_refused() -> None:
    swing = contact("L", index=STEP + 1)[0] - contact("L")[1]
    too_long = swing / RATE - SHORTEST_SWING_S + 0.1
    with pytest.raises(FootfallError, match=r"held 0\.1\d s too long"):
        edit_steps(WALK, [edit("L", later=too_long)], GROUND)
    with pytest.raises(FootfallError, match="no time left to stand"):
        edit_steps(WALK, [edit("L", later=-2.0)], GROUND)
    with pytest.raises(FootfallError, match="edited twice"):
        edit_steps(WALK, [edit("L"), edit("L", (0.1, 0.0))], GROUND)
    nowhere = Walk(CLIP, FootContacts(np.zeros((len(CLIP), 4))), WALKER.phase, WALK.gaits)
    with pytest.raises(FootfallError, match="does not stand at frame"):
        edit_steps(nowhere, [edit("L")], GROUND)
    assert edit_steps(WALK, [], GROUND)[0] is WALK


@pytest.mark.parametrize("name", ["L", "R", "front_L", "front_R"])
def test_a_paw_stands_where_its_footprint_was_moved_and_the_others_stay(name: str) -> None:
    foot = foot_named(TROT.skeleton, name)
    start, _ = foot.runs(TROTTING.contacts)[3]
    made, told = edit_steps(TROTTING, [StepEdit(name, int(start), np.array([0.03, 0.02]))], GROUND)
    assert not told
    for one in feet_of(TROT.skeleton):
        moved = one.places(made.clip) - one.places(TROT)
        for index, (first, last) in enumerate(one.runs(TROTTING.contacts)):
            wanted = [0.03, 0.02, 0.0] if one.name == name and index == 3 else np.zeros(3)
            np.testing.assert_allclose(moved[first:last], np.tile(wanted, (last - first, 1)), atol=1e-3)
    np.testing.assert_allclose(made.clip.positions[: start - 60], TROT.positions[: start - 60], atol=1e-6)


def test_a_paw_that_is_held_longer_stays_in_place_for_that_time() -> None:
    foot = foot_named(TROT.skeleton, "front_R")
    start, stop = foot.runs(TROTTING.contacts)[3]
    made, _ = edit_steps(TROTTING, [StepEdit("front_R", int(start), np.zeros(2), later=0.05)], GROUND)
    assert tuple(foot.runs(made.contacts)[3]) == (start, stop + 3)
    places = foot.places(made.clip)[start : stop + 3]
    np.testing.assert_allclose(places, np.broadcast_to(places[0], places.shape), atol=2e-3)
    others = [0, 1, 2]
    np.testing.assert_array_equal(made.contacts.held[:, others], TROTTING.contacts.held[:, others])


def test_people_have_no_front_feet() -> None:
    with pytest.raises(FootfallError, match="Only four-legged characters have front feet"):
        edit_steps(WALK, [StepEdit("front_L", 50, np.zeros(2))], GROUND)


def test_the_nearest_contact_of_the_foot_is_the_step() -> None:
    contacts = np.zeros((100, 4))
    contacts[10:20, 0] = contacts[40:50, 1] = contacts[28:32, 2] = 1.0
    both = FootContacts(contacts)
    assert [find_step(both, LEFT, frame, RATE) for frame in (10, 19, 25, 35, 49)] == [0, 0, 0, 1, 1]


def test_a_step_that_lands_too_early_is_refused_as_one_that_leaves_too_late() -> None:
    swing = contact("L")[0] - contact("L", index=STEP - 1)[1]
    edit_steps(WALK, [edit("L", earlier=(swing - 7) / RATE)], GROUND)
    with pytest.raises(FootfallError, match=r"is held 0\.05 s too long"):
        edit_steps(WALK, [edit("L", earlier=(swing - 4) / RATE)], GROUND)


def test_the_sentence_of_a_step_is_at_its_place_among_the_edits_and_says_the_foot() -> None:
    far, near = edit("R", (3.0, 0.0)), StepEdit("L", contact("L", index=-1)[1] - 1, np.array([0.02, 0.0]))
    _, told = edit_steps(WALK, [near, far], GROUND)
    assert list(told) == [1] and f"the step at frame {far.frame} is" in str(told[1])
    with pytest.raises(FootfallError, match="The step of the right foot at frame"):
        edit_steps(WALK, [edit("R"), edit("R")], GROUND)


def test_where_there_is_no_ground_a_moved_step_keeps_its_height() -> None:
    class Edge(Plane):
        """Ground that ends where the walk's feet are."""

        def heights(self, points: Array, frame: float = 0.0) -> Array:
            return np.where(np.asarray(points)[..., 0] > CLIP.positions[..., 0].max() + 0.01, np.nan, 0.0)

    side = "L" if ankle(WALK, "L")[:, 0].mean() > ankle(WALK, "R")[:, 0].mean() else "R"
    made, _ = edit_steps(WALK, [edit(side, (0.2, 0.0))], Edge())
    start, stop = contact(side)
    np.testing.assert_allclose((ankle(made, side) - ankle(WALK, side))[start:stop, 2], 0.0, atol=2e-3)


def test_contacts_beside_one_that_is_held_longer_roll_as_they_did() -> None:
    made, _ = edit_steps(WALK, [edit("L", later=0.1)], GROUND)
    for index in (STEP - 1, STEP + 1):
        span = slice(*contact("L", index=index))
        np.testing.assert_array_equal(made.contacts.probabilities[span], WALK.contacts.probabilities[span])
        np.testing.assert_allclose(ankle(made, "L")[span], ankle(WALK, "L")[span], atol=1e-4)


def test_a_foot_comes_to_its_moved_step_and_leaves_it_over_whole_swings() -> None:
    """Along a quintic, whose steepest slope is 1.875 times its mean."""
    made, _ = edit_steps(WALK, [edit("L", (0.1, 0.0))], GROUND)
    moved = (ankle(made, "L") - ankle(WALK, "L"))[:, 0]
    start, stop = contact("L")
    swing = min(start - contact("L", index=STEP - 1)[1], contact("L", index=STEP + 1)[0] - stop)
    assert np.abs(np.diff(moved)).max() < 1.2 * 1.875 * 0.1 / swing


def test_a_step_that_is_moved_onto_a_stone_stands_on_it_and_not_on_what_is_beside() -> None:
    side = "L" if ankle(WALK, "L")[:, 0].mean() > ankle(WALK, "R")[:, 0].mean() else "R"
    start, stop = contact(side)
    middle = ankle(WALK, side)[(start + stop - 1) // 2]

    class Stone(Plane):
        """A stone 30 cm beside the foot, 40 cm wide and 10 cm high."""

        def heights(self, points: Array, frame: float = 0.0) -> Array:
            points = np.asarray(points)
            on = (np.abs(points[..., :2] - middle[:2] - [0.3, 0.0]) < 0.2).all(axis=-1)
            return np.where(on & (points[..., 2] > 0.1), 0.1, 0.0)

    made, _ = edit_steps(WALK, [edit(side, (0.3, 0.0))], Stone())
    np.testing.assert_allclose((ankle(made, side) - ankle(WALK, side))[start:stop, 2], 0.1, atol=5e-3)


def test_the_only_step_of_a_foot_lands_and_leaves_earlier() -> None:
    contacts = WALK.contacts.probabilities.copy()
    start, stop = contact("L")
    contacts[:start, :2] = contacts[stop:, :2] = 0.0
    walk = Walk(CLIP, FootContacts(contacts), WALKER.phase, WALK.gaits)
    made, _ = edit_steps(walk, [edit("L", earlier=0.1, later=-0.1)], GROUND)
    np.testing.assert_allclose(contact("L", made, 0), [start - 6, stop - 6], atol=1)
    np.testing.assert_array_equal(made.contacts.runs("R"), WALK.contacts.runs("R"))
