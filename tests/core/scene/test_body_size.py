"""Sizes of the body, in the order that their docstrings promise."""

from footfall.core.scene import body_size as sizes


def test_radii_grow_from_a_touch_to_the_distance_of_strangers() -> None:
    radii = [
        sizes.CONTACT_RADIUS_M,
        sizes.STAND_CLEARANCE_M,
        sizes.WALK_RADIUS_M,
        sizes.PATH_HALF_WIDTH_M,
        sizes.CLUTTER_CLEARANCE_M,
        sizes.AGENT_RADIUS_M,
    ]
    assert radii == sorted(set(radii)) and radii[0] > 0.1 and radii[-1] < 0.5


def test_rays_are_over_the_next_step_and_inside_the_body() -> None:
    low, high = sizes.BODY_HEIGHT_RANGE_M
    assert 0.0 < low < sizes.KNEE_HEIGHT_M < sizes.CHEST_HEIGHT_M < high < sizes.HEAD_HEIGHT_M < 2.0


def test_a_body_ducks_between_its_least_headroom_and_its_head() -> None:
    assert 0.5 < sizes.MIN_HEADROOM_M < sizes.CHEST_HEIGHT_M
