"""Checks of single contacts on tracks in round numbers: the doubt of each is a closed form."""

import numpy as np
import pytest

from footfall.core.labelling.review.contact_checks import (
    check_confidence,
    check_rests,
    check_short_runs,
    check_sliding,
)
from footfall.core.motion.rotations import Array

from .contexts import FRAMES, context


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
    assert found.text == "prop: a contact is uncertain for 0.30 s"
    assert (found.subject, found.columns) == ("prop", (0,))


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


def test_a_joint_that_is_at_rest_before_its_contact_is_late() -> None:
    """The joint comes to its place at frame 80 and leaves it with the contact: 0.2 s of rest, 0.05 s of it usual."""
    seen = context({"foot.L": [(100, 150)], "toe.L": []}, tracks=steps((80, 1.0), (150, 2.0)))
    (found,) = check_rests(seen, 0)
    assert (found.start, found.stop, found.frame, found.kind, found.name) == (80, 100, 100, "REST", "foot.L")
    assert (found.subject, found.columns) == ("feet", (0,))
    assert found.doubt == pytest.approx(0.65 * saturated(0.2 - 0.05 - 0.03, 0.09))
    assert found.text == "Left heel: rests for 0.20 s before the contact begins"
