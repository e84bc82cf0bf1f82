"""Objects that are used, and those that are refused with a sentence before anything is baked."""

import numpy as np
import pytest

from footfall.benchmarks.odd_props import ball_mesh, odd_doors, odd_loads, odd_seats
from footfall.core.errors import FootfallError
from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.core.scene.object_usage import find_usage, use_object
from footfall.training.interactions.props.mesh_primitives import Mesh, box_mesh, merge_meshes

REFUSED = {
    "seat tilted 15 degrees back": "slopes by 1",
    "ball 60 cm": "slopes by",
    "slab 8 cm": "has no seat",
    "plank 2 m": "is 2.0 m long",
    "crate 90 cm": "too wide",
    "column 1.4 m": "is 1.4 m high",
    "both leaves of a double door": "separate a double door into its leaves",
    "leaf with its frame 60 cm deep": "too thick",
    "hatch 1 m": "too small",
}
USED = ("bar stool 75 cm", "bench", "sofa 85 cm deep", "ball 32 cm", "suitcase", "plank 70 cm", "leaf 60 cm")


def known(name: str) -> tuple[Mesh, str]:
    for meshes, action in ((odd_seats(), "sit"), (odd_loads(), "carry"), (odd_doors(), "open")):
        if name in meshes:
            return meshes[name], action
    raise KeyError(name)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_with_one_sentence_that_names_it(name: str) -> None:
    mesh, action = known(name)
    with pytest.raises(FootfallError) as refusal:
        find_usage(name, *mesh, action)
    said = str(refusal.value)
    assert REFUSED[name] in said and f"'{name}'" in said and not said.endswith(".") and "\n" not in said


@pytest.mark.parametrize("name", USED)
def test_odd_objects_are_used(name: str) -> None:
    (vertices, triangles), action = known(name)
    usage = find_usage(name, vertices, triangles, action)
    turned = rotate(rotation_about_up(np.array(-usage.yaw)), vertices - usage.origin)
    made = use_object(name, turned, triangles, action, usage.handle)
    offered = {"sit": made.seat, "carry": made.grips, "open": made.handle}[action]
    assert offered is not None


def test_palms_lie_on_the_mesh_of_a_ball_and_not_on_its_box() -> None:
    radius = 0.16
    vertices, triangles = ball_mesh(radius, rings=24)
    made = use_object("ball", vertices, triangles, "carry", None)
    for side in range(4):
        grips = made.facing_side(side).grips
        assert grips is not None
        away = np.linalg.norm(grips.hands - [0.0, 0.0, radius], axis=1)
        np.testing.assert_allclose(away, radius, atol=0.006)


def test_a_suitcase_is_held_by_the_bar_over_its_top_with_its_bearer_beside_it() -> None:
    vertices, triangles = odd_loads()["suitcase"]
    for turn in (0.0, np.pi / 2):
        usage = find_usage("suitcase", rotate(rotation_about_up(np.array(turn)), vertices), triangles, "carry")
        made = use_object("suitcase", vertices, triangles, "carry", None)
        assert made.grips is not None and made.grips.is_handle
        np.testing.assert_allclose(made.grips.hands, [[0.0, 0.0, 0.57]] * 2, atol=0.016)
        assert abs(np.cos(usage.yaw - turn)) == pytest.approx(1.0), "its front is across the bar"


@pytest.mark.parametrize(
    ("lower", "upper"),
    [((-0.08, -0.02, 0.3), (0.08, 0.02, 0.36)), ((0.1, -0.02, 0.34), (0.18, 0.02, 0.36))],
    ids=["a ridge without room for fingers", "a bar beside the middle"],
)
def test_what_is_no_handle_is_held_between_two_hands(lower: tuple[float, ...], upper: tuple[float, ...]) -> None:
    block, bar = ((-0.2, -0.15, 0.0), (0.2, 0.15, 0.3)), (lower, upper)
    made = use_object("block", *merge_meshes([box_mesh(*block), box_mesh(*bar)]), "carry", None)
    assert made.grips is not None and not made.grips.is_handle


def test_a_handle_is_on_the_surface_of_a_leaf_on_both_sides() -> None:
    usage = find_usage("leaf", *box_mesh((-0.45, -0.02, 0.0), (0.45, 0.02, 2.0)), "open")
    assert usage.handle is not None
    assert usage.handle.position[1] == pytest.approx(0.02)
    assert usage.handle.opposite_handle().position[1] == pytest.approx(-0.02)
    twice = usage.handle.scaled(2.0)
    np.testing.assert_allclose(twice.position, 2 * usage.handle.position)


def test_hips_are_nearer_to_the_rest_of_a_deep_sofa() -> None:
    from footfall.training.interactions.props.seats import Sofa

    for depth in (0.55, 0.65):
        seat = use_object("sofa", *Sofa(depth=depth).mesh(), "sit", None).seat
        assert seat is not None
        rest = -(depth + 0.16) / 2 + 0.16
        assert 0.15 < seat.position[1] - rest < 0.35
