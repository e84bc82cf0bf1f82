"""Checks of single contacts on tracks in round numbers: the doubt of each is a closed form."""

import numpy as np
import pytest

from footfall.core.labelling.review.contact_checks import (
    check_confidence,
    check_heights,
    check_rests,
    check_short_runs,
    check_sliding,
)
from footfall.core.motion.rotations import Array

from .contexts import FRAMES, Runs, context

FOUR: Runs = ((100, 150), (300, 350), (500, 550), (700, 750))
"""Four contacts of half a second."""


def saturated(excess: float, scale: float) -> float:
    return 1 - float(np.exp(-excess / scale))


def steps(*places: tuple[int, float], axis: int = 1) -> Array:
    """A track (F, 3) that jumps along an axis at some frames, each to a place."""
    track = np.zeros((FRAMES, 3))
    for frame, place in places:
        track[frame:, axis] = place
    return track


def test_a_contact_as_long_as_is_usual_is_not_short() -> None:
    assert not list(check_short_runs(context({"prop": [(200, 214)]}), 0))


def test_a_gap_is_short_as_a_contact_is() -> None:
    (found,) = check_short_runs(context({"prop": [(100, 400), (405, 700)]}), 0)
    assert (found.start, found.stop) == (400, 405)
    assert found.text == "prop: not in contact for only 0.05 s"


def test_from_four_contacts_on_the_longer_ones_are_usual() -> None:
    usual = [(100, 150), (300, 350), (500, 550), (700, 710)]
    (found,) = check_short_runs(context({"prop": usual}), 0)
    assert found.start == 700 and found.doubt == pytest.approx(0.8 * 0.11 / 0.12)


def test_the_sensors_of_both_sides_are_of_a_kind() -> None:
    long = [(100, 200), (300, 400), (500, 600)]
    alone = 0.8 * (0.11 / 0.12) * 1.6 * 0.04 / 0.15
    for other, doubt in (("hand.R", 0.8 * 0.11 / 0.12), ("elbow.R", alone)):
        (found,) = check_short_runs(context({"hand.L": [(200, 210)], other: long}), 0)
        assert found.doubt == pytest.approx(doubt)


def unsure(*parts: tuple[int, int, float]) -> Array:
    confidence = np.full(FRAMES, 0.9)
    for start, stop, value in parts:
        confidence[start:stop] = value
    return confidence


def test_a_stretch_of_little_confidence_is_uncertain() -> None:
    """Half of the confidence that is enough for 0.3 s lacks 0.15 s."""
    confidence = unsure((200, 230, 0.325), (250, 260, 0.65))
    confidence[220] = 0.32
    (found,) = check_confidence(context({"prop": []}, confidence=confidence), 0)
    assert (found.start, found.stop, found.frame, found.kind, found.name) == (200, 230, 220, "UNSURE", "prop")
    assert found.doubt == pytest.approx(0.75 * saturated(0.15 + 0.005 / 0.65 / 100 - 0.03, 0.08))
    assert found.text == "prop: uncertain for 0.30 s whether it is in contact"
    assert (found.subject, found.columns) == ("prop", (0,))


@pytest.mark.parametrize("count, usual", [(3, 0.0), (4, 0.02), (5, 0.02)])
def test_from_four_stretches_on_what_is_usual_is_none(count: int, usual: float) -> None:
    short = [(100 * number, 100 * number + 4, 0.325) for number in range(1, count)]
    (found,) = check_confidence(context({"prop": []}, confidence=unsure(*short, (800, 830, 0.325))), 0)
    assert (found.start, found.doubt) == (800, pytest.approx(0.75 * saturated(0.15 - 0.03 - usual, 0.08)))


def test_all_that_is_sure_has_no_issue() -> None:
    assert not list(check_confidence(context({"prop": []}), 0))


@pytest.mark.parametrize(
    "axis, allowed, text",
    [
        (0, 0.03, "prop: slides 10 cm during a contact"),
        (1, 0.03, "prop: slides 10 cm during a contact"),
        (2, 0.025, "prop: moves up and down by 10 cm during a contact"),
    ],
)
def test_a_joint_that_travels_in_a_contact_slides(axis: int, allowed: float, text: str) -> None:
    seen = context({"prop": [(100, 150)]}, tracks=steps((120, 0.1), axis=axis))
    (found,) = check_sliding(seen, 0)
    assert (found.start, found.stop, found.frame, found.kind, found.text) == (100, 150, 119, "SLIDE", text)
    assert found.doubt == pytest.approx(0.9 * saturated(0.1 - allowed, 0.06))
    assert (found.name, found.subject, found.columns) == ("prop", "prop", (0,))


@pytest.mark.parametrize("stop, frame, slides", [(103, 101, False), (103, 102, False), (104, 102, True)])
def test_of_a_contact_of_a_moment_the_middle_is_left(stop: int, frame: int, slides: bool) -> None:
    found = list(check_sliding(context({"prop": [(100, stop)]}, tracks=steps((frame, 0.1))), 0))
    assert bool(found) == slides


