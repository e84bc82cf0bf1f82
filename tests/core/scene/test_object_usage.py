"""Objects that are used, and those that are refused with a sentence before anything is baked."""

import numpy as np
import pytest

from footfall.benchmarks.odd_props import ball_mesh, odd_doors, odd_loads, odd_seats
from footfall.core.errors import FootfallError
from footfall.core.motion.rotations import from_axis_angle, rotate, rotation_about_up
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


def refusal(mesh: Mesh, action: str) -> str | None:
    """The reason why a mesh is not used for an action; none if it is."""
    try:
        find_usage("it", *mesh, action)
    except FootfallError as error:
        return str(error)
    return None


def block(width: float, depth: float, height: float) -> Mesh:
    return box_mesh((-width / 2, -depth / 2, 0.0), (width / 2, depth / 2, height))


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        ((0.46, 0.04, 2.0), None),
        ((0.44, 0.04, 2.0), "too small"),
        ((1.34, 0.04, 2.0), None),
        ((1.36, 0.04, 2.0), "is 1.4 m wide"),
        ((0.04, 1.36, 2.0), "is 1.4 m wide"),
        ((0.9, 0.04, 1.51), None),
        ((0.9, 0.04, 1.49), "too small"),
        ((0.9, 0.44, 2.0), None),
        ((0.9, 0.46, 2.0), "too thick"),
        ((0.46, 0.9, 2.0), "too thick"),
    ],
)
def test_a_leaf_has_the_size_of_a_leaf(size: tuple[float, float, float], reason: str | None) -> None:
    said = refusal(block(*size), "open")
    assert said is None if reason is None else said is not None and reason in said


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        ((0.4, 0.74, 0.2), None),
        ((0.74, 0.4, 0.2), None),
        ((0.8, 0.8, 0.2), "too wide to hold"),
        ((0.1, 1.4, 0.1), "is 1.4 m long"),
        ((0.4, 0.4, 0.89), None),
        ((0.4, 0.4, 0.92), "is 0.9 m high"),
    ],
)
def test_a_load_leaves_room_for_its_bearer(size: tuple[float, float, float], reason: str | None) -> None:
    said = refusal(block(*size), "carry")
    assert said is None if reason is None else said is not None and reason in said


def tilted(degrees: float, axis: tuple[float, float, float]) -> Mesh:
    """A block of 5 cm on a foot, tilted about a horizontal axis."""
    vertices, triangles = box_mesh((-0.24, -0.22, -0.05), (0.24, 0.22, 0.0))
    turned = rotate(from_axis_angle(np.array(axis), np.radians(degrees)), vertices) + np.array([0.0, 0.0, 0.46])
    return merge_meshes([(turned, triangles), box_mesh((-0.1, -0.1, 0.0), (0.1, 0.1, 0.36))])


def test_an_object_is_used_in_the_middle_of_its_outline_on_its_lowest_point() -> None:
    vertices, triangles = block(0.4, 0.3, 0.2)
    moved = vertices + np.array([1.0, 2.0, 3.0])
    for action in ("", "push", "carry"):
        usage = find_usage("box", moved, triangles, action)
        np.testing.assert_allclose(usage.origin, [1.0, 2.0, 3.0])
        assert usage.yaw == pytest.approx(0.0) and usage.handle is None
    seat = find_usage("seat", block(0.5, 0.4, 0.45)[0] + np.array([1.0, 2.0, 3.0]), triangles, "sit")
    np.testing.assert_allclose(seat.origin, [1.0, 2.2 - 0.22, 3.0], atol=0.025)


@pytest.mark.parametrize("along_y", [False, True])
@pytest.mark.parametrize("hinge_at_start", [False, True])
def test_a_handle_is_far_from_the_hinge_which_is_at_the_origin_of_the_mesh(along_y: bool, hinge_at_start: bool) -> None:
    start, stop = (0.0, 0.9) if hinge_at_start else (-0.9, 0.0)
    ends = ((start, -0.02, 0.0), (stop, 0.02, 2.0))
    mesh = box_mesh(*(((end[1], end[0], end[2]) for end in ends) if along_y else ends))
    usage = find_usage("leaf", *mesh, "open")
    assert usage.handle is not None
    assert usage.yaw == pytest.approx(np.pi / 2 if along_y else 0.0)
    turn = rotation_about_up(np.array(usage.yaw))
    hinge, position = (rotate(turn, point) + usage.origin for point in (usage.handle.hinge, usage.handle.position))
    np.testing.assert_allclose(hinge, 0.0, atol=1e-12)
    along, across = (1, 0) if along_y else (0, 1)
    assert position[along] == pytest.approx(0.93 * (start + stop)) and position[2] == 1.0
    assert abs(position[across]) == pytest.approx(0.02)
    np.testing.assert_array_equal(usage.handle.direction, [0.0, -1.0])


@pytest.mark.parametrize(
    ("action", "kind", "has_surface"),
    [("sit", "seat", False), ("carry", "box", True), ("push", "box", True), ("lean", "surface", True),
     ("open", "door", True), ("", "obstacle", True)]
)  # fmt: skip
def test_an_object_has_the_kind_of_its_action_and_its_surface_where_hands_or_things_are_put(
    action: str, kind: str, has_surface: bool
) -> None:
    made = use_object("block", *block(0.5, 0.4, 0.45), action, None)
    assert (made.name, made.kind) == ("block", kind) and (made.surface is not None) == has_surface
    np.testing.assert_array_equal(made.position, np.zeros(3))
    np.testing.assert_array_equal(made.rotation, [1.0, 0.0, 0.0, 0.0])
