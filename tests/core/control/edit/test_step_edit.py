"""Edited steps: feet stand where they are put and for as long as they are told, and all else stays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.edit.foot import feet_of, foot_named
from footfall.core.control.edit.step_edit import TUNING as STEP_EDIT_TUNING
from footfall.core.control.edit.step_edit import StepEdit, edit_steps
from footfall.core.control.performance import Performance
from footfall.core.errors import FootfallError
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import Array, length
from footfall.core.terrain.ground import Plane
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.performances import performance
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=6.0)
RATE = 60.0
CLIP = WALKER.clip()
WALK = performance(CLIP, FootContacts(WALKER.contacts), WALKER.phase, np.ones((len(CLIP), 1)))
GROUND = Plane()
TROT, STANDS = trot(dog(), 240, travels=True)
TROTTING = performance(TROT, FootContacts(STANDS.astype(float)), np.zeros(240), np.ones((240, 1)))
STEP = 2
"""Index of the contact that is edited."""


def contact(side: str, walk: Performance = WALK, index: int = STEP) -> tuple[int, int]:
    start, stop = walk.contacts.runs(side)[index]
    return int(start), int(stop)


def edit(side: str, shift: tuple[float, float] = (0.0, 0.0), **changes: float) -> StepEdit:
    return StepEdit(side, sum(contact(side)) // 2, np.array(shift), **changes)


def ankle(walk: Performance, side: str) -> Array:
    return walk.clip.positions[:, walk.clip.skeleton.joint(f"foot.{side}")]


def toe_yaws(walk: Performance, side: str) -> Array:
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


@pytest.mark.parametrize("side", ["L", "R"])
def test_the_last_contact_is_held_to_the_end_at_most(side: str) -> None:
    frame = sum(contact(side, index=-1)) // 2
    made, _ = edit_steps(WALK, [StepEdit(side, frame, np.zeros(2), 0.4, later=1.0)], GROUND)
    assert made.contacts.runs(side)[-1, 1] == len(CLIP)
    turned = (toe_yaws(made, side) - toe_yaws(WALK, side))[frame]
    assert turned == pytest.approx(0.4, abs=0.02)


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
    assert "beyond the reach" in str(told[0])
    assert not edit_steps(WALK, [near], GROUND)[1]


def test_a_step_that_takes_the_body_far_aside_is_told() -> None:
    _, told = edit_steps(WALK, [edit("L", (0.85, 0.0))], GROUND)
    assert "is out of reach, so the body leaves its path by 42 cm" in str(told[0])
    assert not edit_steps(WALK, [edit("L", (0.3, 0.0))], GROUND)[1]


def test_what_cannot_be_is_refused() -> None:
    swing = contact("L", index=STEP + 1)[0] - contact("L")[1]
    too_long = swing / RATE - STEP_EDIT_TUNING.shortest_swing + 0.1
    with pytest.raises(FootfallError, match=r"lasts 0\.1\d s too long, so the foot has no time to swing"):
        edit_steps(WALK, [edit("L", later=too_long)], GROUND)
    with pytest.raises(FootfallError, match="no time on the ground"):
        edit_steps(WALK, [edit("L", later=-2.0)], GROUND)
    with pytest.raises(FootfallError, match="edited twice"):
        edit_steps(WALK, [edit("L"), edit("L", (0.1, 0.0))], GROUND)
    nowhere = performance(CLIP, FootContacts(np.zeros((len(CLIP), 4))), WALKER.phase, WALK.labels.gaits)
    with pytest.raises(FootfallError, match="foot is not on the ground at frame"):
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