@pytest.mark.parametrize("count, usual", [(3, 0.0), (4, 0.02)])
def test_from_four_contacts_on_a_usual_slide_is_none(count: int, usual: float) -> None:
    tracks = steps((120, 0.02), (320, 0.04), (520, 0.06), (720, 0.16))
    tracks = steps((320, 0.02), (520, 0.04), (720, 0.14)) if count == 3 else tracks
    (found,) = check_sliding(context({"prop": FOUR[-count:]}, tracks=tracks), 0)
    assert (found.start, found.doubt) == (700, pytest.approx(0.9 * saturated(0.1 - 0.03 - usual, 0.06)))


def test_without_a_contact_nothing_slides_or_rests_or_is_high() -> None:
    seen = context({"prop": []}, tracks=steps((120, 0.1)))
    assert not [*check_sliding(seen, 0), *check_rests(seen, 0), *check_heights(seen, 0)]


def test_a_joint_that_is_at_rest_before_its_contact_is_late() -> None:
    """The joint comes to its place at frame 80 and leaves it with the contact: 0.2 s of rest, 0.05 s of it usual."""
    seen = context({"foot.L": [(100, 150)], "toe.L": []}, tracks=steps((80, 1.0), (150, 2.0)))
    (found,) = check_rests(seen, 0)
    assert (found.start, found.stop, found.frame, found.kind, found.name) == (80, 100, 100, "REST", "foot.L")
    assert (found.subject, found.columns) == ("feet", (0,))
    assert found.doubt == pytest.approx(0.65 * saturated(0.2 - 0.05 - 0.03, 0.09))
    assert found.text == "Left heel: rests for 0.20 s before its contact"


def test_a_joint_that_rests_after_its_contact_leaves_late() -> None:
    seen = context({"prop": [(100, 150)]}, tracks=steps((100, 1.0), (170, 2.0)))
    (found,) = check_rests(seen, 0)
    assert (found.start, found.stop, found.frame) == (149, 169, 149)
    assert found.doubt == pytest.approx(0.65 * saturated(0.12, 0.09))
    assert found.text == "prop: rests for 0.20 s after its contact"


def test_a_rest_ends_with_the_clip() -> None:
    first = context({"prop": [(10, 50)]}, tracks=steps((50, 2.0)))
    last = context({"prop": [(950, 990)]}, tracks=steps((950, 2.0)))
    doubts = [found.doubt for seen in (first, last) for found in check_rests(seen, 0)]
    assert doubts == pytest.approx([0.65 * saturated(rest - 0.08, 0.09) for rest in (0.1, 0.1)])
    assert not list(check_rests(context({"prop": [(0, 1000)]}), 0))


def test_the_place_of_a_contact_is_a_moment_inside_it() -> None:
    """A heel that is put down over 0.03 s rests from there on: what lies before is not its place."""
    seen = context({"prop": [(200, 250)]}, tracks=steps((180, 1.0), (203, 2.0), (247, 3.0)))
    assert not list(check_rests(seen, 0))


def test_from_four_contacts_on_a_usual_rest_is_none() -> None:
    rested = [(start - 10, float(n)) for n, (start, _) in enumerate(FOUR[:3], start=1)]
    left = [(stop, n + 0.5) for n, (_, stop) in enumerate(FOUR, start=1)]
    tracks = steps(*sorted([*rested, (675, 4.0), *left]))
    (found,) = check_rests(context({"prop": FOUR}, tracks=tracks), 0)
    assert (found.start, found.doubt) == (675, pytest.approx(0.65 * saturated(0.25 - 0.1 - 0.03, 0.09)))
    fewer = list(check_rests(context({"prop": FOUR[1:]}, tracks=tracks), 0))
    assert [one.doubt for one in fewer] == pytest.approx(
        [0.65 * saturated(rest - 0.08, 0.09) for rest in (0.1, 0.1, 0.25)]
    )


def heights(*values: float) -> Array:
    """A track that is at some heights in the contacts of FOUR, and one more."""
    track = np.zeros((FRAMES, 3))
    for number, value in enumerate(values):
        track[200 * number + 50 : 200 * number + 250, 2] = value
    return track


def test_the_height_is_the_mean_of_the_inner_part() -> None:
    track = heights(0.0, 0.1, 0.0)
    track[300:305, 2], track[345:350, 2] = 9.0, 9.0
    track[305:325, 2] += 0.05
    (found,) = check_heights(context({"prop": FOUR[:3]}, tracks=track), 0)
    assert found.doubt == pytest.approx(0.8 * saturated(0.125 - 0.03, 0.05))


def test_stairs_have_no_odd_height_and_two_contacts_have_none() -> None:
    assert not list(check_heights(context({"prop": FOUR}, tracks=heights(0.0, 0.2, 0.4, 0.6)), 0))
    assert not list(check_heights(context({"prop": FOUR[:2]}, tracks=heights(0.0, 0.2)), 0))
