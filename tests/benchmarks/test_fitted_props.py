"""Props that are fitted to a clip have the size that the body needs, and contact points scale with their object."""

import numpy as np
import pytest

from footfall.benchmarks.fitted_props import fit_proxy_object, transfer_contact_points
from footfall.core.scene.affordances import Grips
from footfall.core.scene.collider import Collider
from footfall.core.scene.contact_points import ContactPoint
from footfall.core.scene.object_fitting import PALM_FLESH_M, floor_gap, palm_positions, seat_position
from footfall.tests.support.object_clips import carrying_clip
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize("scale", [0.6, 1.0, 1.3])
def test_a_stool_is_as_high_as_the_sitting_body_needs(scale: float) -> None:
    clip = Walker(seconds=0.5, scale=scale).clip()
    fit = fit_proxy_object(clip, "sit", 10, floor_height=0.0)
    lower, upper = fit.posed_collider.collider.bounds
    assert fit.posed_collider.position[2] + upper[2] == pytest.approx(seat_position(clip, 10)[2], abs=1e-9)
    np.testing.assert_allclose((upper - lower)[:2], 0.36 * scale, atol=0.05)
    assert abs(floor_gap(fit, 0.0)) < 0.03


def test_a_box_is_as_wide_as_the_distance_of_the_hands_less_their_flesh() -> None:
    clip = carrying_clip()
    fit = fit_proxy_object(clip, "carry", 90)
    assert isinstance(fit.affordance, Grips)
    left, right = (palm[90] for palm in palm_positions(clip))
    lower, upper = fit.posed_collider.collider.bounds
    assert (upper - lower)[0] == pytest.approx(np.linalg.norm(left - right) - 2 * PALM_FLESH_M)
    held = fit.posed_collider.to_world(fit.affordance.hands)
    np.testing.assert_allclose(np.linalg.norm(held - [left, right], axis=-1), PALM_FLESH_M, atol=1e-9)


def test_contact_points_keep_their_relative_position_on_a_larger_object() -> None:
    box = Collider(np.array([[-0.3, -0.3, 0.0]]), np.array([[0.3, 0.3, 0.5]]))
    point = np.array([0.1, -0.2, 0.5])
    contacts = {"hand.R": ContactPoint(point, np.ones(1, dtype=bool), np.zeros((1, 3)))}
    moved = transfer_contact_points(contacts, box, Collider(2 * box.lower, 2 * box.upper))
    np.testing.assert_allclose(moved["hand.R"], 2 * point, atol=1e-9)
